// Pay tables side by side: columns of pays with what they come to.
import { el } from "./dom.js";
import { percent } from "./reckon.js";

/** A par sheet as a column that can be kept. */
export function keepable(sheet, result, notes, whatIf) {
  return {
    title: whatIf ? "What-if" : "Approved",
    whatIf,
    notes: notes.join(" · ") || "as the edition has it",
    pays: new Map(result.rows.map((row) => [row.outcome, { name: row.name, pays: row.pay.text }])),
    edge: percent(result.edge, sheet.exact ? 6 : 3),
    hit: percent(result.hit, 4),
    deviation: result.deviation.toFixed(5),
    volatility: (1.645 * result.deviation).toFixed(4),
  };
}

/** The columns as one table; the first is on the bench, the others can be dropped. */
export function compareTable(columns, drop) {
  const outcomes = new Map(columns.flatMap((column) => [...column.pays].map(([id, row]) => [id, row.name])));
  const head = columns.map((column, place) =>
    el("th", { scope: "col", class: place ? "number kept-column" : "number bench-column" },
      el("span", { class: "column-title" }, column.title, place ? el("button", { type: "button", class: "drop no-print", "aria-label": `Take away ${column.title}, ${column.notes}`, onclick: () => drop(column) }, "×") : null),
      el("small", { class: column.whatIf ? "what-if-word" : "" }, column.notes),
    ),
  );
  const payRows = [...outcomes].map(([id, name]) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...columns.map((column, place) => {
      const pays = column.pays.get(id)?.pays ?? "no row";
      const differs = place > 0 && pays !== (columns[0].pays.get(id)?.pays ?? "no row");
      return el("td", { class: `number${differs ? " differs" : ""}${pays === "lose" || pays === "no row" ? " faint" : ""}` }, pays);
    })),
  );
  const sum = (name, key) => el("tr", { class: key === "edge" ? "sum main" : "sum" }, el("th", { scope: "row" }, name), ...columns.map((column) => el("td", { class: "number" }, column[key])));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Pay tables side by side" },
    el("table", { class: "compare" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Outcome"), ...head)),
      el("tbody", {}, ...payRows),
      el("tfoot", {}, sum("House edge", "edge"), sum("Hit rate", "hit"), sum("Standard deviation", "deviation"), sum("Volatility index", "volatility")),
    ),
  );
}
