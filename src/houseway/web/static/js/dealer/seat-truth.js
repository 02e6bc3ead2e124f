// What a seat really bet and decided, and whose it was: filled in with what the round had, to be changed where that was wrong.
import { dollars, el, present } from "../shared/dom.js";
import { quietButton } from "./parts.js";

/** @import { Cents, SettledSeat, TableView, WagerView } from "../types" */

/** @typedef {Record<string, Cents>} Bets */

/** @param {string} text */
const listed = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

/** @param {object} one @param {object} other */
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The wagers that are bet by themselves; not those that a choice adds. @param {TableView} view @param {SettledSeat} before */
const wagersOf = (view, before) =>
  view.wagers.filter((wager) => !wager.follows && (!wager.refused || wager.id in before.bets));

/** The stakes of a seat in fields. */
class Stakes {
  /** @param {WagerView[]} wagers @param {Bets} before @param {string} name @param {() => void} changed */
  constructor(wagers, before, name, changed) {
    this.before = before;
    this.inputs = new Map(
      wagers.map(({ id, name: wager }) => {
        const value = id in before ? String(before[id] / 100) : "";
        const money = { type: "number", min: 0, step: "any", inputmode: "decimal", placeholder: "0" };
        const label = { "aria-label": `${name}, ${wager}, dollars`, "data-wager": id };
        return [id, el("input", { ...money, value, oninput: changed, ...label })];
      }),
    );
  }

  /** What is on each wager now, in the order of the wagers. @returns {[string, Cents][]} */
  get pairs() {
    /** @type {[string, Cents][]} */
    const all = [...this.inputs].map(([id, { value }]) => [id, Math.round(Number(value) * 100)]);
    return all.filter(([, cents]) => cents > 0);
  }

  get isChanged() {
    const had = [...this.inputs.keys()].filter((id) => this.before[id]).map((id) => [id, this.before[id]]);
    return !isSame(had, this.pairs);
  }

  clear() {
    for (const input of this.inputs.values()) input.value = "";
  }
}

/** A seat of a round, to be put right. */
export class SeatTruth {
  /**
   * @param {TableView} view
   * @param {SettledSeat} before as the round had it; a seat without a wager has no bets
   * @param {{withBets: boolean}} options whether bets and their guest may be changed, and not decisions alone
   */
  constructor(view, before, { withBets }) {
    const name = `Seat ${before.seat}`;
    const changed = () => this.show();
    const wagers = wagersOf(view, before);
    this.view = view;
    this.before = before;
    this.withBets = withBets;
    this.hadWager = Object.keys(before.bets).length > 0;
    this.stakes = new Stakes(wagers, before.bets, name, changed);
    this.dealers = new Stakes(wagers, before.for_dealer, `${name}, for the dealers`, changed);
    const typed = { maxlength: 400, autocomplete: "off", oninput: changed };
    const guest = { value: before.guest, maxlength: 40, list: "ask-guests", "aria-label": `${name}, guest` };
    this.guest = el("input", { ...typed, ...guest });
    this.choices = el("input", { ...typed, value: before.choices.join(", "), "aria-label": `${name}, decisions` });
    this.summary = el("summary", {});
    const parts = [withBets ? this.betParts(wagers) : null, this.choiceParts()];
    this.element = el("details", { class: "seat-truth", dataset: { seat: before.seat } }, this.summary, parts);
    this.show();
  }

  /** @param {WagerView[]} wagers */
  betParts(wagers) {
    const { dealers, stakes } = this;
    const forDealers = this.view.takes_dealer_bets || Object.keys(this.before.for_dealer).length > 0;
    const names = ["Wager", "Dollars", ...(forDealers ? ["For the dealers"] : [])];
    const heads = names.map((words) => el("th", { scope: "col" }, words));
    const rows = wagers.map(({ id, name }) => {
      const own = el("td", {}, present([stakes.inputs.get(id)]));
      const tip = forDealers ? el("td", {}, present([dealers.inputs.get(id)])) : null;
      return el("tr", {}, el("th", { scope: "row" }, name), own, tip);
    });
    const nothing = () => {
      stakes.clear();
      dealers.clear();
      this.show();
    };
    return [
      el("label", {}, "Guest", this.guest),
      el("table", { class: "stakes" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)),
      this.hadWager ? quietButton("This seat bet nothing", nothing, { "data-key": "bet-nothing" }) : null,
    ];
  }

  choiceParts() {
    const { choices } = this.view.face;
    const known = [...new Set([...Object.keys(choices), ...this.before.choices])];
    if (!known.length) return null;
    const add = (/** @type {string} */ id) => {
      this.choices.value = [...listed(this.choices.value), id].join(", ");
      this.show();
    };
    const keys = known.map((id) => quietButton(choices[id]?.words ?? id, () => add(id), { "data-decision": id }));
    const undo = () => {
      this.choices.value = listed(this.choices.value).slice(0, -1).join(", ");
      this.show();
    };
    const back = quietButton("⌫", undo, { "aria-label": "Remove the last decision", "data-decision": "undo" });
    const label = el("label", {}, "All that it decided, in order, with commas between", this.choices);
    return [label, el("div", { class: "decision-keys" }, keys, back)];
  }

  get hasBets() {
    return this.withBets ? this.stakes.pairs.length > 0 : this.hadWager;
  }

  /** What of this seat was otherwise, as the fields of a command. */
  get truth() {
    const { before, stakes, dealers } = this;
    const guest = this.guest.value.trim();
    const choices = listed(this.choices.value);
    const isGuestTold = this.hasBets && (guest !== before.guest || !this.hadWager);
    return {
      ...(this.withBets && stakes.isChanged && { seat_bets: stakes.pairs }),
      ...(this.withBets && dealers.isChanged && { dealer_bets: dealers.pairs }),
      ...(this.withBets && isGuestTold && guest && { guests: guest }),
      ...(this.hasBets && !isSame(choices, before.choices) && { choices }),
    };
  }

  show() {
    const { view, before } = this;
    const nameOf = (/** @type {string} */ id) => view.wagers.find((wager) => wager.id === id)?.name ?? id;
    const bets = this.stakes.pairs.map(([id, cents]) => `${nameOf(id)} ${dollars(cents)}`);
    const tips = this.dealers.pairs.map(([id, cents]) => `${nameOf(id)} ${dollars(cents)} for the dealers`);
    const isChanged = Object.keys(this.truth).length > 0;
    const lines = [[...bets, ...tips].join(", ") || "no wager", listed(this.choices.value).join(", ")].filter(Boolean);
    this.element.classList.toggle("changed", isChanged);
    this.summary.replaceChildren(
      el("span", { class: "seat-badge" }, String(before.seat)),
      el("span", { class: "truth-words" }, el("b", {}, this.guest.value), el("small", {}, lines.join(" · "))),
      el("span", { class: "truth-mark" }, isChanged ? "changed" : ""),
    );
  }
}

/**
 * What was otherwise at several seats: a table by seat for each field of a command.
 * @param {SeatTruth[]} seats
 */
export function truthOf(seats) {
  /** @type {Record<string, Record<string, unknown>>} */
  const told = {};
  for (const { before, truth } of seats) {
    for (const [field, value] of Object.entries(truth)) told[field] = { ...told[field], [before.seat]: value };
  }
  return told;
}

/** Names to choose from, of those who sit here. @param {TableView} view */
export const guestNames = (view) =>
  el("datalist", { id: "ask-guests" }, [
    ...new Set(view.seats.map((seat) => seat.guest).filter(Boolean)),
  ].map((value) => el("option", { value })));
