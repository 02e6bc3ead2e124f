// Plots of runs as SVG: how sessions end, how long shoes are, how far returns lie from exact ones, and wins by cut card.
import { svg } from "../shared/dom.js";

const BARS_MOST = 64;

/** @param {number} width @param {number} height @param {string} label */
const canvas = (width, height, label) =>
  svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });

/** @param {number} x @param {number} y @param {string} words */
const text = (x, y, words, name = "axis", anchor = "start") =>
  svg("text", { x, y, class: name, "text-anchor": anchor }, words);

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
const line = (x1, y1, x2, y2, name = "grid-line") => svg("line", { x1, y1, x2, y2, class: name });

/**
 * Values that came so often, taken together so that there are not too many bars.
 * @param {[number, number][]} counted
 */
function binned(counted) {
  const low = counted[0][0];
  const high = counted[counted.length - 1][0];
  const step = counted.slice(1).reduce((least, [value], at) => Math.min(least, value - counted[at][0]), high - low || 1);
  const wide = Math.max(step, Math.ceil((high - low + step) / BARS_MOST / step) * step);
  const heights = Array(Math.floor((high - low) / wide) + 1).fill(0);
  for (const [value, count] of counted) heights[Math.floor((value - low) / wide)] += count;
  return { low, high, wide, heights };
}

/**
 * How often each value came; values below nothing are drawn as losses, where that means something.
 * @param {[number, number][]} counted values in order, with how often they came
 * @param {(value: number) => string} show
 * @param {{label: string, signed?: boolean}} about
 */
export const barsPlot = (counted, show, { label, signed = false }) => (/** @type {number} */ width) => {
  const height = 190;
  const { low, wide, heights } = binned(counted);
  const box = { left: 4, right: width - 4, top: 8, bottom: height - 30 };
  const drawn = canvas(width, height, label);
  const each = (box.right - box.left) / heights.length;
  const most = Math.max(...heights);
  const total = heights.reduce((sum, count) => sum + count, 0);
  heights.forEach((count, place) => {
    const tall = ((box.bottom - box.top) * count) / most;
    const from = low + place * wide;
    const side = signed && from + wide / 2 < 0 ? "loss" : "gain";
    const at = { x: box.left + place * each, y: box.bottom - tall, width: Math.max(each - 1, 0.6), height: tall };
    const bar = svg("rect", { ...at, class: signed ? side : "share share-0" });
    bar.append(svg("title", {}, `${show(from)}: ${((count / total) * 100).toFixed(2)} %`));
    drawn.append(bar);
  });
  drawn.append(line(box.left, box.bottom, box.right, box.bottom, "zero"));
  const across = (/** @type {number} */ value) => box.left + ((value - low) / wide) * each;
  const end = low + heights.length * wide;
  drawn.append(text(box.left, box.bottom + 18, show(low)), text(box.right, box.bottom + 18, show(end), "axis", "end"));
  if (signed && low < 0 && end > 0) {
    drawn.append(line(across(0), box.top, across(0), box.bottom + 4, "limit"));
    const isApart = across(0) > 90 && across(0) < width - 90;
    if (isApart) drawn.append(text(across(0), box.bottom + 18, show(0), "axis here", "middle"));
  }
  return drawn;
};

/**
 * For each wager with exact odds, how many standard errors its return lies from them.
 * @param {{name: string, z: number}[]} rows
 * @param {number} flagged
 */
export const errorsPlot = (rows, flagged) => (/** @type {number} */ width) => {
  const [high, labels] = [26, Math.min(190, width * 0.38)];
  const label = "Standard errors from the exact return; the table has the same figures.";
  const drawn = canvas(width, rows.length * high + 28, label);
  const middle = labels + (width - labels) / 2;
  const step = (width - labels - 24) / 2 / (flagged + 1);
  const bottom = rows.length * high;
  for (let mark = -flagged; mark <= flagged; mark += 2) {
    drawn.append(line(middle + mark * step, 0, middle + mark * step, bottom + 4, mark ? "grid-line" : "zero"));
    const words = mark > 0 ? `+${mark}` : String(mark).replace("-", "−");
    drawn.append(text(middle + mark * step, bottom + 20, words, "axis", "middle"));
  }
  rows.forEach(({ name, z }, place) => {
    const y = place * high + high / 2;
    const held = Math.max(-flagged - 0.6, Math.min(flagged + 0.6, z));
    const room = Math.floor(labels / 7.4);
    drawn.append(text(0, y + 4, name.length > room ? `${name.slice(0, room - 1)}…` : name, "label"));
    const isFlagged = Math.abs(z) > flagged;
    drawn.append(svg("circle", { cx: middle + held * step, cy: y, r: 5.5, class: isFlagged ? "dot flagged" : "dot" }));
  });
  return drawn;
};

/** @param {number} low @param {number} high */
function marks(low, high) {
  const rough = (high - low) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((unit) => unit * power).find((unit) => unit >= rough) ?? power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(at);
  return { found, places: Math.min(5, Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0))) };
}

/**
 * What a counter wins in 100 rounds by the depth of the cut card, with two standard errors.
 * @param {{cut: number, units: number, error: number}[]} rows the deepest first
 * @param {number} own the cut card of the table
 */
export const cutPlot = (rows, own) => (/** @type {number} */ width) => {
  const height = 250;
  const box = { left: 62, right: width - 16, top: 26, bottom: height - 44 };
  const low = Math.min(0, ...rows.map((row) => row.units - 2 * row.error));
  const high = Math.max(0.01, ...rows.map((row) => row.units + 2 * row.error));
  const deepest = rows[0].cut;
  const shallowest = Math.max(rows[rows.length - 1].cut, deepest + 1);
  const across = (/** @type {number} */ cut) =>
    box.left + 10 + ((cut - deepest) / (shallowest - deepest)) * (box.right - box.left - 20);
  const up = (/** @type {number} */ units) => box.bottom - ((units - low) / (high - low)) * (box.bottom - box.top);
  const drawn = canvas(width, height, "Units won in 100 rounds by cut card; the table below has the same figures.");
  const { found, places } = marks(low, high);
  for (const at of found) {
    drawn.append(line(box.left, up(at), box.right, up(at), Math.abs(at) < 1e-12 ? "zero" : "grid-line"));
    drawn.append(text(box.left - 8, up(at) + 4, at.toFixed(places).replace("-", "−"), "axis", "end"));
  }
  const path = rows.map((row, place) => `${place ? "L" : "M"}${across(row.cut)} ${up(row.units)}`).join(" ");
  drawn.append(svg("path", { d: path, class: "trace" }));
  let last = -Infinity;
  for (const { cut, units, error } of rows) {
    const x = across(cut);
    drawn.append(line(x, up(units - 2 * error), x, up(units + 2 * error), "error"));
    if (cut === own) drawn.append(svg("circle", { cx: x, cy: up(units), r: 10, class: "here-ring" }));
    drawn.append(svg("circle", { cx: x, cy: up(units), r: 5, class: "dot" }));
    if (x - last < 26 && cut !== own) continue;
    drawn.append(text(x, box.bottom + 18, String(cut), cut === own ? "axis here" : "axis", "middle"));
    last = x;
  }
  drawn.append(text(0, 12, "units won in 100 rounds, with two standard errors"));
  drawn.append(text((box.left + box.right) / 2, height - 6, "cards behind the cut card", "axis", "middle"));
  return drawn;
};
