// The page of a table: the felt, one's own play below it, the round told beside it. The house's view is the truth.
import { api, byId, dollars, el, findById, newKey, toast } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { bankPanel } from "./bank.js";
import { Bets } from "./bets.js";
import { Controls } from "./controls.js";
import { Setting, clock } from "./decisions.js";
import { Felt } from "./felt.js";
import { earlyWords, feltState, lastWords, limitsLine, nowWords, paymentsOf, paysShort, seatOf, sumOf } from "./felt-state.js";
import { listen, tellKeys } from "./keys.js";
import { resultPanel, wagersPanel } from "./result.js";
import { addSeed, shoeWords } from "./shoe-words.js";
import { showStrip } from "./strip.js";

/** @import { Cents, TableView } from "../types" */

const { table = "", role, demo } = byId("table").dataset;
const path = `/api/v1/tables/${encodeURIComponent(table)}`;
const isGuest = role === "guest";

const state = {
  /** @type {TableView | null} */
  view: null,
  /** One's seat, or 0. */
  own: 0,
  /** @type {Felt | null} */
  felt: null,
  /** What the felt was laid for. */
  laidFor: "",
  /** The finished round that one has cleared away by betting again, by its entry. */
  dismissed: 0,
  /** The round in which one has said that all bets are placed. */
  readyRound: 0,
  /** The entry of the finished round that was told last, and the words said last. */
  toldSeq: 0,
  newsSeq: 0,
  told: "",
  isStarted: false,
  /** The round that one banked oneself. @type {number | null} */
  banked: null,
  /** The purse of a guest who has no seat here. @type {Cents | null} */
  purse: null,
};

const bets = new Bets(table, paint);
const setting = new Setting(table, paint);
const actions = {
  act: (/** @type {string} */ choice) => command("decide", { seat: state.own, choice }),
  placeLate: (/** @type {string} */ wager, /** @type {Cents} */ cents) => command("bet", { seat: state.own, wager, cents }),
  betForDealer: (/** @type {string} */ wager, /** @type {Cents} */ cents) => {
    const bet = { seat: state.own, wager, for_dealer: true };
    return cents ? command("bet", { ...bet, cents }) : command("withdraw", bet);
  },
  deal,
  refill,
  leave,
};
const controls = isGuest ? new Controls(byId("controls"), { bets, setting, isDemo: demo === "yes" }, actions) : null;
const timer = { id: "clock", class: "clock", hidden: true, role: "timer", "aria-label": "Seconds left to decide" };
const setClock = clock(byId("controls").appendChild(el("span", timer)));

/**
 * Give the house a command; a refusal is shown and nothing is lost.
 * @param {string} kind
 * @param {object} fields
 */
async function command(kind, fields) {
  return api("POST", `${path}/${kind}`, fields, { key: newKey() }).catch(() => null);
}

/** All my bets are placed: the croupier of the demo deals when everybody has said so. */
async function deal() {
  await bets.queue;
  if (!bets.total || bets.lacking || !state.view) return;
  const { round } = state.view;
  try {
    await api("POST", `/api/v1/demo/tables/${encodeURIComponent(table)}/ready`);
    state.readyRound = round;
  } catch {
    // the refusal is shown
  }
  paint();
}

async function refill() {
  await api("POST", "/api/v1/demo/chips").catch(() => {});
  if (!state.own) askPurse();
}

async function leave() {
  await command("leave", { seat: state.own });
  askPurse();
}

/** The purse of a guest who has no seat here: the view does not tell it. */
async function askPurse() {
  if (!isGuest) return;
  const session = await api("GET", "/api/v1/session", undefined, { quiet: true }).catch(() => null);
  state.purse = session?.balance_cents ?? null;
  paint();
}

// ---- the felt -------------------------------------------------------------------------------------------------------

/** @param {number} seat */
function sitButton(seat) {
  const sit = () => command("sit", { seat }).then(askPurse);
  const button = { type: "button", class: "sit-here", hidden: true, dataset: { seat }, onclick: sit };
  return el("button", { ...button, "aria-label": `Sit here, seat ${seat}` }, "Sit here");
}

/** A felt for these seats and this reader; made again when either changes. @param {TableView} view */
function layTheFelt(view) {
  const limits = view.wagers.map((wager) => [wager.min_cents, wager.max_cents]);
  const key = JSON.stringify([view.edition.id, view.face, view.seats.length, state.own, limits]);
  if (state.felt && state.laidFor === key) return state.felt;
  const felt = new Felt(view.face, {
    seats: view.seats.length,
    own: state.own,
    pays: Object.fromEntries(view.wagers.map((wager) => [wager.id, paysShort(wager)])),
    limits: limitsLine(view),
    onplace: (wager) => controls?.place(wager),
  });
  for (const seat of felt.seats) {
    if (seat.own) {
      for (const { element, face } of seat.spots) {
        for (const event of ["focus", "pointerenter"]) element.addEventListener(event, () => controls?.tellLimits(face.wager));
      }
    } else seat.element.insertBefore(sitButton(seat.number), seat.element.lastChild);
  }
  Object.assign(state, { felt, laidFor: key });
  byId("felt").replaceChildren(felt.element);
  byId("felt").setAttribute("aria-busy", "false");
  tellKeys(view.face);
  return felt;
}

