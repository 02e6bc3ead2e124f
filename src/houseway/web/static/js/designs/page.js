// Designs: pay tables found by an exact search, held beside the present one.
import { capital, el } from "../shared/dom.js";
import { chosen, part, settingParts, settingsIn, ticked, valuesIn, written } from "../runs/fields.js";
import { start } from "../runs/run.js";
import { results } from "./results.js";

/** @import { LabEdition, LabSetting } from "../types" */
/** @import { Choices, TableChoice } from "./types" */

const NUMBERS = ["most", "frontier", "seconds"];
const TEXTS = ["edge", "hit", "sd", "top", "pays", "goal", "players", "bet"];
const [ROW, ENVY, LIST, PAY_TABLE] = ["row-", "envy-", "set-", "pay-table"];
const VALUES_SHOWN = 8;
const TWO_ENDS = /\S\s*\.\.\s*\S/;

// ---- the question -----------------------------------------------------------------------------------------------------

/** @param {Choices} choices @param {string} wager */
const tablesOf = (choices, wager) => choices.wagers.find(({ id }) => id === wager)?.tables ?? [];

/** What a row or a prize may be. @param {string} prefix @param {{row: string, name: string, pays: string}} row */
function rowField(prefix, { row, name, pays }) {
  const id = `ask-${prefix}${row}`;
  const box = { id, name: `${prefix}${row}`, type: "text", autocomplete: "off", spellcheck: "false", placeholder: pays };
  return el("div", { class: "bet row-asked" }, el("label", { for: id }, name), el("input", box));
}

/** @param {TableChoice} table */
function tableFields(table) {
  const rows = [
    el("p", { class: "small" }, "As 4..6 or 2,3; lose and push too; same keeps it. Empty: casino numbers where it pays."),
    table.rows.map((row) => rowField(ROW, row)),
  ];
  const parts = [el("details", { class: "readings-asked" }, el("summary", {}, "What rows may pay"), rows)];
  if (!table.envy.length) return parts;
  const envy = [
    written("players", "Players, oneself included", { value: "1", hint: "1..6: it must hold for each", mode: "text" }),
    written("bet", "Bets in dollars", { value: "5", hint: "5,25: it must hold for each", mode: "text" }),
    el("p", { class: "small" }, "Prizes to be found, in dollars; empty ones stay."),
    table.envy.map((row) => rowField(ENVY, row)),
  ];
  parts.push(el("details", { class: "readings-asked" }, el("summary", {}, "Envy"), el("div", { class: "fields" }, envy)));
  return parts;
}

/** The pay tables of a wager, and the rows of one. @param {Choices} choices @param {HTMLElement} field the wager's */
function tableParts(choices, field) {
  const place = el("div", { class: "fields" });
  const box = /** @type {HTMLSelectElement} */ (field.querySelector("select"));
  const showRows = (/** @type {HTMLElement} */ rows, /** @type {string} */ id) => {
    const tables = tablesOf(choices, box.value);
    rows.replaceChildren(...tableFields(tables.find((table) => table.id === id) ?? tables[0]));
  };
  const show = () => {
    const tables = tablesOf(choices, box.value);
    const rows = el("div", { class: "fields" });
    const options = tables.map(({ id }) => /** @type {[string, string]} */ ([id, id]));
    const which = chosen(PAY_TABLE, "Pay table", options, tables[0].id);
    which.addEventListener("change", () => {
      showRows(rows, /** @type {HTMLSelectElement} */ (which.querySelector("select")).value);
    });
    place.replaceChildren(...(tables.length > 1 ? [which] : []), rows);
    showRows(rows, tables[0].id);
  };
  field.addEventListener("change", show);
  show();
  return place;
}

/** Settings that take several values. @param {LabEdition} edition */
const listsOf = (edition) => edition.settings.filter(({ kind, values }) => kind === "setting" && values.length > 1);

/** @param {LabSetting} setting */
function listField({ name, about, values, approved }) {
  const isRange = values.length > 2 && values.every((value, at) => Number(value) === Number(values[0]) + at);
  const all = isRange ? `${values[0]}..${values.at(-1)}` : values.slice(0, VALUES_SHOWN).join(", ");
  const hint = `${all}${!isRange && values.length > VALUES_SHOWN ? ", …" : ""}`;
  return written(`${LIST}${name}`, capital(about), { placeholder: approved[0], hint, mode: "text" });
}

