// Pay tables side by side: columns of pays with what they come to.
import { el } from "../shared/dom.js";
import { VOLATILITY } from "./ranges.js";
import { percent } from "./reckon.js";

/** @import { Reckoning, Sheet } from "../types" */

/**
 * A par sheet as a column that can be kept.
 * @typedef {object} Column
 * @property {string} title
 * @property {boolean} whatIf
 * @property {string} notes
 * @property {Map<string, {name: string, pays: string}>} pays
 * @property {{edge: string, hit: string, deviation: string, volatility: string}} figures
 */

const NO_ROW = "no row";

/**
 * @param {Sheet} sheet
 * @param {Reckoning} result
 * @param {string[]} notes
 * @param {boolean} whatIf
 * @returns {Column}
 */
export function keepable(sheet, result, notes, whatIf) {
  return {
    title: whatIf ? "What-if" : "Approved",
    whatIf,
    notes: notes.join(" · ") || "as the edition has it",
    pays: new Map(result.rows.map((row) => [row.outcome, { name: row.name, pays: row.pay.text }])),
    figures: {
      edge: percent(result.edge, sheet.exact ? 6 : 3),
      hit: percent(result.hit, 4),
      deviation: result.deviation.toFixed(5),
      volatility: (VOLATILITY * result.deviation).toFixed(4),
    },
  };
}

/** @param {Column} column @param {number} place @param {(column: Column) => void} drop */
function columnHead(column, place, drop) {
  const label = `Take away ${column.title}, ${column.notes}`;
  const button = { type: "button", class: "drop no-print", "aria-label": label, onclick: () => drop(column) };
  const title = el("span", { class: "column-title" }, column.title, place ? el("button", button, "×") : null);
  const notes = el("small", { class: column.whatIf ? "what-if-word" : "" }, column.notes);
  return el("th", { scope: "col", class: place ? "number kept-column" : "number bench-column" }, title, notes);
}

/** @param {string} outcome @param {string} name @param {Column[]} columns */
function payRow(outcome, name, columns) {
  const payIn = (/** @type {Column} */ column) => column.pays.get(outcome)?.pays ?? NO_ROW;
  const cells = columns.map((column, place) => {
    const pays = payIn(column);
    const differs = place > 0 && pays !== payIn(columns[0]) ? " differs" : "";
    const faint = pays === "lose" || pays === NO_ROW ? " faint" : "";
    return el("td", { class: `number${differs}${faint}` }, pays);
  });
  return el("tr", {}, el("th", { scope: "row" }, name), cells);
}

/** @param {string} name @param {keyof Column["figures"]} figure @param {Column[]} columns */
function sumRow(name, figure, columns) {
  const cells = columns.map((column) => el("td", { class: "number" }, column.figures[figure]));
  return el("tr", { class: figure === "edge" ? "sum main" : "sum" }, el("th", { scope: "row" }, name), cells);
}

/**
 * The columns as one table; the first is on the bench, the others can be dropped.
 * @param {Column[]} columns
 * @param {(column: Column) => void} drop
 */
export function compareTable(columns, drop) {
  const outcomes = new Map(columns.flatMap((column) => [...column.pays].map(([id, row]) => [id, row.name])));
  const heads = columns.map((column, place) => columnHead(column, place, drop));
  const table = el("table", { class: "compare" }, [
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Outcome"), heads)),
    el("tbody", {}, [...outcomes].map(([outcome, name]) => payRow(outcome, name, columns))),
    el("tfoot", {}, [
      sumRow("House edge", "edge", columns),
      sumRow("Hit rate", "hit", columns),
      sumRow("Standard deviation", "deviation", columns),
      sumRow("Volatility index", "volatility", columns),
    ]),
  ]);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Pay tables side by side" }, table);
}
