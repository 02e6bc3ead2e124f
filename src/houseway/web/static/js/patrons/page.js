// The patron file: look for a guest, see what is known, register, change; whatever is looked at is noted.
import { ask, valuesOf } from "../floor/ask.js";
import { api, byId, codeOf, dollars, el, findById, messageOf, toast } from "../shared/dom.js";
import { mayGive } from "../shared/who.js";

/** @import { Field } from "../floor/ask.js" */

/**
 * Somebody of the file.
 * @typedef {object} PatronFile
 * @property {string} patron
 * @property {string} since
 * @property {string[]} accounts
 * @property {string} name
 * @property {string} born
 * @property {string} document
 * @property {string} address
 * @property {string} description
 * @property {string} notes
 * @property {string[]} missing
 * @property {boolean} may_play
 * @property {string} ground
 * @property {string} until
 * @property {{in_cents: number, out_cents: number}} cash
 * @property {boolean} identified
 */

/** @typedef {Pick<PatronFile, "patron" | "name" | "description" | "accounts">} FoundPatron */

const ADDRESS = "/api/v1/patrons";
/** @type {[name: "name" | "born" | "document" | "address" | "description" | "notes", label: string, hint: string][]} */
const DATA = [
  ["name", "Legal name", ""],
  ["born", "Birth date", "such as 1990-01-31"],
  ["document", "Document", "kind and number"],
  ["address", "Address", ""],
  ["description", "Description", "of a guest who gives no name"],
  ["notes", "Notes", ""],
];
/** @type {Record<string, string>} */
const GROUNDS = { "own-wish": "by his own wish", house: "by the house's wish", age: "for his age" };

/** @param {PatronFile} [known] @returns {Field[]} */
const dataFields = (known) =>
  DATA.map(([name, label, hint]) => ({ name, label, hint, value: known?.[name] ?? "", required: false }));

/** @param {string} number @param {string} [way] */
const of = (number, way = "") => `${ADDRESS}/${encodeURIComponent(number)}${way}`;

/** @param {string} term @param {string} words */
const fact = (term, words) => (words ? [el("dt", {}, term), el("dd", {}, words)] : null);

/** @param {string} words @param {() => void} act */
const button = (words, act) => el("button", { type: "button", class: "quiet", onclick: act }, words);

/** @param {PatronFile} known */
function standing(known) {
  if (known.may_play) return el("p", { class: "good" }, "✓ May play");
  const until = known.until ? `, until ${known.until}` : "";
  return el("p", { class: "bad" }, `✗ May not play, ${GROUNDS[known.ground] ?? known.ground}${until}`);
}

/** @param {PatronFile} known */
function change(known) {
  ask({
    title: `Change ${known.patron}`,
    button: "Keep it",
    fields: dataFields(known),
    act: async (values, send) => {
      const data = Object.fromEntries(DATA.map(([name]) => [name, values[name] ?? ""]));
      show(await send(of(known.patron), data));
      return `${known.patron} is changed.`;
    },
  });
}

/** @param {PatronFile} known */
function link(known) {
  ask({
    title: `Another account of ${known.patron}`,
    about: "His cash is one sum from then on, and whoever may not play may not with either account.",
    button: "Link it",
    fields: [{ name: "guest", label: "Account", maxlength: 40 }],
    act: async (values, send) => {
      show(await send(of(known.patron, "/accounts"), values));
      return `${values.guest} is an account of ${known.patron}.`;
    },
  });
}

/** @param {PatronFile} known */
function exclude(known) {
  ask({
    title: `Exclude ${known.accounts[0]}`,
    about: "Nothing is sold or dealt to him from then on, at tables, cage or screens. His chips are still cashed.",
    button: "Exclude",
    warns: true,
    fields: [
      { name: "ground", label: "Whose wish", kind: "select", options: [["own-wish", "His own"], ["house", "The house's"]] },
      { name: "until", label: "Until", hint: "such as 2030-01-31; nothing: without an end", required: false },
    ],
    act: async (values, send) => {
      await send("/api/v1/guests/exclude", { guest: known.accounts[0], ...values });
      await look(known.patron);
      return `${known.accounts[0]} may not play.`;
    },
  });
}

