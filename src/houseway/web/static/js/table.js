// The page of a table: the felt, one's own play below it, the round told beside it. The house's view is the truth.
import { api, byId, dollars, el } from "./dom.js";
import { felt } from "./felt.js";
import { bankPanel } from "./table-bank.js";
import { Bets, newKey } from "./table-bets.js";
import { Controls } from "./table-controls.js";
import { Setting, choiceOf, clock } from "./table-decide.js";
import { listen } from "./table-keys.js";
import { resultPanel, wagersPanel } from "./table-result.js";
import { showStrip } from "./table-strip.js";
import { feltState, lastWords, limitsLine, nowWords, paymentsOf, paysShort, printedLines } from "./table-view.js";
import { watch } from "./watch.js";

const page = byId("table").dataset;
const path = `/api/v1/tables/${encodeURIComponent(page.table)}`;
const isGuest = page.role === "guest";
const state = { view: null, own: 0, cloth: null, dismissed: 0, readyRound: 0, toldSeq: 0, told: "", banked: null, purse: null };

const bets = new Bets(page.table, paint);
const setting = new Setting(page.table, paint);
const controls = isGuest ? new Controls(byId("controls"), { bets, setting, page, act, insure, command, deal, refill, leave }) : null;
const setClock = clock(byId("controls").appendChild(el("span", { id: "clock", class: "clock", hidden: true, role: "timer", "aria-label": "Seconds left to decide" })));

/** Give the house a command; a refusal is shown and nothing is lost. */
async function command(kind, fields) {
  try {
    return await api("POST", `${path}/${kind}`, fields, { key: newKey() });
  } catch {
    return null;
  }
}

function act(choice) { return command("decide", { seat: state.own, choice }); }
function insure(wager, cents) { return command("bet", { seat: state.own, wager, cents }); }

/** All my bets are placed: the croupier of the demo deals when everybody has said so. */
async function deal() {
  await bets.queue;
  if (!bets.total || bets.lacking) return;
  const round = state.view.round;
  try {
    await api("POST", `/api/v1/demo/tables/${encodeURIComponent(page.table)}/ready`);
    state.readyRound = round;
  } catch { /* the refusal is shown */ }
  paint();
}

async function refill() { await api("POST", "/api/v1/demo/chips").catch(() => {}); if (!state.own) askPurse(); }
async function leave() { await command("leave", { seat: state.own }); askPurse(); }

/** The purse of a guest who has no seat here: the view does not tell it. */
async function askPurse() {
  if (!isGuest) return;
  state.purse = (await api("GET", "/api/v1/session", undefined, { quiet: true }).catch(() => null))?.balance_cents ?? null;
  paint();
}

/** A felt for these seats and this reader; made again when either changes. */
function layTheFelt(view) {
  const key = `${view.edition.id} ${view.seats.length} ${state.own} ${JSON.stringify(view.wagers.map((wager) => [wager.min_cents, wager.max_cents]))}`;
  if (state.cloth?.key === key) return;
  const pays = Object.fromEntries(view.wagers.map((wager) => [wager.id, paysShort(wager)]));
  const made = felt(view.edition.game, { seats: view.seats.length, own: state.own || null, pays, lines: printedLines(view), limits: limitsLine(view), back: view.edition.game === "duki_4_poker" && view.round % 2 ? "blue" : "red", onplace: (seat, wager) => controls?.place(wager) });
  for (const [number, seat] of made.seats) {
    if (number !== state.own) seat.element.insertBefore(el("button", { type: "button", class: "sit-here", hidden: true, dataset: { seat: number }, "aria-label": `Sit here, seat ${number}`, onclick: () => command("sit", { seat: number }).then(askPurse) }, "Sit here"), seat.element.lastChild);
    for (const [wager, spot] of seat.spots) for (const event of ["focus", "pointerenter"]) if (number === state.own) spot.addEventListener(event, () => controls?.tellLimits(wager));
  }
  made.element.querySelector(".felt-message").removeAttribute("role"); // #say tells it, once
  state.cloth = { ...made, key };
  byId("felt").replaceChildren(made.element);
  byId("felt").setAttribute("aria-busy", "false");
}

/** Say something to those who listen, once. */
function say(words) {
  if (words && words !== state.told) byId("say").textContent = state.told = words;
}

function announce(view, message) {
  const seat = view.seats.find((one) => one.seat === state.own);
  if (view.last && view.last.seq !== state.toldSeq) {
    const isNew = state.toldSeq !== 0 || state.started;
    state.toldSeq = view.last.seq;
    if (isNew) return say(`${lastWords(view, state.own)}. ${paymentsOf(view.last, state.own).length && view.you ? `Your chips: ${dollars(view.you.balance_cents)}.` : ""}`);
  }
  state.started = true;
  if (seat?.to_act.length) say(`${nowWords(view, state.own)}: ${seat.to_act.join(", ")}`);
  else say(message);
}

/** Replace a panel's content when it differs from what it shows. */
function fill(panel, key, make) {
  if (panel.dataset.key === key) return;
  panel.dataset.key = key;
  panel.replaceChildren(...make());
}

