// Playing cards as inline SVG. Every face is drawn once as a <symbol>; a card on the table is two <use> of it (the full
// face, and a plain one with a huge index that felt.css shows when the card is small). Size: the CSS variable --card-width.
import { el, svg } from "./dom.js";

const SUITS = {
  s: ["spades", "#14171a", "M50 5C57 22 93 39 93 63c0 12-9 20-20 20-8 0-15-4-18.5-10.5C55 82 59 89 67 95H33c8-6 12-13 12.5-22.5C42 79 35 83 27 83 16 83 7 75 7 63 7 39 43 22 50 5Z"],
  h: ["hearts", "#c4161c", "M50 94C43 78 7 60 7 33 7 18 18 8 30 8c9 0 16.5 5 20 14C53.5 13 61 8 70 8c12 0 23 10 23 25C93 60 57 78 50 94Z"],
  d: ["diamonds", "#1450bd", "M50 3C58 22 71 38 88 50 71 62 58 78 50 97 42 78 29 62 12 50 29 38 42 22 50 3Z"],
  c: ["clubs", "#0a7238", "M50 5a21.5 21.5 0 0 1 14.5 37.4C67 40.5 70 39.5 73 39.5a21.5 21.5 0 0 1 0 43c-8 0-15-4.2-18.5-10.5C55 82 59 89 67 95H33c8-6 12-13 12.5-23C42 78.3 35 82.5 27 82.5a21.5 21.5 0 0 1 0-43c3 0 6 1 8.5 2.9A21.5 21.5 0 0 1 50 5Z"],
};

// Ranks are strokes of one width in a box 36 by 54, so that they look the same on every machine, whatever fonts it has.
const RANKS = {
  A: ["Ace", "M3.5 54 16 3.5h4L32.5 54M8.5 37.5h19"],
  2: ["Two", "M5 17C5 9 10.5 4.3 18 4.3S31 9 31 16.5C31 28 6.5 36 5.2 49.7H32.5"],
  3: ["Three", "M5.3 14C6.5 7.5 11.5 4.3 18 4.3c7.5 0 12.3 4.4 12.3 10.7C30.3 21.5 25.5 25.5 18 25.5h-3.5H18c8 0 13.5 4.5 13.5 12S26 49.7 18 49.7C11 49.7 5.8 46.5 4.5 39.5"],
  4: ["Four", "M25.5 54V4.5h-2L4.5 38v2H34.5"],
  5: ["Five", "M30 4.3H10L7.8 25.5C10.3 22.8 14 21.3 18 21.3c8 0 13.5 5.7 13.5 14S26 49.7 17.7 49.7C11 49.7 5.8 46.3 4.5 40"],
  6: ["Six", "M29.8 13C28.6 7.5 24.5 4.3 18.8 4.3 9.5 4.3 4.5 12.5 4.5 29c0 13.5 5 20.7 13.5 20.7 8 0 13.5-5.4 13.5-13.7S26 22.5 18.5 22.5C11 22.5 5.5 28 4.8 35"],
  7: ["Seven", "M3.5 4.3H31.2v2C21 20 15.5 36 14.7 54"],
  8: ["Eight", "M18 4.3c7 0 11.8 4.2 11.8 10.5S25 25.5 18 25.5 6.2 21.2 6.2 14.8 11 4.3 18 4.3ZM18 25.5c8 0 13.5 4.8 13.5 12S26 49.7 18 49.7 4.5 44.8 4.5 37.5 10 25.5 18 25.5Z"],
  9: ["Nine", "M6.2 41C7.4 46.5 11.5 49.7 17.2 49.7 26.5 49.7 31.5 41.5 31.5 25c0-13.5-5-20.7-13.5-20.7-8 0-13.5 5.4-13.5 13.7S10 31.5 17.5 31.5C25 31.5 30.5 26 31.2 19"],
  10: ["Ten", "M-3.5 12.5 5 5V54M27.5 4.3c6.8 0 10.2 8 10.2 22.7S34.3 49.7 27.5 49.7 17.3 41.7 17.3 27 20.7 4.3 27.5 4.3Z"],
  J: ["Jack", "M26 0V36.5C26 45.5 22 49.7 15.3 49.7 9 49.7 5 46 4.5 38.5"],
  Q: ["Queen", "M18 4.3c8.5 0 13.5 8.2 13.5 22.7S26.5 49.7 18 49.7 4.5 41.5 4.5 27 9.5 4.3 18 4.3ZM19 37 33 55"],
  K: ["King", "M7.5 0V54M31.5 0 8.5 31.5M15.5 22.5 33.5 54"],
};

