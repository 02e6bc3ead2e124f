// Everything by keyboard: the keys, and the dialog that tells them.
import { byId, el } from "./dom.js";

const KEYS = [
  ["1 … 5", "choose a chip"], ["Tab, arrows", "move between the betting spots"], ["Enter", "put the chip on the spot"], ["U", "undo the last chip"], ["R", "repeat the last round's bets"], ["D", "double the bets"], ["C", "clear the bets"], ["Space", "deal: all my bets are placed"],
  ["H, S, D, P", "hit, stand, double, split (pair)"], ["I, N, E", "insure, no insurance, even money"], ["P, F", "play, fold"], ["1 … 7, S, H", "pai gow: pick a card, set it, House Way"], ["?", "this list"],
];

/** Fill the dialog of keys and let the button open it. */
export function keysDialog() {
  const dialog = byId("keys");
  dialog.replaceChildren(el("h2", { id: "keys-title" }, "Keys"), el("dl", { class: "key-list" }, KEYS.flatMap(([key, does]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)])), el("form", { method: "dialog" }, el("button", {}, "Close")));
  byId("open-keys").addEventListener("click", () => dialog.showModal());
  return dialog;
}

const isTyping = (target) => target.matches?.("input:not([type=radio]), textarea, select, [contenteditable]");

/** The spot that lies nearest in the direction of an arrow key. */
function nearest(from, spots, key) {
  const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const reach = (spot) => { const [a, b] = middle(spot); const along = (a - x) * dx + (b - y) * dy, across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx); return along > 4 ? along + 2 * across : Infinity; };
  return spots.filter((spot) => spot !== from && reach(spot) < Infinity).sort((a, b) => reach(a) - reach(b))[0];
}

/** Listen. `does(key)` answers whether a letter, digit or " " did something; arrows move among one's own spots. */
export function listen(does) {
  const dialog = keysDialog();
  const swallow = new Set();
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || dialog.open || isTyping(target)) return;
    if (key === "?") return dialog.showModal();
    const spots = [...document.querySelectorAll(".seat.own button.spot:not(:disabled), .seat.own .card-pick")].filter((spot) => spot.offsetParent);
    if (key.startsWith("Arrow") && (spots.includes(target) || target === document.body || target.id === "main")) {
      const next = spots.includes(target) ? nearest(target, spots, key) : spots.find((spot) => spot.classList.contains("main")) ?? spots[0];
      if (next) { next.focus(); event.preventDefault(); }
      return;
    }
    const isControl = target.matches?.("button, a, summary, input") && !target.matches(".spot");
    if ((key === " " && isControl) || (key === "Enter" && target !== document.body && target.id !== "main")) return;
    if (does(key === "Enter" ? " " : key.toLowerCase())) { event.preventDefault(); if (key === " ") swallow.add(target); }
    else if (key === " " && target.matches?.(".spot")) event.preventDefault();
  });
  document.addEventListener("keyup", (event) => { if (event.key === " " && (swallow.delete(event.target) || event.target.matches?.(".spot"))) event.preventDefault(); });
}
