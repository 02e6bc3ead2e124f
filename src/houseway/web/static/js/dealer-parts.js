// What all parts of the dealer's page use: giving commands, asking before something final, big keys.
import { api, byId, el, toast } from "./dom.js";

/** A key that names one press of a button, so that a command sent twice has one effect. */
const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

/** Send a command; once more with the same key if the answer got lost. */
async function post(path, body) {
  const key = newKey();
  return api("POST", path, body, { quiet: true, key }).catch((refused) => {
    if (refused.code !== "offline") throw refused;
    return api("POST", path, body, { quiet: true, key });
  });
}

/**
 * A sender of commands to one table or board: `send("settle")`. They go one after the other, in the order pressed. A second
 * press of the same key while the first is on its way counts only where `repeats`: two undos are two, two settlements are not.
 */
export function sender(base, { repeats = false } = {}) {
  const underWay = new Set();
  let last = Promise.resolve();
  return async (kind, body, { quiet = false } = {}) => {
    if (!repeats && underWay.has(kind)) throw Object.assign(new Error("the last press is still on its way"), { code: "pressed-twice" });
    underWay.add(kind);
    document.body.classList.add("busy");
    const sent = last.then(() => post(`${base}/${kind}`, body));
    last = sent.catch(() => {});
    try {
      return await sent;
    } catch (refused) {
      if (!quiet) toast(refused.message, true);
      throw refused;
    } finally {
      underWay.delete(kind);
      document.body.classList.toggle("busy", underWay.size > 0);
    }
  };
}

/** A listener that gives a command and leaves refusals to the toast. */
export const press = (action) => async () => {
  try {
    await action();
  } catch (refused) {
    if (!refused.code) throw refused;
  }
};

/** A big key. */
export function key(words, { kind = "", note = "", shortcut = "", ...properties } = {}) {
  return el("button", { type: "button", class: `key ${kind}`.trim(), ...properties }, el("span", { class: "key-words" }, words), note && el("small", {}, note), shortcut && el("kbd", { "aria-hidden": "true" }, shortcut));
}

/** Ask before something final. Resolves to the chosen value, or null when it is let be. `choices` is a list of [value, words, class]. */
export function ask(title, { body = [], choices, cancel = "Not now" }) {
  const dialog = byId("ask");
  return new Promise((resolve) => {
    const close = (value) => {
      resolve(value);
      dialog.close();
    };
    dialog.replaceChildren(el("h2", { id: "ask-title" }, title), ...[body].flat(),
      el("div", { class: "ask-keys" }, choices.map(([value, words, kind]) => el("button", { type: "button", class: kind ?? "", onclick: () => close(value) }, words)), el("button", { type: "button", class: "quiet", onclick: () => close(null) }, cancel)));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

/** Ask for a reason in words. */
export async function askReason(title, words, suggestions = []) {
  const field = el("input", { id: "reason", maxlength: 200, list: "reasons", autocomplete: "off" });
  const list = el("datalist", { id: "reasons" }, suggestions.map((value) => el("option", { value })));
  const yes = await ask(title, { body: [el("label", { for: "reason" }, "Reason, for the journal"), field, list], choices: [["yes", words, "warn"]] });
  return yes ? field.value.trim() || suggestions[0] || "no reason given" : null;
}

/** Words of an id such as "wrong-number-of-cards". */
export const inWords = (id) => id.replaceAll("-", " ");

/** A titled panel. */
export const panel = (title, name, ...children) => el("section", { class: `panel ${name}`, id: name, "aria-label": title }, el("h2", {}, title), ...children);
