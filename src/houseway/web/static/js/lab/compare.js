// Pay tables side by side: columns of pays with what they come to.
import { el, scrollRegion } from "../shared/dom.js";
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

/** @typedef {(column: Column) => void} Change */

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
      edge: percent(result.edge, sheet.method === "simulated" ? 3 : 6),
      hit: percent(result.hit, 4),
      deviation: result.deviation.toFixed(5),
      volatility: (VOLATILITY * result.deviation).toFixed(4),
    },
  };
}

/** @param {Column} column @param {number} place @param {Change} drop @param {Change} swap */
function columnHead(column, place, drop, swap) {
  const named = `${column.title}, ${column.notes}`;
  const button = (/** @type {string} */ does, /** @type {Change} */ change, /** @type {string} */ sign) => {
    const label = { "aria-label": `${does} ${named}`, title: does };
    return el("button", { type: "button", class: "drop no-print", ...label, onclick: () => change(column) }, sign);
  };
  const buttons = place ? [button("Put on the bench, in turn:", swap, "⇄"), button("Take away", drop, "×")] : [];
  const title = el("span", { class: "column-title" }, column.title, buttons);
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
 * @param {Change} drop
 * @param {Change} swap puts a kept table's pays on the bench
 */
export function compareTable(columns, drop, swap) {
  const outcomes = new Map(columns.flatMap((column) => [...column.pays].map(([id, row]) => [id, row.name])));
  const heads = columns.map((column, place) => columnHead(column, place, drop, swap));
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
  return el("div", scrollRegion("Pay tables side by side"), table);
}