/** @param {TableView} view */
function showSitting(view) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = byId("felt").querySelectorAll(".sit-here");
  for (const button of buttons) {
    const isTaken = Boolean(seatOf(view, Number(button.dataset.seat))?.guest);
    button.hidden = !isGuest || state.own > 0 || isTaken || !view.is_open;
  }
}

// ---- what is said ---------------------------------------------------------------------------------------------------

/** Say something to those who listen, once. @param {string} words */
function say(words) {
  if (!words || words === state.told) return;
  state.told = words;
  byId("say").textContent = words;
}

/** Say that a round has ended; whether there was something to say. @param {TableView} view */
function sayEnd(view) {
  if (!view.last || view.last.seq === state.toldSeq) return false;
  const isNew = state.toldSeq !== 0 || state.isStarted;
  state.toldSeq = view.last.seq;
  if (!isNew) return false;
  const isMine = paymentsOf(view.last, state.own).length > 0;
  const purse = isMine && view.you ? `Your chips: ${dollars(view.you.balance_cents)}.` : "";
  say(`${lastWords(view, state.own)}. ${purse}`);
  return true;
}

/** Tell what was put right since the last view: it is no ordinary course of a round. @param {TableView} view */
function tellNews({ news }) {
  const isNew = news !== null && news.seq > state.newsSeq && state.isStarted;
  state.newsSeq = Math.max(state.newsSeq, news?.seq ?? 0);
  if (isNew) toast(news.words.join(". "), true);
}

/** @param {TableView} view @param {string} message */
function announce(view, message) {
  tellNews(view);
  if (sayEnd(view)) return;
  state.isStarted = true;
  const seat = seatOf(view, state.own);
  const early = earlyWords(view, state.own);
  const asked = `${nowWords(view, state.own)}: ${seat?.to_act.join(", ")}`;
  if (seat?.to_act.length) say([early, asked].filter(Boolean).join(". "));
  else say(message);
}

// ---- beside the felt ------------------------------------------------------------------------------------------------

/**
 * Replace a panel's content when it differs from what it shows.
 * @param {HTMLElement} panel
 * @param {unknown[]} shows
 * @param {() => (Node | string)[]} make
 */
function fill(panel, shows, make) {
  const key = JSON.stringify(shows);
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  panel.replaceChildren(...make());
}

/** @param {string} words */
const small = (words) => el("span", { class: "small" }, words);

/** @param {TableView} view */
function shoeParts({ shoe, cut: placed, round }) {
  if (!shoe) {
    const cutCard = placed ? `, cut card at ${placed.percent} %` : "";
    return [small(`Cards keyed in by the dealer${cutCard}`), small(`Round ${round}`)];
  }
  const { commitment, used, size, cut } = shoe;
  const hasCut = cut < size;
  const label = `${used} of ${size} cards out${hasCut ? `, cut card at ${cut}` : ""}`;
  const title = `The shoe's commitment, published before its first card: ${commitment}`;
  return [
    el("span", { class: "small", title }, "Shoe ", el("code", {}, commitment.slice(0, 12))),
    el("div", { class: "shoe-progress", role: "img", "aria-label": label }, [
      el("i", { style: { width: `${(100 * used) / size}%` } }),
      hasCut ? el("b", { style: { left: `${(100 * cut) / size}%` } }) : null,
    ]),
    small(`${used} of ${size} out · round ${round}`),
  ];
}

/** @param {TableView} view */
function showPurse(view) {
  const cents = view.you ? bets.purse : state.purse;
  const held = seatOf(view, state.own)?.held_cents ?? 0;
  const tips = sumOf(seatOf(view, state.own)?.for_dealer ?? {});
  const bet = view.phase === "betting" ? bets.total + tips : held;
  const onFelt = view.you && state.own ? bet : 0;
  const owes = view.you?.owes_cents ?? 0;
  fill(byId("purse"), [cents, onFelt, owes], () => {
    if (cents === null || !isGuest) return [];
    const purse = el("b", { class: "money", dataset: { cents } }, dollars(cents));
    const debt = owes ? el("span", { class: "small owes" }, `you owe ${dollars(owes)}`) : "";
    return [small("Your chips"), purse, small(onFelt ? `${dollars(onFelt)} on the felt` : ""), debt];
  });
}

