// One's own decisions: only those the house lists now. Pai gow hands are set here, insurance is offered here, the clock runs here.
import { api, dollars, el } from "./dom.js";
import { cardName } from "./cards.js";
import { wagerOf } from "./table-view.js";

/** Every choice: its words, its key, and whether it stakes as much again. */
const CHOICES = {
  hit: ["Hit", "h"], stand: ["Stand", "s"], double: ["Double", "d", "blackjack"], split: ["Split", "p", "blackjack"], surrender: ["Surrender", "r"],
  look: ["No insurance", "n"], "even-money": ["Even money", "e"], play: ["Play", "p", "ante"], fold: ["Fold", "f"], "house-way": ["Set it the House Way", "h"],
};
const FOUL = {
  refused: "The five-card hand must rank above the two-card hand: this set is refused.",
  loses: "The five-card hand must rank above the two-card hand: set like this, it loses.",
  "dealer-resets-house-way": "The five-card hand must rank above the two-card hand: the dealer would set it the House Way.",
};

/** The choice a key stands for, among those that are allowed. */
export const choiceOf = (key, allowed) => allowed.find((choice) => (CHOICES[choice]?.[1] ?? choice[0]) === key);

function choiceButton(view, seat, choice, act) {
  const [words, key, raises] = CHOICES[choice] ?? [choice, choice[0]];
  const more = raises ? seat.bets[raises] : 0;
  const short = more > (view.you?.balance_cents ?? 0);
  return el("button", { type: "button", class: ["fold", "look", "surrender"].includes(choice) ? "quiet choice" : "choice", dataset: { choice }, disabled: short, title: short ? `This takes ${dollars(more)} more than you have` : undefined, "aria-keyshortcuts": key, onclick: () => act(choice) },
    words, more ? el("span", { class: "choice-more" }, `+${dollars(more)}`) : null, el("kbd", { "aria-hidden": "true" }, key));
}

/** Insurance: an amount up to half the bet, before the dealer looks. */
function insurance(view, seat, wager, place) {
  const most = Math.min(Math.floor(seat.bets[wager.needs] / 2), wager.max_cents, view.you?.balance_cents ?? 0);
  if (most < wager.min_cents) return null;
  const amount = el("input", { type: "number", id: "insurance", min: wager.min_cents / 100, max: most / 100, step: "0.5", value: most / 100, inputmode: "decimal" });
  return el("form", { class: "insurance", onsubmit: (event) => { event.preventDefault(); place(wager.id, Math.round(Number(amount.value) * 100)); } },
    el("label", { for: "insurance" }, `${wager.name}, ${dollars(wager.min_cents)} to ${dollars(most)}, pays ${wager.pays[0].pays}`), amount, el("button", { dataset: { choice: "insurance" }, "aria-keyshortcuts": "i" }, "Insure", el("kbd", { "aria-hidden": "true" }, "i")));
}

/** The cards one picks for the front of a pai gow hand, and what they come to. */
export class Setting {
  constructor(table, shown) { Object.assign(this, { table, shown, picked: [], told: null, houseWay: null, of: "" }); }

  /** Take a view in; a new hand begins with nothing picked. */
  take(view, seat) {
    const asked = seat?.to_act.includes("set");
    const of = asked ? `${view.round} ${seat.seat} ${seat.hands[0].cards.join(" ")}` : "";
    if (of === this.of) return;
    Object.assign(this, { of, picked: [], told: null, houseWay: null, seat, cards: asked ? seat.hands[0].cards : [] });
    if (asked) this.ask("").then((told) => { this.houseWay = told; this.shown(); });
  }

  get isOn() { return Boolean(this.of); }
  get front() { return this.picked.map((place) => this.cards[place]); }

  /** Pick a card, or put it back; a third one replaces the first. */
  pick(place) {
    this.picked = this.picked.includes(place) ? this.picked.filter((one) => one !== place) : [...this.picked, place].slice(-2);
    this.told = null;
    const asked = this.front.join(" ");
    if (this.picked.length === 2) this.ask(asked).then((told) => { if (asked === this.front.join(" ")) { this.told = told; this.shown(); } });
    this.shown();
  }

  ask(front) {
    return api("GET", `/api/v1/tables/${encodeURIComponent(this.table)}/seats/${this.seat.seat}/set?front=${encodeURIComponent(front)}`).catch(() => null);
  }

  words(told) {
    const part = (name) => told.hands.find((hand) => hand.part === name)?.worth ?? "";
    return `${part("front")} in front, ${part("back")} behind`;
  }
}

/** What a set comes to, and whether it fouls. */
function setPanel(view, setting, act) {
  const { told, houseWay, picked } = setting;
  const foul = told?.foul ? FOUL[view.settings.R16] ?? FOUL.refused : "";
  const says = told
    ? el("p", { class: told.foul ? "set-says foul" : "set-says", role: "status" }, el("b", {}, told.foul ? "Foul: " : "You set: "), setting.words(told), foul ? el("span", {}, `. ${foul}`) : "")
    : el("p", { class: "set-says", role: "status" }, picked.length === 1 ? `${cardName(setting.front[0])} in front, and one more` : "Pick the two cards for the front");
  const ready = told && (!told.foul || view.settings.R16 !== "refused");
  return el("div", { class: "set-panel" }, says,
    houseWay ? el("p", { class: "small" }, `The House Way: ${setting.words(houseWay)} (${houseWay.why})`) : null,
    el("div", { class: "choices" },
      el("button", { type: "button", class: "choice", disabled: !ready, dataset: { choice: "set" }, "aria-keyshortcuts": "s", onclick: () => act(`set ${setting.front.join(" ")}`) }, "Set this hand", el("kbd", { "aria-hidden": "true" }, "s")),
      el("button", { type: "button", class: "choice quiet", dataset: { choice: "house-way" }, "aria-keyshortcuts": "h", onclick: () => act("house-way") }, "Set it the House Way", el("kbd", { "aria-hidden": "true" }, "h"))));
}

/** The bar of decisions, or nothing when none is asked. */
export function decisions(view, seat, { setting, act, insure }) {
  if (!seat?.to_act.length) return null;
  if (seat.to_act.includes("set")) return el("div", { class: "decide" }, setPanel(view, setting, act));
  const late = view.before_look && view.dealer[0]?.cards[0]?.startsWith("A") ? view.wagers.filter((wager) => wager.late && !seat.bets[wager.id]) : [];
  const active = seat.hands.findIndex((hand) => hand.active);
  const worth = seat.hands[Math.max(active, 0)]?.worth ?? "";
  const asked = view.before_look ? "The dealer shows an ace" : `${seat.hands.length > 1 ? `Hand ${active + 1} of ${seat.hands.length}: ` : "You have "}${worth}`;
  return el("div", { class: "decide" }, el("p", { class: "asked" }, asked),
    el("div", { class: "choices", role: "group", "aria-label": "Your decision" }, late.map((wager) => insurance(view, seat, wager, insure)), seat.to_act.map((choice) => choiceButton(view, seat, choice, act))));
}

/** Seconds left on the house's clock, counted down; the house decides when they are over. */
export function clock(element) {
  let until = 0, whole = 1;
  const tick = () => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    element.hidden = !until;
    element.textContent = `${left} s`;
    element.classList.toggle("late", left <= 5);
    element.style.setProperty("--left", Math.min(1, left / whole));
  };
  setInterval(tick, 250);
  return (given) => {
    until = given ? Math.min(Date.parse(given.until), Date.now() + given.seconds * 1000) : 0;
    whole = given?.seconds ?? 1;
    tick();
  };
}
