// The lobby: every open table, live.
import { readHand } from "../board/hands.js";
import { api, byId, capital, dollars, el, findById, messageOf } from "../shared/dom.js";
import { differsLine, standingClass, standingDetails, standingWords } from "../shared/edition.js";
import { watch } from "../shared/watch.js";
import { sees } from "../shared/who.js";

/** @import { EditionView, FaceResults, FinishedRound, LobbyTable, ShoeView } from "../types" */

const PHASES = {
  betting: "taking bets",
  dealing: "cards are out",
  deciding: "guests decide",
  ready: "about to pay",
  frozen: "stopped by a dispute",
};
const MOST_TOLD = 3;

/** @param {string} kind @param {string} name */
const path = (kind, name) => `/${kind}/${encodeURIComponent(name)}`;

/** @param {FaceResults} results @param {FinishedRound} round */
function bead(results, { marks, headline }) {
  const { winner, glyph } = readHand(results, marks[0] ?? "");
  const look = { class: `bead tone-${winner.tone}`, role: "img", "aria-label": headline, title: headline };
  return el("span", look, glyph);
}

/** @param {LobbyTable} table */
function lastResults({ last, results }) {
  if (!last.length) return el("span", { class: "told" }, "No round yet: be the first");
  if (results) return last.map((round) => bead(results, round));
  const headlines = last.slice(-MOST_TOLD).reverse().map((round) => round.headline);
  return el("span", { class: "told" }, "Dealer: ", headlines.join(" · "));
}

/** @param {ShoeView | null} shown */
function shoe(shown) {
  if (!shown) return el("p", { class: "small shoe" }, "Cards from a real shoe, keyed in by the dealer");
  const { used, size, cut } = shown;
  const hasCut = cut < size;
  const words = hasCut ? `${used} of ${size} cards out · cut card at ${cut}` : `${size} cards, shuffled anew for every round`;
  const bar = el("div", { class: "shoe-bar", "aria-hidden": "true" }, [
    el("i", { style: { width: `${(100 * used) / size}%` } }),
    hasCut ? el("b", { style: { left: `${(100 * cut) / size}%` } }) : null,
  ]);
  return el("div", { class: "shoe" }, bar, el("span", { class: "small" }, words));
}

/** @param {EditionView} edition */
function standing(edition) {
  const { id, digest } = edition;
  const title = standingDetails(edition);
  const badge = el("span", { class: `badge ${standingClass(edition)}` }, standingWords(edition));
  const short = el("span", { class: "small mono" }, digest.slice(0, 8));
  return el("a", { class: "standing", href: `/editions/${id}`, title }, badge, short, differsLine(edition));
}

/** A table whose edition cannot be read: its card says why, and nothing else is spoiled. @param {LobbyTable} table */
function spoiledCard(table) {
  return el("article", { class: "table-card spoiled", dataset: { table: table.name } }, [
    el("header", {}, el("h2", {}, table.name), el("span", { class: "seats full" }, "stands still")),
    el("p", { class: "game" }, table.edition.name),
    el("p", { class: "bad unreadable" }, table.unreadable ?? ""),
    el("p", { class: "small" }, "Its chips and its journal are kept. The other tables are not touched by it."),
  ]);
}

/** @param {LobbyTable} table */
function card(table) {
  if (table.unreadable) return spoiledCard(table);
  const { name, edition, seats, seats_free: free } = table;
  const seatWords = free ? `${free} of ${seats} seats free` : "full";
  const phase = `${table.round}, ${PHASES[table.phase] ?? table.phase}`;
  const limits = [el("dt", {}, "Limits"), el("dd", { class: "money" }, table.limits)];
  const facts = [...limits, el("dt", {}, "Round"), el("dd", {}, phase)];
  const tablet = sees("dealer") ? el("a", { href: path("dealer", name) }, "Dealer's tablet") : null;
  const ways = el("span", { class: "ways" }, tablet, el("a", { href: path("board", name) }, "Scoreboard"));
  const title = el("h2", {}, el("a", { href: path("tables", name) }, name));
  return el("article", { class: "table-card", dataset: { table: name } }, [
    el("header", {}, title, el("span", { class: free ? "seats" : "seats full" }, seatWords)),
    el("p", { class: "game" }, edition.name),
    el("dl", { class: "facts" }, facts),
    el("div", { class: "last", role: "group", "aria-label": "Last results" }, lastResults(table)),
    shoe(table.shoe),
    el("div", { class: "foot" }, standing(edition), ways),
  ]);
}

