// The floor: every table's money, the cage, events, people and the audit, live.
import { api, byId, codeOf, countOf, dollars, el, messageOf, scrollRegion, toast } from "../shared/dom.js";
import { onceAtATime, watch } from "../shared/watch.js";
import { sees } from "../shared/who.js";
import { alertList } from "./alerts.js";
import { ask, sender, valuesOf } from "./ask.js";
import { showAudit } from "./audit.js";
import { eventList, waiting } from "./events.js";
import { fitToRole } from "./may.js";
import { openBoard, openTable } from "./open.js";
import { showPeople } from "./people.js";
import { requestList } from "./requests.js";
import { closedTable, isPending, tableCard } from "./tables.js";

/** @import { FloorAlert, FloorTable, FloorView } from "../types" */
/** @import { Field } from "./ask.js" */

const TABS = ["tables", "boards", "cage", "events", "people", "audit"];
const PENDING_MS = 1500;
const PENDING_MOST = 60;
/** So many alerts stand there, what is to be acted on first; the others are folded, for tables come below them. */
const ALERTS_SHOWN = 3;
/** How often requests are read again, so that one that lapses goes. */
const LAPSING_MS = 15_000;
/** The role's work on this page in one sentence. @type {Record<string, string>} */
const WORK = {
  dealer: "You count trays here; cards and payouts are on your table's tablet.",
  supervisor: "You open and close tables, move chips, void rounds and verify payouts.",
  cashier: "You sell and buy chips, fill and credit trays, and pull boxes.",
  security: "You carry chips and slips, and pull boxes: see Slips.",
  accounting: "You count boxes, see Slips; the books of the day are yours.",
  host: "You seat guests and keep the waitlist, on the host's page.",
  auditor: "You see everything and change nothing.",
  administrator: "You open tables, fund the cage and give accounts.",
};
/** What brings a section up to date when it is chosen. @type {Record<string, () => Promise<void>>} */
const loads = {};

// ---- sections -------------------------------------------------------------------------------------------------------

/** @param {string} name */
function choose(name, focus = false) {
  const chosen = TABS.includes(name) ? name : "tables";
  for (const tab of TABS) {
    const button = byId(`tab-${tab}`);
    const isHere = tab === chosen;
    button.setAttribute("aria-selected", String(isHere));
    button.tabIndex = isHere ? 0 : -1;
    byId(`panel-${tab}`).hidden = !isHere;
    if (isHere && focus) button.focus();
  }
  loads[chosen]?.();
}

/** @param {KeyboardEvent} event */
function moveTab(event) {
  const at = TABS.findIndex((tab) => byId(`tab-${tab}`).getAttribute("aria-selected") === "true");
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = TABS[(to + TABS.length) % TABS.length];
  history.replaceState(null, "", `#${tab}`);
  choose(tab, true);
}

function setUpTabs() {
  byId("tabs").addEventListener("click", (event) => {
    /** @type {HTMLElement | null} */
    const button = /** @type {HTMLElement} */ (event.target).closest("[data-tab]");
    if (button?.dataset.tab) location.hash = button.dataset.tab;
  });
  byId("tabs").addEventListener("keydown", moveTab);
  addEventListener("hashchange", () => choose(location.hash.slice(1)));
}

// ---- what is drawn again with every change --------------------------------------------------------------------------

/** What each part shows. @type {Map<string, string>} */
const drawn = new Map();

/** @param {Element} element */
const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/**
 * Draw a part again if what it shows has changed; whoever had the focus keeps it, and what was unfolded stays so.
 * @param {HTMLElement} place
 * @param {string} key
 * @param {unknown} shows
 * @param {() => Node | Node[]} make
 */
