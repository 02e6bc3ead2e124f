// What a search came to: designs beside the present table, the frontier, the law, and if there is none, why.
import { countOf, el } from "../shared/dom.js";
import { drawing, panel, readout, table } from "../runs/parts.js";
import { fileButtons } from "../runs/frame.js";
import { asEdition } from "./edition.js";
import { frontierPlot } from "./frontier.js";

/** @import { Child, LabEdition, RunAnswer } from "../types" */
/** @import { CaseFigures, Design, WagerDesigns } from "./types" */

/** What the shell's options are called on the page. @type {Record<string, string>} */
const OPTIONS = {
  "any-order": "“A rarer hand may pay less”",
  rows: "“What rows may pay”",
  seconds: "“Seconds a search”",
  most: "“Designs”",
};

/** @param {string} text */
const plain = (text) => text.replace(/--([a-z]+(?:-[a-z]+)*)/g, (_, option) => OPTIONS[option] ?? option);

/** @param {string} ratio "1/3" */
function numberOf(ratio) {
  const [over, under = "1"] = ratio.split("/");
  return Number(over) / Number(under);
}

/** @param {number} value @param {number} places */
const percentage = (value, places) => `${value.toFixed(places).replace("-", "−")} %`;

/** @param {CaseFigures} figures */
const edgeWords = (figures) => percentage(figures.house_edge.percent, 4);

/** The edge in every case: one, or from the least to the most. @param {Design} design */
function edgesWords({ cases }) {
  if (cases.length === 1) return edgeWords(cases[0]);
  const edges = cases.map(({ house_edge: edge }) => edge.percent);
  return `${Math.min(...edges).toFixed(2)} to ${percentage(Math.max(...edges), 2)}`;
}

/** Where figures are those of one case among several, of which. @param {WagerDesigns} found */
const ofFirst = ({ cases }) => (cases.length > 1 ? `, ${cases[0].name}` : "");

/** @param {CaseFigures} figures */
const hitWords = (figures) => percentage(numberOf(figures.hit_frequency) * 100, 4);

/** @param {Design} design */
const topWords = ({ top }) => `${numberOf(top)} to 1`;

/** A band as people write it: 6.166666667 % is 6.167 %. @param {string} band */
const shorter = (band) => band.replace(/\d+\.\d+/g, (digits) => String(Number(Number(digits).toFixed(3))));

/** @param {WagerDesigns} found */
function howMany({ designs, proved, complete }) {
  const count = countOf(designs.length, "design");
  if (!proved) return `${count}; not proved: time was up, and there may be better ones`;
  if (complete) return `${count}: there are no others (proved)`;
  return `${count}: none is better by this goal (proved); others may exist`;
}

/** @param {string} now @param {string} cell */
const marked = (now, cell) =>
  cell === now ? cell : el("b", { class: "changed" }, cell, el("span", { class: "visually-hidden" }, " (changed)"));

/** The present table and every design, row by row. @param {WagerDesigns} found */
function sideBySide(found) {
  const { name, rows, present, designs, cases } = found;
  const all = [present, ...designs];
  const cellOf = (/** @type {Design} */ design, /** @type {WagerDesigns["rows"][0]} */ row) =>
    row.kind === "envy" ? `$${design.envy_dollars[row.row].toLocaleString("en-US")}` : design.pays[row.row];
  /** @type {{cells: Child[], class?: string}[]} */
  const lines = rows.map((row) => {
    const [now, ...others] = all.map((design) => cellOf(design, row));
    const words = row.kind === "envy" ? `${row.name}, envy` : row.name;
    return { cells: [words, row.one_in[0], now, ...others.map((cell) => marked(now, cell))] };
  });
  const figure = (/** @type {string} */ words, /** @type {(design: Design) => string} */ of, isFirst = false) =>
    lines.push({ class: isFirst ? "figures first" : "figures", cells: [words, "", ...all.map(of)] });
  cases.forEach(({ name: where }, at) => {
    figure(where ? `House edge, ${where}` : "House edge", (design) => edgeWords(design.cases[at]), at === 0);
  });
  figure(`Wins${ofFirst(found)}`, (design) => hitWords(design.cases[0]));
  figure(`Standard deviation${ofFirst(found)}`, (design) => design.cases[0].standard_deviation.toFixed(4));
  figure("Top prize", topWords);
  figure("Rows changed", (design) => (design === present ? "" : String(design.changes.length)));
  const heads = ["Row", `#1 in${ofFirst(found)}`, "#Present", ...designs.map((_, at) => `#Design ${at + 1}`)];
  return el("div", { class: "side-by-side" }, table(`Designs of ${name}`, heads, lines));
}

