// Card faces and backs as SVG. Every one is drawn once as a <symbol>, when it is first needed.
import { FIGURES, GOLD, INK, IVORY, SKIN, dot, line, shape, use } from "./card-figures.js";
import { PIPS, RANKS, SUITS } from "./card-shapes.js";
import { svg } from "./dom.js";

const LATTICE = { fill: "none", stroke: "#f3d9a0" };
const SCALES = { fill: "none", stroke: "#cfe0ff", "stroke-width": 0.8, opacity: 0.7 };
const WHOLE_CARD = { patternUnits: "userSpaceOnUse", patternTransform: "translate(125 175)" };

function lattice() {
  return svg("pattern", { id: "back-lattice", width: 14, height: 14, ...WHOLE_CARD }, [
    svg("path", { d: "M0 7 7 0l7 7-7 7Z", ...LATTICE, "stroke-width": 0.9, opacity: 0.75 }),
    svg("circle", { cx: 7, cy: 7, r: 1.5, fill: "#f3d9a0" }),
    svg("path", { d: "M0 0h14v14H0Z", ...LATTICE, "stroke-width": 0.3, opacity: 0.5 }),
  ]);
}

function scales() {
  const middles = [[0, 12], [20, 12], [10, 6], [10, 18], [0, 0], [20, 0]];
  const arcs = middles.flatMap(([x, y]) => [9, 5.5, 2].map((r) => `M${x - r} ${y}a${r} ${r} 0 0 1 ${2 * r} 0`));
  const paths = arcs.map((d) => svg("path", { d, ...SCALES }));
  return svg("pattern", { id: "back-scales", width: 20, height: 12, ...WHOLE_CARD }, paths);
}

/** @param {string} rank */
function rankStrokes(rank) {
  const width = rank === "10" ? 7.6 : 8.4;
  const { strokes } = RANKS[rank];
  return svg("path", { d: strokes, fill: "none", stroke: "currentColor", "stroke-width": width, "stroke-miterlimit": 6 });
}

/** The sheet of symbols, made when the first card is. */
function sheet() {
  const known = document.getElementById("card-sheet");
  if (known) return known;
  const symbols = svg("svg", { id: "card-sheet", width: 0, height: 0, "aria-hidden": "true", class: "drawing-sheet" });
  /** @param {string} id @param {string} viewBox @param {SVGElement} part */
  const add = (id, viewBox, part) =>
    symbols.append(svg("symbol", { id, viewBox, overflow: "visible", preserveAspectRatio: "none" }, part));
  for (const [suit, { outline }] of Object.entries(SUITS)) {
    add(`suit-${suit}`, "0 0 100 100", svg("path", { d: outline, fill: "currentColor" }));
  }
  for (const rank of Object.keys(RANKS)) add(`rank-${rank}`, "0 0 36 54", rankStrokes(rank));
  symbols.append(lattice(), scales());
  document.body.append(symbols);
  return symbols;
}

/**
 * A symbol of the sheet, drawn on first need.
 * @param {string} id
 * @param {() => SVGElement[]} draw
 */
function symbolOf(id, draw, attributes = {}) {
  if (!document.getElementById(id)) sheet().append(svg("symbol", { id, viewBox: "0 0 250 350", ...attributes }, draw()));
  return id;
}

const paper = (fill = IVORY) =>
  svg("rect", { x: 1.5, y: 1.5, width: 247, height: 347, rx: 17, fill, stroke: "#9a9484", "stroke-width": 2 });

/** @param {SVGElement[]} parts */
const turned = (parts) => svg("g", { transform: "rotate(180 125 175)" }, parts);

/** @param {string} suit @param {number} x @param {number} y @param {number} size */
const suitAt = (suit, x, y, size) =>
  use(`suit-${suit}`, { x: x - size / 2, y: y - size / 2, width: size, height: size });

/**
 * The index: the rank over the suit, large, in the corner that shows in a fan.
 * @param {string} rank
 * @param {string} suit
 */
function index(rank, suit) {
  const box = rank === "10" ? { x: 18, width: 37 } : { x: 15, width: 46 };
  return [use(`rank-${rank}`, { ...box, y: 16, height: 69 }), suitAt(suit, 38, 115, 46)];
}

/** @param {string} rank @param {string} suit */
function pips(rank, suit) {
  return PIPS[rank].map(([column, row]) => {
    const [x, y] = [125 + column * 38, 175 + row * 112];
    const pip = suitAt(suit, x, y, Number(rank) > 8 ? 43 : 50);
    if (row > 0) pip.setAttribute("transform", `rotate(180 ${x} ${y})`);
    return pip;
  });
}

/** @param {number} inset @param {Record<string, string | number>} attributes */
function courtFrame(inset, attributes) {
  const box = { x: 66 + inset, y: 38 + inset, width: 118 - 2 * inset, height: 274 - 2 * inset };
  return svg("rect", { ...box, rx: 5, ...attributes });
}

/** @param {string} rank */
function court(rank) {
  const box = { viewBox: "0 0 150 125", preserveAspectRatio: "xMidYMax slice" };
  const figure = symbolOf(`figure-${rank}`, FIGURES[rank], box);
  const rays = () => Array.from({ length: 13 }, (_, ray) => line(`M125 175L${65 + ray * 10} 40`, 0.8, "#e5cf98"));
  const half = () => [...rays(), use(figure, { x: 66, y: 46, width: 118, height: 129 })];
  return [
    courtFrame(0, { fill: "#fdf3da" }),
    ...half(),
    turned(half()),
    svg("path", { d: "M66 173H184V177H66Z", fill: GOLD, stroke: INK, "stroke-width": 1 }),
    courtFrame(0, { fill: "none", stroke: "currentColor", "stroke-width": 3.2 }),
    courtFrame(4.5, { fill: "none", stroke: GOLD, "stroke-width": 1.2 }),
  ];
}