// Where the pips lie: [column, row] with 0 in the middle; rows run from -1 to 1, and those below the middle are turned.
const L = -1, R = 1, ends = [[L, -1], [R, -1], [L, 1], [R, 1]], middle = [[L, 0], [R, 0]];
const nine = [...ends, [L, -1 / 3], [R, -1 / 3], [L, 1 / 3], [R, 1 / 3]];
const PIPS = {
  2: [[0, -1], [0, 1]], 3: [[0, -1], [0, 0], [0, 1]], 4: ends, 5: [...ends, [0, 0]], 6: [...ends, ...middle], 7: [...ends, ...middle, [0, -.5]],
  8: [...ends, ...middle, [0, -.5], [0, .5]], 9: [...nine, [0, 0]], 10: [...nine, [0, -2 / 3], [0, 2 / 3]],
};

const GOLD = "#d9a93f", INK = "#14171a", IVORY = "#fffdf6", SKIN = "#fbead2";
const line = (d, width = 2, stroke = INK) => svg("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const shape = (d, fill, width = 2) => svg("path", { d, fill, stroke: INK, "stroke-width": width, "stroke-linejoin": "round" });
const moved = (by, ...parts) => svg("g", { transform: `translate(${by})` }, parts);
const dot = (cx, cy, r, fill, width = 1.6) => svg("circle", { cx, cy, r, fill, stroke: INK, "stroke-width": width });
const use = (id, attributes = {}) => svg("use", { href: `#${id}`, ...attributes });

/** Half of a court figure in a box 150 by 125; the other half is the same, turned. The suit's colour is currentColor. */
const FIGURES = {
  K: () => [
    shape("M2 125C4 103 24 92 52 86l23 20 23-20c28 6 48 17 50 39Z", "currentColor"),
    shape("M42 88 75 125h-22L30 92ZM108 88 75 125h22L120 92Z", IVORY), line("M44 98l3 5M54 109l3 5M106 98l-3 5M96 109l-3 5", 2.4),
    line("M12 125c2-13 8-20 16-25M138 125c-2-13-8-20-16-25", 2.4, GOLD),
    shape("M52 40c-9 8-8 22-14 27 2 9 12 12 20 8ZM98 40c9 8 8 22 14 27-2 9-12 12-20 8Z", GOLD),
    shape("M55 36h40v26c0 14-8 22-20 22s-20-8-20-22Z", SKIN),
    shape("M55 55c5 6 12 5 20 5s15 1 20-5v15c0 17-9 29-20 36-11-7-20-19-20-36Z", GOLD), line("M75 76v20M66 77c0 6 2 11 5 16M84 77c0 6-2 11-5 16", 1.6),
    line("M69 70c4 2.5 8 2.5 12 0", 2.6, "#8d1b1b"), line("M61 47c3-2.5 6-2.5 9 0M80 47c3-2.5 6-2.5 9 0M75 49v10l-3 1", 1.8), dot(65.5, 51, 1.6, INK, 0), dot(84.5, 51, 1.6, INK, 0),
    shape("M50 39 43 12 60 24 75 5l15 19 17-12-7 27c-16-5-34-5-50 0Z", GOLD), line("M51 33c16-5 32-5 48 0", 1.6),
    dot(43, 11, 3.6, "currentColor"), dot(75, 5, 4, "currentColor"), dot(107, 11, 3.6, "currentColor"), dot(75, 24, 3.6, "currentColor"),
    moved(-11, shape("M127 18l5-8 5 8v72h-10Z", IVORY), line("M132 18v70", 1.2), shape("M121 88h22v6h-22Z", GOLD), shape("M129 94h6v20h-6Z", IVORY)),
  ],
  Q: () => [
    shape("M4 125C6 105 28 96 54 90h42c26 6 48 15 50 35Z", "currentColor"),
    shape("M75 20c-27 0-33 22-34 42-1 19-7 30-15 37 14 7 33 4 40-7h18c7 11 26 14 40 7-8-7-14-18-15-37-1-20-7-42-34-42Z", GOLD),
    line("M48 52c-2 18-4 32-12 43M102 52c2 18 4 32 12 43M54 64c-1 13-4 24-9 32M96 64c1 13 4 24 9 32", 1.6),
    shape("M65 74h20v16c8 3 15 6 19 10-6 14-17 21-29 23-12-2-23-9-29-23 4-4 11-7 19-10Z", SKIN),
    line("M50 101c8 10 16 14 25 14s17-4 25-14", 2.6, GOLD), dot(75, 117, 4, "currentColor"),
    shape("M56 44c0-12 8-18 19-18s19 6 19 18v14c0 14-9 23-19 23s-19-9-19-23Z", SKIN),
    shape("M56 50c1-12 7-19 19-21 12 2 18 9 19 21 3-17-4-28-19-28s-22 11-19 28Z", GOLD),
    line("M61.5 49c3-3 6.5-3 9 0M79.5 49c3-3 6.5-3 9 0M75 52v10l-3 1", 1.8), dot(66, 53, 1.6, INK, 0), dot(84, 53, 1.6, INK, 0),
    shape("M70 70c2-2 4-2 5-.5 1-1.5 3-1.5 5 .5-3 4-7 4-10 0Z", "#c4161c", .8),
    shape("M51 27 49 9l11 8 6-13 9 10 9-10 6 13 11-8-2 18c-15-6-33-6-48 0Z", GOLD), line("M52 23c15-5 31-5 46 0", 1.6), dot(66, 4, 2.6, "currentColor"), dot(84, 4, 2.6, "currentColor"), dot(75, 19, 2.8, "currentColor"),
    moved(-11, line("M131 104c1-22 1-36-1-54M131 84c5-3 9-8 10-13M130 74c-5-2-9-7-10-12", 2.4, "#0a7238"),
    ...[0, 72, 144, 216, 288].map((turn) => svg("ellipse", { cx: 130, cy: 36, rx: 5.5, ry: 8, fill: "currentColor", stroke: INK, "stroke-width": 1.4, transform: `rotate(${turn} 130 43)` })), dot(130, 43, 4.5, GOLD)),
  ],
  J: () => [
    shape("M4 125C6 104 30 95 54 88l21 12 21-12c24 7 48 16 50 37Z", "currentColor"),
    shape("M75 100 44 92l4 33h54l4-33Z", IVORY), line("M75 101v24M60 98l2 27M90 98l-2 27", 1.6), dot(75, 110, 2.2, GOLD), dot(75, 119, 2.2, GOLD),
    shape("M50 36c-6 14-3 34-9 43 8 5 16 3 20-3h28c4 6 12 8 20 3-6-9-3-29-9-43Z", GOLD), line("M52 50c-1 12 0 20-4 27M98 50c1 12 0 20 4 27", 1.6),
    shape("M64 74h22v16l-11 10-11-10Z", SKIN),
    shape("M56 38h38v22c0 14-9 23-19 23s-19-9-19-23Z", SKIN),
    line("M61.5 49c3-2.5 6-2.5 9 0M79.5 49c3-2.5 6-2.5 9 0M75 52v10l-3 1", 1.8), line("M69 71c4 2.5 8 2.5 12 0", 2.4, "#8d1b1b"), dot(66, 53, 1.6, INK, 0), dot(84, 53, 1.6, INK, 0),
    shape("M47 40C44 18 58 10 78 10c19 0 30 10 26 30-18-6-39-6-57 0Z", "currentColor"), shape("M46 41c18-8 41-8 59 0v-8c-18-8-41-8-59 0Z", GOLD),
    shape("M96 30C100 12 112 3 130 4c-2 16-12 27-30 30Z", IVORY), line("M98 32C106 20 116 12 126 8M107 24l-1-9M114 17l0-8M106 26l9 0M113 19l9-1", 1.4),
    moved(13, line("M18 122V24", 4.4), line("M18 122V24", 2, GOLD), shape("M18 8l7 17-7 7-7-7ZM11 40C2 44 0 58 6 66l12-8ZM25 40c7 2 8 14 4 18l-11-2Z", IVORY)),
  ],
};

/** The sheet of symbols, made when the first card is. */
function sheet() {
  let made = document.getElementById("card-sheet");
  if (made) return made;
  made = svg("svg", { id: "card-sheet", width: 0, height: 0, "aria-hidden": "true", class: "drawing-sheet" });
  const symbol = (id, box, ...parts) => made.append(svg("symbol", { id, viewBox: box, overflow: "visible", preserveAspectRatio: "none" }, parts));
  for (const [suit, [, , d]] of Object.entries(SUITS)) symbol(`suit-${suit}`, "0 0 100 100", svg("path", { d, fill: "currentColor" }));
  for (const [rank, [, d]] of Object.entries(RANKS)) symbol(`rank-${rank}`, "0 0 36 54", svg("path", { d, fill: "none", stroke: "currentColor", "stroke-width": rank === "10" ? 7.6 : 8.4, "stroke-miterlimit": 6 }));
  made.append(svg("pattern", { id: "back-lattice", width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "translate(125 175)" },
    svg("path", { d: "M0 7 7 0l7 7-7 7Z", fill: "none", stroke: "#f3d9a0", "stroke-width": .9, opacity: .75 }), svg("circle", { cx: 7, cy: 7, r: 1.5, fill: "#f3d9a0" }), svg("path", { d: "M0 0h14v14H0Z", fill: "none", stroke: "#f3d9a0", "stroke-width": .3, opacity: .5 })));
  made.append(svg("pattern", { id: "back-scales", width: 20, height: 12, patternUnits: "userSpaceOnUse", patternTransform: "translate(125 175)" },
    ...[[0, 12], [20, 12], [10, 6], [10, 18], [0, 0], [20, 0]].flatMap(([cx, cy]) => [9, 5.5, 2].map((r) => svg("path", { d: `M${cx - r} ${cy}a${r} ${r} 0 0 1 ${2 * r} 0`, fill: "none", stroke: "#cfe0ff", "stroke-width": .8, opacity: .7 })))));
  document.body.append(made);
  return made;
}

/** A symbol of the sheet, drawn on first need. */
function symbolOf(id, draw) {
  if (!document.getElementById(id)) sheet().append(svg("symbol", { id, viewBox: "0 0 250 350" }, draw()));
  return id;
}

const paper = (fill = IVORY) => svg("rect", { x: 1.5, y: 1.5, width: 247, height: 347, rx: 17, fill, stroke: "#9a9484", "stroke-width": 2 });
const turned = (...parts) => svg("g", { transform: "rotate(180 125 175)" }, parts.flat());
const suitAt = (suit, x, y, size) => use(`suit-${suit}`, { x: x - size / 2, y: y - size / 2, width: size, height: size });

/** The index: the rank over the suit, large, in the corner that shows in a fan. */
const index = (rank, suit) => [use(`rank-${rank}`, rank === "10" ? { x: 18, y: 16, width: 37, height: 69 } : { x: 15, y: 16, width: 46, height: 69 }), suitAt(suit, 38, 115, 46)];

function pips(rank, suit) {
  return PIPS[rank].map(([column, row]) => {
    const y = 175 + row * 112, pip = suitAt(suit, 125 + column * 38, y, rank > 8 ? 43 : 50);
    if (row > 0) pip.setAttribute("transform", `rotate(180 ${125 + column * 38} ${y})`);
    return pip;
  });
}

function court(rank) {
  const figure = `figure-${rank}`;
  if (!document.getElementById(figure)) sheet().append(svg("symbol", { id: figure, viewBox: "0 0 150 125", preserveAspectRatio: "xMidYMax slice" }, FIGURES[rank]()));
  const half = () => [...Array.from({ length: 13 }, (_, ray) => line(`M125 175L${65 + ray * 10} 40`, 0.8, "#e5cf98")), use(figure, { x: 66, y: 46, width: 118, height: 129 })];
  const frame = (inset, attributes) => svg("rect", { x: 66 + inset, y: 38 + inset, width: 118 - 2 * inset, height: 274 - 2 * inset, rx: 5, ...attributes });
  return [
    frame(0, { fill: "#fdf3da" }), ...half(), turned(half()), svg("path", { d: "M66 173H184V177H66Z", fill: GOLD, stroke: INK, "stroke-width": 1 }),
    frame(0, { fill: "none", stroke: "currentColor", "stroke-width": 3.2 }), frame(4.5, { fill: "none", stroke: GOLD, "stroke-width": 1.2 }),
  ];
}

function ace(suit) {
  if (suit !== "s") return [suitAt(suit, 125, 175, 104)];
  return [suitAt("s", 125, 172, 150), svg("path", { d: "M103 184 125 163l22 21", fill: "none", stroke: GOLD, "stroke-width": 5.5, "stroke-linecap": "round", "stroke-linejoin": "round" }), svg("circle", { cx: 125, cy: 188, r: 5, fill: GOLD })];
}

function joker() {
  const letters = [["J", 0], ["O", 1], ["K", 2], ["E", 3], ["R", 4]].map(([letter, place]) => svg("text", { x: 37, y: 52 + place * 36, "text-anchor": "middle", "font-size": 36, "font-weight": 800, "font-family": "Inter, Segoe UI, Liberation Sans, sans-serif", fill: "#5a2a82" }, letter));
  return [
    ...letters, turned(...letters.map((letter) => letter.cloneNode(true))),
    shape("M70 196C62 150 72 118 92 104c10 20 16 34 18 52 1-34 4-52 15-74 11 22 14 40 15 74 2-18 8-32 18-52 20 14 30 46 22 92Z", "#5a2a82"),
    shape("M125 82c11 22 14 40 15 74l-15 40-15-40c1-34 4-52 15-74Z", GOLD), dot(92, 101, 9, GOLD), dot(125, 78, 9, "#c4161c"), dot(158, 101, 9, GOLD),
    shape("M66 194c38-12 80-12 118 0v16c-38-12-80-12-118 0Z", GOLD), ...[80, 102.5, 125, 147.5, 170].map((x) => dot(x, 198 - (1 - Math.abs(x - 125) / 60) * 5 + 3, 3, "#5a2a82", 0)),
    shape("M82 208c28-7 58-7 86 0v22c0 28-18 46-43 46s-43-18-43-46Z", SKIN), line("M98 224c5-6 13-6 18 0M134 224c5-6 13-6 18 0M125 226v14l-5 2M103 250c14 12 30 12 44 0", 3), dot(107, 230, 3, INK, 0), dot(143, 230, 3, INK, 0),
  ];
}

const BACKS = { red: ["#7c1420", "#a52431", "back-lattice", "#f3d9a0"], blue: ["#12285c", "#23499a", "back-scales", "#cfe0ff"] };

function back(colour) {
  const [deep, light, pattern, thread] = BACKS[colour];
  const frame = (inset, radius, attributes) => svg("rect", { x: inset, y: inset, width: 250 - 2 * inset, height: 350 - 2 * inset, rx: radius, ...attributes });
  return [
    paper("#fbf7ea"), frame(13, 9, { fill: deep }), frame(22, 5, { fill: light }), frame(22, 5, { fill: `url(#${pattern})` }), frame(22, 5, { fill: "none", stroke: thread, "stroke-width": 1.6 }), frame(16.5, 7, { fill: "none", stroke: thread, "stroke-width": .8 }),
    svg("path", { d: "M125 113 171 175 125 237 79 175Z", fill: deep, stroke: thread, "stroke-width": 2.4 }), svg("path", { d: "M125 125 162 175 125 225 88 175Z", fill: "none", stroke: thread, "stroke-width": .9 }),
    svg("path", { d: "M105 170 125 151l20 19", fill: "none", stroke: thread, "stroke-width": 4.5, "stroke-linecap": "round", "stroke-linejoin": "round" }), svg("g", { color: thread }, suitAt("s", 125, 186, 38)),
  ];
}

const isCourt = (rank) => rank === "J" || rank === "Q" || rank === "K";

function face(code) {
  if (code === "Jk") return [paper(), ...joker()];
  const [rank, suit] = split(code);
  const inside = isCourt(rank) ? court(rank) : rank === "A" ? ace(suit) : pips(rank, suit);
  return [paper(), svg("g", { color: SUITS[suit][1] }, index(rank, suit), turned(...index(rank, suit)), inside)];
}

function smallFace(code) {
  if (code === "Jk") return [paper(), svg("g", { color: "#5a2a82" }, use("rank-J", { x: 16, y: 28, width: 96, height: 144 }), use("rank-K", { x: 126, y: 28, width: 96, height: 144 })), dot(125, 258, 50, GOLD, 6)];
  const [rank, suit] = split(code);
  return [paper(), svg("g", { color: SUITS[suit][1] }, use(`rank-${rank}`, { x: rank === "10" ? 25 : 17, y: 24, width: rank === "10" ? 86 : 98, height: 147 }), suitAt(suit, 150, 254, 156))];
}

const split = (code) => [code.slice(0, -1), code.slice(-1)];

/** The card in words: "Ace of spades", "Joker", "Face-down card". */
export function cardName(code) {
  if (!code) return "Face-down card";
  if (code === "Jk") return "Joker";
  const [rank, suit] = split(code);
  return `${RANKS[rank][0]} of ${SUITS[suit][0]}`;
}

function picture(code, backColour) {
  sheet();
  const full = code ? symbolOf(`card-${code}`, () => face(code)) : symbolOf(`card-back-${backColour}`, () => back(backColour));
  const small = code ? symbolOf(`card-small-${code}`, () => smallFace(code)) : full;
  return svg("svg", { viewBox: "0 0 250 350", "aria-hidden": "true", focusable: "false" }, use(full, { class: "card-full" }), use(small, { class: "card-small" }));
}

/** A card: "As" "10h" "Jk", or null for face down; `back` is "red" or "blue", `turned` lays it sideways. */
export function card(code, { down = false, label, back: colour = "red", turned: sideways = false } = {}) {
  const shown = down ? null : code;
  return el("span", { class: sideways ? "card turned" : "card", role: "img", "aria-label": label ?? cardName(shown), dataset: { code: shown ?? "", back: colour } }, picture(shown, colour));
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Let a card arrive from the shoe; nothing moves for those who asked for less motion. Returns the element. */
export function dealt(element, delayMs = 0) {
  if (!still()) {
    element.animate([{ transform: "translate(120%, -90%) rotate(14deg)", opacity: 0 }, { opacity: 1, offset: .35 }, { transform: "none", opacity: 1 }], { duration: 220, delay: delayMs, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" });
  }
  return element;
}

/** Turn a face-down card over. */
export function reveal(element, code, delayMs = 0) {
  element.dataset.code = code;
  element.setAttribute("aria-label", cardName(code));
  const show = () => element.replaceChildren(picture(code, element.dataset.back));
  if (still() || !element.isConnected) return show();
  element.animate([{ scale: "1 1" }, { scale: "0 1.04" }], { duration: 100, delay: delayMs, easing: "ease-in" }).finished.then(() => {
    show();
    element.animate([{ scale: "0 1.04" }, { scale: "1 1" }], { duration: 120, easing: "ease-out" });
  }, show);
}

/** One card of a hand, as a button where the reader may pick it. */
function placed(code, place, { onpick, picked = [], turnedFrom = Infinity, ...options }) {
  const made = card(code, { ...options, label: undefined, turned: place >= turnedFrom });
  if (!onpick) return made;
  const chosen = picked.includes(place);
  return el("button", { type: "button", class: chosen ? "card-pick picked" : "card-pick", "aria-pressed": String(chosen), dataset: { place }, onclick: () => onpick(place, code) }, made);
}

/** Cards overlapping, each corner index in sight. */
export function fan(codes, options = {}) {
  return el("div", { class: "hand fan", role: "group", "aria-label": options.label }, codes.map((code, place) => placed(code, place, options)));
}

/** Cards side by side; with `set`, seven cards as a set pai gow hand: the last two (low hand) in front of the first five. */
export function hand(codes, options = {}) {
  if (!options.set) return el("div", { class: "hand", role: "group", "aria-label": options.label }, codes.map((code, place) => placed(code, place, options)));
  const row = (from, to, name) => el("div", { class: "hand fan", role: "group", "aria-label": name }, codes.slice(from, to).map((code, place) => placed(code, from + place, options)));
  return el("div", { class: "hand set", role: "group", "aria-label": options.label }, row(5, 7, "Two-card hand"), row(0, 5, "Five-card hand"));
}
