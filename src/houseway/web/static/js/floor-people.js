// Accounts: who has one, with which role, and whether it is locked. For administrators.
import { api, el } from "./dom.js";
import { ask } from "./floor-ask.js";

const ROLES = ["dealer", "supervisor", "cashier", "auditor", "administrator", "guest"].map((role) => [role, role]);
const path = (person) => `/api/v1/people/${encodeURIComponent(person.name)}`;

function add(shown) {
  ask({
    title: "Give somebody an account", button: "Add", about: "It is recorded in the journal, without the password.",
    fields: [{ name: "name", label: "Name", maxlength: 24 }, { name: "role", label: "Role", kind: "select", options: ROLES }, { name: "password", label: "Password", kind: "password", minlength: 10, maxlength: 200, hint: "Ten characters or more." }],
    act: async (values, send) => {
      await send("/api/v1/people", values);
      shown();
      return `${values.name} can log in as ${values.role}.`;
    },
  });
}

function change(person, shown, { title, field, told }) {
  ask({
    title: `${title} · ${person.name}`, button: title, about: "Whoever is logged in under this name has to log in again.", fields: [field],
    act: async (values, send) => {
      await send(path(person), values);
      shown();
      return told(values);
    },
  });
}

async function unlock(person, shown) {
  await api("POST", path(person), { unlock: true });
  shown();
}

function row(person, you, shown) {
  const act = (words, go, more = {}) => el("button", { type: "button", class: "quiet slim", "aria-label": `${words}: ${person.name}`, onclick: go, ...more }, words);
  const roles = { name: "role", label: "Role", kind: "select", options: ROLES, value: person.role };
  const password = { name: "password", label: "New password", kind: "password", minlength: 10, maxlength: 200, hint: "Ten characters or more." };
  return el("tr", { dataset: { person: person.name } },
    el("th", { scope: "row" }, person.name), el("td", {}, person.role),
    el("td", { class: person.locked ? "bad" : "" }, person.locked ? "✗ locked" : person.failures ? `${person.failures} wrong in a row` : "open"),
    el("td", {}, el("div", { class: "acts" },
      person.locked ? el("button", { type: "button", class: "slim", "aria-label": `Unlock: ${person.name}`, onclick: () => unlock(person, shown) }, "Unlock") : null,
      act("Change role", () => change(person, shown, { title: "Change role", field: roles, told: ({ role }) => `${person.name} is ${role} now.` }), person.name === you.name ? { disabled: true, title: "nobody changes his own role" } : {}),
      act("New password", () => change(person, shown, { title: "New password", field: password, told: () => `${person.name} has a new password.` })))));
}

/** Fill the section; only administrators see it. */
export function showPeople(place, you) {
  if (you.role !== "administrator") {
    place.replaceChildren(el("p", { class: "empty" }, "Accounts are the administrators' work. New accounts, changed roles and wrong passwords are among the events."));
    return async () => {};
  }
  const body = el("tbody");
  const shown = async () => {
    const { people } = await api("GET", "/api/v1/people");
    body.replaceChildren(...people.map((person) => row(person, you, shown)));
  };
  place.replaceChildren(
    el("p", {}, el("button", { type: "button", id: "add-person", onclick: () => add(shown) }, "Give somebody an account")),
    el("div", { class: "panel scroll" }, el("table", { class: "people" }, el("thead", {}, el("tr", {}, ["Name", "Role", "Account", ""].map((name) => el("th", { scope: "col" }, name)))), body)));
  return shown;
}
