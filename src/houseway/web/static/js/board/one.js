// One scoreboard, wherever it stands: its head, its roads or rounds, and the last winner large for a moment.
import { countOf, dollars, el } from "../shared/dom.js";
import { handWords, readHand } from "./hands.js";
import { historyBoard } from "./history-board.js";
import { bead, handsWords, oneCell } from "./roads.js";
import { roadsBoard } from "./roads-board.js";

/** @import { BoardView, FaceResults, HistoryFace } from "../types" */

/**
 * Where the parts of a scoreboard go.
 * @typedef {object} BoardParts
 * @property {HTMLElement} place
 * @property {HTMLElement} edition
 * @property {HTMLElement} limits
 * @property {HTMLElement} round
 * @property {HTMLElement} announce
 */

const ANNOUNCED_MS = 3500;
const PHASES = {
  betting: "Place your bets",
  dealing: "No more bets",
  deciding: "No more bets",
  ready: "No more bets",
  frozen: "Please wait",
};

/** Wagers with the same limits are told together. @param {BoardView} view */
function limits(view) {
  /** @type {Map<string, string[]>} */
  const same = new Map();
  for (const { wager, min_cents: least, max_cents: most } of view.limits) {
    const span = `${dollars(least)} – ${dollars(most)}`;
    same.set(span, [...(same.get(span) ?? []), wager]);
  }
  return [...same].map(([span, wagers]) => {
    return el("span", {}, el("small", {}, wagers.join(" · ")), el("b", {}, span));
  });
}

/** @param {BoardView} view */
function roundWords(view) {
  if (view.kind === "roads") return `Shoe ${Math.max(1, view.shoe_number)} · ${handsWords(view.hands)}`;
  if (view.keyed) return `${countOf(view.rounds, "round")} keyed`;
  return view.phase === "betting" ? `Round ${view.round}` : `Round ${view.round} in play`;
}

/**
 * What shows the views of a scoreboard in its parts, one after the other.
 * @param {BoardParts} parts
 * @returns {(view: BoardView) => void}
 */
export function boardIn(parts) {
  /** Shows a new view; made with the first one. @type {((view: any) => void) | null} */
  let show = null;
  /** How many hands were shown. @type {number | null} */
  let known = null;
  let hiding = 0;

  /**
   * The last winner, large for a moment.
   * @param {FaceResults} results
   * @param {string} hand
   */
  function announce(results, hand) {
    const { won, extra } = handWords(results, hand);
    const box = parts.announce;
    box.className = `announce tone-${readHand(results, hand).winner.tone}`;
    box.replaceChildren(oneCell(bead(results, hand)), el("strong", {}, won), extra ? el("em", {}, extra) : "");
    box.hidden = false;
    clearTimeout(hiding);
    hiding = setTimeout(() => (box.hidden = true), ANNOUNCED_MS);
  }

  /**
   * Announce a new hand; put an announcement away whose hand was undone.
   * @param {FaceResults} results
   * @param {string[]} hands
   */
  function heed(results, hands) {
    const newest = hands.at(-1);
    if (known !== null && newest && hands.length > known) announce(results, newest);
    else if (known !== null && hands.length < known) parts.announce.hidden = true;
    known = hands.length;
  }

  /** @param {BoardView} view */
  function build(view) {
    const { results, board } = view.face;
    if (view.kind === "roads" && results) return roadsBoard(parts.place, results);
    return historyBoard(parts.place, /** @type {HistoryFace} */ (board), view.keyed);
  }

  return (view) => {
    show ??= build(view);
    parts.place.setAttribute("aria-busy", "false");
    parts.edition.textContent = view.edition.name;
    parts.limits.replaceChildren(...limits(view));
    const phase = view.phase ? el("span", { class: `phase ${view.phase}` }, PHASES[view.phase]) : "";
    parts.round.replaceChildren(el("b", {}, roundWords(view)), phase);
    show(view);
    if (view.kind === "roads" && view.face.results) heed(view.face.results, view.hands);
  };
}
