// What the hand explorer answers, as tables.
import { percent, readout, signed, table } from "../runs/parts.js";
import { capital, el } from "../shared/dom.js";

const PLACES = 6;

/** @param {{exact: string, value: number}} worth */
const worthWords = ({ value, exact }) =>
  el("span", { title: exact ? `exactly ${exact}` : "64-bit floats" }, signed(value, PLACES));

/** By how many deals it ends how, as shares of all. @param {Record<string, number>} deals */
function shares(deals) {
  const { total = 0, ...ends } = deals;
  return Object.entries(ends).map(([end, count]) => /** @type {[string, number]} */ ([end, total ? count / total : 0]));
}

/**
 * What those who choose by something do, and what it costs.
 * @param {any[]} choices
 */
function costLines(choices) {
  return choices.flatMap((each) =>
    each.made_by.map((/** @type {string} */ who) => {
      const cost = each.best ? "it is the best choice" : `costs ${each.less.value.toFixed(PLACES)} of the bet`;
      return el("li", {}, el("b", {}, capital(who)), ` chooses “${each.choice}”: ${cost}.`);
    }),
  );
}

/** @param {string} words */
const mark = (words) => el("span", { class: "mark best" }, words);

/** @param {any} choice @param {(codes: string[], label: string) => Node} draw */
function choiceCell(choice, draw) {
  const marks = [
    choice.best ? mark("Best") : null,
    ...choice.made_by.map((/** @type {string} */ who) => el("span", { class: "mark" }, who)),
  ];
  const parts = choice.parts.map((/** @type {{name: string, cards: string[]}} */ part) => draw(part.cards, capital(part.name)));
  const laid = parts.length ? el("span", { class: "laid" }, parts) : null;
  return el("span", { class: "choice" }, laid, el("span", {}, capital(choice.choice)), el("span", { class: "marks" }, marks));
}

/** Every choice, the best first. @param {any} answer @param {(codes: string[], label: string) => Node} draw */
export function choicesPanel(answer, draw) {
  const [best] = answer.choices;
  const ends = shares(best.deals).map(([end]) => end);
  const rows = answer.choices.map((/** @type {any} */ choice) => ({
    class: choice.best ? "here" : "",
    cells: [
      choiceCell(choice, draw),
      worthWords(choice.worth),
      choice.best ? "—" : worthWords({ ...choice.less, value: -choice.less.value }),
      ...shares(choice.deals).map(([, share]) => percent(share, 3)),
    ],
  }));
  const names = ["Choice", "#Worth", "#Against the best", ...ends.map((end) => `#${capital(end)}`)];
  const about = `For a unit bet; ${answer.arithmetic === "exact" ? "exact, over all deals that are left" : answer.arithmetic}.`;
  const lines = costLines(answer.choices);
  return el("section", { class: "panel", "aria-label": "Choices" }, [
    el("header", { class: "panel-head" }, el("div", {}, el("h2", {}, "Every choice"), el("p", { class: "small" }, about))),
    lines.length ? el("ul", { class: "cost-lines" }, lines) : null,
    table("Every choice", names, rows),
  ]);
}

/** Every wager, with cards gone. @param {any} answer */
export function gonePanel(answer) {
  const rows = answer.wagers.map((/** @type {any} */ wager) => ({
    class: wager.for_player ? "here" : "",
    cells: [
      el("span", { class: "choice" }, wager.name, wager.for_player ? mark("For the player") : null),
      el("span", { title: `exactly ${wager.house_edge.exact}` }, percent(wager.house_edge.value, 5)),
      el("span", { title: `exactly ${wager.house_edge_whole.exact}` }, percent(wager.house_edge_whole.value, 5)),
      `${signed((wager.house_edge.value - wager.house_edge_whole.value) * 100, 5)} %`,
    ],
  }));
  const edge = (/** @type {any} */ wager) => wager.house_edge.value;
  const [least] = answer.wagers.toSorted((/** @type {any} */ a, /** @type {any} */ b) => edge(a) - edge(b));
  const out = Object.values(answer.left_out).map((why) => el("p", { class: "small" }, String(why)));
  const names = ["Wager", "#House edge", "#Fresh shoe", "#Change"];
  return el("section", { class: "panel", "aria-label": "Wagers" }, [
    el("h2", {}, "What every wager is worth now"),
    el("section", { class: "readouts", "aria-label": "The shoe" }, [
      readout("Cards left", String(answer.cards_left), answer.gone ? `without ${answer.gone}` : "a fresh shoe", true),
      ...(least ? [readout("Best for the player", least.name, `house edge ${percent(least.house_edge.value, 4)}`)] : []),
    ]),
    rows.length ? table("Every wager", names, rows) : null,
    out,
  ]);
}