/** @param {string} suit */
function ace(suit) {
  if (suit !== "s") return [suitAt(suit, 125, 175, 104)];
  const roof = line("M103 184 125 163l22 21", 5.5, GOLD);
  return [suitAt("s", 125, 172, 150), roof, svg("circle", { cx: 125, cy: 188, r: 5, fill: GOLD })];
}

const JOKER = "#5a2a82";
const LETTERS = {
  ...{ x: 37, "text-anchor": "middle", "font-size": 36, "font-weight": 800, fill: JOKER },
  "font-family": "Inter, Segoe UI, Liberation Sans, sans-serif",
};
const CAP =
  "M70 196C62 150 72 118 92 104c10 20 16 34 18 52 1-34 4-52 15-74 11 22 14 40 15 74 2-18 8-32 18-52 20 14 30 46 22 92Z";

function joker() {
  const letters = () => [..."JOKER"].map((letter, place) => svg("text", { ...LETTERS, y: 52 + place * 36 }, letter));
  return [
    ...letters(),
    turned(letters()),
    shape(CAP, JOKER),
    shape("M125 82c11 22 14 40 15 74l-15 40-15-40c1-34 4-52 15-74Z", GOLD),
    dot(92, 101, 9, GOLD),
    dot(125, 78, 9, "#c4161c"),
    dot(158, 101, 9, GOLD),
    shape("M66 194c38-12 80-12 118 0v16c-38-12-80-12-118 0Z", GOLD),
    ...[80, 102.5, 125, 147.5, 170].map((x) => dot(x, 198 - (1 - Math.abs(x - 125) / 60) * 5 + 3, 3, JOKER, 0)),
    shape("M82 208c28-7 58-7 86 0v22c0 28-18 46-43 46s-43-18-43-46Z", SKIN),
    line("M98 224c5-6 13-6 18 0M134 224c5-6 13-6 18 0M125 226v14l-5 2M103 250c14 12 30 12 44 0", 3),
    dot(107, 230, 3, INK, 0),
    dot(143, 230, 3, INK, 0),
  ];
}

/** @type {Record<string, {deep: string, light: string, pattern: string, thread: string}>} */
const BACKS = {
  red: { deep: "#7c1420", light: "#a52431", pattern: "back-lattice", thread: "#f3d9a0" },
  blue: { deep: "#12285c", light: "#23499a", pattern: "back-scales", thread: "#cfe0ff" },
};

/** @param {number} inset @param {number} rx @param {Record<string, string | number>} attributes */
function backFrame(inset, rx, attributes) {
  return svg("rect", { x: inset, y: inset, width: 250 - 2 * inset, height: 350 - 2 * inset, rx, ...attributes });
}

/** @param {string} colour */
function back(colour) {
  const { deep, light, pattern, thread } = BACKS[colour] ?? BACKS.red;
  return [
    paper("#fbf7ea"),
    backFrame(13, 9, { fill: deep }),
    backFrame(22, 5, { fill: light }),
    backFrame(22, 5, { fill: `url(#${pattern})` }),
    backFrame(22, 5, { fill: "none", stroke: thread, "stroke-width": 1.6 }),
    backFrame(16.5, 7, { fill: "none", stroke: thread, "stroke-width": 0.8 }),
    svg("path", { d: "M125 113 171 175 125 237 79 175Z", fill: deep, stroke: thread, "stroke-width": 2.4 }),
    svg("path", { d: "M125 125 162 175 125 225 88 175Z", fill: "none", stroke: thread, "stroke-width": 0.9 }),
    line("M105 170 125 151l20 19", 4.5, thread),
    svg("g", { color: thread }, suitAt("s", 125, 186, 38)),
  ];
}

/** @param {string} code */
export const rankAndSuit = (code) => [code.slice(0, -1), code.slice(-1)];

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  if (rank in FIGURES) return court(rank);
  return rank === "A" ? ace(suit) : pips(rank, suit);
}

/** @param {string} code */
function face(code) {
  if (code === "Jk") return [paper(), ...joker()];
  const [rank, suit] = rankAndSuit(code);
  const { colour } = SUITS[suit];
  return [paper(), svg("g", { color: colour }, index(rank, suit), turned(index(rank, suit)), middle(rank, suit))];
}

/** A face for a small card: a huge index and nothing else. @param {string} code */
function smallFace(code) {
  if (code === "Jk") {
    const box = { y: 28, width: 96, height: 144 };
    const letters = [use("rank-J", { x: 16, ...box }), use("rank-K", { x: 126, ...box })];
    return [paper(), svg("g", { color: JOKER }, letters), dot(125, 258, 50, GOLD, 6)];
  }
  const [rank, suit] = rankAndSuit(code);
  const box = rank === "10" ? { x: 25, width: 86 } : { x: 17, width: 98 };
  const parts = [use(`rank-${rank}`, { ...box, y: 24, height: 147 }), suitAt(suit, 150, 254, 156)];
  return [paper(), svg("g", { color: SUITS[suit].colour }, parts)];
}

/**
 * The picture of a card: the full face, and the small one that felt.css shows where there is little room.
 * @param {string | null} code null for the back
 * @param {string} colour of the back
 */
export function picture(code, colour) {
  sheet();
  const full = code ? symbolOf(`card-${code}`, () => face(code)) : symbolOf(`card-back-${colour}`, () => back(colour));
  const small = code ? symbolOf(`card-small-${code}`, () => smallFace(code)) : full;
  const uses = [use(full, { class: "card-full" }), use(small, { class: "card-small" })];
  return svg("svg", { viewBox: "0 0 250 350", "aria-hidden": "true", focusable: "false" }, uses);
}
