// The house's chips: one set for every page. Each denomination is drawn once as a <symbol> (face and edge) and used again.
import { dollars, el, svg } from "./dom.js";

/** The chip set, largest first: value in cents, its name, body, edge spots and second spot colour. */
export const CHIPS = [
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
const ring = (r, attributes) => svg("circle", { cx: 50, cy: 50, r, fill: "none", ...attributes });
const round = (r, share, count) => ({ "stroke-dasharray": `${(2 * Math.PI * r * share) / count} ${(2 * Math.PI * r * (1 - share)) / count}`, "stroke-dashoffset": (Math.PI * r * share) / count });

function drawFace({ text, body, spots, edge, print }) {
  return [
    ring(48.5, { fill: body, stroke: edge, "stroke-width": 1.5 }),
    ring(42, { stroke: spots, "stroke-width": 13, ...round(42, 0.36, 6) }),
    ring(42, { stroke: body, "stroke-width": 5, ...round(42, 0.14, 6) }),
    ring(48.2, { stroke: "#000", "stroke-opacity": 0.35, "stroke-width": 1.6 }),
    ring(46.6, { stroke: "#fff", "stroke-opacity": 0.2, "stroke-width": 1 }),
    ring(34.5, { fill: edge, stroke: "#fff", "stroke-opacity": 0.28, "stroke-width": 1 }),
    ring(31.8, { stroke: spots, "stroke-width": 1.6, "stroke-opacity": 0.8, ...round(31.8, 0.5, 36) }),
    ring(29, { fill: "#fbf6e6", stroke: "#00000055", "stroke-width": 0.8 }),
    svg("text", { x: 50, y: 50, "text-anchor": "middle", "dominant-baseline": "central", fill: print, "font-size": text.length > 3 ? 22 : text.length > 2 ? 26 : 34, "font-weight": 800, "letter-spacing": text.length > 2 ? -1 : 0, "font-family": "Inter, Segoe UI, Liberation Sans, sans-serif" }, text),
  ];
}

/** The side of a chip lying on the table: a band of the rim, with its spots. */
function drawEdge({ body, spots, edge }) {
  const reach = 48.5, half = reach * TILT, top = 50 * TILT;
  const band = (from, to) => {
    const at = (degrees) => [50 + reach * Math.cos((degrees * Math.PI) / 180), top + half * Math.sin((degrees * Math.PI) / 180)];
    const [a, b] = [at(from), at(to)];
    return `M${a[0].toFixed(1)} ${a[1].toFixed(1)}A${reach} ${half.toFixed(1)} 0 0 1 ${b[0].toFixed(1)} ${b[1].toFixed(1)}v${LIFT}A${reach} ${half.toFixed(1)} 0 0 0 ${a[0].toFixed(1)} ${(a[1] + LIFT).toFixed(1)}Z`;
  };
  return [
    svg("path", { d: band(0, 180), fill: body, stroke: "#0009", "stroke-width": 1 }),
    ...[[20, 42], [79, 101], [138, 160]].map(([from, to]) => svg("path", { d: band(from, to), fill: spots })),
    svg("path", { d: band(0, 180), fill: edge, "fill-opacity": 0.16, stroke: "#0008", "stroke-width": 1.2 }),
  ];
}

/** The id of a drawing on the sheet, drawn on first need. */
function drawing(kind, denomination) {
  const id = `chip-${kind}-${denomination.name}`;
  if (document.getElementById(id)) return `#${id}`;
  let sheet = document.getElementById("chip-sheet");
  if (!sheet) document.body.append((sheet = svg("svg", { id: "chip-sheet", width: 0, height: 0, "aria-hidden": "true", class: "drawing-sheet" })));
  sheet.append(svg("symbol", { id, viewBox: "0 0 100 100", overflow: "visible" }, kind === "face" ? drawFace(denomination) : drawEdge(denomination)));
  return `#${id}`;
}

const whole = (href, attributes = {}) => svg("use", { href, width: 100, height: 100, ...attributes });

/** One chip from above: `chip(2500)` is the green $25. The value must be one of the set. */
export function chip(cents, { label } = {}) {
  const denomination = CHIPS.find((one) => one.cents === cents);
  if (!denomination) throw new RangeError(`no chip of ${cents} cents: there are ${CHIPS.map((one) => one.cents).join(", ")}`);
  return el("span", { class: "chip", role: "img", "aria-label": label ?? `${dollars(cents)} chip`, dataset: { chip: denomination.name } }, svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, whole(drawing("face", denomination))));
}

