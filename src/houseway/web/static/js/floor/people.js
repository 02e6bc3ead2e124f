// Accounts: who has one, with which role, and whether it is locked.
import { api, el } from "../shared/dom.js";
import { sees } from "../shared/who.js";
import { ask } from "./ask.js";

/** @import { Field } from "./ask.js" */

/** @typedef {{name: string, role: string, locked: boolean, failures: number}} Person */

const LENGTHS = { minlength: 10, maxlength: 200, hint: "Ten characters or more." };

/** @param {Person} person */
const path = (person) => `/api/v1/people/${encodeURIComponent(person.name)}`;

/** @param {string[]} roles @param {string} [value] @returns {Field} */
function roleField(roles, value) {
  return { name: "role", label: "Role", kind: "select", options: roles.map((role) => [role, role]), value };
}

/** @param {string} label @returns {Field} */
const passwordField = (label) => ({ name: "password", label, kind: "password", ...LENGTHS });

/** @param {string[]} roles @param {() => void} shown */
function add(roles, shown) {
  ask({
    title: "Give somebody an account",
    button: "Add",
    about: "It is recorded in the journal, without the password.",
    fields: [{ name: "name", label: "Name", maxlength: 24 }, roleField(roles), passwordField("Password")],
    act: async (values, send) => {
      await send("/api/v1/people", values);
      shown();
      return `${values.name} can log in as ${values.role}.`;
    },
  });
}

/**
 * @param {Person} person
 * @param {string} title
 * @param {Field} field
 * @param {(values: Record<string, any>) => string} words
 * @param {() => void} shown
 */
function change(person, title, field, words, shown) {
  ask({
    title: `${title} · ${person.name}`,
    button: title,
    about: "Whoever is logged in under this name has to log in again.",
    fields: [field],
    act: async (values, send) => {
      await send(path(person), values);
      shown();
      return words(values);
    },
  });
}

/** @param {Person} person @param {() => void} shown */
async function unlock(person, shown) {
  await api("POST", path(person), { unlock: true });
  shown();
}

/** @param {Person} person @param {string} words @param {() => void} onclick @param {object} more */
const actButton = (person, words, onclick, more = {}) =>
  el("button", { type: "button", class: "quiet slim", "aria-label": `${words}: ${person.name}`, onclick, ...more }, words);

/** @param {Person} person @param {string[]} roles @param {string} you @param {() => void} shown */
function actsOf(person, roles, you, shown) {
  const changeRole = () => {
    const words = (/** @type {Record<string, any>} */ values) => `${person.name} is ${values.role} now.`;
    change(person, "Change role", roleField(roles, person.role), words, shown);
  };
  const changePassword = () => {
    change(person, "New password", passwordField("New password"), () => `${person.name} has a new password.`, shown);
  };
  const own = person.name === you ? { disabled: true, title: "nobody changes his own role" } : {};
  const opened = actButton(person, "Unlock", () => unlock(person, shown), { class: "slim" });
  return [
    person.locked ? opened : null,
    actButton(person, "Change role", changeRole, own),
    actButton(person, "New password", changePassword),
  ];
}

/** @param {Person} person @param {string[]} roles @param {string} you @param {() => void} shown */
function row(person, roles, you, shown) {
  const failures = person.failures ? `${person.failures} wrong in a row` : "open";
  return el("tr", { dataset: { person: person.name } }, [
    el("th", { scope: "row" }, person.name),
    el("td", {}, person.role),
    el("td", { class: person.locked ? "bad" : "" }, person.locked ? "✗ locked" : failures),
    el("td", {}, el("div", { class: "acts" }, actsOf(person, roles, you, shown))),
  ]);
}

/**
 * Fill the section; returns what brings it up to date.
 * @param {HTMLElement} place
 * @param {string} you
 */
export function showPeople(place, you) {
  if (!sees("people")) {
    const words = "Accounts are the administrators' work.";
    const events = "New accounts, changed roles and wrong passwords are among the events.";
    place.replaceChildren(el("p", { class: "empty" }, `${words} ${events}`));
    return async () => {};
  }
  const body = el("tbody");
  /** @type {string[]} */
  let roles = [];
  const shown = async () => {
    /** @type {{people: Person[], roles: string[]}} */
    const answer = await api("GET", "/api/v1/people");
    ({ roles } = answer);
    body.replaceChildren(...answer.people.map((person) => row(person, roles, you, shown)));
  };
  const heads = ["Name", "Role", "Account", ""].map((name) => el("th", { scope: "col" }, name));
  const table = el("table", { class: "people" }, el("thead", {}, el("tr", {}, heads)), body);
  const asked = async () => {
    if (!roles.length) await shown(); // somebody was faster than the house
    add(roles, shown);
  };
  const button = { type: "button", id: "add-person", onclick: asked };
  place.replaceChildren(
    el("p", {}, el("button", button, "Give somebody an account")),
    el("div", { class: "panel scroll" }, table),
  );
  return shown;
}
