// Options that are declared as data, by a kind of report or by a game's solver: their fields, and what these say.
import { capital, el, inWords } from "../shared/dom.js";
import { chosen, labelled, ticked, written } from "./fields.js";

/** @typedef {{name: string, about: string, takes: string, values?: string[], is_file?: boolean}} Option */

const OPTION = "option-";
const LINES = 6;

/** @param {Option} option @param {string} [value] */
export function optionField({ name, about, takes, values = [], is_file: isFile = false }, value = "") {
  const id = `${OPTION}${name}`;
  const words = capital(inWords(name));
  if (!takes) return ticked(id, capital(about));
  if (isFile) {
    const box = el("textarea", { rows: LINES, spellcheck: "false", autocomplete: "off" });
    return labelled(id, words, box, `${about}: paste here what the file says`);
  }
  /** @type {[string, string][]} */
  const options = [["", "as usual"], ...values.map((each) => /** @type {[string, string]} */ ([each, inWords(each)]))];
  if (values.length) return chosen(id, words, options, value, about);
  return written(id, words, { hint: about, placeholder: takes, value, mode: "text" });
}

/**
 * What the fields of options say; those that say nothing are left out.
 * @param {HTMLFormElement} form
 * @param {Option[]} options
 */
export function optionsIn(form, options) {
  const given = new FormData(form);
  /** @type {Record<string, string | boolean>} */
  const asked = {};
  for (const { name, takes } of options) {
    const text = String(given.get(`${OPTION}${name}`) ?? "").trim();
    if (takes && text) asked[name] = text;
    if (!takes && given.has(`${OPTION}${name}`)) asked[name] = true;
  }
  return asked;
}
