// The floor: every table's money, the cage, events, people and the audit, live.
import { api, byId, dollars, el, toast } from "./dom.js";
import { ask, sender, valuesOf } from "./floor-ask.js";
import { showAudit } from "./floor-audit.js";
import { eventList, waiting } from "./floor-events.js";
import { DEALER_PAGE, WORK, fitToRole } from "./floor-may.js";
import { openBoard, openTable } from "./floor-open.js";
import { showPeople } from "./floor-people.js";
import { closedTable, isPending, tableCard } from "./floor-tables.js";
import { watch } from "./watch.js";

const TABS = ["tables", "boards", "cage", "events", "people", "audit"];
const PENDING_MS = 1500, PENDING_MOST = 60;
let floor = null, loads = { people: async () => {}, audit: async () => {} };

// Sections

function choose(name, focus = false) {
  const chosen = TABS.includes(name) ? name : "tables";
  for (const tab of TABS) {
    const button = byId(`tab-${tab}`), here = tab === chosen;
    button.setAttribute("aria-selected", String(here));
    button.tabIndex = here ? 0 : -1;
    byId(`panel-${tab}`).hidden = !here;
    if (here && focus) button.focus();
  }
  loads[chosen]?.();
}

function setUpTabs() {
  byId("tabs").addEventListener("click", (event) => {
    const { tab } = event.target.closest("[data-tab]")?.dataset ?? {};
    if (tab) location.hash = tab;
  });
  byId("tabs").addEventListener("keydown", (event) => {
    const at = TABS.findIndex((tab) => byId(`tab-${tab}`).getAttribute("aria-selected") === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = TABS[(to + TABS.length) % TABS.length];
    history.replaceState(null, "", `#${tab}`);
    choose(tab, true);
  });
  addEventListener("hashchange", () => choose(location.hash.slice(1)));
}

// What is drawn again with every change

const drawn = new Map();

/** Draw a part again if what it shows has changed; whoever had the focus keeps it, and what was unfolded stays so. */
function draw(place, key, shows, make) {
  const now = JSON.stringify(shows);
  if (drawn.get(key) === now) return;
  drawn.set(key, now);
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent : null;
  const opened = [...place.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
  place.replaceChildren(...[make()].flat());
  for (const one of place.querySelectorAll("details > summary")) if (opened.includes(one.textContent)) one.parentElement.open = true;
  if (focused) [...place.querySelectorAll("a, button, summary")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === focused)?.focus();
}

function drawTotals() {
  const open = floor.tables.filter((table) => table.is_open);
  const sum = (name) => open.reduce((total, table) => total + table[name], 0);
  const cells = [["Open tables", String(open.length), ""], ["Drop", dollars(sum("drop_cents")), ""], ["Win", dollars(sum("win_cents")), sum("win_cents") < 0 ? "bad" : "money"], ["Cage", dollars(floor.cage_cents), ""]];
  byId("totals").replaceChildren(...cells.map(([name, value, tone]) => el("div", {}, el("dt", {}, name), el("dd", { class: tone }, value))));
  const due = waiting(floor).length;
  byId("count-events").textContent = due ? ` ${due}` : "";
  byId("count-events").title = due ? "tables that wait for a supervisor" : "";
  byId("count-tables").textContent = "";
}

function drawTables() {
  const place = byId("tables"), open = floor.tables.filter((table) => table.is_open), closed = floor.tables.filter((table) => !table.is_open);
  place.setAttribute("aria-busy", "false");
  const kept = new Map([...place.querySelectorAll(".table-place")].map((one) => [one.dataset.place, one]));
  const places = open.map((table) => kept.get(table.name) ?? el("div", { class: "table-place", dataset: { place: table.name } }));
  const names = open.map((table) => table.name).join("\n");
  if (place.dataset.names !== names) {
    place.dataset.names = names;
    place.replaceChildren(...(places.length ? places : [el("p", { class: "empty" }, "No table is open. A supervisor or an administrator opens one with the button above.")]));
    for (const [name] of kept) if (!open.some((table) => table.name === name)) drawn.delete(`table ${name}`);
  }
  open.forEach((table, at) => draw(places[at], `table ${table.name}`, table, () => tableCard(table, floor)));
  byId("closed").hidden = !closed.length;
  draw(byId("closed-tables"), "closed", [closed, floor.events.filter((event) => event.event === "table-closed")], () => closedTable(closed, floor, openTable));
}

function drawBoards() {
  const open = floor.tables.filter((table) => table.is_open).map((table) => ({ name: table.name, about: `of the table, ${table.edition.name}`, keyed: false }));
  const shown = [...floor.boards.map((name) => ({ name, about: "keyed by a dealer", keyed: true })), ...open];
  draw(byId("boards"), "boards", shown, () => (shown.length ? shown.map(({ name, about, keyed }) => el("div", { class: "panel board-row", dataset: { board: name } },
    el("b", {}, name), el("span", { class: "small" }, about), el("a", { class: "button quiet slim", href: `/board/${encodeURIComponent(name)}` }, "Show on the wall"),
    keyed && DEALER_PAGE.includes(floor.you.role) ? el("a", { class: "button quiet slim", href: `/dealer/${encodeURIComponent(name)}` }, "Keypad") : null)) : el("p", { class: "empty" }, "No scoreboard yet: open a table, or a keyed scoreboard with the button above.")));
}

function drawCage() {
  byId("cage-cents").textContent = dollars(floor.cage_cents);
  const out = floor.guests.reduce((sum, guest) => sum + guest.cents, 0), holders = floor.guests.filter((guest) => guest.cents);
  byId("chips-out").textContent = `${dollars(out)} in chips with ${holders.length} ${holders.length === 1 ? "guest" : "guests"}`;
  byId("guest-names").replaceChildren(...floor.guests.map(({ name }) => el("option", { value: name })));
  draw(byId("guests"), "guests", floor.guests, () => (floor.guests.length
    ? el("div", { class: "panel scroll" }, el("table", { class: "guests" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Guest"), el("th", { scope: "col", class: "number" }, "Chips"))),
      el("tbody", {}, floor.guests.map(({ name, cents }) => el("tr", { dataset: { guest: name } }, el("th", { scope: "row" }, name), el("td", { class: "number money" }, dollars(cents)))))))
    : el("p", { class: "empty" }, "No guest holds chips yet: sell some with the form above.")));
}

function drawAll() {
  drawTotals();
  drawTables();
  drawBoards();
  drawCage();
  draw(byId("events"), "events", [floor.events, byId("only-money").checked, waiting(floor).length, floor.tables.map((table) => table.phase)], () => eventList(floor, byId("only-money").checked, drawAll));
}

// Reading the floor: once at a time, and again if something happened meanwhile

let reading = false, again = false, pending = 0;

async function read() {
  again = true;
  if (reading) return;
  reading = true;
  try {
    while (again) {
      again = false;
      floor = await api("GET", "/api/v1/floor", undefined, { quiet: true });
      drawAll();
    }
  } catch (refused) {
    if (refused.code === "not-logged-in") location.assign("/login?next=/floor");
    else if (refused.code !== "offline") toast(refused.message, true);
  } finally {
    reading = false;
  }
  if (floor?.tables.some(isPending) && pending < PENDING_MOST) setTimeout(() => { pending += 1; read(); }, PENDING_MS);
  else pending = 0;
}

// What is there once

const MONEY = [{ name: "guest", label: "Guest" }, { name: "amount", label: "Amount", kind: "money" }];

function setUpCage(kind, words) {
  const form = byId(kind), said = form.querySelector(".said");
  let send = sender();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.textContent = "";
    try {
      const { guest, amount } = valuesOf(form, MONEY);
      await send(`/api/v1/cage/${kind}`, { guest, cents: amount });
      toast(`${guest}: ${words} ${dollars(amount)}.`);
      form.reset();
      send = sender();
    } catch (refused) {
      said.textContent = refused.message;
    }
  });
}

function fund() {
  ask({ title: "Bring cash into the cage", button: "Bring it in", fields: [{ name: "cents", label: "Cash in dollars", kind: "money" }], act: async (values, send) => {
    await send("/api/v1/cage/fund", values);
    return `${dollars(values.cents)} more in the cage.`;
  } });
}

async function begin() {
  setUpTabs();
  await read();
  if (!floor) return;
  byId("may-words").textContent = WORK[floor.you.role];
  fitToRole(document, floor.you.role);
  loads = { people: showPeople(byId("people"), floor.you), audit: showAudit(byId("audit"), floor.you) };
  byId("open-table").addEventListener("click", () => openTable());
  byId("open-board").addEventListener("click", openBoard);
  byId("fund").addEventListener("click", fund);
  byId("only-money").addEventListener("change", drawAll);
  setUpCage("buy-in", "chips for");
  setUpCage("cash-out", "cash for");
  choose(location.hash.slice(1));
  watch("/api/v1/stream", read);
}

begin();
