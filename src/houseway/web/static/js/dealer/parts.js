// What all parts of the dealer's page use: giving commands, asking before something final, big keys.
import { api, byId, codeOf, el, messageOf, newKey, present, refusal, toast } from "../shared/dom.js";

/** @import { Child, Properties } from "../types" */

/** @typedef {(kind: string, body?: object, options?: {quiet?: boolean}) => Promise<any>} Send */

/**
 * Send a command; once more with the same key if the answer got lost.
 * @param {string} path
 * @param {object} [body]
 */
async function post(path, body) {
  const options = { quiet: true, key: newKey() };
  return api("POST", path, body, options).catch((refused) => {
    if (codeOf(refused) !== "offline") throw refused;
    return api("POST", path, body, options);
  });
}

/**
 * A sender of commands to one table or board: `send("settle")`. They go one after the other, in the order pressed. A second
 * press of the same key while the first is on its way counts only where `repeats`: two undos are two, two settlements are not.
 * @param {string} base
 * @returns {Send}
 */
export function sender(base, { repeats = false } = {}) {
  const underWay = new Set();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return async (kind, body, { quiet = false } = {}) => {
    if (!repeats && underWay.has(kind)) throw refusal("the last press is still on its way", "pressed-twice");
    underWay.add(kind);
    document.body.classList.add("busy");
    const sent = last.then(() => post(`${base}/${kind}`, body));
    last = sent.catch(() => {});
    try {
      return await sent;
    } catch (refused) {
      if (!quiet) toast(messageOf(refused), true);
      throw refused;
    } finally {
      underWay.delete(kind);
      document.body.classList.toggle("busy", underWay.size > 0);
    }
  };
}

/** A listener that gives a command and leaves refusals to the toast. @param {() => Promise<unknown>} action */
export const press = (action) => async () => {
  try {
    await action();
  } catch (refused) {
    if (!codeOf(refused)) throw refused;
  }
};

/**
 * A big key.
 * @param {string} words
 * @param {Properties} options kind, note and shortcut; the others are properties of the button
 */
export function key(words, { kind = "", note = "", shortcut = "", ...properties } = {}) {
  return el("button", { type: "button", class: `key ${kind}`.trim(), ...properties }, [
    el("span", { class: "key-words" }, words),
    note && el("small", {}, note),
    shortcut && el("kbd", { "aria-hidden": "true" }, shortcut),
  ]);
}

/** @param {string} words @param {() => void} onclick @param {Properties} properties */
export const quietButton = (words, onclick, properties = {}) =>
  el("button", { type: "button", class: "quiet", onclick, ...properties }, words);

/**
 * Ask before something final. Resolves to the chosen value, or null when it is let be.
 * @param {string} title
 * @param {{body?: Child, choices: [value: string, words: string, kind?: string][], cancel?: string}} options
 * @returns {Promise<string | null>}
 */
export function ask(title, { body = [], choices, cancel = "Not now" }) {
  const dialog = byId("ask", HTMLDialogElement);
  return new Promise((resolve) => {
    const close = (/** @type {string | null} */ value) => {
      resolve(value);
      dialog.close();
    };
    const buttons = choices.map(([value, words, kind = ""]) => {
      return el("button", { type: "button", class: kind, onclick: () => close(value) }, words);
    });
    const keys = el("div", { class: "ask-keys" }, buttons, quietButton(cancel, () => close(null)));
    dialog.replaceChildren(el("h2", { id: "ask-title" }, title), el("div", {}, body), keys);
    dialog.onclose = () => dialog.open || resolve(null); // not for one that was closed before this one opened
    dialog.showModal();
  });
}

/**
 * Something else to do about a refusal.
 * @typedef {{words: string, does: () => Promise<unknown>}} Instead
 */

/**
 * Ask with a form that stays, with all that was typed, until the house accepts it. Resolves to whether it did.
 * @param {string} title
 * @param {{body: Child, words: string, does: () => Promise<unknown>, instead?: (refused: unknown) => Instead | null}} options
 * @returns {Promise<boolean>}
 */
