// One's own decisions: only those the house lists now. Hands are set here, late bets offered here, the clock runs here.
import { cardName } from "../shared/cards.js";
import { api, dollars, el, present } from "../shared/dom.js";

/** @import { Advice, CardCode, Cents, ChoiceNow, Face, SeatView, TableView, WagerView } from "../types" */

/**
 * What decides.
 * @typedef {object} Deciding
 * @property {Setting} setting
 * @property {(choice: string) => void} act
 * @property {(wager: string, cents: Cents) => void} placeLate
 */

/** @param {string} key */
const keyCap = (key) => el("kbd", { "aria-hidden": "true" }, key);

/** @param {TableView} view @param {ChoiceNow} choice @param {(choice: string) => void} act */
function choiceButton(view, choice, act) {
  const more = choice.more_cents;
  const isShort = more > (view.you?.balance_cents ?? 0);
  const title = isShort ? `This takes ${dollars(more)} more than you have` : undefined;
  const name = choice.quiet ? "quiet choice" : "choice";
  const button = { type: "button", class: name, dataset: { choice: choice.id }, disabled: isShort, title };
  const raise = more ? el("span", { class: "choice-more" }, `+${dollars(more)}`) : null;
  const does = { "aria-keyshortcuts": choice.key, onclick: () => act(choice.id) };
  return el("button", { ...button, ...does }, choice.words, raise, keyCap(choice.key));
}

/**
 * A late bet: an amount up to what the seat may bet now.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {WagerView} wager
 * @param {(wager: string, cents: Cents) => void} placeLate
 */
function lateBet(view, seat, wager, placeLate) {
  const most = Math.min(seat.late[wager.id] ?? 0, wager.max_cents, view.you?.balance_cents ?? 0);
  if (most < wager.min_cents) return null;
  const { words, key } = view.face.choices[wager.id];
  const id = `late-${wager.id}`;
  const range = { min: wager.min_cents / 100, max: most / 100, step: "0.5", value: most / 100 };
  const amount = el("input", { type: "number", id, inputmode: "decimal", ...range });
  const limits = `${dollars(wager.min_cents)} to ${dollars(most)}`;
  const label = el("label", { for: id }, `${wager.name}, ${limits}, pays ${wager.pays[0].pays}`);
  const button = el("button", { dataset: { choice: wager.id }, "aria-keyshortcuts": key }, words, keyCap(key));
  const form = el("form", { class: "late-bet" }, label, amount, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    placeLate(wager.id, Math.round(Number(amount.value) * 100));
  });
  return form;
}

/** The cards one picks to set a hand, and what they come to. */
export class Setting {
  /** @param {string} table @param {() => void} shown */
  constructor(table, shown) {
    this.table = table;
    this.shown = shown;
    /** The hand that is being set, by its round, seat and cards; "" if none is. */
    this.of = "";
    /** The choice that sets it. */
    this.choice = "";
    this.picks = 0;
    this.seat = 0;
    /** @type {number[]} */
    this.picked = [];
    /** @type {CardCode[]} */
    this.cards = [];
    /** What the picked cards come to. @type {Advice | null} */
    this.advice = null;
    /** How the house would set it. @type {Advice | null} */
    this.houseWay = null;
  }

  /**
   * Take a view in; a new hand begins with nothing picked.
   * @param {TableView} view
   * @param {SeatView | undefined} seat
   */
  take(view, seat) {
    const choice = seat?.to_act.find((name) => view.face.choices[name]?.picks) ?? "";
    const cards = choice && seat ? seat.hands[0].cards : [];
    const of = choice && seat ? `${view.round} ${seat.seat} ${cards.join(" ")}` : "";
    if (of === this.of) return;
    const picks = view.face.choices[choice]?.picks ?? 0;
    Object.assign(this, { of, choice, picks, cards, seat: seat?.seat ?? 0, picked: [], advice: null, houseWay: null });
    if (of) this.ask("").then((advice) => this.tell({ houseWay: advice }));
  }

  /** @param {{advice?: Advice | null, houseWay?: Advice | null}} advised */
  tell(advised) {
    Object.assign(this, advised);
    this.shown();
  }

  get isOn() {
    return this.of !== "";
  }

  get front() {
    return this.picked.map((place) => this.cards[place]);
  }

  /** Pick a card, or put it back; one too many replaces the first. @param {number} place */
  pick(place) {
    if (place >= this.cards.length) return;
    const isPicked = this.picked.includes(place);
    const kept = this.picked.filter((other) => other !== place);
    this.picked = isPicked ? kept : [...kept, place].slice(-this.picks);
    this.advice = null;
    const asked = this.front.join(" ");
    if (this.picked.length === this.picks) {
      this.ask(asked).then((advice) => {
        if (asked === this.front.join(" ")) this.tell({ advice });
      });
    }
    this.shown();
  }