/** @param {TableView} view */
function showPanels(view) {
  const { own, banked } = state;
  fill(byId("shoe"), [view.shoe, view.cut, view.round], () => shoeParts(view));
  const words = shoeWords(view);
  byId("shoe-words").hidden = !words.length;
  fill(byId("shoe-words"), words, () => words.map((sentence) => el("p", { class: "small" }, sentence)));
  fill(byId("result"), [view.last?.seq, view.last?.corrected, own, banked], () => resultPanel(view, own, banked));
  const limits = view.wagers.map((wager) => [wager.id, wager.min_cents, wager.max_cents]);
  fill(byId("wagers"), [view.edition.id, limits], () => wagersPanel(view));
  byId("bank").hidden = !view.bank;
  const isOffered = view.bank?.used_up ? view.bank.holder === own : view.bank?.offered === own && !view.bank.holder;
  const guests = view.seats.map((seat) => seat.guest);
  const shows = [view.bank, own, view.phase, isOffered ? view.you?.balance_cents : 0, guests];
  fill(byId("bank"), shows, () => bankPanel(view, own, command));
}

/** Show everything as it is now. */
function paint() {
  const { view, own } = state;
  if (!view) return;
  const seat = seatOf(view, own);
  const hadFocus = byId("felt").contains(document.activeElement);
  const felt = layTheFelt(view);
  const isReady = state.readyRound === view.round && view.phase === "betting";
  const shown = feltState(view, { own, pending: bets.onTheWay, dismissed: state.dismissed, isReady });
  if (seat && setting.isOn) {
    const { picked } = setting;
    const hands = [{ cards: setting.cards }];
    Object.assign(shown.seats[own], { picked, hands, onpick: (/** @type {number} */ place) => setting.pick(place) });
  }
  felt.show(shown);
  showSitting(view);
  showPurse(view);
  showPanels(view);
  controls?.show(view, own, isReady);
  setClock(seat?.to_act.length ? view.clock : null);
  announce(view, shown.message);
  if (hadFocus && document.activeElement === document.body) focusMainSpot(felt);
}

/** @param {Felt} felt */
function focusMainSpot(felt) {
  /** @type {HTMLElement | null} */
  const spot = felt.element.querySelector(".seat.own button.spot.main:not(:disabled)");
  spot?.focus({ preventScroll: true });
}

/** The seat that one looks from: the one that is asked, if one has several. @param {TableView} view */
function ownSeat(view) {
  const mine = view.you?.seats ?? [];
  const asked = mine.find((seat) => view.to_act.includes(seat));
  const isStill = mine.includes(state.own) && (!asked || view.to_act.includes(state.own));
  return isStill ? state.own : asked ?? mine[0] ?? 0;
}

watch(`${path}/stream`, (/** @type {TableView} */ view) => {
  state.view = view;
  state.own = ownSeat(view);
  const seat = seatOf(view, state.own);
  if (seat && Object.keys(seat.bets).length) state.dismissed = view.last?.seq ?? 0;
  if (view.phase !== "betting" && view.bank?.holder) {
    state.banked = view.bank.holder === state.own ? view.round : null;
  }
  addSeed(view, command);
  bets.take(view, state.own);
  setting.take(view, seat);
  paint();
  showStrip(byId("strip"), table, view.last?.seq ?? 0);
});
askPurse();

findById("join")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const joined = await api("POST", "/api/v1/guests", { name: form.get("name") }).catch(() => null);
  if (joined) location.reload();
});

// ---- keys -----------------------------------------------------------------------------------------------------------

/** Deal, if that is possible now. */
function dealByKey() {
  if (!controls?.mayDeal) return false;
  deal();
  return true;
}

/** @type {Record<string, () => boolean>} */
const BETTING_KEYS = {
  u: () => bets.undo(),
  r: () => bets.repeat(),
  d: () => bets.double(),
  c: () => bets.clear(),
  " ": dealByKey,
};

/**
 * Press the button of the choice that a key stands for.
 * @param {TableView} view
 * @param {string} key
 */
function pressChoice(view, key) {
  const seat = seatOf(view, state.own);
  const late = Object.keys(seat?.late ?? {}).find((wager) => view.face.choices[wager]?.key === key);
  const choice = late ?? seat?.choices_now.find((offered) => offered.key === key)?.id;
  if (!choice) return false;
  controls?.choiceButton(choice)?.click();
  return true;
}

/** What a key does now; whether it did anything. @param {string} key */
function press(key) {
  const { view, own } = state;
  const seat = view && seatOf(view, own);
  if (!view || !seat) return false;
  const isDigit = /^[1-9]$/.test(key);
  if (setting.isOn && isDigit) {
    setting.pick(Number(key) - 1);
    return true;
  }
  if (seat.to_act.length) return pressChoice(view, key);
  if (view.phase !== "betting") return false;
  if (isDigit) return controls?.chooseChip(Number(key) - 1) ?? false;
  return BETTING_KEYS[key]?.() ?? false;
}
listen(press);
