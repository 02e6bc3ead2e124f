// The court figures of the cards, and the pens they are drawn with.
import { svg } from "./dom.js";

export const GOLD = "#d9a93f";
export const INK = "#14171a";
export const IVORY = "#fffdf6";
export const SKIN = "#fbead2";
const ROUND = { "stroke-linecap": "round", "stroke-linejoin": "round" };

/** @param {string} d */
export const line = (d, width = 2, stroke = INK) =>
  svg("path", { d, fill: "none", stroke, "stroke-width": width, ...ROUND });

/** @param {string} d @param {string} fill */
export const shape = (d, fill, width = 2) =>
  svg("path", { d, fill, stroke: INK, "stroke-width": width, "stroke-linejoin": "round" });

/** @param {number} cx @param {number} cy @param {number} r @param {string} fill */
export const dot = (cx, cy, r, fill, width = 1.6) =>
  svg("circle", { cx, cy, r, fill, stroke: INK, "stroke-width": width });

/** @param {string} id @param {Record<string, string | number>} attributes */
export const use = (id, attributes = {}) => svg("use", { href: `#${id}`, ...attributes });

/** @param {number} by @param {SVGElement[]} parts */
const moved = (by, ...parts) => svg("g", { transform: `translate(${by})` }, parts);

/** One of the petals of the queen's flower. @param {number} turn */
const petal = (turn) =>
  svg("ellipse", {
    ...{ cx: 130, cy: 36, rx: 5.5, ry: 8 },
    ...{ fill: "currentColor", stroke: INK, "stroke-width": 1.4 },
    transform: `rotate(${turn} 130 43)`,
  });

/**
 * Half of a court figure in a box 150 by 125; the other half is the same, turned. The suit's colour is currentColor.
 * @type {Record<string, () => SVGElement[]>}
 */
