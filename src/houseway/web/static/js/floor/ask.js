// Asking for what a command needs, in a dialog; a refusal is told there, and nothing is lost.
import { api, codeOf, el, messageOf, newKey, toast } from "../shared/dom.js";

/** @import { Child } from "../types" */

/**
 * A labelled control; what is not named here is a property of the control.
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {"text" | "money" | "number" | "password" | "select"} [kind]
 * @property {string | number} [value]
 * @property {[value: string | number, words: string][]} [options] of a select
 * @property {string} [hint]
 * @property {boolean} [required]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [minlength]
 * @property {number} [maxlength]
 * @property {string} [placeholder]
 * @property {string} [autocomplete]
 */

/** @typedef {(path: string, body?: object) => Promise<any>} Send */

/** Dollars as typed to whole cents, or NaN: "1,250.50" is 125050. @param {unknown} typed */
function centsOf(typed) {
  const plain = String(typed).replace(/[$,\s]/g, "");
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return NaN;
  const [whole, part = ""] = plain.split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

/** @param {string} label */
const noDollars = (label) => new Error(`${label}: give dollars, such as 500 or 12.50`);

/**
 * The amount of a form's field in cents; refused in words if it is none.
 * @param {FormData} given
 * @param {string} name
 * @param {string} label
 */
export function moneyOf(given, name, label) {
  const cents = centsOf(given.get(name));
  if (Number.isNaN(cents)) throw noDollars(label);
  return cents;
}

/** @param {Field} field */
export function field({ name, label, kind = "text", value = "", options = [], hint = "", required = true, ...more }) {
  const id = `ask-${name}`;
  const isMoney = kind === "money";
  const typing = { type: isMoney ? "text" : kind, inputmode: isMoney ? "decimal" : undefined };
  const hinted = { autocomplete: kind === "password" ? "new-password" : "off", "aria-describedby": hint && `${id}-hint` };
  const choices = options.map(([choice, words]) => {
    return el("option", { value: choice, selected: String(choice) === String(value) }, words);
  });
  const control =
    kind === "select"
      ? el("select", { id, name, ...more }, choices)
      : el("input", { id, name, value, required, ...typing, ...hinted, ...more });
  const about = hint ? el("p", { class: "small hint", id: `${id}-hint` }, hint) : null;
  return el("div", { class: "field" }, el("label", { for: id }, label), control, about);
}

/**
 * The values of a form, money in cents; refused in words for people if an amount is none.
 * @param {HTMLFormElement} form
 * @param {Field[]} fields
 */
export function valuesOf(form, fields) {
  const given = new FormData(form);
  /** @type {Record<string, any>} */
  const values = {};
  for (const { name, kind, label, required = true } of fields) {
    const typed = String(given.get(name) ?? "").trim();
    if (!typed && !required) continue;
    if (kind === "money") values[name] = moneyOf(given, name, label);
    else values[name] = kind === "number" ? Number(typed) : typed;
  }
  return values;
}

/**
 * A dialog with these fields.
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.button
 * @param {string} [options.about]
 * @param {Field[]} [options.fields]
 * @param {boolean} [options.warns]
 * @param {Child} [options.extra]
 * @param {(values: Record<string, any>, send: Send, form: HTMLFormElement) => Promise<string>} options.act carries it out;
 *   what it returns is told
 */
export function ask({ title, button, about = "", fields = [], warns = false, extra = null, act }) {
  const said = el("p", { class: "bad said", role: "alert" });
  const send = sender();
  const go = el("button", { class: warns ? "warn" : "" }, button);
  const cancel = el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel");
  const form = el("form", { class: "ask", method: "dialog" }, [
    el("h2", {}, title),
    about ? el("p", { class: "small" }, about) : null,
    fields.map(field),
    extra,
    said,
    el("div", { class: "row ends" }, cancel, go),
  ]);
  const dialog = el("dialog", { class: "asking", "aria-label": title }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    go.disabled = true;
    try {
      const words = await act(valuesOf(form, fields), send, form);
      dialog.close();
      if (words) toast(words);
    } catch (refused) {
      said.textContent = messageOf(refused);
      if (codeOf(refused) === "asked") {
        dialog.close();
        toast(messageOf(refused));
      }
    } finally {
      go.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Gives commands under one key, so that sending again after a lost answer has one effect. Refusals are the caller's to show.
 * @returns {Send}
 */
export function sender() {
  const key = newKey();
  return (path, body) => api("POST", path, body, { quiet: true, key });
}