export function askUntil(title, { body, words, does, instead = () => null }) {
  const dialog = byId("ask", HTMLDialogElement);
  return new Promise((resolve) => {
    const said = el("div", { class: "ask-said", role: "alert" });
    const button = el("button", { type: "button", class: "warn" }, words);
    const close = (/** @type {boolean} */ isDone) => {
      resolve(isDone);
      dialog.close();
    };
    const run = async (/** @type {() => Promise<unknown>} */ action) => {
      said.replaceChildren();
      button.disabled = true;
      try {
        await action();
        close(true);
      } catch (refused) {
        if (!codeOf(refused)) throw refused;
        const other = instead(refused);
        const key = other && el("button", { type: "button", class: "warn", onclick: () => run(other.does) }, other.words);
        said.replaceChildren(...present([el("p", { class: "notice warn-notice" }, messageOf(refused)), key]));
      } finally {
        button.disabled = false;
      }
    };
    const keys = el("div", { class: "ask-keys" }, button, quietButton("Not now", () => close(false)));
    const form = el("form", {}, el("div", {}, body), el("div", { class: "ask-foot" }, said, keys));
    form.addEventListener("submit", (event) => event.preventDefault()); // money moves by the key alone, not by Enter in a field
    button.addEventListener("click", () => form.reportValidity() && run(does));
    const show = (/** @type {Event} */ event) => {
      let folded = /** @type {Element} */ (event.target).closest("details");
      for (; folded; folded = folded.parentElement?.closest("details") ?? null) folded.open = true;
    };
    form.addEventListener("invalid", show, true); // what is typed wrongly is seen
    dialog.replaceChildren(el("h2", { id: "ask-title" }, title), form);
    dialog.onclose = () => dialog.open || resolve(false);
    dialog.showModal();
  });
}

/**
 * Ask for a reason in words; null when it is let be.
 * @param {string} title
 * @param {string} words
 * @param {string[]} suggestions
 */
export async function askReason(title, words, suggestions) {
  const field = el("input", { id: "reason", maxlength: 200, list: "reasons", autocomplete: "off" });
  const list = el("datalist", { id: "reasons" }, suggestions.map((value) => el("option", { value })));
  const body = [el("label", { for: "reason" }, "Reason, for the journal"), field, list];
  const isGiven = await ask(title, { body, choices: [["yes", words, "warn"]] });
  return isGiven ? field.value.trim() || suggestions[0] : null;
}

/**
 * @typedef {object} FormField
 * @property {string} id
 * @property {string} label
 * @property {string} [value]
 * @property {string} [type]
 * @property {[value: string, words: string][]} [options] what may be chosen; without them it is typed
 * @property {string[]} [suggestions]
 */

/** @param {FormField} field */
function inputOf({ id, value = "", type = "text", options, suggestions }) {
  const name = `ask-${id}`;
  if (options) {
    const listed = options.map(([each, words]) => el("option", { value: each, selected: each === value }, words));
    return { input: el("select", { id: name }, listed), list: null };
  }
  const money = type === "number" ? { min: 0, step: "any", inputmode: "decimal" } : {};
  const needed = suggestions ? { placeholder: suggestions[0] } : { required: true };
  const typed = { value, type, maxlength: 400, autocomplete: "off", ...needed, ...money };
  const input = el("input", { id: name, ...typed, list: suggestions ? `${name}-list` : "" });
  const list = suggestions && el("datalist", { id: `${name}-list` }, suggestions.map((each) => el("option", { value: each })));
  return { input, list: list ?? null };
}

/**
 * Fields with their labels, and what is given in them. What is typed into no field is its first suggestion, if it has one.
 * @param {FormField[]} fields
 */
export function formOf(fields) {
  const inputs = fields.map((field) => ({ field, ...inputOf(field) }));
  const rows = inputs.map(({ field, input, list }) => [el("label", { for: input.id }, field.label), input, list]);
  /** @returns {Record<string, string>} */
  const given = () =>
    Object.fromEntries(inputs.map(({ field, input }) => [field.id, input.value.trim() || field.suggestions?.[0] || ""]));
  return { rows, given };
}

/**
 * A titled panel.
 * @param {string} title
 * @param {string} name
 * @param {...Child} children
 */
export const panel = (title, name, ...children) =>
  el("section", { class: `panel ${name}`, id: name, "aria-label": title }, el("h2", {}, title), children);

/**
 * Let a keypad's keys press the buttons, unless somebody types in a field or a dialog is open.
 * @param {() => Record<string, HTMLButtonElement>} shortcutsNow
 */
export function listenToKeys(shortcutsNow) {
  addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.("input, select, textarea, dialog")) return;
    const button = shortcutsNow()[event.key];
    if (!button?.isConnected) return;
    const other = target.closest?.("button");
    const isForOther = event.key === "Enter" && other && other !== button && !other.closest(".result-pad, .card-pad");
    if (isForOther) return;
    event.preventDefault();
    if (!button.disabled) button.click();
  });
}
