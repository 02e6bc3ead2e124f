// The strategy of any rules: lines to remember, or charts whose every cell tells what it costs to do otherwise.
import { settingParts, settingsIn } from "../runs/fields.js";
import { fileButtons, showEditions, showOutside, showStanding } from "../runs/frame.js";
import { panel, readout, table } from "../runs/parts.js";
import { Solving } from "../runs/solving.js";
import { api, byId, capital, el } from "../shared/dom.js";
import { chartPanel, legend } from "./chart.js";

/** @import { LabEdition, RunAnswer } from "../types" */

/** @param {{exact: string, percent: number} | null} number */
const percentWords = (number) => (number ? `${number.percent.toFixed(6)} %` : "—");

/** @param {{exact: string} | null} number */
const exactWords = (number) => (number?.exact ? `exactly ${number.exact}` : "64-bit floats");

/** @param {any} remembered */
function figures({ player, house_edge: edge, costs }) {
  return el("section", { class: "readouts", "aria-label": "What it comes to" }, [
    edge ? readout("House edge", percentWords(edge), `by ${player}; ${exactWords(edge)}`, true) : null,
    readout("Costs against the best play", percentWords(costs), `of the first bet; ${exactWords(costs)}`, !edge),
  ]);
}

/** @param {any} told a table beside charts or lines */
function tablePanel({ title, columns, rows, legend: words }) {
  const cell = (/** @type {any} */ value) => (typeof value === "string" ? value : percentWords(value));
  const body = rows.map((/** @type {any[]} */ row) => ({ cells: row.map(cell) }));
  return panel(title, table(title, columns, body), el("p", { class: "small" }, words));
}

/** @param {RunAnswer} answer */
function results(answer) {
  const { remembered, edition } = answer.data;
  const { lines, charts, player } = remembered;
  const head = el("header", { class: "panel-head" }, [
    el("div", {}, el("h2", {}, capital(player)), el("p", { class: "small" }, answer.command ? `$ ${answer.command}` : "")),
    fileButtons(answer, `${edition}-strategy`),
  ]);
  const told = el("p", { class: "small cell-told", role: "status" }, "Point at a cell, or go there by the arrows.");
  const about = "Each cell: what every choice would add to the house edge, of the first bet, over all rounds.";
  const panels = charts.map((/** @type {any} */ chart) => chartPanel(chart, remembered.legend, told));
  const shown = charts.length
    ? [legend(remembered.legend), el("p", { class: "small" }, about), told, el("div", { class: "charts" }, panels)]
    : [el("ol", { class: "lines" }, lines.map((/** @type {string} */ line) => el("li", {}, line)))];
  const strategy = el("section", { class: "panel", "aria-label": "Strategy" }, head, shown);
  return [figures(remembered), strategy, ...remembered.tables.map(tablePanel)];
}

/** The page. */
class Page {
  /** @param {LabEdition} edition */
  constructor(edition) {
    this.edition = edition;
    this.form = byId("asked", HTMLFormElement);
    this.solving = new Solving("Solving these rules…");
    this.turn = 0;
  }

  begin() {
    this.form.replaceChildren(...settingParts(this.edition, Object.fromEntries(new URLSearchParams(location.search))));
    this.form.addEventListener("change", () => this.ask());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.ask();
  }

  async ask() {
    this.turn += 1;
    const { turn } = this;
    const asked = settingsIn(this.form, this.edition);
    const shared = new URLSearchParams(asked.settings);
    history.replaceState(null, "", `/lab/${this.edition.id}/strategy${shared.size ? `?${shared}` : ""}`);
    const path = `/api/v1/editions/${this.edition.id}/strategy/stream`;
    const answer = await this.solving.ask(path, asked, () => this.ask());
    if (turn !== this.turn) return;
    showOutside(answer?.what_if ?? []);
    byId("results").replaceChildren(...(answer ? results(answer) : []));
  }
}

async function start() {
  const wanted = byId("edition", HTMLSelectElement).dataset.edition;
  const editions = await api("GET", "/api/v1/editions");
  const edition = editions.find((/** @type {LabEdition} */ each) => each.id === wanted);
  showEditions(editions, edition, "strategy");
  showStanding(edition);
  byId("rules", HTMLDetailsElement).open = window.innerWidth > 1100;
  new Page(edition).begin();
}

start();
