// A key for each card, and cards typed by rank and suit.
import { cardName } from "./cards.js";
import { el } from "./dom.js";

const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
/** @type {Record<string, string>} */
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
const TYPED_RANKS = { 1: "10", T: "10" };
export const JOKER = "Jk";
const TEXT_STYLE = "\uFE0E";

/**
 * A key for each card, by its code.
 * @param {(code: string) => void} touch gets the card
 */
export function cardKeys(touch) {
  /** @type {Map<string, HTMLButtonElement>} */
  const keys = new Map();
  const make = (/** @type {string} */ code, /** @type {string} */ kind, /** @type {HTMLElement[]} */ words) => {
    const names = { class: `card-key ${kind}`, "aria-label": cardName(code), "data-card": code };
    keys.set(code, el("button", { type: "button", ...names, onclick: () => touch(code) }, words));
  };
  for (const rank of RANKS) {
    for (const [suit, glyph] of Object.entries(SUITS)) {
      make(rank + suit, suit, [el("b", {}, rank), el("span", {}, glyph + TEXT_STYLE)]);
    }
  }
  make(JOKER, "joker", [el("b", {}, "Joker")]);
  return keys;
}

/** A card typed by the keyboard: a rank (10 as 1 or T), then its suit. */
export class TypedCard {
  /** The rank that was typed, until its suit follows. */
  rank = "";

  /** The card that this key completes, or "". @param {KeyboardEvent} event */
  typed(event) {
    const pressed = event.key.length === 1 ? event.key.toUpperCase() : "";
    const rank = TYPED_RANKS[pressed] ?? (RANKS.includes(pressed) ? pressed : "");
    if (rank) {
      this.rank = rank;
      return "";
    }
    const suit = pressed.toLowerCase();
    if (!this.rank || !SUITS[suit]) return "";
    const code = this.rank + suit;
    this.rank = "";
    return code;
  }
}