/** What each table's place shows. @type {Map<string, string>} */
const shown = new Map();

/**
 * A place for every table.
 * @param {HTMLElement} list
 * @param {LobbyTable[]} tables
 */
function layPlaces(list, tables) {
  const names = tables.map((table) => table.name).join("\n");
  if (list.dataset.names === names) return;
  list.dataset.names = names;
  shown.clear();
  const places = tables.map((table) => el("div", { class: "place", dataset: { place: table.name } }));
  const empty = el("p", { class: "empty" }, "No table is open. A supervisor opens one on the Floor page.");
  list.replaceChildren(...(places.length ? places : [empty]));
  showBoards();
}

/** Draw again what has changed; whoever had the focus keeps it. @param {{tables: LobbyTable[]}} view */
function show({ tables }) {
  const list = byId("tables");
  list.setAttribute("aria-busy", "false");
  layPlaces(list, tables);
  tables.forEach((table, at) => {
    const now = JSON.stringify(table);
    if (shown.get(table.name) === now) return;
    shown.set(table.name, now);
    const place = list.children[at];
    const focused = [...place.querySelectorAll("a")].findIndex((link) => link === document.activeElement);
    place.replaceChildren(card(table));
    if (focused >= 0) place.querySelectorAll("a")[focused]?.focus();
  });
  showPurse();
}

async function showBoards() {
  /** @type {{tables: string[], keyed: string[]}} */
  const { tables, keyed } = await api("GET", "/api/v1/boards");
  const link = (/** @type {string} */ name, about = "") =>
    el("a", { class: "button quiet", href: path("board", name) }, name, about ? el("small", {}, about) : null);
  const links = [...keyed.map((name) => link(name, "keyed")), ...tables.map((name) => link(name))];
  const empty = el("p", { class: "empty" }, "A scoreboard appears here with the first table.");
  byId("boards").replaceChildren(...(links.length ? links : [empty]));
}

async function showPurse() {
  const purse = findById("purse");
  if (!purse) return;
  const { balance_cents: cents, waits } = await api("GET", "/api/v1/session", undefined, { quiet: true });
  purse.replaceChildren("Your chips ", el("b", { class: "money" }, dollars(cents)));
  showLine(waits ?? []);
}

/**
 * A guest's own place on the waitlist.
 * @typedef {object} OwnWait
 * @property {number} number
 * @property {string} game
 * @property {number} place
 * @property {string} called_to
 * @property {number} seat
 * @property {number} seconds_left
 * @property {boolean} call_lapsed
 */

/** @param {string} where @param {object} body */
const wait = (where, body) => api("POST", `/api/v1/waitlist${where}`, body).then(showPurse);

/** @param {OwnWait} own */
function ownWait(own) {
  const minutes = Math.ceil(own.seconds_left / 60);
  const until = `You are called: seat ${own.seat} of ${own.called_to} is held for you for ${minutes} min.`;
  const words = own.called_to && !own.call_lapsed ? until : `You wait for ${own.game}: place ${own.place} in line.`;
  const leave = { type: "button", class: "quiet slim", onclick: () => wait("/leave", { wait: own.number }) };
  return el("p", { class: "row" }, el("b", {}, words), el("button", leave, "Wait no more"));
}

/** A guest's places in line, and a way into it where every seat is taken. @param {OwnWait[]} waits */
function showLine(waits) {
  const line = byId("line");
  const isFull = shown.size > 0 && [...shown.values()].every((table) => JSON.parse(table).seats_free === 0);
  const join = el("button", { type: "button", onclick: () => wait("", {}) }, "Wait for a seat");
  const full = isFull && !waits.length ? [el("p", { class: "row" }, "Every seat is taken. ", join)] : [];
  line.replaceChildren(...waits.map(ownWait), ...full);
  line.hidden = !line.children.length;
}

findById("join")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  byId("join-said").textContent = "";
  try {
    await api("POST", "/api/v1/guests", { name: form.get("name") }, { quiet: true });
    location.reload();
  } catch (refused) {
    byId("join-said").textContent = `${capital(messageOf(refused))}.`;
  }
});

watch("/api/v1/stream", show);
