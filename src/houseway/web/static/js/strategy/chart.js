// A chart: letters with their tones, and what every other choice costs, on hover, on focus, and for who listens.
import { capital, el } from "../shared/dom.js";

/** @typedef {{letter: string, costs: Record<string, number>}} Cell */
/** @typedef {Record<string, {words: string, tone: string}>} Legend */

const PLACES = 5;

/** @param {string} choice @param {number} cost */
const costWords = (choice, cost) => `${choice} ${cost < 1e-12 ? "0" : `+${(cost * 100).toFixed(PLACES)} %`}`;

/** What a cell says in words. @param {string} row @param {string} column @param {Cell} cell @param {Legend} letters */
function cellWords(row, column, { letter, costs }, letters) {
  const listed = Object.entries(costs).sort(([, a], [, b]) => a - b);
  const words = listed.map(([choice, cost]) => costWords(choice, cost)).join(", ");
  return `${row} against ${column}: ${letters[letter].words}. ${words ? capital(words) : "Never met"}.`;
}

/** What the letters mean. @param {Legend} letters */
export function legend(letters) {
  const parts = Object.entries(letters).map(([letter, { words, tone }]) =>
    el("span", {}, el("b", { class: `cell tone-${tone}`, "data-letter": letter }, letter), words),
  );
  return el("div", { class: "chart-legend" }, parts);
}

/** Move among the cells of a chart by the arrows. @param {KeyboardEvent} event @param {HTMLElement[][]} grid */
function move(event, grid) {
  const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!by) return;
  event.preventDefault();
  const row = grid.findIndex((cells) => cells.includes(/** @type {HTMLElement} */ (event.target)));
  const column = grid[row].indexOf(/** @type {HTMLElement} */ (event.target));
  const next = grid[row + by[0]]?.[column + by[1]];
  if (!next) return;
  for (const cell of grid.flat()) cell.tabIndex = cell === next ? 0 : -1;
  next.focus();
}

/**
 * A chart as a table; one cell is in the order of tabs, arrows go to the others.
 * @param {any} chart
 * @param {Legend} letters
 * @param {HTMLElement} told where the cell that is looked at is told
 */
export function chartPanel(chart, letters, told) {
  /** @type {HTMLElement[][]} */
  const grid = [];
  const cellOf = (/** @type {string} */ row, /** @type {Cell} */ cell, /** @type {number} */ at) => {
    const words = cellWords(row, chart.columns[at], cell, letters);
    const tell = () => (told.textContent = words);
    const looks = { class: `cell tone-${letters[cell.letter].tone}`, "data-letter": cell.letter, title: words };
    const tabindex = grid.length === 0 && at === 0 ? 0 : -1;
    const spoken = el("span", { class: "visually-hidden" }, words);
    const letter = el("span", { "aria-hidden": "true" }, cell.letter);
    return el("td", { ...looks, tabindex, onmouseenter: tell, onfocus: tell }, letter, spoken);
  };
  const rows = Object.entries(chart.rows).map(([name, cells]) => {
    const made = cells.map((/** @type {Cell} */ cell, /** @type {number} */ at) => cellOf(name, cell, at));
    grid.push(made);
    return el("tr", {}, el("th", { scope: "row" }, name), made);
  });
  const heads = chart.columns.map((/** @type {string} */ name) => el("th", { scope: "col" }, name));
  const caption = el("caption", {}, chart.title, el("small", {}, ` ${chart.rows_are}, ${chart.columns_are}`));
  const corner = el("td", {});
  const head = el("thead", {}, el("tr", {}, corner, heads));
  const table = el("table", { class: "chart" }, caption, head, el("tbody", {}, rows));
  table.addEventListener("keydown", (event) => move(event, grid));
  return table;
}
