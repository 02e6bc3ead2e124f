// The form of a question to the lab: fields that are named as the shell's options are, and what they say.
import { capital, el } from "../shared/dom.js";

/** @import { LabEdition, LabSetting } from "../types" */

/** What is asked, by field; settings have an object of their own. @typedef {Record<string, any>} Asked */

const SETTING = "set-";

/**
 * A labelled control; `hint` stands below it.
 * @param {string} name
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 */
export function labelled(name, label, control, hint = "", clause = "") {
  const id = `ask-${name}`;
  control.id = id;
  control.name = name;
  if (hint) control.setAttribute("aria-describedby", `${id}-hint`);
  return el("div", { class: "field" }, [
    el("label", { for: id }, el("span", {}, label), clause ? el("span", { class: "clause" }, clause) : null),
    control,
    hint ? el("small", { id: `${id}-hint`, class: "hint" }, hint) : null,
  ]);
}

/**
 * A field to write in.
 * @param {string} name
 * @param {string} label
 * @param {{hint?: string, placeholder?: string | number, value?: string | number, mode?: string}} [more]
 */
export function written(name, label, { hint = "", placeholder = "", value = "", mode = "numeric" } = {}) {
  const box = el("input", { type: "text", inputmode: mode, placeholder, value, autocomplete: "off", spellcheck: "false" });
  return labelled(name, label, box, hint);
}

/**
 * A choice of one.
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} options values and words
 */
export function chosen(name, label, options, value = "", hint = "") {
  const words = options.map(([id, text]) => el("option", { value: id, selected: id === value }, text));
  return labelled(name, label, el("select", {}, words), hint);
}

/** A yes or no. @param {string} name @param {string} label */
export function ticked(name, label, value = false) {
  const id = `ask-${name}`;
  const box = el("input", { type: "checkbox", id, name, checked: value });
  return el("div", { class: "field tick" }, box, el("label", { for: id }, label));
}

/** A part of the form under a name of its own. @param {string} title @param {...import("../types").Child} fields */
export const part = (title, ...fields) =>
  el("fieldset", {}, el("legend", {}, title), el("div", { class: "fields" }, ...fields));

/** @param {LabSetting} setting @param {string} value */
function settingField(setting, value) {
  const isReading = setting.kind === "reading";
  const option = (/** @type {any} */ choice) => {
    const words = isReading ? `${choice}: ${setting.meanings[choice] ?? ""}` : String(choice);
    return el("option", { value: choice, selected: String(choice) === value }, words);
  };
  const outside = setting.values.filter((choice) => !setting.approved.includes(choice));
  const box = el("select", {}, setting.values.filter((choice) => setting.approved.includes(choice)).map(option));
  if (outside.length) box.append(el("optgroup", { label: "What-if: outside the approval" }, outside.map(option)));
  const label = isReading ? `${setting.name} · ${setting.about}` : capital(setting.about);
  return labelled(`${SETTING}${setting.name}`, label, box, "", setting.clause);
}

/**
 * The edition's settings, and behind them its readings.
 * @param {LabEdition} edition
 * @param {Record<string, string>} settings those that are not as usual
 */
export function settingParts(edition, settings) {
  const open = edition.settings.filter((setting) => setting.values.length > 1);
  const usual = (/** @type {LabSetting} */ setting) => String(setting.approved[0]);
  const isValue = (/** @type {LabSetting} */ setting) => setting.values.map(String).includes(settings[setting.name]);
  const field = (/** @type {LabSetting} */ setting) =>
    settingField(setting, isValue(setting) ? settings[setting.name] : usual(setting));
  const [readings, others] = [true, false].map((are) => open.filter((setting) => (setting.kind === "reading") === are));
  const parts = [];
  if (others.length) parts.push(part("Settings", others.map(field)));
  if (readings.length) {
    const fields = el("div", { class: "fields" }, readings.map(field));
    parts.push(el("details", { class: "readings-asked" }, el("summary", {}, "Readings"), fields));
  }
  return parts;
}

/**
 * The settings that are not as usual, and whether any of them lies outside the approval.
 * @param {HTMLFormElement} form
 * @param {LabEdition} edition
 */
export function settingsIn(form, edition) {
  /** @type {Record<string, string>} */
  const settings = {};
  let whatIf = false;
  for (const setting of edition.settings) {
    const given = new FormData(form).get(`${SETTING}${setting.name}`);
    if (given === null || given === String(setting.approved[0])) continue;
    settings[setting.name] = String(given);
    whatIf ||= !setting.approved.map(String).includes(String(given));
  }
  return { settings, ...(whatIf ? { what_if: true } : {}) };
}

/** A number as people write it, 1e6 or 1,000,000; what is none stays as it is, for the house to refuse. @param {string} text */
function numberIn(text) {
  const plain = text.replace(/[,_\s]/g, "");
  const number = Number(plain);
  return plain && Number.isSafeInteger(number) ? number : text;
}

/**
 * What is written in fields: the empty ones are left out.
 * @param {HTMLFormElement} form
 * @param {{numbers?: string[], texts?: string[], ticks?: string[]}} names
 * @returns {Asked}
 */
export function valuesIn(form, { numbers = [], texts = [], ticks = [] }) {
  const given = new FormData(form);
  /** @type {Asked} */
  const asked = {};
  const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
  for (const name of numbers) if (text(name)) asked[name] = numberIn(text(name));
  for (const name of texts) if (text(name)) asked[name] = text(name);
  for (const name of ticks) if (given.has(name)) asked[name] = true;
  return asked;
}

/** What a field says. @typedef {[string, string]} Entry */

/** All that a form says. @param {HTMLFormElement} form @returns {Entry[]} */
export const entriesOf = (form) => [...new FormData(form)].map(([name, value]) => [name, String(value)]);

/** Whether a field says something else than before. @param {Entry[]} before @param {string} name @param {string} value */
export const isOther = (before, name, value) => !before.some(([known, first]) => known === name && first === value);

/**
 * Write what an address says into a form; fields that others hang on come first, as they stand.
 * @param {HTMLFormElement} form
 * @param {URLSearchParams} address
 */
export function fillIn(form, address) {
  const filled = new Set();
  for (;;) {
    const fields = /** @type {(HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement)[]} */ ([...form.elements]);
    const next = fields.find(({ name }) => name && address.has(name) && !filled.has(name));
    if (!next) return;
    filled.add(next.name);
    const value = address.get(next.name) ?? "";
    if (next instanceof HTMLInputElement && next.type === "checkbox") next.checked = value === "on";
    else if (!(next instanceof HTMLSelectElement) || [...next.options].some((option) => option.value === value)) {
      next.value = value;
    }
    next.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
