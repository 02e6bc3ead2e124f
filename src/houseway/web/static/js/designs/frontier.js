// The frontier of edge against standard deviation, with the designs and the present table, as SVG.
import { svg } from "../shared/dom.js";

/** @import { WagerDesigns } from "./types" */

const TICKS = 5;
const APART = 16;

/** @param {number} x @param {number} y @param {string} words */
const text = (x, y, words, name = "axis", anchor = "start") => svg("text", { x, y, class: name, "text-anchor": anchor }, words);

/** @param {number} low @param {number} high */
function marks(low, high) {
  const rough = (high - low) / TICKS || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((unit) => unit * power).find((unit) => unit >= rough) ?? power;
  const places = Math.min(4, Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0)));
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return { at: Array.from({ length: count }, (_, place) => (first + place) * step), places };
}

/** A range with room around it. @param {number[]} values */
function around(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * 0.12;
  return { low: low - room, high: high + room };
}

/** @param {WagerDesigns} found */
function pointsOf({ frontier, designs, present }) {
  const point = (/** @type {import("./types").Design} */ { cases: [first] }) => ({
    edge: first.house_edge.percent,
    deviation: first.standard_deviation,
  });
  const least = frontier.flatMap(({ design }) => (design ? [point(design)] : []));
  return { least: least.sort((a, b) => a.edge - b.edge), found: designs.map(point), now: point(present) };
}

/** @param {WagerDesigns} wager */
export const frontierPlot = (wager) => (/** @type {number} */ width) => {
  const height = 270;
  const box = { left: 56, right: width - 18, top: 30, bottom: height - 46 };
  const { least, found, now } = pointsOf(wager);
  const all = [...least, ...found, now];
  const [across, up] = [around(all.map(({ edge }) => edge)), around(all.map(({ deviation }) => deviation))];
  const [wide, tall] = [box.right - box.left, box.bottom - box.top];
  const x = (/** @type {number} */ edge) => box.left + ((edge - across.low) / (across.high - across.low)) * wide;
  const y = (/** @type {number} */ value) => box.bottom - ((value - up.low) / (up.high - up.low)) * tall;
  const label = `House edge against standard deviation of ${wager.name}; the tables have the same figures.`;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const drawn = svg("svg", { class: "plot", ...size, role: "img", "aria-label": label });
  const [edges, deviations] = [marks(across.low, across.high), marks(up.low, up.high)];
  for (const at of deviations.at) {
    drawn.append(svg("line", { x1: box.left, x2: box.right, y1: y(at), y2: y(at), class: "grid-line" }));
    drawn.append(text(box.left - 8, y(at) + 4, at.toFixed(deviations.places), "axis", "end"));
  }
  for (const at of edges.at) {
    drawn.append(svg("line", { x1: x(at), x2: x(at), y1: box.bottom, y2: box.bottom + 4, class: "grid-line" }));
    drawn.append(text(x(at), box.bottom + 18, `${at.toFixed(edges.places).replace("-", "−")} %`, "axis", "middle"));
  }
  const path = least.map(({ edge, deviation }, at) => `${at ? "L" : "M"}${x(edge)} ${y(deviation)}`).join(" ");
  drawn.append(svg("path", { d: path, class: "trace" }));
  for (const { edge, deviation } of least) drawn.append(svg("circle", { cx: x(edge), cy: y(deviation), r: 4.5, class: "dot" }));
  /** Designs that fall together share a mark. @type {Map<string, string[]>} */
  const together = new Map();
  const placeOf = (/** @type {{edge: number, deviation: number}} */ { edge, deviation }) =>
    `${Math.round(x(edge) / APART) * APART} ${Math.round(y(deviation) / APART) * APART}`;
  found.forEach((design, at) => together.set(placeOf(design), [...(together.get(placeOf(design)) ?? []), String(at + 1)]));
  for (const { edge, deviation } of found) {
    const [cx, cy] = [x(edge), y(deviation)];
    drawn.append(svg("path", { d: `M${cx} ${cy - 7}L${cx + 7} ${cy}L${cx} ${cy + 7}L${cx - 7} ${cy}Z`, class: "design-mark" }));
  }
  for (const [place, numbers] of together) {
    const [cx, cy] = place.split(" ").map(Number);
    drawn.append(text(cx, cy - 13, numbers.join(", "), "axis here", "middle"));
  }
  drawn.append(svg("rect", { x: x(now.edge) - 5, y: y(now.deviation) - 5, width: 10, height: 10, class: "present-mark" }));
  const isLeft = x(now.edge) > width - 90;
  drawn.append(text(x(now.edge) + (isLeft ? -11 : 11), y(now.deviation) + 4, "present", "axis", isLeft ? "end" : "start"));
  drawn.append(text(0, 12, "standard deviation"));
  drawn.append(text((box.left + box.right) / 2, height - 8, "house edge", "axis", "middle"));
  return drawn;
};
