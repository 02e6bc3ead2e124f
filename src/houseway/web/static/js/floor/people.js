// Accounts: who has one, with which role, how it stands, and who is logged in.
import { api, el, scrollRegion, toast } from "../shared/dom.js";
import { sees } from "../shared/who.js";
import { ask } from "./ask.js";
import { sessionTable } from "./sessions.js";

/** @import { SessionListed } from "../types" */
/** @import { Field } from "./ask.js" */

/** @typedef {{name: string, role: string, failures: number, second_factor: boolean, must_change: boolean}} Person */

const FREE = 3;
const LENGTHS = { minlength: 12, maxlength: 200, hint: "Twelve characters or more, not easily guessed." };

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

/** A password for one log-in, told once. @param {Person} person @param {() => void} shown */
function reset(person, shown) {
  ask({
    title: `Reset · ${person.name}`,
    button: "Reset",
    warns: true,
    about: "For a password or a telephone that is lost: a new password for one log-in, no second factor, all sessions end.",
    act: async (_, send) => {
      const { password } = await send(`${path(person)}/reset`);
      shown();
      tellPassword(person, password);
      return "";
    },
  });
}

/** @param {Person} person @param {string} password */
function tellPassword(person, password) {
  ask({
    title: `${person.name} logs in once with`,
    button: "Told",
    about: "It is not shown again. The log-in asks for a password of his own.",
    extra: el("p", { class: "mono big", id: "one-time" }, password),
    act: async () => "",
  });
}

/** @param {Person} person @param {() => void} shown */
function remove(person, shown) {
  ask({
    title: `Remove · ${person.name}`,
    button: "Remove the account",
    warns: true,
    about: "The journal keeps what was done under the name.",
    act: async () => {
      await api("DELETE", path(person), undefined, { quiet: true });
      shown();
      return `${person.name} has no account any more.`;
    },
  });
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
  const own = (/** @type {string} */ title) => (person.name === you ? { disabled: true, title } : {});
  const opened = actButton(person, "Unlock", () => unlock(person, shown), { class: "slim" });
  return [
    person.failures >= FREE ? opened : null,
    actButton(person, "Change role", changeRole, own("nobody changes his own role")),
    actButton(person, "New password", changePassword),
    actButton(person, "Reset", () => reset(person, shown), own("change your password on your own page")),
    actButton(person, "Remove", () => remove(person, shown), own("nobody removes his own account")),
  ];
}

/** @param {Person} person */
function standing(person) {
  const parts = [person.second_factor && "second factor", person.must_change && "must change the password"];
  if (person.failures) parts.push(`${person.failures} wrong lately`);
  return parts.filter(Boolean).join(", ") || "open";
}

/** @param {Person} person @param {string[]} roles @param {string} you @param {() => void} shown */
function row(person, roles, you, shown) {
  return el("tr", { dataset: { person: person.name } }, [
    el("th", { scope: "row" }, person.name),
    el("td", {}, person.role),
    el("td", { class: person.failures >= FREE ? "bad" : "" }, standing(person)),
    el("td", {}, el("div", { class: "acts" }, actsOf(person, roles, you, shown))),
  ]);
}

/** @param {HTMLElement} place @param {() => void} shown */
async function showSessions(place, shown) {
  /** @type {{sessions: SessionListed[]}} */
  const { sessions } = await api("GET", "/api/v1/sessions");
  const end = async (/** @type {string} */ id) => {
    await api("DELETE", `/api/v1/sessions/${id}`);
    toast("The session has ended, at once and everywhere.");
    shown();
  };
  place.replaceChildren(sessionTable(sessions, end, true));
}

/** Whether a second factor is demanded. @param {string} rule @param {() => void} shown */
function ruleBox(rule, shown) {
  const box = el("input", { type: "checkbox", id: "demand-factor", checked: rule === "demanded" });
  box.addEventListener("change", async () => {
    await api("POST", "/api/v1/account-rules", { second_factor: box.checked ? "demanded" : "optional" }).catch(() => {});
    shown();
  });
  return el("label", { class: "inline" }, box, " Every member of the staff must have a second factor");
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
  const sessions = el("div", { ...scrollRegion("Who is logged in", "panel"), id: "sessions" });
  const rule = el("p", {});
  /** @type {string[]} */
  let roles = [];
  const shown = async () => {
    /** @type {{people: Person[], roles: string[], second_factor: string}} */
    const answer = await api("GET", "/api/v1/people");
    ({ roles } = answer);
    body.replaceChildren(...answer.people.map((person) => row(person, roles, you, shown)));
    rule.replaceChildren(ruleBox(answer.second_factor, shown));
    await showSessions(sessions, shown);
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
    el("div", scrollRegion("Accounts", "panel"), table),
    rule,
    el("h2", {}, "Who is logged in"),
    sessions,
  );
  return shown;
}