function showShoe(view) {
  fill(byId("shoe"), JSON.stringify([view.shoe, view.round]), () => {
    if (!view.shoe) return [el("span", { class: "small" }, "Cards keyed in by the dealer"), el("span", { class: "small" }, `Round ${view.round}`)];
    const { commitment, used, size, cut } = view.shoe;
    const bar = el("div", { class: "shoe-progress", role: "img", "aria-label": `${used} of ${size} cards out${cut < size ? `, cut card at ${cut}` : ""}` }, el("i", { style: { width: `${(100 * used) / size}%` } }), cut < size ? el("b", { style: { left: `${(100 * cut) / size}%` } }) : null);
    return [el("span", { class: "small", title: `The shoe's commitment, published before its first card: ${commitment}` }, "Shoe ", el("code", {}, commitment.slice(0, 12))), bar, el("span", { class: "small" }, `${used} of ${size} out · round ${view.round}`)];
  });
}

function showPurse(view) {
  const cents = view.you ? bets.purse : state.purse;
  const bet = view.you && state.own ? (view.phase === "betting" ? bets.total : view.seats.find((one) => one.seat === state.own)?.held_cents ?? 0) : 0;
  fill(byId("purse"), `${cents} ${bet}`, () => (cents === null || !isGuest ? [] : [el("span", { class: "small" }, "Your chips"), el("b", { class: "money", dataset: { cents } }, dollars(cents)), el("span", { class: "small" }, bet ? `${dollars(bet)} on the felt` : "")]));
}

function showSitting(view) {
  for (const button of byId("felt").querySelectorAll(".sit-here")) {
    const seat = view.seats.find((one) => one.seat === Number(button.dataset.seat));
    button.hidden = !isGuest || Boolean(state.own) || Boolean(seat.guest) || !view.is_open;
  }
}

function showPanels(view) {
  fill(byId("result"), `${view.last?.seq} ${state.own} ${state.banked}`, () => resultPanel(view, state.own, state.banked));
  fill(byId("wagers"), JSON.stringify([view.edition.id, view.wagers.map((wager) => [wager.id, wager.min_cents, wager.max_cents])]), () => wagersPanel(view));
  byId("bank").hidden = !view.bank;
  const offered = view.bank?.offered === state.own && !view.bank?.holder;
  fill(byId("bank"), JSON.stringify([view.bank, state.own, view.phase, offered ? view.you?.balance_cents : 0, view.seats.map((seat) => seat.guest)]), () => bankPanel(view, state.own, command) ?? []);
}

/** Show everything as it is now. */
function paint() {
  const { view } = state;
  if (!view) return;
  const seat = view.seats.find((one) => one.seat === state.own);
  const hadFocus = byId("felt").contains(document.activeElement);
  layTheFelt(view);
  const isReady = state.readyRound === view.round && view.phase === "betting";
  const shown = feltState(view, { own: state.own, pending: bets.onTheWay, dismissed: state.dismissed, isReady });
  if (seat && setting.isOn) Object.assign(shown.seats[state.own], { picked: setting.picked, onpick: (place) => setting.pick(place), set: false });
  state.cloth.show(shown);
  showSitting(view);
  showShoe(view);
  showPurse(view);
  showPanels(view);
  controls?.show(view, state.own, isReady);
  setClock(seat?.to_act.length ? view.clock : null);
  announce(view, shown.message);
  if (hadFocus && !byId("felt").contains(document.activeElement) && document.activeElement === document.body) state.cloth.element.querySelector(".seat.own button.spot.main:not(:disabled)")?.focus({ preventScroll: true });
}

watch(`${path}/stream`, (view) => {
  const mine = view.you?.seats ?? [];
  const asked = mine.find((seat) => view.to_act.includes(seat));
  state.own = mine.includes(state.own) && (!asked || view.to_act.includes(state.own)) ? state.own : asked ?? mine[0] ?? 0;
  state.view = view;
  if (state.own && Object.keys(view.seats[state.own - 1].bets).length) state.dismissed = view.last?.seq ?? 0;
  if (view.phase !== "betting" && view.bank?.holder) state.banked = view.bank.holder === state.own ? view.round : null;
  bets.take(view, state.own);
  setting.take(view, view.seats.find((one) => one.seat === state.own));
  paint();
  showStrip(byId("strip"), page.table, view.last?.seq ?? 0);
});
askPurse();

byId("join")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const joined = await api("POST", "/api/v1/guests", { name: new FormData(event.target).get("name") }).catch(() => null);
  if (joined) location.reload();
});

const BETTING = { u: () => bets.undo(), r: () => bets.repeat(), d: () => bets.double(), c: () => bets.clear(), " ": () => (controls.mayDeal ? (deal(), true) : false) };

/** What a key does now; whether it did anything. */
function press(key) {
  const { view, own } = state;
  const seat = view?.seats.find((one) => one.seat === own);
  if (!seat) return false;
  if (setting.isOn) {
    if (/^[1-7]$/.test(key)) { setting.pick(Number(key) - 1); return true; }
    if (key === "s" || key === "h") { byId("controls").querySelector(`[data-choice="${key === "s" ? "set" : "house-way"}"]:not(:disabled)`)?.click(); return true; }
    return false;
  }
  if (seat.to_act.length) {
    const choice = key === "i" ? "insurance" : choiceOf(key, seat.to_act);
    byId("controls").querySelector(`[data-choice="${choice}"]:not(:disabled)`)?.click();
    return Boolean(choice);
  }
  if (view.phase !== "betting") return false;
  if (/^[1-9]$/.test(key)) return controls.chooseChip(Number(key) - 1);
  return BETTING[key] ? BETTING[key]() !== false : false;
}
listen(press);