  /** @param {string} front @returns {Promise<Advice | null>} */
  ask(front) {
    const path = `/api/v1/tables/${encodeURIComponent(this.table)}/seats/${this.seat}/set`;
    return api("GET", `${path}?front=${encodeURIComponent(front)}`, undefined, { quiet: true }).catch(() => null);
  }
}

/**
 * What the parts of a set hand come to: "a pair of kings in front, a pair of aces behind".
 * @param {Face} face
 * @param {Advice} advice
 */
function adviceWords(face, advice) {
  const worth = (/** @type {string} */ part) => advice.hands.find((hand) => hand.part === part)?.worth ?? "";
  return face.parts.map((part) => `${worth(part.id)} ${part.name}`).join(", ");
}

/** @param {Face} face @param {Setting} setting */
function setSays(face, setting) {
  const { advice, picked } = setting;
  if (advice) {
    const foul = advice.foul && face.words.foul_says ? el("span", {}, `. ${face.words.foul_says}`) : "";
    const verdict = el("b", {}, advice.foul ? "Foul: " : "You set: ");
    const name = advice.foul ? "set-says foul" : "set-says";
    return el("p", { class: name, role: "status" }, verdict, adviceWords(face, advice), foul);
  }
  const missing = setting.picks - picked.length;
  const begun = `${setting.front.map(cardName).join(", ")}, and ${missing === 1 ? "one" : missing} more`;
  return el("p", { class: "set-says", role: "status" }, picked.length && missing ? begun : face.words.pick);
}

/**
 * What a set comes to, and whether it fouls.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {Deciding} deciding
 */
function setPanel({ face }, seat, { setting, act }) {
  const { advice, houseWay } = setting;
  const isReady = advice && (!advice.foul || !face.words.foul_refused);
  const advised = houseWay ? `${face.words.advised}: ${adviceWords(face, houseWay)} (${houseWay.why})` : "";
  const buttons = seat.choices_now.map(({ id, words, key, quiet }) => {
    const isSetting = id === setting.choice;
    const choice = isSetting ? [id, ...setting.front].join(" ") : id;
    const name = quiet ? "choice quiet" : "choice";
    const button = { type: "button", class: name, disabled: isSetting && !isReady, dataset: { choice: id } };
    return el("button", { ...button, "aria-keyshortcuts": key, onclick: () => act(choice) }, words, keyCap(key));
  });
  const says = setSays(face, setting);
  const small = advised ? el("p", { class: "small" }, advised) : null;
  return el("div", { class: "set-panel" }, says, small, el("div", { class: "choices" }, buttons));
}

/**
 * What is asked.
 * @param {TableView} view
 * @param {SeatView} seat
 */
function askedWords({ before_look: isBeforeLook, face }, { hands }) {
  if (isBeforeLook) return face.words.asks_before_look;
  const active = Math.max(hands.findIndex((hand) => hand.active), 0);
  const worth = hands[active]?.worth;
  if (hands.length > 1) return `Hand ${active + 1} of ${hands.length}: ${worth}`;
  return worth ? `You have ${worth}` : face.words.deciding;
}

/**
 * The late bets that a seat may still place.
 * @param {TableView} view
 * @param {SeatView} seat
 */
const lateBets = (view, seat) => view.wagers.filter((wager) => wager.id in seat.late && !seat.bets[wager.id]);

/**
 * The bar of decisions, or nothing when none is asked.
 * @param {TableView} view
 * @param {SeatView | undefined} seat
 * @param {Deciding} deciding
 */
export function decisions(view, seat, deciding) {
  if (!seat?.to_act.length) return null;
  if (deciding.setting.isOn) return el("div", { class: "decide" }, setPanel(view, seat, deciding));
  const late = lateBets(view, seat).map((wager) => lateBet(view, seat, wager, deciding.placeLate));
  const choices = seat.choices_now.map((choice) => choiceButton(view, choice, deciding.act));
  const buttons = present([late, choices]);
  return el("div", { class: "decide" }, [
    el("p", { class: "asked" }, askedWords(view, seat)),
    el("div", { class: "choices", role: "group", "aria-label": "Your decision" }, buttons),
  ]);
}

/**
 * Seconds left on the house's clock, counted down; the house decides when they are over. Returns what sets the clock.
 * @param {HTMLElement} element
 */
export function clock(element) {
  let until = 0; // by performance.now(), which nobody sets
  let whole = 1;
  let known = "";
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
    element.hidden = !until;
    element.textContent = `${left} s`;
    element.classList.toggle("late", left <= 5);
    element.style.setProperty("--left", String(Math.min(1, left / whole)));
  };
  setInterval(tick, 250);
  return (/** @type {TableView["clock"]} */ given) => {
    if ((given?.until ?? "") !== known) {
      known = given?.until ?? "";
      const left = given ? Math.min(Date.parse(given.until) - Date.now(), given.seconds * 1000) : 0;
      until = given ? performance.now() + Math.max(left, 0) : 0;
    }
    whole = given?.seconds ?? 1;
    tick();
  };
}
