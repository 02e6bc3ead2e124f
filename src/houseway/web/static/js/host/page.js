// The host's page: who waits, for which game, how long; calls with their time running; every seat of every table.
import { ask, sender } from "../floor/ask.js";
import { api, byId, countOf, el, messageOf, toast } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { mayGive } from "../shared/who.js";

/**
 * Somebody on the waitlist.
 * @typedef {object} HostWait
 * @property {number} number
 * @property {string} guest
 * @property {string} edition
 * @property {string} game
 * @property {number} place
 * @property {number} waited_seconds
 * @property {string} called_to
 * @property {number} seat
 * @property {number} seconds_left
 * @property {boolean} call_lapsed
 */

/** @typedef {{seat: number, guest: string, held_for: string, seconds_left: number}} HostSeat */

/**
 * A table with its seats.
 * @typedef {object} HostTable
 * @property {string} name
 * @property {string} edition
 * @property {string} game
 * @property {string} limits
 * @property {string} dealer
 * @property {number} free
 * @property {HostSeat[]} seats
 */

/** @typedef {{tables: HostTable[], waiting: HostWait[], games: {edition: string, name: string}[]}} HostView */

const SECOND_MS = 1000;
/** @type {HostView | null} */
let view = null;
let readAt = 0;

/** Seconds as a clock: 75 is 1:15. @param {number} seconds */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** A time that runs: down to nothing, or up. @param {number} seconds @param {"up" | "down"} way */
const running = (seconds, way) => el("span", { class: "money", dataset: { seconds: String(seconds), way } }, clock(seconds));

