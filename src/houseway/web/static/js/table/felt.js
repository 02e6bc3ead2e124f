// The felt of a table, as the game's face has it: the printed cloth, the house's hands, the seats on the arc.
import { el } from "../shared/dom.js";
import { TALL, WIDE, cloth } from "./cloth.js";
import { HandBox } from "./hand-place.js";
import { SeatPlace } from "./seat-place.js";

/** @import { Face } from "../types" */
/** @import { HandState } from "./hand-place.js" */
/** @import { SeatState } from "./seat-place.js" */

/**
 * What lies on the felt: the house's hands by their owners, the seats by their numbers.
 * @typedef {object} FeltState
 * @property {Record<string, HandState>} hands
 * @property {Record<number, SeatState>} seats
 * @property {string} message
 * @property {string} back colour of the cards' backs
 */

const OWN_WIDTH = 490;
const SEAT_WIDTH = 232;
const SEAT_WIDTH_BESIDE_OWN = 208;
const ARC_WIDTH = 1476;
const CROWD = 9;
const LONG_HAND = 6;

/**
 * How far down the rim of the table is at a place, `reach` to its side.
 * @param {number} x
 * @param {number} reach
 */
function rimAt(x, reach) {
  const out = Math.min(1, (Math.abs(x - WIDE / 2) + reach) / 775);
  return 537 + 228 * Math.sqrt(1 - out ** 2);
}

/**
 * Where the seats lie: seat 1 at the dealer's left (the right of the screen), then clockwise; one's own takes more room.
 * @param {number} count
 * @param {number} own one's seat, or 0
 */
function placesOnTheArc(count, own) {
  const others = own ? count - 1 : count;
  const ownWidth = own ? OWN_WIDTH : 0;
  const widest = own ? SEAT_WIDTH_BESIDE_OWN : SEAT_WIDTH;
  const width = Math.min(widest, (ARC_WIDTH - ownWidth) / Math.max(1, others));
  let right = (WIDE + others * width + ownWidth) / 2;
  return Array.from({ length: count }, (_, place) => {
    const wide = place + 1 === own ? OWN_WIDTH : width;
    const x = right - wide / 2;
    right -= wide;
    const bottom = TALL - Math.min(rimAt(x, wide * 0.15), rimAt(x, wide * 0.46) + 27);
    return { x, wide: wide - 10, bottom };
  });
}

/**
 * What the style needs to know of a game's layout.
 * @param {Face} face
 * @param {number} seats
 */
function layoutClasses(face, seats) {
  const names = {
    common: face.common,
    ribbon: face.ribbon !== "",
    "one-row": face.grid.length === 1,
    round: face.spots.some((spot) => spot.shape === "circle"),
    "long-hand": face.hand_cards >= LONG_HAND,
    many: seats > CROWD,
  };
  const given = Object.entries(names).filter(([, isGiven]) => isGiven);
  return ["felt", `cloth-${face.cloth}`, ...given.map(([name]) => name)].join(" ");
}

/** A table. */
export class Felt {
  /**
   * @param {Face} face
   * @param {object} options
   * @param {number} options.seats how many
   * @param {number} options.own one's seat, or 0 for an onlooker
   * @param {Record<string, string>} options.pays what each wager pays, in a few words
   * @param {string} options.limits
   * @param {(wager: string) => void} options.onplace when one's own spot is pressed
   */
  constructor(face, { seats, own, pays, limits, onplace }) {
    this.face = face;
    this.boxes = face.hands.map((hand, place) => new HandBox(hand, face.common, place));
    this.seats = Array.from({ length: seats }, (_, place) => {
      return new SeatPlace(place + 1, face, { own: place + 1 === own, pays, onplace });
    });
    this.message = el("p", { class: "felt-message" });
    this.element = el("div", { class: layoutClasses(face, seats) }, this.makeTable(own, limits));
    this.classes = this.element.className;
    this.placeSeats(own);
  }

  /** @param {number} own @param {string} limits */
  makeTable(own, limits) {
    const { face } = this;
    const boxes = this.boxes.map((box) => box.element);
    const house = face.common ? el("div", { class: "felt-common" }, boxes) : boxes;
    const lines = [...face.lines, face.ribbon].filter(Boolean).map((words) => el("span", {}, words));
    const others = own ? this.seats.length - 1 : this.seats.length;
    return el("div", { class: own ? "felt-table" : "felt-table onlooker", style: { "--others": others } }, [
      cloth(face),
      el("div", { class: "felt-house" }, house),
      el("div", { class: "felt-print", "aria-hidden": "true" }, el("b", {}, face.title), lines),
      limits ? el("p", { class: "felt-sign" }, limits) : null,
      this.message,
      el("div", { class: "felt-seats" }, this.seats.map((seat) => seat.element)),
    ]);
  }

  /** @param {number} own */
  placeSeats(own) {
    placesOnTheArc(this.seats.length, own).forEach(({ x, wide, bottom }, place) => {
      const { style } = this.seats[place].element;
      style.setProperty("--x", `${((x / WIDE) * 100).toFixed(2)}%`);
      style.setProperty("--bottom", `${((bottom / TALL) * 100).toFixed(2)}%`);
      style.setProperty("--wide", wide.toFixed(0));
    });
  }

  /** Show the table as it is now; only what changed moves. @param {FeltState} state */
  show({ hands, seats, message, back }) {
    this.element.className = `${this.classes} back-${back}`;
    for (const box of this.boxes) box.show(hands[box.face.owner] ?? { cards: [] }, back);
    for (const seat of this.seats) seat.show(seats[seat.number], back);
    if (this.message.textContent !== message) this.message.textContent = message;
  }
}
