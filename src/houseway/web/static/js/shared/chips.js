// The house's chips: one set for every page. Each denomination is drawn once as a <symbol> (face and edge) and used again.
import { dollars, el, svg } from "./dom.js";

/** @import { Cents } from "../types" */

/**
 * A chip of the set: its value, name and text, and the colours of its body, edge spots, edge and print.
 * @typedef {{cents: Cents, name: string, text: string, body: string, spots: string, edge: string, print: string}} Chip
 */

/** The chip set, largest first. @type {Chip[]} */
const CHIPS = [
  { cents: 100_000, name: "yellow", text: "1000", body: "#e3b420", spots: "#23262b", edge: "#b98d0e", print: "#5d4300" },
  { cents: 50_000, name: "purple", text: "500", body: "#5f2c93", spots: "#f0c9ff", edge: "#451d70", print: "#451d70" },
  { cents: 10_000, name: "black", text: "100", body: "#25282d", spots: "#f2ead4", edge: "#15171a", print: "#15171a" },
  { cents: 2_500, name: "green", text: "25", body: "#12743f", spots: "#f6e9c3", edge: "#0b552d", print: "#0b552d" },
  { cents: 500, name: "red", text: "5", body: "#b8212a", spots: "#fbe9da", edge: "#89141c", print: "#89141c" },
  { cents: 100, name: "white", text: "1", body: "#ece9e0", spots: "#2f62b5", edge: "#bdb9ad", print: "#2a2d31" },
  { cents: 50, name: "half", text: "50¢", body: "#e38fae", spots: "#fff3f7", edge: "#bf6a8a", print: "#8a3457" },
];

const TALLEST = 8;
const MOST_DRAWN = 24;
const LIFT = 11;
const TILT = 0.74;
const REACH = 48.5;
const FONT = "Inter, Segoe UI, Liberation Sans, sans-serif";

/** @param {number} r @param {Record<string, string | number>} attributes */
const ring = (r, attributes) => svg("circle", { cx: 50, cy: 50, r, fill: "none", ...attributes });

/**
 * Strokes that divide a ring into so many dashes.
 * @param {number} r
 * @param {number} share
 * @param {number} count
 */
function dashes(r, share, count) {
  const round = (2 * Math.PI * r) / count;
  return { "stroke-dasharray": `${round * share} ${round * (1 - share)}`, "stroke-dashoffset": (round * share) / 2 };
}

/** @param {Chip} chip */
function value({ text, print }) {
  const size = { 4: 22, 3: 26 }[text.length] ?? 34;
  const type = { "font-size": size, "font-weight": 800, "font-family": FONT, "letter-spacing": text.length > 2 ? -1 : 0 };
  const place = { x: 50, y: 50, "text-anchor": "middle", "dominant-baseline": "central" };
  return svg("text", { ...place, ...type, fill: print }, text);
}

/** @param {Chip} chip */
function drawFace(chip) {
  const { body, spots, edge } = chip;
  return [
    ring(48.5, { fill: body, stroke: edge, "stroke-width": 1.5 }),
    ring(42, { stroke: spots, "stroke-width": 13, ...dashes(42, 0.36, 6) }),
    ring(42, { stroke: body, "stroke-width": 5, ...dashes(42, 0.14, 6) }),
    ring(48.2, { stroke: "#000", "stroke-opacity": 0.35, "stroke-width": 1.6 }),
    ring(46.6, { stroke: "#fff", "stroke-opacity": 0.2, "stroke-width": 1 }),
    ring(34.5, { fill: edge, stroke: "#fff", "stroke-opacity": 0.28, "stroke-width": 1 }),
    ring(31.8, { stroke: spots, "stroke-width": 1.6, "stroke-opacity": 0.8, ...dashes(31.8, 0.5, 36) }),
    ring(29, { fill: "#fbf6e6", stroke: "#00000055", "stroke-width": 0.8 }),
    value(chip),
  ];
}

/** A point of the rim, by its angle. @param {number} degrees */
function rimAt(degrees) {
  const turn = (degrees * Math.PI) / 180;
  return [50 + REACH * Math.cos(turn), TILT * (50 + REACH * Math.sin(turn))];
}

/**
 * A band of the rim between two angles.
 * @param {number} from
 * @param {number} to
 */
function band(from, to) {
  const [[x1, y1], [x2, y2]] = [rimAt(from), rimAt(to)];
  const half = (REACH * TILT).toFixed(1);
  const there = `M${x1.toFixed(1)} ${y1.toFixed(1)}A${REACH} ${half} 0 0 1 ${x2.toFixed(1)} ${y2.toFixed(1)}`;
  return `${there}v${LIFT}A${REACH} ${half} 0 0 0 ${x1.toFixed(1)} ${(y1 + LIFT).toFixed(1)}Z`;
}

/** The side of a chip lying on the table: a band of the rim, with its spots. @param {Chip} chip */
function drawEdge({ body, spots, edge }) {
  const marks = [[20, 42], [79, 101], [138, 160]];
  return [
    svg("path", { d: band(0, 180), fill: body, stroke: "#0009", "stroke-width": 1 }),
    ...marks.map(([from, to]) => svg("path", { d: band(from, to), fill: spots })),
    svg("path", { d: band(0, 180), fill: edge, "fill-opacity": 0.16, stroke: "#0008", "stroke-width": 1.2 }),
  ];
}

function sheet() {
  const known = document.getElementById("chip-sheet");
  if (known) return known;
  const drawings = svg("svg", { id: "chip-sheet", width: 0, height: 0, "aria-hidden": "true", class: "drawing-sheet" });
  document.body.append(drawings);
  return drawings;
}

/**
 * The address of a drawing on the sheet, drawn on first need.
 * @param {"face" | "edge"} kind
 * @param {Chip} chip
 */
