// Roads, drawn as SVG from the cells the house gives. Everything that differs by colour differs by shape too: the first side
// is a hollow ring, the other a full disc; in the derived roads regular and irregular have shapes of their own.
import { countOf, el, present, svg } from "../shared/dom.js";
import { readHand, sideTone } from "./hands.js";

/** @import { DerivedCell, FaceResults, RoadCell } from "../types" */
/** @import { RoadHand } from "./hands.js" */

/** @typedef {RoadCell | DerivedCell} AnyCell */
/** @typedef {(cell: any) => (Node | string)[]} Draw draws what is in a cell */

const ROWS = 6;
const CELL = 40;
const MIDDLE = CELL / 2;
const LEAST_CELL = 8;

/** The names of the derived roads, in the order of the view. */
export const DERIVED = ["Big eye boy", "Small road", "Cockroach pig"];

/** @param {string} words @param {string} name @param {number} [at] */
function text(words, name, at = MIDDLE) {
  const place = { x: at, y: at, "text-anchor": "middle", "dominant-baseline": "central" };
  return svg("text", { ...place, class: name }, words);
}

/** @param {number} r @param {string} name */
const circle = (r, name) => svg("circle", { cx: MIDDLE, cy: MIDDLE, r, class: name });

/**
 * Dots in the corners, and the triangle of a bead.
 * @param {FaceResults} results
 * @param {RoadHand} hand
 */
function corners(results, hand, onBead = false) {
  return hand.flags.flatMap(({ place }) => {
    // in the big road a tie's stroke ends in the corner of the triangle
    if (place === "top-right") return onBead ? [svg("path", { d: `M${CELL - 13} 2H${CELL - 2}V13Z`, class: "corner" })] : [];
    if (place === "top-left") return [svg("circle", { cx: 6, cy: 6, r: 4.5, class: `pair tone-${sideTone(results, 1)}` })];
    if (place !== "bottom-right") return [];
    return [svg("circle", { cx: CELL - 6, cy: CELL - 6, r: 4.5, class: `pair tone-${sideTone(results, 0)}` })];
  });
}

/**
 * A bead: a full disc with its letter; a special hand has its number and a gold rim.
 * @param {FaceResults} results
 * @param {string} hand its text
 */
export function bead(results, hand) {
  const read = readHand(results, hand);
  return present([
    circle(16.5, `full tone-${read.winner.tone}`),
    read.special ? circle(16, "rim") : null,
    text(read.glyph, "on-full"),
    corners(results, read, true),
  ]);
}

/**
 * Ties: a stroke across the cell, with their number when there are several.
 * @param {FaceResults} results
 * @param {number} ties
 */
function tieMarks(results, ties) {
  if (!ties) return { stroke: [], count: [] };
  const tone = results.winners.find((winner) => !winner.side)?.tone ?? "plain";
  const stroke = ["tie-under", `tie tone-${tone}`].map((name) => {
    return svg("path", { d: `M4 ${CELL - 4}L${CELL - 4} 4`, class: name });
  });
  const disc = svg("circle", { cx: CELL - 9, cy: CELL - 9, r: 9, class: `tie-count tone-${tone}` });
  return { stroke, count: ties > 1 ? [disc, text(String(ties), "tie-number", CELL - 9)] : [] };
}

/**
 * A cell of the big road.
 * @param {FaceResults} results
 * @param {{hand: string, ties?: number}} cell
 */
export function bigRoad(results, cell) {
  const { stroke, count } = tieMarks(results, cell.ties ?? 0);
  if (!cell.hand) return [...stroke, ...count];
  const hand = readHand(results, cell.hand);
  const tone = `tone-${hand.winner.tone}`;
  return present([
    hand.isDisc ? circle(15.5, `full ${tone}`) : circle(14, `ring ${tone}`),
    hand.special ? circle(hand.isDisc ? 15.5 : 17.5, "rim") : null,
    stroke,
    text(hand.glyph, hand.isDisc ? `on-full outlined ${tone}` : `on-ring ${tone}`),
    corners(results, hand),
    count,
  ]);
}

const isRegular = (/** @type {{colour: string}} */ cell) => cell.colour === "R";