/** @param {WagerDesigns} found */
function readouts({ present, designs: [best] }) {
  const [now, then] = [present.cases[0], best.cases[0]];
  return el("section", { class: "readouts", "aria-label": "The best design" }, [
    readout("House edge of design 1", edgesWords(best), `now ${edgesWords(present)}`, true),
    readout("Wins", hitWords(then), `now ${hitWords(now)}`),
    readout("Standard deviation", then.standard_deviation.toFixed(4), `now ${now.standard_deviation.toFixed(4)}`),
    readout("Top prize", topWords(best), `now ${topWords(present)}`),
  ]);
}

/** @param {WagerDesigns} found */
function nonePanel({ name, proved, none_because: reasons, present }) {
  const title = proved ? `${name}: there is none` : `${name}: none was found in time`;
  const words = proved
    ? "That is proved: no pay table of these rows meets all that is asked. In the way is:"
    : "Nothing is proved: give the search more seconds, or ask for less.";
  const [figures] = present.cases;
  const deviation = figures.standard_deviation.toFixed(4);
  const now = `The present table: house edge ${edgeWords(figures)}, wins ${hitWords(figures)}, deviation ${deviation}.`;
  return panel(title, [
    el("p", {}, words),
    el("ul", { class: "reasons" }, reasons.map((reason) => el("li", {}, plain(reason)))),
    el("p", { class: "small" }, now),
  ]);
}

/** @param {WagerDesigns} found */
function frontierPanel(found) {
  const { name, frontier } = found;
  const rows = frontier.map(({ edge, design, proved }) => {
    if (!design) return { cells: [shorter(edge), "—", "—", "—", proved ? "there is none (proved)" : "none in time"] };
    const [figures] = design.cases;
    const deviation = figures.standard_deviation.toFixed(4);
    return { cells: [shorter(edge), deviation, edgeWords(figures), topWords(design), proved ? "proved" : "not proved"] };
  });
  const about =
    "The least standard deviation (upwards) that there is in each part of the band of the house edge (across): ● the least, " +
    `◆ the designs, □ the present table${ofFirst(found)}`;
  return panel(`Frontier of ${name}`, [
    el("p", { class: "small" }, about),
    frontier.some(({ design }) => design) ? drawing(frontierPlot(found)) : null,
    el("div", { class: "frontier-parts" }, [
      table(`Frontier of ${name}`, ["Edge", "#Least deviation", "#Its edge", "#Top prize", "How sure"], rows),
    ]),
  ]);
}

/** @param {WagerDesigns} found @param {RunAnswer} answer @param {LabEdition} edition */
function designsPanel(found, answer, edition) {
  const tables = edition.wagers.find(({ id }) => id === found.wager)?.pay_tables ?? [];
  const which = tables.length > 1 ? `, pay table ${found.pay_table}` : "";
  return el("section", { class: "panel", "aria-label": `Designs of ${found.name}` }, [
    el("header", { class: "panel-head" }, [
      el("div", {}, el("h2", {}, `${found.name}${which}`), el("p", { class: "small" }, howMany(found))),
      fileButtons(answer, `${answer.data.edition}-${found.wager}-designs`),
    ]),
    sideBySide(found),
    found.designs.length === 1 && found.designs[0].changes.length === 0
      ? el("p", { class: "small" }, "Design 1 is the present table: it meets all that is asked.")
      : null,
  ]);
}

/** @param {RunAnswer} answer @param {LabEdition} edition */
export function results(answer, edition) {
  /** @type {WagerDesigns[]} */
  const wagers = answer.data.wagers;
  const parts = wagers.flatMap((found) => {
    if (!found.designs.length) return [nonePanel(found)];
    return [readouts(found), designsPanel(found, answer, edition)];
  });
  if (wagers.every(({ designs }) => designs.length)) parts.push(asEdition(answer, edition));
  parts.push(...wagers.filter(({ frontier }) => frontier.length).map(frontierPanel));
  return parts;
}
