// All cards of a round in a field: typed, or touched. A card that is touched is replaced by the next key, or removed.
import { cardKeys } from "../shared/card-keys.js";
import { el } from "../shared/dom.js";
import { keyedCards } from "./card-pad.js";
import { quietButton } from "./parts.js";

const CARD = /(10|[2-9TAKQJ])([SHDC])|JK/giu;

/** The cards in a text, each as the house writes it. @param {string} text */
const cardsIn = (text) =>
  [...text.matchAll(CARD)].map(([, rank, suit]) => {
    return rank ? rank.toUpperCase().replace("T", "10") + suit.toLowerCase() : "Jk";
  });

/** The cards of a round, to be put right. */
export class CardsField {
  /** @param {string[]} codes as they were keyed @param {{label: string, joker: boolean, changed?: () => void}} options */
  constructor(codes, { label, joker, changed = () => {} }) {
    this.before = codes;
    this.changed = changed;
    /** The place of the card that was touched, or 0. */
    this.chosen = 0;
    const typed = { maxlength: 400, autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
    this.input = el("input", { id: "ask-cards", value: codes.join(" "), ...typed });
    this.input.addEventListener("input", () => this.pick(0));
    this.strip = el("div", { class: "cards-strip" });
    const keys = cardKeys((code) => this.put(code));
    if (!joker) keys.delete("Jk");
    const remove = quietButton("Remove the card", () => this.put(), { "data-key": "card-remove" });
    const about = el("p", { class: "small" }, "Touch a card above, then the right one; without one, it comes at the end.");
    const summary = el("summary", {}, "Card keys");
    const grid = el("div", { class: "card-keys" }, [...keys.values()]);
    const pad = el("details", { class: "cards-pad" }, summary, about, grid, remove);
    this.element = el("div", { class: "cards-field" }, el("label", { for: "ask-cards" }, label), this.strip, this.input, pad);
    this.pad = pad;
    this.show();
  }

  get codes() {
    return cardsIn(this.input.value);
  }

  /** What was typed if it is not what was keyed, else "". */
  get truth() {
    const { codes, input } = this;
    return codes.join(" ") === this.before.join(" ") ? "" : input.value.trim();
  }

  /** @param {string[]} codes */
  set(codes) {
    this.input.value = codes.join(" ");
    this.chosen = 0;
    this.show();
  }

  /** @param {number} place */
  pick(place) {
    this.chosen = place;
    if (place) this.pad.open = true;
    else this.changed();
    this.show();
  }

  /** Put a card in the place that was touched, or at the end; none takes that card out. @param {string[]} code */
  put(...code) {
    const { codes, chosen } = this;
    const at = chosen ? chosen - 1 : codes.length - (code.length ? 0 : 1);
    if (at >= 0) codes.splice(at, chosen || !code.length ? 1 : 0, ...code);
    this.set(codes);
    this.changed();
  }

  show() {
    this.strip.replaceChildren(keyedCards(this.codes, this.chosen, (at) => this.pick(at === this.chosen ? 0 : at)));
  }
}