function draw(place, key, shows, make) {
  const now = JSON.stringify(shows);
  if (drawn.get(key) === now) return;
  drawn.set(key, now);
  const active = document.activeElement;
  const focused = active && place.contains(active) ? nameOf(active) : null;
  const opened = [...place.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  place.replaceChildren(...[make()].flat());
  for (const summary of place.querySelectorAll("details > summary")) {
    summary.parentElement?.toggleAttribute("open", opened.includes(summary.textContent));
  }
  /** @type {HTMLElement[]} */
  const controls = [...place.querySelectorAll(/** @type {"a"} */ ("a, button, summary"))];
  const next = controls.find((control) => nameOf(control) === focused) ?? controls[0] ?? byId("main");
  if (focused) next.focus({ preventScroll: next.id === "main" });
}

/** @param {FloorView} floor */
function drawTotals(floor) {
  const open = floor.tables.filter((table) => table.is_open);
  const isBlind = open.some((table) => table.drop_cents === null);
  const drop = open.reduce((sum, table) => sum + (table.drop_cents ?? 0), 0);
  const win = open.reduce((sum, table) => sum + (table.win_cents ?? 0), 0);
  const cells = [
    ["Open tables", String(open.length), ""],
    ["Drop", isBlind ? "–" : dollars(drop), ""],
    ["Win", isBlind ? "–" : dollars(win), win < 0 ? "bad" : "money"],
    ["Cage", dollars(floor.cage_cents), ""],
  ];
  const rows = cells.map(([name, value, tone]) => el("div", {}, el("dt", {}, name), el("dd", { class: tone }, value)));
  byId("totals").replaceChildren(...rows);
  const due = waiting(floor).length;
  byId("count-events").textContent = due ? ` ${due}` : "";
  byId("count-events").title = due ? "tables that wait for a supervisor" : "";
}

/** @param {FloorView} floor */
function drawBackups({ backups }) {
  byId("backups").hidden = !backups;
  byId("backups").classList.toggle("bad", backups?.late ?? false);
  byId("backups").textContent = backups?.words ?? "";
}

/** @param {FloorView} floor */
function drawTables(floor) {
  const open = floor.tables.filter((table) => table.is_open);
  const closed = floor.tables.filter((table) => !table.is_open);
  const places = placesOf(open);
  open.forEach((table, at) => draw(places[at], `table ${table.name}`, table, () => tableCard(table, floor)));
  byId("closed").hidden = !closed.length;
  const closings = floor.events.filter((event) => event.event === "table-closed");
  draw(byId("closed-tables"), "closed", [closed, closings], () => closedTable(closed, floor, openTable));
}

/** A place for every table, kept as long as the table is there. @param {FloorTable[]} open */
function placesOf(open) {
  const list = byId("tables");
  list.setAttribute("aria-busy", "false");
  /** @type {HTMLElement[]} */
  const known = [...list.querySelectorAll(/** @type {"div"} */ (".table-place"))];
  const places = open.map((table) => {
    const kept = known.find((place) => place.dataset.place === table.name);
    return kept ?? el("div", { class: "table-place", dataset: { place: table.name } });
  });
  const names = open.map((table) => table.name);
  if (list.dataset.names === names.join("\n")) return places;
  list.dataset.names = names.join("\n");
  const empty = "No table is open. A supervisor or an administrator opens one with the button above.";
  list.replaceChildren(...(places.length ? places : [el("p", { class: "empty" }, empty)]));
  for (const { dataset } of known) if (!names.includes(dataset.place ?? "")) drawn.delete(`table ${dataset.place}`);
  return places;
}

/** @param {string} name @param {string} about @param {boolean} isKeyed */
function boardRow(name, about, isKeyed) {
  const path = encodeURIComponent(name);
  const button = { class: "button quiet slim" };
  return el("div", { class: "panel board-row", dataset: { board: name } }, [
    el("b", {}, name),
    el("span", { class: "small" }, about),
    el("a", { ...button, href: `/board/${path}` }, "Show on the wall"),
    isKeyed && sees("dealer") ? el("a", { ...button, href: `/dealer/${path}` }, "Keypad") : null,
  ]);
}

/** @param {FloorView} floor */
function drawBoards(floor) {
  const open = floor.tables.filter((table) => table.is_open && !table.unreadable);
  const shown = [floor.boards, open.map((table) => [table.name, table.edition.name])];
  draw(byId("boards"), "boards", shown, () => {
    const keyed = floor.boards.map((name) => boardRow(name, "keyed by a dealer", true));
    const rows = [...keyed, ...open.map(({ name, edition }) => boardRow(name, `of the table, ${edition.name}`, false))];
    const empty = "No scoreboard yet: open a table, or a keyed scoreboard with the button above.";
    return rows.length ? rows : el("p", { class: "empty" }, empty);
  });
}

/** @param {FloorView["guests"]} guests */
function guestTable(guests) {
  if (!guests.length) return el("p", { class: "empty" }, "No guest holds chips yet: sell some with the form above.");
  const heads = [el("th", { scope: "col" }, "Guest"), el("th", { scope: "col", class: "number" }, "Chips")];
  const rows = guests.map(({ name, cents, owes_cents: owes }) => {
    const debt = owes ? el("small", { class: "owes" }, ` owes ${dollars(owes)}`) : null;
    const chips = el("td", { class: "number money" }, dollars(cents), debt);
    return el("tr", { dataset: { guest: name } }, el("th", { scope: "row" }, name), chips);
  });
  const table = el("table", { class: "guests" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
  return el("div", scrollRegion("Guests' chips", "panel"), table);
}

/** @param {FloorView} floor */
function drawCage({ cage_cents: cage, guests }) {
  const out = guests.reduce((sum, guest) => sum + guest.cents, 0);
  const holders = guests.filter((guest) => guest.cents).length;
  byId("cage-cents").textContent = dollars(cage);
  byId("chips-out").textContent = `${dollars(out)} in chips with ${countOf(holders, "guest")}`;
  byId("guest-names").replaceChildren(...guests.map(({ name }) => el("option", { value: name })));
  draw(byId("guests"), "guests", guests, () => guestTable(guests));
}

/** @param {FloorAlert[]} alerts */
function drawAlerts(alerts) {
  const [first, below] = [alerts.slice(0, ALERTS_SHOWN), alerts.slice(ALERTS_SHOWN)];
  byId("alert-panel").hidden = !alerts.length;
  byId("count-alerts").textContent = String(alerts.length);
  byId("more-alerts").hidden = !below.length;
  byId("more-alerts-words").textContent = `${below.length} more`;
  draw(byId("alerts"), "alerts", first, () => alertList(first, drawAlerts));
  draw(byId("alerts-below"), "alerts-below", below, () => alertList(below, drawAlerts));
}

/** @param {FloorView} floor */
function drawRequests(floor) {
  drawAlerts(floor.alerts);
  byId("waiting").hidden = !floor.requests.length;
  draw(byId("requests"), "requests", floor.requests, () => requestList(floor));
}

/** @param {FloorView} floor */
function drawAll(floor) {
  const again = () => drawAll(floor);
  const onlyMoney = byId("only-money", HTMLInputElement).checked;
  drawTotals(floor);
  drawBackups(floor);
  drawTables(floor);
  drawRequests(floor);
  drawBoards(floor);
  drawCage(floor);
  const shows = [floor.events, onlyMoney, waiting(floor).length, floor.tables.map((table) => table.phase)];
  draw(byId("events"), "events", shows, () => eventList(floor, onlyMoney, again));
}

// ---- reading the floor: once at a time, and again if something happened meanwhile -----------------------------------

/** @type {FloorView | null} */
let floor = null;
let pending = 0;

const readFloor = onceAtATime(async () => {
  floor = /** @type {FloorView} */ (await api("GET", "/api/v1/floor", undefined, { quiet: true }));
  drawAll(floor);
});

async function read() {
  await readFloor();
  waitForTheory();
}

/** Ask again while a table's theory is worked out. */
function waitForTheory() {
  const isWorking = floor?.tables.some(isPending) && pending < PENDING_MOST;
  pending = isWorking ? pending + 1 : 0;
  if (isWorking) setTimeout(read, PENDING_MS);
}

// ---- what is there once ---------------------------------------------------------------------------------------------

/** @type {Field[]} */
const CAGE_FIELDS = [
  { name: "guest", label: "Guest" },
  { name: "amount", label: "Amount", kind: "money" },
];

async function readAlerts() {
  /** @type {{alerts: FloorAlert[]}} */
  const { alerts } = await api("GET", "/api/v1/alerts", undefined, { quiet: true });
  drawAlerts(alerts);
}

/** @param {string} kind @param {string} words */
function setUpCage(kind, words) {
  const form = byId(kind, HTMLFormElement);
  const said = /** @type {HTMLElement} */ (form.querySelector(".said"));
  let send = sender();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    try {
      const { guest, amount } = valuesOf(form, CAGE_FIELDS);
      await send(`/api/v1/cage/${kind}`, { guest, cents: amount });
      toast(`${guest}: ${words} ${dollars(amount)}.`);
      form.reset();
      send = sender();
    } catch (refused) {
      said.textContent = messageOf(refused);
      if (codeOf(refused) === "asked") send = sender();
    }
  });
}

function fund() {
  ask({
    title: "Bring cash into the cage",
    button: "Bring it in",
    fields: [{ name: "cents", label: "Cash in dollars", kind: "money" }],
    act: async (values, send) => {
      await send("/api/v1/cage/fund", values);
      return `${dollars(values.cents)} more in the cage.`;
    },
  });
}

async function begin() {
  setUpTabs();
  await read();
  if (!floor) return;
  byId("may-words").textContent = WORK[floor.you.role] ?? "";
  fitToRole(floor);
  loads.people = showPeople(byId("people"), floor.you.name);
  loads.audit = showAudit(byId("audit"));
  byId("open-table").addEventListener("click", () => openTable());
  byId("open-board").addEventListener("click", openBoard);
  byId("fund").addEventListener("click", fund);
  byId("only-money").addEventListener("change", () => floor && drawAll(floor));
  setUpCage("buy-in", "chips for");
  setUpCage("cash-out", "cash for");
  choose(location.hash.slice(1));
  watch("/api/v1/stream", read);
  setInterval(() => (floor?.requests.length ? read() : readAlerts()), LAPSING_MS);
}

begin();
