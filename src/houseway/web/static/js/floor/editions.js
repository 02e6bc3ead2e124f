// The house's own editions: what is registered, what each differs in, adding and removing.
import { api, byId, el, messageOf, toast } from "../shared/dom.js";
import { ask } from "./ask.js";

/** @import { LabEdition } from "../types" */

/**
 * An edition of the house's own.
 * @typedef {object} OwnEdition
 * @property {string} id
 * @property {boolean} registered whether it is in the journal, and not only in the folder of editions
 * @property {string} descends_from the built-in edition that it differs least from
 * @property {string[]} differences
 * @property {string[]} tables that play it
 * @property {string} unreadable why it cannot be read, or ""
 * @property {LabEdition} edition
 */

const ADDRESS = "/api/v1/own-editions";
const form = byId("add-edition", HTMLFormElement);
const text = byId("edition-text", HTMLTextAreaElement);
const file = byId("edition-file", HTMLInputElement);

/** @param {OwnEdition} own */
function differences({ descends_from: parent, differences: lines }) {
  const head = parent ? `Descends from ${parent}, and differs in:` : "Of a game that has no built-in edition.";
  const list = lines.map((line) => el("li", { class: "mono" }, line));
  return [el("p", { class: "small" }, head), el("ul", { class: "differences" }, list)];
}

/** @param {OwnEdition} own */
function remove(own) {
  const playing = own.tables.length ? `${own.tables.join(", ")} plays on by the content it was opened with. ` : "";
  ask({
    title: `Remove ${own.id}`,
    button: "Remove it",
    warns: true,
    about: `${playing}No table can be opened with it any more.`,
    act: async () => {
      await api("DELETE", `${ADDRESS}/${encodeURIComponent(own.id)}`, undefined, { quiet: true });
      await show();
      return `${own.id} is removed.`;
    },
  });
}

/** @param {OwnEdition} own */
function about(own) {
  if (own.unreadable) return [el("p", { class: "bad" }, `✗ ${own.unreadable}`)];
  const rules = el("a", { href: `/editions/${own.id}` }, "Rules and pays");
  return [el("p", {}, own.edition.name, " ", rules), ...differences(own)];
}

/** @param {OwnEdition} own */
function card(own) {
  const label = `Remove: ${own.id}`;
  const button = { type: "button", class: "quiet slim", "aria-label": label, onclick: () => remove(own) };
  const where = el("span", { class: "badge modified" }, own.registered ? "registered" : "in the folder");
  return el("article", { class: "panel", dataset: { edition: own.id } }, [
    el("header", { class: "bar" }, el("h3", {}, own.id), where),
    about(own),
    own.tables.length ? el("p", { class: "small" }, `Played at ${own.tables.join(", ")}`) : null,
    own.registered ? el("button", button, "Remove") : null,
  ]);
}

async function show() {
  /** @type {{editions: OwnEdition[], left_out: string[]}} */
  const { editions, left_out: leftOut } = await api("GET", ADDRESS);
  const place = byId("own-editions");
  place.setAttribute("aria-busy", "false");
  const none = "No edition of your own yet: register one below, or with houseway editions add FILE.";
  const cards = editions.length ? editions.map(card) : [el("p", { class: "empty" }, none)];
  place.replaceChildren(...cards, ...leftOut.map((line) => el("p", { class: "bad" }, `✗ ${line}`)));
}

/** @param {...Node} parts */
const say = (...parts) => byId("edition-said").replaceChildren(...parts);

/** Send the text; null, and said why, if it is refused. @param {string} address @returns {Promise<OwnEdition | null>} */
async function send(address) {
  try {
    return await api("POST", address, { text: text.value }, { quiet: true });
  } catch (refused) {
    say(el("p", { class: "bad", role: "alert" }, messageOf(refused)));
    return null;
  }
}

async function check() {
  const own = await send(`${ADDRESS}/check`);
  if (!own) return;
  say(el("p", { class: "good" }, `✓ ${own.edition.name} can be registered as ${own.id}.`), ...differences(own));
}

async function register() {
  const own = await send(ADDRESS);
  if (!own) return;
  say();
  form.reset();
  await show();
  toast(`${own.id} is registered.`);
}

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (chosen) text.value = await chosen.text();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
byId("register-edition").addEventListener("click", () => {
  if (form.reportValidity()) register();
});
show();
