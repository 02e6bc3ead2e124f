// Asking for what a command needs, in a dialog; a refusal is told there, and nothing is lost.
import { api, el, toast } from "./dom.js";

/** Dollars as typed to whole cents, or NaN: "1,250.50" is 125050. */
export function centsOf(typed) {
  const plain = String(typed).replace(/[$,\s]/g, "");
  if (!/^\d+(\.\d{1,2})?$/.test(plain)) return NaN;
  const [whole, part = ""] = plain.split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
}

/** A labelled control. `kind`: "money", "text", "number", "password", "select" (with options as [value, words]). */
export function field({ name, label, kind = "text", value = "", options = [], hint = "", required = true, ...more }) {
  const id = `ask-${name}`;
  const control = kind === "select"
    ? el("select", { id, name, ...more }, options.map(([what, words]) => el("option", { value: what, selected: String(what) === String(value) }, words)))
    : el("input", { id, name, value, required, autocomplete: kind === "password" ? "new-password" : "off", type: kind === "money" ? "text" : kind, inputmode: kind === "money" ? "decimal" : undefined, "aria-describedby": hint ? `${id}-hint` : undefined, ...more });
  return el("div", { class: "field" }, el("label", { for: id }, label), control, hint ? el("p", { class: "small hint", id: `${id}-hint` }, hint) : null);
}

/** The values of a form; money in cents. Throws with words for people if an amount is none. */
export function valuesOf(form, fields) {
  const given = new FormData(form), values = {};
  for (const { name, kind, label, required = true } of fields) {
    const typed = String(given.get(name) ?? "").trim();
    if (!typed && !required) continue;
    values[name] = kind === "money" ? centsOf(typed) : kind === "number" ? Number(typed) : typed;
    if (kind === "money" && Number.isNaN(values[name])) throw new Error(`${label}: give dollars, such as 500 or 12.50`);
  }
  return values;
}

/** A dialog with these fields; `act(values, send, form)` carries it out and what it returns is told. */
export function ask({ title, about = "", fields = [], button, warns = false, act, extra = null }) {
  const said = el("p", { class: "bad said", role: "alert" }), send = sender();
  const go = el("button", { class: warns ? "warn" : "" }, button);
  const form = el("form", { class: "ask", method: "dialog" }, el("h2", {}, title), about ? el("p", { class: "small" }, about) : null,
    fields.map(field), extra, said, el("div", { class: "row ends" }, el("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"), go));
  const dialog = el("dialog", { class: "asking", "aria-label": title }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    go.disabled = true;
    try {
      const told = await act(valuesOf(form, fields), send, form);
      dialog.close();
      if (told) toast(told);
    } catch (refused) {
      said.textContent = refused.message;
    } finally {
      go.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Gives commands under one key, so that sending again after a lost answer has one effect. Refusals are the caller's to show. */
export function sender() {
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  return (path, body) => api("POST", path, body, { quiet: true, key });
}
