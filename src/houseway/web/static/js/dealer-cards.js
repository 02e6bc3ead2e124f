// Keys for cards. What is typed stays here until Enter; a card of which no copy is left cannot be typed.
import { el } from "./dom.js";
import { card, cardName } from "./cards.js";
import { key } from "./dealer-parts.js";

const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const JOKER = "Jk";
const TEXT_STYLE = "\uFE0E";

/** How many cards are typed at most before Enter: a hand, or one round of cards, as the game deals them. */
export function wantedNow(view) {
  const out = view.cards_out, dealing = view.phase === "dealing", bettors = view.seats.filter((seat) => seat.held_cents || Object.keys(seat.bets).length).length;
  switch (view.edition.game) {
    case "ez_baccarat": return out < 4 ? 4 - out : 1;
    case "ez_pai_gow": return 7 - (out % 7);
    case "duki_4_poker": return 4 - (out % 4);
    default: return dealing ? bettors + 1 - (out % (bettors + 1)) : 1;
  }
}

/** Whose card comes next, in words. */
export function nextCardFor(view) {
  if (view.card_for !== "common") return view.card_for === "dealer" ? "Dealer" : `${view.edition.game === "ez_pai_gow" ? "Position" : "Seat"} ${view.card_for}`;
  const out = view.cards_out, player = view.dealer.find((hand) => hand.owner === "player");
  if (out < 4) return `${out % 2 ? "Banker" : "Player"}, ${out < 2 ? "first" : "second"} card`;
  return `${out === 4 && Number(player?.worth) <= 5 ? "Player" : "Banker"}, third card`;
}

/** A pad of cards. `enter(cards, place)` gets what was typed, and the place to correct, or 0. */
export function cardPad(enter) {
  let typed = [], rank = "", shown = { left: () => 1, most: 1, place: 0, joker: false };
  const keys = new Map();
  const display = el("div", { class: "typed", "aria-live": "polite" });
  const add = (code) => {
    typed = [...typed, code];
    show();
  };
  const undo = key("Undo", { kind: "plain", shortcut: "⌫", "data-key": "card-undo", onclick: () => {
    typed = typed.slice(0, -1);
    show();
  } });
  const commit = key("Enter", { kind: "enter", shortcut: "Enter", "data-key": "card-enter", onclick: async () => {
    try {
      await enter(typed, shown.place);
      typed = [];
    } catch (refused) {
      if (!refused.code) throw refused;
    }
    show();
  } });
  const cardKey = (code, face, kind) => {
    const made = el("button", { type: "button", class: `card-key ${kind}`, "aria-label": cardName(code), "data-card": code, onclick: () => add(code) }, face);
    keys.set(code, made);
    return made;
  };
  const grid = el("div", { class: "card-keys" }, RANKS.flatMap((one) => Object.entries(SUITS).map(([suit, glyph]) => cardKey(one + suit, [el("b", {}, one), el("span", {}, glyph + TEXT_STYLE)], suit))));
  const joker = cardKey(JOKER, [el("b", {}, "Joker")], "joker");

  function show() {
    const full = typed.length >= shown.most;
    for (const [code, button] of keys) button.disabled = full || shown.left(code) - typed.filter((one) => one === code).length <= 0;
    joker.hidden = !shown.joker;
    undo.disabled = !typed.length;
    commit.disabled = !typed.length;
    const empty = Array.from({ length: Math.max(0, Math.min(shown.most, 7) - typed.length) }, () => el("span", { class: "no-card" }));
    display.replaceChildren(...typed.map((code) => card(code)), ...empty);
  }

  /** Ranks and suits by the keyboard: A s, 10 as 1 or T, then Enter. */
  function type(event) {
    const pressed = event.key.length === 1 ? event.key.toUpperCase() : "";
    const named = { 1: "10", T: "10", 0: "" }[pressed] ?? (RANKS.includes(pressed) ? pressed : "");
    if (named) rank = named;
    else if (rank && SUITS[pressed.toLowerCase()]) {
      const button = keys.get(rank + pressed.toLowerCase());
      rank = "";
      if (!button.disabled) button.click();
    }
  }

  const pad = el("div", { class: "card-pad" }, display, grid, el("div", { class: "commit" }, joker, undo, commit));
  return {
    pad,
    type,
    shortcuts: { Backspace: undo, Enter: commit },
    /** `left(code)`: copies left; `most`: cards to type at most; `place`: the place that is corrected, or 0. */
    update(next) {
      if (next.place !== shown.place || next.round !== shown.round) typed = [];
      shown = next;
      show();
    },
  };
}

/** The cards keyed so far, each to be touched when it is wrong. */
export function keyedCards(codes, chosen, pick) {
  return el("div", { class: "keyed-cards", role: "group", "aria-label": "Cards keyed so far" }, codes.map((code, index) => el("button", { type: "button", class: index + 1 === chosen ? "keyed-card chosen" : "keyed-card", "aria-pressed": String(index + 1 === chosen), "aria-label": `Card ${index + 1}, ${cardName(code)}: correct it`, "data-place": index + 1, onclick: () => pick(index + 1) }, el("small", {}, String(index + 1)), card(code))));
}