/** @param {string} path @param {object} body @param {string} words */
async function give(path, body, words) {
  try {
    await sender()(path, body);
    toast(words);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {HostWait} wait */
function call(wait) {
  const tables = (view?.tables ?? []).filter((table) => table.free && (!wait.edition || table.edition === wait.edition));
  if (!tables.length) {
    toast(`No seat is free for ${wait.guest}.`, true);
    return;
  }
  ask({
    title: `Call ${wait.guest}`,
    about: "A seat is held for him while his time runs.",
    button: "Call",
    fields: [
      {
        name: "table",
        label: "Table",
        kind: "select",
        options: tables.map((table) => [table.name, `${table.name}, ${table.game}: ${table.free} free`]),
      },
    ],
    act: async (values, send) => {
      await send("/api/v1/waitlist/call", { wait: wait.number, ...values });
      return `${wait.guest} is called to ${values.table}.`;
    },
  });
}

/** @param {HostWait} wait */
function called(wait) {
  if (!wait.called_to) return null;
  const where = `seat ${wait.seat} of ${wait.called_to}`;
  if (wait.call_lapsed) return el("span", { class: "bad" }, `✗ was called to ${where}: his time is over`);
  return el("span", { class: "good" }, `Called to ${where}, `, running(wait.seconds_left, "down"), " left");
}

/** @param {HostWait} wait */
function waitItem(wait) {
  const body = { wait: wait.number };
  const isCalled = wait.called_to && !wait.call_lapsed;
  const seat = { type: "button", onclick: () => give("/api/v1/waitlist/seat", body, `${wait.guest} is seated.`) };
  const leave = () => give("/api/v1/waitlist/leave", body, `${wait.guest} is off the list.`);
  const since = el("span", { class: "small" }, `${wait.game} · waits `, running(wait.waited_seconds, "up"));
  return el("li", { class: "panel", dataset: { wait: String(wait.number) } }, [
    el("b", { class: "number" }, String(wait.number)),
    el("span", { class: "who-waits" }, el("b", {}, wait.guest), since),
    called(wait),
    mayGive("call")
      ? el("span", { class: "row" }, [
          isCalled ? el("button", seat, "Seat") : el("button", { type: "button", onclick: () => call(wait) }, "Call"),
          el("button", { type: "button", class: "quiet", onclick: leave }, "Take off"),
        ])
      : null,
  ]);
}

/** @param {HostTable} table @param {HostSeat} seat */
function hold(table, seat) {
  ask({
    title: `Hold seat ${seat.seat} of ${table.name}`,
    button: "Hold it",
    fields: [
      { name: "guest", label: "Guest", maxlength: 40 },
      { name: "hold_minutes", label: "For how many minutes", kind: "number", value: 30, min: 1, max: 1440 },
    ],
    act: async (values, send) => {
      await send(`/api/v1/tables/${encodeURIComponent(table.name)}/reserve`, { seat: seat.seat, ...values });
      return `Seat ${seat.seat} of ${table.name} is held for ${values.guest}.`;
    },
  });
}

/** @param {string} words @param {string} about @param {() => void} act */
const small = (words, about, act) =>
  el("button", { type: "button", class: "quiet slim", "aria-label": `${words} ${about}`, onclick: act }, words);

/** @param {HostTable} table @param {HostSeat} seat */
function seatItem(table, seat) {
  const number = el("b", {}, String(seat.seat));
  const about = `seat ${seat.seat} of ${table.name}`;
  if (seat.guest) return el("li", { class: "seat taken" }, number, el("span", {}, seat.guest));
  const path = `/api/v1/tables/${encodeURIComponent(table.name)}/release`;
  const letGo = () => give(path, { seat: seat.seat }, `Seat ${seat.seat} is free again.`);
  if (seat.held_for) {
    const words = el("span", {}, `held for ${seat.held_for}, `, running(seat.seconds_left, "down"));
    return el("li", { class: "seat held" }, number, words, mayGive("release") ? small("Let go", about, letGo) : null);
  }
  const button = mayGive("reserve") ? small("Hold", about, () => hold(table, seat)) : null;
  return el("li", { class: "seat" }, number, el("span", { class: "small" }, "free"), button);
}

/** @param {HostTable} table */
function tableCard(table) {
  const free = table.free ? `${table.free} free` : "full";
  return el("article", { class: "panel floor-table", dataset: { table: table.name } }, [
    el("header", {}, el("h3", {}, table.name), el("span", { class: table.free ? "good" : "bad" }, free)),
    el("p", { class: "small" }, `${table.game} · ${table.limits}${table.dealer ? "" : " · no dealer"}`),
    el("ul", { class: "host-seats" }, table.seats.map((seat) => seatItem(table, seat))),
  ]);
}

/** What a button is about, so that a page that is drawn anew keeps the focus. @param {Element | null | undefined} button */
function aboutOf(button) {
  const about = button?.closest("[data-wait], [data-table]");
  if (!(button instanceof HTMLButtonElement) || !(about instanceof HTMLElement)) return "";
  return [about.dataset.wait, about.dataset.table, button.ariaLabel, button.textContent].join("|");
}

/** @param {string} about */
function focusAgain(about) {
  if (!about) return;
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main button")]);
  buttons.find((button) => aboutOf(button) === about)?.focus();
}

async function read() {
  view = /** @type {HostView} */ (await api("GET", "/api/v1/host"));
  readAt = Date.now();
  const focused = aboutOf(document.activeElement);
  const nobody = el("li", { class: "empty" }, "Nobody waits.");
  byId("waitlist").replaceChildren(...(view.waiting.length ? view.waiting.map(waitItem) : [nobody]));
  byId("waitlist").setAttribute("aria-busy", "false");
  byId("waiting-count").textContent = view.waiting.length ? countOf(view.waiting.length, "guest") : "";
  const none = el("p", { class: "empty" }, "No table is open.");
  byId("host-tables").replaceChildren(...(view.tables.length ? view.tables.map(tableCard) : [none]));
  focusAgain(focused);
}

/** Let the times run; when one is over, the house says what that means. */
function tick() {
  const gone = (Date.now() - readAt) / SECOND_MS;
  let isOver = false;
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seconds]"))) {
    const seconds = Number(time.dataset.seconds) + (time.dataset.way === "up" ? gone : -gone);
    isOver ||= seconds <= 0 && time.dataset.way === "down";
    time.textContent = clock(Math.max(seconds, 0));
  }
  if (isOver) read();
}

function add() {
  /** @type {[string, string][]} */
  const games = (view?.games ?? []).map((game) => [game.edition, game.name]);
  ask({
    title: "Put a guest on the list",
    button: "Put him on",
    fields: [
      { name: "guest", label: "Guest", maxlength: 40 },
      {
        name: "edition",
        label: "For",
        kind: "select",
        required: false,
        options: [["", "any seat"], ...games],
      },
    ],
    act: async (values, send) => {
      await send("/api/v1/waitlist", values);
      return `${values.guest} waits.`;
    },
  });
}

byId("add-wait").addEventListener("click", add);
byId("add-wait").hidden = !mayGive("wait");
watch("/api/v1/stream", read);
setInterval(tick, SECOND_MS);
