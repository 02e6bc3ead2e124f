// Everything by keyboard: the keys, and the dialog that tells them.
import { byId, el } from "../shared/dom.js";

/** @import { Face } from "../types" */

const BETTING = [
  ["1 … 5", "choose a chip"],
  ["Tab, arrows", "move between the betting spots"],
  ["Enter", "put the chip on the spot"],
  ["U", "undo the last chip"],
  ["R", "repeat the last round's bets"],
  ["D", "double the bets"],
  ["C", "clear the bets"],
  ["Space", "deal: all my bets are placed"],
];
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const OWN_PLACES = ".seat.own button.spot:not(:disabled), .seat.own .card-pick";

/** The keys of a game's choices. @param {Face} face */
function choiceKeys(face) {
  const picks = Object.values(face.choices).some((choice) => choice.picks);
  const choices = Object.values(face.choices).map(({ key, words }) => [key.toUpperCase(), words.toLowerCase()]);
  return picks ? [[`1 … ${face.hand_cards}`, "pick a card"], ...choices] : choices;
}

/** Fill the dialog of keys with those of this game. @param {Face} face */
export function tellKeys(face) {
  const keys = [...BETTING, ...choiceKeys(face), ["?", "this list"]];
  const list = keys.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)]);
  byId("keys").replaceChildren(
    el("h2", { id: "keys-title" }, "Keys"),
    el("dl", { class: "key-list" }, list),
    el("form", { method: "dialog" }, el("button", {}, "Close")),
  );
}

/** @param {HTMLElement} target */
const isTyping = (target) => target.matches("input:not([type=radio]), textarea, select, [contenteditable]");

/** @param {Element} element */
function middleOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/**
 * The spot that lies nearest in the direction of an arrow key.
 * @param {HTMLElement} from
 * @param {HTMLElement[]} spots
 * @param {string} key
 */
function nearest(from, spots, key) {
  const [dx, dy] = ARROWS[key];
  const [x, y] = middleOf(from);
  const far = spots.map((spot) => {
    const [a, b] = middleOf(spot);
    const along = (a - x) * dx + (b - y) * dy;
    const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    return { spot, along, reach: along + 2 * across };
  });
  const ahead = far.filter(({ spot, along }) => spot !== from && along > 4).sort((a, b) => a.reach - b.reach);
  return ahead[0]?.spot;
}

/**
 * Move among one's own spots.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} target
 */
function move(event, target) {
  /** @type {HTMLElement[]} */
  const places = [...document.querySelectorAll(/** @type {"button"} */ (OWN_PLACES))];
  const spots = places.filter((spot) => spot.offsetParent);
  const isOnSpot = spots.includes(target);
  if (!isOnSpot && target !== document.body && target.id !== "main") return;
  const first = spots.find((spot) => spot.classList.contains("main")) ?? spots[0];
  const next = isOnSpot ? nearest(target, spots, event.key) : first;
  if (!next) return;
  next.focus();
  event.preventDefault();
}

/**
 * Whether a key belongs to the control that has the focus.
 * @param {string} key
 * @param {HTMLElement} target
 */
function isOfControl(key, target) {
  const isControl = target.matches("button, a, summary, input") && !target.matches(".spot");
  const isOnPage = target === document.body || target.id === "main";
  return (key === " " && isControl) || (key === "Enter" && !isOnPage);
}

/** Listen. @param {(key: string) => boolean} press whether a letter, digit or " " did something */
export function listen(press) {
  const dialog = byId("keys", HTMLDialogElement);
  byId("open-keys").addEventListener("click", () => dialog.showModal());
  /** Where a space was pressed that did something: letting it go must not press the button. @type {Set<EventTarget>} */
  const swallowed = new Set();
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (dialog.open || isTyping(target)) return;
    if (key === "?") return dialog.showModal();
    if (key in ARROWS) return move(event, target);
    if (isOfControl(key, target)) return;
    if (press(key === "Enter" ? " " : key.toLowerCase())) {
      event.preventDefault();
      if (key === " ") swallowed.add(target);
    } else if (key === " " && target.matches(".spot")) event.preventDefault();
  });
  document.addEventListener("keyup", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === " " && (swallowed.delete(target) || target.matches(".spot"))) event.preventDefault();
  });
}
