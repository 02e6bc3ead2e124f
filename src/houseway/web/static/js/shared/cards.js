// Playing cards. Their size is the CSS variable --card-width.
import { picture, rankAndSuit } from "./card-art.js";
import { RANKS, SUITS } from "./card-shapes.js";
import { el } from "./dom.js";

/** @import { CardCode } from "../types" */

/**
 * How cards are laid out.
 * @typedef {object} CardOptions
 * @property {string} [label] what the hand is called
 * @property {string} [back] colour of the backs
 * @property {number | null} [turnedFrom] cards from this place on lie sideways
 * @property {number[]} [picked] the places that are picked
 * @property {(place: number) => void} [onpick] makes the cards buttons
 */

/**
 * The card in words: "Ace of spades", "Joker", "Face-down card".
 * @param {CardCode} code
 */
export function cardName(code) {
  if (!code) return "Face-down card";
  if (code === "Jk") return "Joker";
  const [rank, suit] = rankAndSuit(code);
  return `${RANKS[rank].name} of ${SUITS[suit].name}`;
}

/**
 * A card, null for one that lies face down.
 * @param {CardCode} code
 * @param {{back?: string, turned?: boolean}} [options] `turned` lays it sideways
 */
export function card(code, { back = "red", turned = false } = {}) {
  const dataset = { code: code ?? "", back };
  const name = turned ? "card turned" : "card";
  return el("span", { class: name, role: "img", "aria-label": cardName(code), dataset }, picture(code, back));
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const FROM_THE_SHOE = [
  { transform: "translate(120%, -90%) rotate(14deg)", opacity: 0 },
  { opacity: 1, offset: 0.35 },
  { transform: "none", opacity: 1 },
];

/**
 * Let a card arrive from the shoe; nothing moves for those who asked for less motion. Returns the element.
 * @param {HTMLElement} element
 */
export function dealt(element, delay = 0) {
  const timing = { duration: 220, delay, easing: "cubic-bezier(.2,.7,.2,1)", fill: /** @type {const} */ ("backwards") };
  if (!isStill()) element.animate(FROM_THE_SHOE, timing);
  return element;
}

/**
 * Turn a face-down card over.
 * @param {HTMLElement} element
 * @param {string} code
 */
export function reveal(element, code, delay = 0) {
  element.dataset.code = code;
  element.setAttribute("aria-label", cardName(code));
  const show = () => element.replaceChildren(picture(code, element.dataset.back ?? "red"));
  if (isStill() || !element.isConnected) return show();
  const turning = element.animate([{ scale: "1 1" }, { scale: "0 1.04" }], { duration: 100, delay, easing: "ease-in" });
  const open = () => {
    show();
    element.animate([{ scale: "0 1.04" }, { scale: "1 1" }], { duration: 120, easing: "ease-out" });
  };
  turning.finished.then(open, show);
}

/**
 * One card of a hand, as a button where the reader may pick it.
 * @param {CardCode} code
 * @param {number} place
 * @param {CardOptions} options
 */
function placed(code, place, { onpick, picked = [], turnedFrom, back }) {
  const laid = card(code, { back, turned: place >= (turnedFrom ?? Infinity) });
  if (!onpick) return laid;
  const chosen = picked.includes(place);
  const pressed = { "aria-pressed": String(chosen), dataset: { place }, onclick: () => onpick(place) };
  return el("button", { type: "button", class: chosen ? "card-pick picked" : "card-pick", ...pressed }, laid);
}

/**
 * @param {string} name class of the hand
 * @param {string | undefined} label
 * @param {HTMLElement[]} parts
 */
const group = (name, label, parts) => el("div", { class: name, role: "group", "aria-label": label }, parts);

/**
 * Cards overlapping, each corner index in sight.
 * @param {CardCode[]} codes
 * @param {CardOptions} [options]
 */
export function fan(codes, options = {}) {
  return group("hand fan", options.label, codes.map((code, place) => placed(code, place, options)));
}

/**
 * Cards side by side.
 * @param {CardCode[]} codes
 * @param {CardOptions} [options]
 */
export function hand(codes, options = {}) {
  return group("hand", options.label, codes.map((code, place) => placed(code, place, options)));
}

/**
 * A hand that is set: its parts one above the other.
 * @param {{name: string, cards: CardCode[]}[]} parts
 * @param {CardOptions} [options]
 */
export function setHand(parts, options = {}) {
  const rows = parts.map((part) => fan(part.cards, { ...options, label: part.name }));
  return group("hand set", options.label, rows);
}
