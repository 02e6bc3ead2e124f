// The last results in a strip, each round in a word; the whole scoreboard is a click away.
import { api, el } from "./dom.js";

const MOST = 24, MOST_TOLD = 6;
let shownSeq = -1;

const NAMES = { B: "Banker", P: "Player", T: "Tie" };

/** One baccarat hand as a bead: "B7" is a Dragon 7. */
function bead(hand) {
  const special = hand.startsWith("B7") ? "Dragon 7" : hand.startsWith("P8") ? "Panda 8" : "";
  return el("span", { class: `strip-bead ${hand[0]}${special ? " special" : ""}`, title: special || NAMES[hand[0]], role: "img", "aria-label": special || NAMES[hand[0]] }, special ? hand[1] : hand[0]);
}

function told(round) {
  const hits = round.hits.map((hit) => hit.outcome).join(", ");
  return el("span", { class: hits ? "strip-told hit" : "strip-told", title: hits || round.headline }, el("span", { class: "small" }, `${round.round} `), round.headline.charAt(0).toUpperCase() + round.headline.slice(1), hits ? el("b", {}, ` ${hits}`) : null);
}

/** Ask for the board when a round has ended, and show its newest results. */
export async function showStrip(place, table, seq) {
  if (seq === shownSeq) return;
  shownSeq = seq;
  const name = encodeURIComponent(table);
  const board = await api("GET", `/api/v1/boards/${name}`, undefined, { quiet: true }).catch(() => null);
  if (!board) return;
  const results = board.kind === "roads" ? board.hands.slice(-MOST).map(bead) : [...board.last].sort((a, b) => b.round - a.round).slice(0, MOST_TOLD).map(told);
  place.replaceChildren(el("span", { class: "small strip-name" }, "Last results"), el("div", { class: "strip-list" }, results.length ? results : el("span", { class: "small" }, "none yet")), el("a", { href: `/board/${name}` }, "Scoreboard"));
}