/** @param {PatronFile} known */
function readmit(known) {
  ask({
    title: `Let ${known.accounts[0]} play again`,
    about: "A second person confirms it. What a guest has asked for himself nobody ends before its day.",
    button: "Readmit",
    act: async (values, send) => {
      await send("/api/v1/guests/readmit", { guest: known.accounts[0] });
      await look(known.patron);
      return `${known.accounts[0]} may play again.`;
    },
  });
}

/** @param {PatronFile} known */
async function identified(known) {
  try {
    show(await api("POST", of(known.patron, "/identified"), undefined, { quiet: true }));
    toast(`The papers of ${known.patron} were seen.`);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {PatronFile} known */
function show(known) {
  const cash = `${dollars(known.cash.in_cents)} in, ${dollars(known.cash.out_cents)} out`;
  const taken = known.missing.length ? `to be taken: ${known.missing.join(", ")}` : "in the file";
  const papers = known.identified ? "seen today" : taken;
  const facts = DATA.map(([name, label]) => fact(label, known[name]));
  byId("patron").replaceChildren(
    el("article", { class: "panel patron", dataset: { patron: known.patron } }, [
      el("header", { class: "bar" }, el("h2", {}, known.name || known.description), el("b", {}, known.patron)),
      standing(known),
      el("dl", { class: "facts" }, [
        fact("Accounts", known.accounts.join(", ")),
        ...facts,
        fact("Since", known.since),
        fact("Cash today", cash),
        fact("Papers", papers),
      ]),
      el("div", { class: "row" }, [
        button("Change", () => change(known)),
        button("Papers seen today", () => identified(known)),
        button("Link an account", () => link(known)),
        mayGive("exclude") ? button("Exclude", () => exclude(known)) : null,
        !known.may_play && mayGive("readmit") ? button("Readmit", () => readmit(known)) : null,
      ]),
    ]),
  );
}

/** @param {string} number */
async function look(number) {
  show(await api("POST", of(number, "/look")));
  byId("patron").focus();
}

/** @param {FoundPatron} found */
function foundItem(found) {
  const words = [el("b", {}, found.name || found.description), ` ${found.patron} `, el("small", {}, found.accounts.join(", "))];
  return el("li", {}, el("button", { type: "button", class: "quiet wide", onclick: () => look(found.patron) }, words));
}

function register() {
  /** @type {Field[]} */
  const fields = [
    ...dataFields(),
    { name: "guest", label: "Account", hint: "under which he plays; nothing: his number is it", required: false },
  ];
  ask({
    title: "Register a guest",
    about: "A name, or a description of a guest who gives none.",
    button: "Register",
    fields,
    act: async (values, send) => {
      /** @type {PatronFile} */
      const made = await send(ADDRESS, values);
      show(made);
      return `${made.patron} is registered${made.may_play ? "" : ", and may not play"}.`;
    },
  });
}

function purge() {
  ask({
    title: "Remove personal data that are due",
    about: "What is kept no longer by the rules of the house goes. It needs a second person; the journal stays as it is.",
    button: "Remove them",
    warns: true,
    act: async (values, send) => {
      const { purged, words } = await send(`${ADDRESS}/purge`);
      return [`${purged} guests' data were removed`, words].filter(Boolean).join("; ") + ".";
    },
  });
}

const form = byId("find", HTMLFormElement);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = /** @type {HTMLElement} */ (form.querySelector(".said"));
  said.textContent = "";
  try {
    const values = valuesOf(form, [{ name: "text", label: "Whom" }]);
    /** @type {{found: FoundPatron[]}} */
    const { found } = await api("POST", `${ADDRESS}/find`, values, { quiet: true });
    const none = el("li", { class: "empty" }, "Nobody in the file fits.");
    byId("found").replaceChildren(...(found.length ? found.map(foundItem) : [none]));
  } catch (refused) {
    if (codeOf(refused) !== "bad-patron") throw refused;
    said.textContent = messageOf(refused);
  }
});
byId("register").addEventListener("click", register);
findById("purge")?.addEventListener("click", purge);
