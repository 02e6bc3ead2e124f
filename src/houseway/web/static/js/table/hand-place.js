// Places for cards on the felt that know what changed: only new cards are dealt, only those that were face down turned.
import { card, dealt, fan, hand, reveal, setHand } from "../shared/cards.js";
import { el } from "../shared/dom.js";

/** @import { CardCode, FaceHand } from "../types" */
/** @import { CardOptions } from "../shared/cards.js" */

/**
 * A hand as it lies: its cards, or its parts if it is set.
 * @typedef {object} HandState
 * @property {CardCode[]} cards
 * @property {{name: string, cards: CardCode[]}[]} [parts]
 * @property {string} [note] what it counts
 * @property {boolean | null} [wins]
 * @property {boolean} [active]
 */

const GROWING_MS = 110;
const TURNING_MS = 60;

/** A place for one hand. */
export class HandPlace {
  /** @param {{isFan?: boolean, start?: number, beat?: number}} options new cards come from `start` on, one every `beat` ms */
  constructor({ isFan = true, start = 0, beat = 70 } = {}) {
    this.layOut = isFan ? fan : hand;
    this.start = start;
    this.beat = beat;
    this.element = el("div", { class: "hand-place" });
    /** @type {CardCode[]} */
    this.known = [];
    this.way = "";
  }

  /** @returns {HTMLElement[]} */
  get cards() {
    return [...this.element.querySelectorAll(/** @type {"span"} */ (".card"))];
  }

  /** @param {HandState} state @param {CardOptions} options */
  show({ cards, parts }, options) {
    const way = JSON.stringify([parts?.map((part) => part.cards.length), options]) + Boolean(options.onpick);
    const isPlain = way === this.way && !parts && !options.onpick;
    const fits = this.known.every((code, place) => code === cards[place] || (code === null && place < cards.length));
    if (isPlain && this.known.length && fits) this.grow(cards, options);
    else if (way !== this.way || cards.join() !== this.known.join()) this.layAnew(cards, parts, options);
    this.known = [...cards];
    this.way = way;
    this.element.hidden = cards.length === 0;
  }

  /**
   * Deal the new cards and turn those that were face down.
   * @param {CardCode[]} cards
   * @param {CardOptions} options
   */
  grow(cards, options) {
    cards.slice(this.known.length).forEach((code, extra) => {
      const turned = this.known.length + extra >= (options.turnedFrom ?? Infinity);
      this.element.firstChild?.appendChild(dealt(card(code, { back: options.back, turned }), extra * GROWING_MS));
    });
    this.known.forEach((code, place) => {
      const now = cards[place];
      if (now && code !== now) reveal(this.cards[place], now, place * TURNING_MS);
    });
  }

  /** @param {CardCode[]} cards @param {HandState["parts"]} parts @param {CardOptions} options */
  layAnew(cards, parts, options) {
    const isFresh = this.known.length === 0;
    const { activeElement: active } = document;
    const focused = active instanceof HTMLElement && this.element.contains(active) ? active.dataset.place : undefined;
    const laid = parts ? setHand(parts, options) : this.layOut(cards, options);
    this.element.replaceChildren(...(cards.length ? [laid] : []));
    if (focused !== undefined) {
      const again = /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-place="${focused}"]`));
      again?.focus();
    }
    if (isFresh) this.cards.forEach((card, place) => dealt(card, this.start + place * this.beat));
  }
}

/** A hand with its name and its note: the dealer's, or one that all bet on. */
export class HandBox {
  /** @param {FaceHand} face @param {boolean} common @param {number} place among the boxes */
  constructor(face, common, place) {
    this.face = face;
    this.cards = new HandPlace(common ? { isFan: false, start: place * 130, beat: 260 } : { start: 60, beat: 130 });
    this.note = el("span", { class: "box-note" });
    this.verdict = el("span", { class: "box-verdict" });
    const mark = face.mark ? el("span", { class: "box-mark", "aria-hidden": "true" }, face.mark) : null;
    const head = el("header", {}, mark, el("span", { class: "box-name" }, face.name), this.verdict, this.note);
    const label = face.owner === "community" ? face.name : `${face.name}'s hand`;
    const box = { class: `hand-box tone-${face.tone}`, "aria-label": label };
    this.element = el("section", box, head, this.cards.element);
  }

  /** @param {HandState} state @param {string} back */
  show(state, back) {
    this.cards.show(state, { back, turnedFrom: this.face.turned_from, label: `${this.face.name}'s cards` });
    this.note.textContent = state.note ?? "";
    this.verdict.textContent = state.wins ? "✓ Wins" : "";
    this.element.classList.toggle("wins", state.wins === true);
    this.element.classList.toggle("loses", state.wins === false);
  }
}
