// The last results in a strip, each round in a word; the whole scoreboard is a click away.
import { readHand } from "../board/hands.js";
import { api, capital, el } from "../shared/dom.js";

/** @import { BoardView, FaceResults, FinishedRound } from "../types" */

const MOST_BEADS = 24;
const MOST_TOLD = 6;
let shownSeq = -1;

/**
 * One hand as a bead.
 * @param {FaceResults} results
 * @param {string} text
 */
function bead(results, text) {
  const hand = readHand(results, text);
  const name = hand.special?.name ?? hand.winner.name;
  const classes = ["strip-bead", `tone-${hand.winner.tone}`, hand.isDisc && "disc", hand.special && "special"];
  const look = { class: classes.filter(Boolean).join(" "), title: name, role: "img", "aria-label": name };
  return el("span", look, hand.glyph);
}

/** @param {FinishedRound} round */
function told(round) {
  const hits = round.hits.map((hit) => hit.outcome).join(", ");
  const look = { class: hits ? "strip-told hit" : "strip-told", title: hits || round.headline };
  const number = el("span", { class: "small" }, `${round.round} `);
  return el("span", look, number, capital(round.headline), hits ? el("b", {}, ` ${hits}`) : null);
}

/** @param {BoardView} board */
function resultsOf(board) {
  const { results } = board.face;
  if (board.kind === "roads" && results) return board.hands.slice(-MOST_BEADS).map((hand) => bead(results, hand));
  if (board.kind === "roads") return [];
  return [...board.last].sort((a, b) => b.round - a.round).slice(0, MOST_TOLD).map(told);
}

/**
 * Ask for the board when a round has ended, and show its newest results.
 * @param {HTMLElement} place
 * @param {string} table
 * @param {number} seq
 */
export async function showStrip(place, table, seq) {
  if (seq === shownSeq) return;
  shownSeq = seq;
  const name = encodeURIComponent(table);
  /** @type {BoardView | null} */
  const board = await api("GET", `/api/v1/boards/${name}`, undefined, { quiet: true }).catch(() => null);
  if (!board) return;
  const results = resultsOf(board);
  const none = el("span", { class: "small" }, "none yet");
  place.replaceChildren(
    el("span", { class: "small strip-name" }, "Last results"),
    el("div", { class: "strip-list" }, results.length ? results : none),
    el("a", { href: `/board/${name}` }, "Scoreboard"),
  );
}