/** The fewest chips for an amount, largest first, as a list of denominations; what no chip can pay is left out. */
export function inChips(cents) {
  const chips = [];
  for (const denomination of CHIPS) {
    for (; cents >= denomination.cents && chips.length < MOST_DRAWN; cents -= denomination.cents) chips.push(denomination);
  }
  return chips;
}

/** Chips in columns of nearly equal height, the largest at the bottom of the first. */
function columnsOf(chips) {
  const count = Math.max(1, Math.ceil(chips.length / TALLEST));
  const height = Math.ceil(chips.length / count);
  return Array.from({ length: count }, (_, column) => chips.slice(column * height, (column + 1) * height));
}

function drawColumns(columns) {
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const width = columns.length * 100 + (columns.length - 1) * 4, height = 100 * TILT + LIFT * tallest + 3;
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "stack-chips" });
  columns.forEach((column, place) => {
    const x = place * 104;
    drawn.append(svg("ellipse", { cx: x + 52, cy: height - 50 * TILT + 1, rx: 49, ry: 50 * TILT - 1, fill: "#000", "fill-opacity": 0.4 }));
    column.forEach((denomination, level) => {
      const y = height - 3 - 100 * TILT - LIFT * (level + 1);
      drawn.append(whole(drawing("edge", denomination), { x, y }));
      drawn.append(level === column.length - 1
        ? svg("g", { transform: `translate(${x} ${y}) scale(1 ${TILT})` }, whole(drawing("face", denomination)))
        : svg("ellipse", { cx: x + 50, cy: y + 50 * TILT, rx: 48.5, ry: 48.5 * TILT, fill: denomination.body }));
    });
  });
  drawn.style.setProperty("--columns", columns.length);
  return drawn;
}

/** An amount as chips with a gold label under it; an accessible name like "$125". `plain`: no label; `most`: chips drawn at most. */
export function stack(cents, { label, plain = false, most = MOST_DRAWN } = {}) {
  return el("span", { class: "stack", role: "img", "aria-label": label ?? dollars(cents), dataset: { cents } },
    drawColumns(columnsOf(inChips(cents).slice(0, most))), plain ? null : el("span", { class: "stack-label", "aria-hidden": "true" }, dollars(cents)));
}

/**
 * A rack of chips to bet with, as radio buttons: arrow keys move, digits 1..n pick (anywhere on the page with `keys: document`).
 * Read or set the chosen value with `rack.value`.
 */
export function rack({ denominations = [100, 500, 2_500, 10_000], selected = denominations[0], onpick, label = "Chip to bet with", keys } = {}) {
  const group = `rack-${Math.random().toString(36).slice(2)}`;
  const inputs = denominations.map((cents, place) => el("input", { type: "radio", class: "visually-hidden", name: group, value: cents, "aria-label": `${dollars(cents)} chip, key ${place + 1}`, onchange: () => onpick?.(cents) }));
  const made = el("div", { class: "rack", role: "radiogroup", "aria-label": label }, inputs.map((input, place) => {
    const face = chip(denominations[place]);
    face.setAttribute("aria-hidden", "true");
    return el("label", { class: "rack-chip" }, input, face, el("kbd", { "aria-hidden": "true" }, String(place + 1)));
  }));
  const choose = (cents) => inputs.forEach((input) => (input.checked = Number(input.value) === cents));
  choose(selected);
  Object.defineProperty(made, "value", { get: () => Number(inputs.find((input) => input.checked)?.value), set: choose });
  let shown = false;
  const listen = (event) => {
    shown ||= made.isConnected;
    if (keys && shown && !made.isConnected) return keys.removeEventListener("keydown", listen);
    const place = Number(event.key) - 1;
    const typing = event.target.matches?.("input:not([type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !inputs[place]) return;
    choose(denominations[place]);
    if (made.contains(event.target)) inputs[place].focus();
    onpick?.(denominations[place]);
  };
  (keys ?? made).addEventListener("keydown", listen);
  return made;
}