/** @param {Choices} choices @param {LabEdition} edition */
function form(choices, edition) {
  const open = choices.wagers.filter(({ why_not: whyNot }) => !whyNot);
  const wager = chosen("wager", "Wager", open.map(({ id, name }) => [id, name]), open[0].id);
  const shut = choices.wagers.filter(({ why_not: whyNot }) => whyNot);
  const lists = listsOf(edition);
  const readings = { ...edition, settings: edition.settings.filter(({ kind }) => kind === "reading") };
  /** @type {HTMLElement[]} */
  const parts = [
    part("Wager", wager, tableParts(choices, wager)),
    part("What it should come to", [
      written("edge", "House edge", { value: "6%..8%", hint: "such as 6%..8%, ..8% or 7%", mode: "text" }),
      written("hit", "Hit rate", { placeholder: "any", hint: "such as 18%..22%", mode: "text" }),
      written("sd", "Standard deviation", { placeholder: "any", hint: "such as ..9", mode: "text" }),
      written("top", "Top prize, to 1", { placeholder: "any", hint: "such as 500..2000", mode: "text" }),
      written("pays", "Pays, of every row", { placeholder: "casino numbers", hint: "such as 1,2,3,5,10,25", mode: "text" }),
      ticked("any_order", "A rarer hand may pay less"),
    ]),
    part("What is best", [
      chosen("goal", "Goal", choices.goals.map(({ id, words }) => [id, words])),
      written("most", "Designs", { value: 3, hint: `1 to ${choices.bounds.most}` }),
      written("frontier", "Parts of the frontier", { value: 6, hint: "0: none; it needs a band such as 6%..8%" }),
      written("seconds", "Seconds a search", { value: choices.seconds, hint: "then it stops, proved or not" }),
    ]),
  ];
  if (lists.length) {
    const words = el("p", { class: "small" }, "One value, or several (1..8; a,b): it must hold under each.");
    parts.push(part("Settings", words, lists.map(listField), ticked("what_if", "Also outside the approval (what-if)")));
  }
  parts.push(...settingParts(readings, {}));
  if (shut.length) {
    const lines = shut.map(({ name, why_not: whyNot }) => el("li", {}, el("b", {}, name), ` ${whyNot}`));
    const list = el("ul", { class: "small" }, lines);
    parts.push(el("details", { class: "readings-asked" }, el("summary", {}, "Other wagers"), list));
  }
  return parts;
}

/** What fields of one kind say, by the rest of their names. @param {HTMLFormElement} given @param {string} kind */
const fieldsOf = (given, kind) =>
  [...new FormData(given)]
    .filter(([name, value]) => name.startsWith(kind) && String(value).trim())
    .map(([name, value]) => [name.slice(kind.length), String(value).replace(/\s+/g, "")]);

/** @param {HTMLFormElement} given @param {LabEdition} edition */
function asked(given, edition) {
  const values = valuesIn(given, { numbers: NUMBERS, texts: TEXTS, ticks: ["any_order", "what_if"] });
  if (!TWO_ENDS.test(values.edge ?? "")) delete values.frontier; // only a band with two ends has one
  const all = new FormData(given);
  const readings = { ...edition, settings: edition.settings.filter(({ kind }) => kind === "reading") };
  const fromReadings = settingsIn(given, readings);
  const names = listsOf(edition).map(({ name }) => name);
  const lists = fieldsOf(given, LIST).filter(([name]) => names.includes(name));
  const settings = { ...fromReadings.settings, ...Object.fromEntries(lists) };
  if (all.has(PAY_TABLE)) settings[PAY_TABLE] = String(all.get(PAY_TABLE));
  const rows = fieldsOf(given, ROW).map((each) => each.join("="));
  const envy = fieldsOf(given, ENVY).map((each) => each.join("="));
  return {
    ...fromReadings,
    ...values,
    wager: [String(all.get("wager"))],
    settings,
    ...(rows.length ? { rows } : {}),
    ...(envy.length ? { envy } : {}),
  };
}

/** @param {any} data */
const shown = (data) => `the designs of ${data.wagers.map((/** @type {any} */ each) => each.name).join(", ")}`;

start({ kind: "design", unit: "steps", form, asked, results, whyNot: (choices) => choices.why_not, shown, asksFromLink: true });
