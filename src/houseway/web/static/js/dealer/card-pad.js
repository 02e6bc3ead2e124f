// Keys for cards. What is typed stays here until Enter; a card of which no copy is left cannot be typed.
import { JOKER, TypedCard, cardKeys } from "../shared/card-keys.js";
import { card, cardName } from "../shared/cards.js";
import { codeOf, el } from "../shared/dom.js";
import { key } from "./parts.js";

/**
 * What the pad shows now.
 * @typedef {object} PadState
 * @property {number} round
 * @property {number} place the place that is corrected, or 0
 * @property {number} most cards to type at most
 * @property {boolean} joker whether there is one in the cards
 * @property {(code: string) => number} left copies of a card that are left
 */

const MOST_SHOWN = 7;

/** A pad of cards. */
export class CardPad {
  /** @param {(cards: string[], place: number) => Promise<unknown>} enter gets what was typed, and the place to correct, or 0 */
  constructor(enter) {
    this.enter = enter;
    /** @type {string[]} */
    this.typed = [];
    this.byKeyboard = new TypedCard();
    /** @type {PadState} */
    this.state = { round: 0, place: 0, most: 1, joker: false, left: () => 1 };
    this.keys = cardKeys((code) => this.set([...this.typed, code]));
    this.joker = /** @type {HTMLButtonElement} */ (this.keys.get(JOKER));
    this.display = el("div", { class: "typed", "aria-live": "polite" });
    const undo = () => this.set(this.typed.slice(0, -1));
    this.undo = key("Undo", { kind: "plain", shortcut: "⌫", "data-key": "card-undo", onclick: undo });
    const commit = () => this.commit();
    this.commitKey = key("Enter", { kind: "enter", shortcut: "Enter", "data-key": "card-enter", onclick: commit });
    const ranked = [...this.keys.values()].filter((button) => button !== this.joker);
    this.pad = el("div", { class: "card-pad" }, [
      this.display,
      el("div", { class: "card-keys" }, ranked),
      el("div", { class: "commit" }, this.joker, this.undo, this.commitKey),
    ]);
    this.shortcuts = { Backspace: this.undo, Enter: this.commitKey };
  }

  /** @param {string[]} typed */
  set(typed) {
    this.typed = typed;
    this.show();
  }

  async commit() {
    try {
      await this.enter(this.typed, this.state.place);
      this.typed = [];
    } catch (refused) {
      if (!codeOf(refused)) throw refused;
    }
    this.show();
  }

  show() {
    const { typed, state } = this;
    const isFull = typed.length >= state.most;
    for (const [code, button] of this.keys) {
      const left = state.left(code) - typed.filter((other) => other === code).length;
      button.disabled = isFull || left <= 0;
    }
    this.joker.hidden = !state.joker;
    this.undo.disabled = !typed.length;
    this.commitKey.disabled = !typed.length;
    const empty = Math.max(0, Math.min(state.most, MOST_SHOWN) - typed.length);
    const places = Array.from({ length: empty }, () => el("span", { class: "no-card" }));
    this.display.replaceChildren(...typed.map((code) => card(code)), ...places);
  }

  /** Ranks and suits by the keyboard: A s, 10 as 1 or T, then Enter. @param {KeyboardEvent} event */
  type(event) {
    const code = this.byKeyboard.typed(event);
    const button = code && this.keys.get(code);
    if (button && !button.disabled) button.click();
  }

  /** @param {PadState} state */
  update(state) {
    if (state.place !== this.state.place || state.round !== this.state.round) this.typed = [];
    this.state = state;
    this.show();
  }
}

/**
 * The cards keyed so far, each to be touched when it is wrong.
 * @param {string[]} codes
 * @param {number} chosen
 * @param {(place: number) => void} pick
 */
export function keyedCards(codes, chosen, pick) {
  const buttons = codes.map((code, index) => {
    const place = index + 1;
    const isChosen = place === chosen;
    const names = { class: isChosen ? "keyed-card chosen" : "keyed-card", "aria-pressed": String(isChosen) };
    const label = `Card ${place}, ${cardName(code)}: correct it`;
    const button = { type: "button", ...names, "aria-label": label, "data-place": place, onclick: () => pick(place) };
    return el("button", button, el("small", {}, String(place)), card(code));
  });
  return el("div", { class: "keyed-cards", role: "group", "aria-label": "Cards keyed so far" }, buttons);
}