/** Cells of the derived roads: regular and irregular, each of a shape of its own. @type {Draw[]} */
export const derivedCell = [
  (cell) => (isRegular(cell) ? [circle(13, "ring regular")] : [circle(13, "ring irregular"), circle(5, "full irregular")]),
  (cell) => (isRegular(cell) ? [circle(14.5, "full regular")] : [circle(14.5, "full irregular"), circle(5, "hole")]),
  (cell) => {
    const d = isRegular(cell) ? `M7 ${CELL - 7}L${CELL - 7} 7` : `M7 7L${CELL - 7} ${CELL - 7}`;
    return [svg("path", { d, class: `slash ${isRegular(cell) ? "regular" : "irregular"}` })];
  },
];

/** @param {number} columns */
function gridLines(columns) {
  const down = Array.from({ length: columns - 1 }, (_, column) => `M${(column + 1) * CELL} 0V${ROWS * CELL}`);
  const across = Array.from({ length: ROWS - 1 }, (_, row) => `M0 ${(row + 1) * CELL}H${columns * CELL}`);
  return svg("path", { d: [...down, ...across].join(""), class: "lines" });
}

/** @param {AnyCell} cell @param {number} first @param {boolean} isNewest @param {Draw} draw */
function drawCell(cell, first, isNewest, draw) {
  const { column, row, ...data } = cell;
  const place = `translate(${(column - first) * CELL} ${row * CELL})`;
  const group = svg("g", { class: "cell", transform: place });
  Object.assign(group.dataset, { column, row, ...data });
  if (isNewest) group.append(svg("rect", { x: 1, y: 1, width: CELL - 2, height: CELL - 2, class: "newest" }));
  group.append(...draw(cell));
  return group;
}

/**
 * Draw the newest columns of a road that fit: whole columns scroll out.
 * @param {AnyCell[]} cells each names its place in the whole road, and what is in it
 * @param {number} columns
 * @param {Draw} draw
 * @param {string} label
 */
function drawRoad(cells, columns, draw, label) {
  const newest = cells.at(-1);
  const first = newest ? Math.max(0, newest.column + 1 - columns) : 0;
  const shown = cells.filter((cell) => cell.column >= first && cell.column < first + columns);
  const [width, height] = [columns * CELL, ROWS * CELL];
  const data = { "data-first": first, "data-columns": columns };
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "road", role: "img", "aria-label": label, ...data }, [
    svg("rect", { width, height, class: "paper" }),
    gridLines(columns),
    shown.map((cell) => drawCell(cell, first, cell === newest, draw)),
  ]);
}

/** How many columns of square cells fill the width of a host at about its height. @param {HTMLElement} host */
function columnsThatFit(host, least = 6) {
  const { width, height } = host.getBoundingClientRect();
  return Math.max(least, Math.ceil(width / Math.max(height / ROWS, LEAST_CELL) - 0.25));
}

/** A titled road that draws itself again when its place changes size. */
export class RoadPanel {
  /** @param {string} title @param {Draw} draw */
  constructor(title, draw) {
    const name = title.toLowerCase().replaceAll(" ", "-");
    this.title = title;
    this.draw = draw;
    /** @type {AnyCell[]} */
    this.cells = [];
    this.host = el("div", { class: "road-host", dataset: { road: name } });
    this.element = el("section", { class: `road-panel ${name}` }, el("h2", {}, title), this.host);
    new ResizeObserver(() => this.redraw()).observe(this.host);
  }

  /** @param {AnyCell[]} cells */
  show(cells) {
    this.cells = cells;
    this.redraw();
  }

  redraw() {
    if (!this.host.isConnected) return;
    const entries = this.cells.length === 1 ? "1 entry" : `${this.cells.length} entries`;
    const columns = columnsThatFit(this.host);
    this.host.replaceChildren(drawRoad(this.cells, columns, this.draw, `${this.title}: ${entries}`));
  }
}

/** The bead plate of a game. @param {FaceResults} results */
export const beadPlate = (results) =>
  new RoadPanel("Bead plate", (/** @type {RoadCell} */ cell) => bead(results, cell.hand));

/** The big road of a game. @param {FaceResults} results */
export const bigRoadPanel = (results) =>
  new RoadPanel("Big road", (/** @type {RoadCell} */ cell) => bigRoad(results, cell));

/** A small drawing of one cell, such as the next-hand cells and the legend have. @param {(Node | string)[]} parts */
export const oneCell = (parts) =>
  svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, class: "one-cell", "aria-hidden": "true" }, parts);

/** How many hands a shoe has had, in words. @param {string[]} hands */
export const handsWords = (hands) => countOf(hands.length, "hand");
