// Parts of results that both runs show: panels, readouts, tables and figures.
import { dollars, el, scrollRegion } from "../shared/dom.js";
import { drawn } from "../shared/drawing.js";

/** @import { Child } from "../types" */

/** A number with its sign, and a real minus. @param {number} value @param {number} places */
export const signed = (value, places) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(places)}`;

/** @param {number} share @param {number} places */
export const percent = (share, places) => `${signed(share * 100, places).replace("+", "")} %`;

/** Dollars an hour: whole ones, or cents where there is little. @param {number} amount */
export const anHour = (amount) => dollars(Math.abs(amount) < 10 ? Math.round(amount * 100) : Math.round(amount) * 100);

/** @param {string} title @param {...Child} content */
export const panel = (title, ...content) =>
  el("section", { class: "panel", "aria-label": title }, el("h2", {}, title), ...content);

/** @param {string} name @param {string} figure @param {string} [note] */
export const readout = (name, figure, note = "", isMain = false) =>
  el("div", { class: isMain ? "readout main" : "readout" }, [
    el("span", { class: "name" }, name),
    el("output", { class: "figure" }, figure),
    el("span", { class: "note" }, note),
  ]);

/** A place in which a drawing is as wide as it can be. @param {(width: number) => Node} draw */
export function drawing(draw) {
  const place = el("div", { class: "drawing" });
  const now = drawn(place, draw);
  requestAnimationFrame(now);
  return place;
}

/**
 * A table; columns whose name starts with "#" hold numbers. The first cell of a row is its head.
 * @param {string} label
 * @param {string[]} names
 * @param {{cells: Child[], class?: string}[]} rows
 */
export function table(label, names, rows) {
  const isNumber = names.map((name) => name.startsWith("#"));
  const plain = names.map((name) => name.replace(/^#/, ""));
  const head = plain.map((name, at) => el("th", { scope: "col", class: isNumber[at] ? "number" : "" }, name));
  const cell = (/** @type {Child} */ words, /** @type {number} */ at) =>
    at === 0
      ? el("th", { scope: "row", class: isNumber[0] ? "number" : "" }, words)
      : el("td", { class: isNumber[at] ? "number" : "" }, words);
  const body = rows.map((row) => el("tr", { class: row.class ?? "" }, row.cells.map(cell)));
  const shown = el("table", { class: "run-table" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body));
  return el("div", scrollRegion(label), shown);
}