function drawing(kind, chip) {
  const id = `chip-${kind}-${chip.name}`;
  if (!document.getElementById(id)) {
    const parts = kind === "face" ? drawFace(chip) : drawEdge(chip);
    sheet().append(svg("symbol", { id, viewBox: "0 0 100 100", overflow: "visible" }, parts));
  }
  return `#${id}`;
}

/** @param {string} href @param {Record<string, number>} attributes */
const whole = (href, attributes = {}) => svg("use", { href, width: 100, height: 100, ...attributes });

/** The chip of a value; a house may have others than the set, which are drawn grey. @param {Cents} cents @returns {Chip} */
function chipOf(cents) {
  const text = cents % 100 ? `${cents}¢` : String(cents / 100);
  const grey = { body: "#6b7280", spots: "#f2ead4", edge: "#4b5563", print: "#15171a" };
  return CHIPS.find((known) => known.cents === cents) ?? { cents, name: `of-${cents}`, text, ...grey };
}

/** One chip from above: `chipFace(2500)` is the green $25. @param {Cents} cents */
export function chipFace(cents) {
  const chip = chipOf(cents);
  const drawn = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, whole(drawing("face", chip)));
  return el("span", { class: "chip", "aria-hidden": "true", dataset: { chip: chip.name } }, drawn);
}

/** The fewest chips for an amount, largest first; what no chip can pay is left out. @param {Cents} cents */
function inChips(cents) {
  const chips = [];
  let left = cents;
  for (const chip of CHIPS) {
    for (; left >= chip.cents && chips.length < MOST_DRAWN; left -= chip.cents) chips.push(chip);
  }
  return chips;
}

/** Chips in columns of nearly equal height, the largest at the bottom of the first. @param {Chip[]} chips */
function columnsOf(chips) {
  const count = Math.max(1, Math.ceil(chips.length / TALLEST));
  const height = Math.ceil(chips.length / count);
  return Array.from({ length: count }, (_, column) => chips.slice(column * height, (column + 1) * height));
}

/** @param {Chip} chip @param {number} x @param {number} y @param {boolean} isTop */
function drawChip(chip, x, y, isTop) {
  const edge = whole(drawing("edge", chip), { x, y });
  if (isTop) {
    const face = whole(drawing("face", chip));
    return [edge, svg("g", { transform: `translate(${x} ${y}) scale(1 ${TILT})` }, face)];
  }
  const body = { rx: REACH, ry: REACH * TILT, fill: chip.body };
  return [edge, svg("ellipse", { cx: x + 50, cy: y + 50 * TILT, ...body })];
}

/** @param {Chip[][]} columns */
function drawColumns(columns) {
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const width = columns.length * 100 + (columns.length - 1) * 4;
  const height = 100 * TILT + LIFT * tallest + 3;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "stack-chips" });
  const shadow = { cy: height - 50 * TILT + 1, rx: 49, ry: 50 * TILT - 1, fill: "#000", "fill-opacity": 0.4 };
  columns.forEach((column, place) => {
    const x = place * 104;
    drawn.append(svg("ellipse", { cx: x + 52, ...shadow }));
    column.forEach((chip, level) => {
      const y = height - 3 - 100 * TILT - LIFT * (level + 1);
      drawn.append(...drawChip(chip, x, y, level === column.length - 1));
    });
  });
  drawn.style.setProperty("--columns", String(columns.length));
  return drawn;
}

/**
 * An amount as chips with a gold label under it; its accessible name is the amount.
 * @param {Cents} cents
 * @param {{plain?: boolean, most?: number}} [options] `plain`: no label; `most`: chips drawn at most
 */
export function stack(cents, { plain = false, most = MOST_DRAWN } = {}) {
  const label = plain ? null : el("span", { class: "stack-label", "aria-hidden": "true" }, dollars(cents));
  const chips = drawColumns(columnsOf(inChips(cents).slice(0, most)));
  return el("span", { class: "stack", role: "img", "aria-label": dollars(cents), dataset: { cents } }, chips, label);
}

/**
 * So many chips of one value, one on the other.
 * @param {Cents} cents
 * @param {number} count
 * @param {string} label
 */
export function pile(cents, count, label) {
  const chips = drawColumns(columnsOf(Array(Math.min(count, MOST_DRAWN)).fill(chipOf(cents))));
  const told = el("span", { class: "stack-label", "aria-hidden": "true" }, `${count} × ${dollars(cents)}`);
  return el("span", { class: "stack", role: "img", "aria-label": label }, chips, told);
}

/** A rack of chips to bet with, as radio buttons. */
export class Rack {
  /**
   * @param {Cents[]} denominations
   * @param {Cents} selected
   * @param {() => void} onpick
   */
  constructor(denominations, selected, onpick) {
    const name = "rack";
    this.inputs = denominations.map((cents, place) => {
      const label = `${dollars(cents)} chip, key ${place + 1}`;
      const choice = { type: "radio", name, value: cents, "aria-label": label, onchange: onpick };
      return el("input", { class: "visually-hidden", ...choice });
    });
    const labels = this.inputs.map((input, place) => {
      const key = el("kbd", { "aria-hidden": "true" }, String(place + 1));
      return el("label", { class: "rack-chip" }, input, chipFace(denominations[place]), key);
    });
    this.element = el("div", { class: "rack", role: "radiogroup", "aria-label": "Chip to bet with" }, labels);
    this.cents = selected;
  }

  /** The chip that is chosen. */
  get cents() {
    return Number(this.inputs.find((input) => input.checked)?.value ?? 0);
  }

  set cents(wanted) {
    for (const input of this.inputs) input.checked = Number(input.value) === wanted;
  }
}