export const FIGURES = {
  K: () => [
    shape("M2 125C4 103 24 92 52 86l23 20 23-20c28 6 48 17 50 39Z", "currentColor"),
    shape("M42 88 75 125h-22L30 92ZM108 88 75 125h22L120 92Z", IVORY),
    line("M44 98l3 5M54 109l3 5M106 98l-3 5M96 109l-3 5", 2.4),
    line("M12 125c2-13 8-20 16-25M138 125c-2-13-8-20-16-25", 2.4, GOLD),
    shape("M52 40c-9 8-8 22-14 27 2 9 12 12 20 8ZM98 40c9 8 8 22 14 27-2 9-12 12-20 8Z", GOLD),
    shape("M55 36h40v26c0 14-8 22-20 22s-20-8-20-22Z", SKIN),
    shape("M55 55c5 6 12 5 20 5s15 1 20-5v15c0 17-9 29-20 36-11-7-20-19-20-36Z", GOLD),
    line("M75 76v20M66 77c0 6 2 11 5 16M84 77c0 6-2 11-5 16", 1.6),
    line("M69 70c4 2.5 8 2.5 12 0", 2.6, "#8d1b1b"),
    line("M61 47c3-2.5 6-2.5 9 0M80 47c3-2.5 6-2.5 9 0M75 49v10l-3 1", 1.8),
    dot(65.5, 51, 1.6, INK, 0),
    dot(84.5, 51, 1.6, INK, 0),
    shape("M50 39 43 12 60 24 75 5l15 19 17-12-7 27c-16-5-34-5-50 0Z", GOLD),
    line("M51 33c16-5 32-5 48 0", 1.6),
    dot(43, 11, 3.6, "currentColor"),
    dot(75, 5, 4, "currentColor"),
    dot(107, 11, 3.6, "currentColor"),
    dot(75, 24, 3.6, "currentColor"),
    moved(
      -11,
      shape("M127 18l5-8 5 8v72h-10Z", IVORY),
      line("M132 18v70", 1.2),
      shape("M121 88h22v6h-22Z", GOLD),
      shape("M129 94h6v20h-6Z", IVORY),
    ),
  ],
  Q: () => [
    shape("M4 125C6 105 28 96 54 90h42c26 6 48 15 50 35Z", "currentColor"),
    shape(
      "M75 20c-27 0-33 22-34 42-1 19-7 30-15 37 14 7 33 4 40-7h18c7 11 26 14 40 7-8-7-14-18-15-37-1-20-7-42-34-42Z",
      GOLD,
    ),
    line("M48 52c-2 18-4 32-12 43M102 52c2 18 4 32 12 43M54 64c-1 13-4 24-9 32M96 64c1 13 4 24 9 32", 1.6),
    shape("M65 74h20v16c8 3 15 6 19 10-6 14-17 21-29 23-12-2-23-9-29-23 4-4 11-7 19-10Z", SKIN),
    line("M50 101c8 10 16 14 25 14s17-4 25-14", 2.6, GOLD),
    dot(75, 117, 4, "currentColor"),
    shape("M56 44c0-12 8-18 19-18s19 6 19 18v14c0 14-9 23-19 23s-19-9-19-23Z", SKIN),
    shape("M56 50c1-12 7-19 19-21 12 2 18 9 19 21 3-17-4-28-19-28s-22 11-19 28Z", GOLD),
    line("M61.5 49c3-3 6.5-3 9 0M79.5 49c3-3 6.5-3 9 0M75 52v10l-3 1", 1.8),
    dot(66, 53, 1.6, INK, 0),
    dot(84, 53, 1.6, INK, 0),
    shape("M70 70c2-2 4-2 5-.5 1-1.5 3-1.5 5 .5-3 4-7 4-10 0Z", "#c4161c", 0.8),
    shape("M51 27 49 9l11 8 6-13 9 10 9-10 6 13 11-8-2 18c-15-6-33-6-48 0Z", GOLD),
    line("M52 23c15-5 31-5 46 0", 1.6),
    dot(66, 4, 2.6, "currentColor"),
    dot(84, 4, 2.6, "currentColor"),
    dot(75, 19, 2.8, "currentColor"),
    moved(
      -11,
      line("M131 104c1-22 1-36-1-54M131 84c5-3 9-8 10-13M130 74c-5-2-9-7-10-12", 2.4, "#0a7238"),
      ...[0, 72, 144, 216, 288].map(petal),
      dot(130, 43, 4.5, GOLD),
    ),
  ],
  J: () => [
    shape("M4 125C6 104 30 95 54 88l21 12 21-12c24 7 48 16 50 37Z", "currentColor"),
    shape("M75 100 44 92l4 33h54l4-33Z", IVORY),
    line("M75 101v24M60 98l2 27M90 98l-2 27", 1.6),
    dot(75, 110, 2.2, GOLD),
    dot(75, 119, 2.2, GOLD),
    shape("M50 36c-6 14-3 34-9 43 8 5 16 3 20-3h28c4 6 12 8 20 3-6-9-3-29-9-43Z", GOLD),
    line("M52 50c-1 12 0 20-4 27M98 50c1 12 0 20 4 27", 1.6),
    shape("M64 74h22v16l-11 10-11-10Z", SKIN),
    shape("M56 38h38v22c0 14-9 23-19 23s-19-9-19-23Z", SKIN),
    line("M61.5 49c3-2.5 6-2.5 9 0M79.5 49c3-2.5 6-2.5 9 0M75 52v10l-3 1", 1.8),
    line("M69 71c4 2.5 8 2.5 12 0", 2.4, "#8d1b1b"),
    dot(66, 53, 1.6, INK, 0),
    dot(84, 53, 1.6, INK, 0),
    shape("M47 40C44 18 58 10 78 10c19 0 30 10 26 30-18-6-39-6-57 0Z", "currentColor"),
    shape("M46 41c18-8 41-8 59 0v-8c-18-8-41-8-59 0Z", GOLD),
    shape("M96 30C100 12 112 3 130 4c-2 16-12 27-30 30Z", IVORY),
    line("M98 32C106 20 116 12 126 8M107 24l-1-9M114 17l0-8M106 26l9 0M113 19l9-1", 1.4),
    moved(
      13,
      line("M18 122V24", 4.4),
      line("M18 122V24", 2, GOLD),
      shape("M18 8l7 17-7 7-7-7ZM11 40C2 44 0 58 6 66l12-8ZM25 40c7 2 8 14 4 18l-11-2Z", IVORY),
    ),
  ],
};

