// Who works where: dealers and supervisors of every table, whose relief is due, who is on a break and who is free.
import { sender } from "../floor/ask.js";
import { api, byId, el, messageOf, toast } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { mayGive } from "../shared/who.js";

/**
 * A table and who works there.
 * @typedef {object} RotationTable
 * @property {string} name
 * @property {string} edition
 * @property {string} dealer
 * @property {number | null} dealer_minutes
 * @property {boolean} relief_due
 * @property {string} supervisor
 * @property {number | null} supervisor_minutes
 */

/**
 * The rotation.
 * @typedef {object} RotationView
 * @property {number} deal_minutes
 * @property {number} break_minutes
 * @property {RotationTable[]} tables
 * @property {{name: string, minutes: number, over: boolean}[]} breaks
 * @property {{name: string, role: string}[]} free
 */

const MINUTE_MS = 60_000;
const me = document.body.dataset.person ?? "";

/** @param {string} path @param {string} words */
async function give(path, words) {
  try {
    await sender()(path);
    toast(words);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {number | null} minutes */
const forMinutes = (minutes) => (minutes === null ? "" : `${minutes} min`);

/** @param {RotationTable} table */
function buttons(table) {
  const at = `/api/v1/tables/${encodeURIComponent(table.name)}`;
  const own = table.supervisor === me;
  const [way, words, said] = own
    ? ["unsupervise", "Give it up", `You supervise ${table.name} no more.`]
    : ["supervise", "Supervise", `You supervise ${table.name}.`];
  const off = { type: "button", class: "quiet slim", "aria-label": `Sign ${table.dealer} off ${table.name}` };
  const signOff = () => give(`${at}/sign-off`, `${table.dealer} is off ${table.name}.`);
  const change = { type: "button", class: "quiet slim", "aria-label": `${words}: ${table.name}` };
  return [
    mayGive(way) ? el("button", { ...change, onclick: () => give(`${at}/${way}`, said) }, words) : null,
    table.dealer && mayGive("sign-off") ? el("button", { ...off, onclick: signOff }, "Sign off") : null,
  ];
}

/** @param {RotationTable} table */
function row(table) {
  const nobody = el("span", { class: "bad" }, "✗ nobody");
  const due = table.relief_due ? el("span", { class: "bad" }, " · relief is due") : null;
  return el("tr", { dataset: { table: table.name } }, [
    el("th", { scope: "row" }, table.name),
    el("td", { dataset: { of: "Dealer" } }, table.dealer || nobody),
    el("td", {}, forMinutes(table.dealer_minutes), due),
    el("td", { dataset: { of: "Supervisor" } }, table.supervisor || nobody.cloneNode(true)),
    el("td", {}, forMinutes(table.supervisor_minutes)),
    el("td", { class: "row" }, buttons(table)),
  ]);
}

async function read() {
  /** @type {RotationView} */
  const view = await api("GET", "/api/v1/rotation");
  const focused = document.activeElement?.getAttribute("aria-label");
  const body = /** @type {HTMLElement} */ (byId("rotation").querySelector("tbody"));
  const none = el("tr", {}, el("td", { colspan: 6, class: "empty" }, "No table is open."));
  body.replaceChildren(...(view.tables.length ? view.tables.map(row) : [none]));
  byId("rotation").setAttribute("aria-busy", "false");
  const { deal_minutes: deal, break_minutes: rest } = view;
  byId("rules").textContent = `A dealer is due for relief after ${deal} minutes; a break is ${rest}.`;
  const breaks = view.breaks.map(({ name, minutes, over }) =>
    el("li", { class: over ? "bad" : "" }, `${name}, ${minutes} min${over ? ": it is over" : ""}`),
  );
  byId("breaks").replaceChildren(...(breaks.length ? breaks : [el("li", { class: "empty" }, "Nobody.")]));
  const free = view.free.map(({ name, role }) => el("li", {}, name, " ", el("small", {}, role)));
  byId("free").replaceChildren(...(free.length ? free : [el("li", { class: "empty" }, "Nobody.")]));
  byId("break").hidden = !mayGive("break") || view.breaks.some(({ name }) => name === me);
  byId("back").hidden = !view.breaks.some(({ name }) => name === me);
  for (const button of document.querySelectorAll("#rotation button")) {
    if (focused && button.getAttribute("aria-label") === focused) /** @type {HTMLElement} */ (button).focus();
  }
}

byId("break").addEventListener("click", () => give("/api/v1/staff/break", "Your break begins."));
byId("back").addEventListener("click", () => give("/api/v1/staff/back", "You are back."));
watch("/api/v1/stream", read);
setInterval(read, MINUTE_MS);
