// A scoreboard of roads: bead plate, big road, the three derived roads, counts, the last winner, next-hand cells.
import { el, present } from "../shared/dom.js";
import { handWords, readHand } from "./hands.js";
import { DERIVED, RoadPanel, bead, beadPlate, bigRoad, bigRoadPanel, derivedCell, oneCell } from "./roads.js";

/** @import { FaceResults, RoadsFace, RoadsView } from "../types" */

/** How many counts stand side by side on a phone. */
const NARROW_COUNTS = 3;
const COLOURS = /** @type {Record<string, string>} */ ({ R: "regular", B: "irregular" });

/**
 * The mark in front of a count: the bead it counts.
 * @param {FaceResults} results
 * @param {string} hand
 */
function countMark(results, hand) {
  const isBead = results.winners.some((winner) => hand.startsWith(winner.key));
  return isBead ? oneCell(bead(results, hand)) : el("span", { class: "corner-mark", "aria-hidden": "true" });
}

/** @param {(Node | string)[]} cell @param {string} words */
const legendPair = (cell, words) => el("span", {}, oneCell(cell), words);

/** What the marks of the roads mean. @param {FaceResults} results */
function legend(results) {
  const sides = results.winners.filter((winner) => winner.side);
  const ties = results.winners.filter((winner) => !winner.side);
  const specials = results.flags.filter((flag) => flag.place === "middle" && flag.winner);
  return el("p", { class: "legend" }, [
    sides.map((side) => legendPair(bigRoad(results, { hand: side.key }), side.name)),
    ties.map((tie) => legendPair(bigRoad(results, { hand: "", ties: 1 }), tie.name)),
    specials.map((flag) => legendPair(bigRoad(results, { hand: flag.winner + flag.key }), flag.name)),
    el("span", { class: "apart" }, "Derived roads tell how the pattern goes on, not who won:"),
    legendPair(derivedCell[0]({ colour: "R" }), "regular"),
    legendPair(derivedCell[0]({ colour: "B" }), "irregular"),
  ]);
}

/** @param {FaceResults} results @param {string[]} hands */
function lastWinner(results, hands) {
  const hand = hands.at(-1);
  if (!hand) {
    const empty = el("p", { class: "nothing-yet" }, "No hand yet in this shoe.");
    return [el("div", {}, empty, el("p", { class: "small" }, "The first result appears here by itself."))];
  }
  const { won, extra } = handWords(results, hand);
  const number = el("span", { class: "small" }, `Hand ${hands.length}`);
  const words = el("div", {}, number, el("strong", {}, won), extra ? el("em", {}, extra) : null);
  return [oneCell(bead(results, hand)), words];
}

/** @param {FaceResults} results @param {string} side @param {(string | null)[]} colours */
function nextRow(results, side, colours) {
  const name = readHand(results, side).winner.name;
  const words = colours.map((colour, road) => `${DERIVED[road]} ${COLOURS[colour ?? ""] ?? "nothing"}`).join(", ");
  const cells = colours.map((colour, road) => {
    const dataset = { next: side, colour: colour ?? "" };
    return el("span", { class: "next-cell", dataset }, colour ? oneCell(derivedCell[road]({ colour })) : "–");
  });
  const arrow = el("span", { class: "next-to", "aria-hidden": "true" }, "→");
  const row = { class: "next-row", role: "img", "aria-label": `If ${name} wins: ${words}` };
  return el("div", row, oneCell(bead(results, side)), arrow, cells);
}

/** @param {RoadsView} view @param {FaceResults} results */
function nextCells({ next_hand: next }, results) {
  if (!next) return [];
  const sides = results.winners.filter((winner) => winner.side && next[winner.key]);
  return [el("h2", {}, "If the next hand is"), ...sides.map(({ key }) => nextRow(results, key, next[key]))];
}

/** @param {RoadsView} view @param {FaceResults} results */
function countRows(view, results) {
  const board = /** @type {RoadsFace} */ (view.face.board);
  return board.counts.map(({ key, name, hand }) => {
    const mark = countMark(results, hand);
    const { winner, special } = readHand(results, hand);
    const tone = special ? "gold" : winner.tone;
    const count = el("dd", {}, String(view.counts[key]));
    return el("div", { class: `tone-${tone}`, dataset: { count: key } }, el("dt", {}, mark, name), count);
  });
}

/**
 * Build the board once; the result shows every new view.
 * @param {HTMLElement} place
 * @param {FaceResults} results
 */
export function roadsBoard(place, results) {
  const beads = beadPlate(results);
  const big = bigRoadPanel(results);
  const derived = DERIVED.map((title, road) => new RoadPanel(title, derivedCell[road]));
  const last = el("div", { class: "last-winner", role: "status" });
  const counts = el("dl", { class: "counts" });
  const next = el("div", { class: "next-hand" });
  const roads = derived.map((road) => road.element);
  const side = el("section", { class: "side" }, last, counts, next);
  const parts = [beads.element, side, big.element, el("div", { class: "derived" }, roads), legend(results)];
  place.replaceChildren(el("div", { class: "roads" }, parts));
  return (/** @type {RoadsView} */ view) => {
    beads.show(view.bead_plate);
    big.show(view.big_road);
    derived.forEach((road, number) => road.show(view.derived[number]));
    last.className = `last-winner tone-${readHand(results, view.hands.at(-1) ?? "").winner.tone}`;
    last.replaceChildren(...lastWinner(results, view.hands));
    counts.replaceChildren(...countRows(view, results));
    const { length } = counts.children;
    counts.style.setProperty("--counts", String(length));
    counts.style.setProperty("--counts-narrow", String(Math.ceil(length / Math.ceil(length / NARROW_COUNTS))));
    next.replaceChildren(...present(nextCells(view, results)));
    next.hidden = !view.next_hand;
  };
}
