// A seat on the felt: its number and guest, its cards, and the spots of the game.
import { dollars, el } from "../shared/dom.js";
import { HandPlace } from "./hand-place.js";
import { Spot } from "./spot.js";

/** @import { Cents, Face } from "../types" */
/** @import { CardOptions } from "../shared/cards.js" */
/** @import { HandState } from "./hand-place.js" */

/**
 * A seat as it is now.
 * @typedef {object} SeatState
 * @property {string} name of the guest, or ""
 * @property {string} note
 * @property {Record<string, Cents>} bets
 * @property {Record<string, {end: "wins" | "loses" | "push", paid: Cents}>} ends how wagers of the finished round ended
 * @property {HandState[]} hands
 * @property {boolean} turn whether it is asked to decide
 * @property {string[]} closed wagers that cannot be bet now
 * @property {string[]} offered rare wagers that can be bet now
 * @property {number[]} [picked] places of the cards that are picked
 * @property {(place: number) => void} [onpick]
 */

/** One hand of a seat, with what it counts. */
class SeatHand {
  constructor() {
    this.cards = new HandPlace({ beat: 130 });
    this.note = el("span", { class: "hand-note" });
    this.element = el("div", { class: "seat-hand" }, this.cards.element, this.note);
  }

  /** @param {HandState} state @param {CardOptions} options */
  show(state, options) {
    this.cards.show(state, options);
    this.note.textContent = state.note ?? "";
    this.element.classList.toggle("active", Boolean(state.active));
  }
}

export class SeatPlace {
  /**
   * @param {number} number
   * @param {Face} face
   * @param {{own: boolean, pays: Record<string, string>, onplace: (wager: string) => void}} options
   */
  constructor(number, face, { own, pays, onplace }) {
    this.number = number;
    this.own = own;
    this.pays = pays;
    this.name = el("span", { class: "seat-name" });
    this.note = el("span", { class: "seat-note" });
    this.total = el("span", { class: "seat-total" });
    this.handsPlace = el("div", { class: "seat-hands" });
    /** @type {SeatHand[]} */
    this.hands = [];
    this.spots = face.spots.map((spot) => {
      return new Spot(spot, { small: !own, onplace: own ? () => onplace(spot.wager) : undefined });
    });
    this.element = this.make(face);
  }

  /** @param {Face} face */
  make(face) {
    const columns = columnsOf(face);
    const areas = face.grid.map((row) => JSON.stringify(row)).join(" ");
    const grid = { "grid-template-areas": areas, "grid-template-columns": columns };
    const label = this.own ? `Your seat, ${this.number}` : `Seat ${this.number}`;
    const number = el("span", { class: "seat-number", "aria-hidden": "true" }, String(this.number));
    return el("section", { class: this.own ? "seat own" : "seat", "aria-label": label }, [
      this.handsPlace,
      el("div", { class: "spots", style: grid }, this.spots.map((spot) => spot.element)),
      el("footer", { class: "seat-plate" }, number, this.name, this.note, this.total),
    ]);
  }

  /**
   * Show the seat as it now is.
   * @param {SeatState} state
   * @param {string} back
   */
  show(state, back) {
    this.name.textContent = state.name || (this.own ? "Your seat" : "Open");
    this.note.textContent = state.note;
    const sum = Object.values(state.bets).reduce((all, cents) => all + cents, 0);
    this.total.textContent = sum ? dollars(sum) : "";
    this.element.classList.toggle("vacant", !state.name && !this.own);
    this.element.classList.toggle("turn", state.turn);
    if (state.turn) this.element.setAttribute("aria-current", "true");
    else this.element.removeAttribute("aria-current");
    this.showHands(state, back);
    for (const spot of this.spots) this.showSpot(spot, state);
  }

  /** @param {SeatState} state @param {string} back */
  showHands({ hands, picked, onpick }, back) {
    while (this.hands.length < hands.length) {
      const place = new SeatHand();
      this.hands.push(place);
      this.handsPlace.append(place.element);
    }
    while (this.hands.length > hands.length) this.hands.pop()?.element.remove();
    hands.forEach((hand, place) => {
      const label = `Seat ${this.number}${hands.length > 1 ? `, hand ${place + 1}` : ""}`;
      this.hands[place].show(hand, { back, label, picked, onpick });
    });
  }

  /** @param {Spot} spot @param {SeatState} state */
  showSpot(spot, state) {
    const { wager, rare } = spot.face;
    const ended = state.ends[wager];
    spot.element.hidden = rare && !state.bets[wager] && !state.offered.includes(wager);
    spot.show({
      pays: this.pays[wager],
      cents: state.bets[wager] ?? 0,
      end: ended?.end,
      paid: ended?.paid,
      closed: state.closed.includes(wager),
    });
  }
}

/** The columns of the spots: a round spot takes what it needs, the others share what is left. @param {Face} face */
function columnsOf(face) {
  const rows = face.grid.map((row) => row.split(" "));
  const round = new Set(face.spots.filter((spot) => spot.shape === "circle").map((spot) => spot.wager));
  const count = rows[0]?.length ?? 1;
  const isRound = (/** @type {number} */ column) => rows.every((row) => round.has(row[column]));
  return Array.from({ length: count }, (_, column) => (isRound(column) ? "auto" : "minmax(0, 1fr)")).join(" ");
}
