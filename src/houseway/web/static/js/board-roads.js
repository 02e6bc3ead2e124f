// The roads of baccarat, drawn as SVG from the cells the house gives. Everything that differs by colour differs by shape too:
// Player is a hollow ring with P, Banker a full disc with B; in the derived roads regular and irregular have shapes of their own.
import { el, svg } from "./dom.js";

export const ROWS = 6;
const CELL = 40;
const MIDDLE = CELL / 2;

/** The names of the derived roads, in the order of the view. */
export const DERIVED = ["Big eye boy", "Small road", "Cockroach pig"];

/** What a hand's text means: `B7` is Banker's Dragon 7, `Pn` a Player's natural. */
export function readHand(text) {
  const has = (flag) => text.slice(1).includes(flag);
  return { winner: text[0] ?? "", dragon: has("7"), panda: has("8"), natural: has("n"), playerPair: has("p"), bankerPair: has("b") };
}

/** A hand in words. */
export function handWords(text) {
  const { winner, dragon, panda, natural } = readHand(text);
  const won = { P: "Player wins", B: "Banker wins", T: "Tie" }[winner] ?? "";
  return { won, extra: dragon ? "Dragon 7" : panda ? "Panda 8" : natural ? "Natural" : "" };
}

/** The first column to draw so that the newest cell is the last thing that may scroll out: whole columns only. */
export function firstColumn(cells, columns) {
  return cells.length ? Math.max(0, cells.at(-1).column + 1 - columns) : 0;
}

const text = (words, attributes) => svg("text", { x: MIDDLE, y: MIDDLE, "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, words);
const circle = (r, attributes) => svg("circle", { cx: MIDDLE, cy: MIDDLE, r, ...attributes });
const glyphOf = ({ winner, dragon, panda }) => (dragon ? "7" : panda ? "8" : winner);

/** Corner marks: a natural top right (on beads: in the big road a tie's stroke ends there), Banker's pair top left, Player's bottom right. */
function corners(hand, onBead) {
  return [
    onBead && hand.natural && svg("path", { d: `M${CELL - 13} 2H${CELL - 2}V13Z`, class: "natural" }),
    hand.bankerPair && svg("circle", { cx: 6, cy: 6, r: 4.5, class: "pair B" }),
    hand.playerPair && svg("circle", { cx: CELL - 6, cy: CELL - 6, r: 4.5, class: "pair P" }),
  ].filter(Boolean);
}

/** A bead: a full disc with its letter; Dragon 7 and Panda 8 have their number and a gold rim. */
export function bead(cell) {
  const hand = readHand(cell.hand), bonus = hand.dragon || hand.panda;
  return [circle(16.5, { class: `full ${hand.winner}` }), bonus && circle(16, { class: "rim" }), text(glyphOf(hand), { class: "on-full" }), ...corners(hand, true)].filter(Boolean);
}

/** A cell of the big road; ties are a green stroke across it, with their number when there are several. */
export function bigRoad(cell) {
  const hand = readHand(cell.hand), banker = hand.winner === "B", parts = [];
  if (cell.hand) parts.push(banker ? circle(15.5, { class: "full B" }) : circle(14, { class: "ring P" }));
  if (hand.dragon || hand.panda) parts.push(circle(banker ? 15.5 : 17.5, { class: "rim" }));
  if (cell.ties) parts.push(...["tie-under", "tie"].map((name) => svg("path", { d: `M4 ${CELL - 4}L${CELL - 4} 4`, class: name })));
  if (cell.hand) parts.push(text(glyphOf(hand), { class: banker ? "on-full B" : "on-ring" }), ...corners(hand, false));
  if (cell.ties > 1) parts.push(svg("circle", { cx: CELL - 9, cy: CELL - 9, r: 9, class: "tie-count" }), svg("text", { x: CELL - 9, y: CELL - 9, "text-anchor": "middle", "dominant-baseline": "central", class: "tie-number" }, String(cell.ties)));
  return parts;
}

/** Cells of the derived roads: regular (red) and irregular (blue), each of a shape of its own. */
export const derivedCell = [
  ({ colour }) => (colour === "R" ? [circle(13, { class: "ring R" })] : [circle(13, { class: "ring I" }), circle(5, { class: "full I" })]),
  ({ colour }) => (colour === "R" ? [circle(14.5, { class: "full R" })] : [circle(14.5, { class: "full I" }), circle(5, { class: "hole" })]),
  ({ colour }) => [svg("path", { d: colour === "R" ? `M7 ${CELL - 7}L${CELL - 7} 7` : `M7 7L${CELL - 7} ${CELL - 7}`, class: `slash ${colour === "R" ? "R" : "I"}` })],
];

function gridLines(columns) {
  const lines = [];
  for (let column = 1; column < columns; column++) lines.push(`M${column * CELL} 0V${ROWS * CELL}`);
  for (let row = 1; row < ROWS; row++) lines.push(`M0 ${row * CELL}H${columns * CELL}`);
  return svg("path", { d: lines.join(""), class: "lines" });
}

/** Draw the newest columns of a road that fit. Each cell names its place in the whole road, and what is in it. */
export function drawRoad(cells, columns, draw, label) {
  const first = firstColumn(cells, columns);
  const made = svg("svg", { viewBox: `0 0 ${columns * CELL} ${ROWS * CELL}`, class: "road", role: "img", "aria-label": label, "data-first": first, "data-columns": columns });
  made.append(svg("rect", { width: columns * CELL, height: ROWS * CELL, class: "paper" }), gridLines(columns));
  const newest = cells.at(-1);
  for (const cell of cells) {
    if (cell.column < first || cell.column >= first + columns) continue;
    const { column, row, ...told } = cell, group = svg("g", { class: "cell", transform: `translate(${(column - first) * CELL} ${row * CELL})` });
    Object.assign(group.dataset, { column, row, ...told });
    if (cell === newest) group.append(svg("rect", { x: 1, y: 1, width: CELL - 2, height: CELL - 2, class: "newest" }));
    group.append(...draw(cell));
    made.append(group);
  }
  return made;
}

/** How many columns of square cells fill the width of a host at about its height. */
export function columnsThatFit(host, least = 6) {
  const { width, height } = host.getBoundingClientRect();
  return Math.max(least, Math.ceil(width / Math.max(height / ROWS, 8) - 0.25));
}

/** A titled road that draws itself again when its place changes size; `show(cells)` gives it new cells. */
export function roadPanel(title, name, draw, note = "") {
  const host = el("div", { class: "road-host", id: name });
  const panel = el("section", { class: `road-panel ${name}` }, el("h2", {}, title, note && el("small", {}, note)), host);
  let cells = [];
  const redraw = () => {
    if (host.isConnected) host.replaceChildren(drawRoad(cells, columnsThatFit(host), draw, `${title}: ${cells.length} ${cells.length === 1 ? "entry" : "entries"}`));
  };
  new ResizeObserver(redraw).observe(host);
  return {
    panel,
    show(given) {
      cells = given;
      redraw();
    },
  };
}

/** A small drawing of one cell, such as the next-hand cells and the legend have. */
export function oneCell(parts) {
  return svg("svg", { viewBox: `0 0 ${CELL} ${CELL}`, class: "one-cell", "aria-hidden": "true" }, parts);
}
