// The wall: several scoreboards on one screen. What was last seen stays when the house is away, and says since when.
import { boardIn } from "../board/one.js";
import { byId, el } from "../shared/dom.js";
import { completed } from "../shared/watch.js";
import { careForScreen, somethingNew } from "./screen.js";

/** @import { BoardView } from "../types" */

const MOST = 6;
const AGAIN_MS = 3000;
const LOOK_MS = 10_000;
/** How long the house may take to say that it lives. */
const ANSWER_MS = 5000;
const KEPT = "houseway-board:";

const place = byId("boards");
const asked = (new URLSearchParams(location.search).get("boards") ?? "").split(",");
const names = [...new Set(asked.map((name) => name.trim()).filter(Boolean))];
/** @type {Map<string, { show: (view: BoardView) => void, view: any }>} */
const boards = new Map();
/** When the house was last heard of; of a board that was kept from before, when that was. */
let heard = 0;
/** @type {EventSource | null} */
let source = null;
let again = 0;

/** @param {string} name */
function cell(name) {
  const parts = {
    place: el("div", { class: "board", "aria-busy": "true" }, el("p", { class: "empty" }, "Opening the scoreboard…")),
    edition: el("p", {}),
    limits: el("div", { class: "wall-limits", role: "group", "aria-label": "Limits" }),
    round: el("div", { class: "wall-round", "aria-live": "polite" }),
    announce: el("div", { class: "announce", "aria-hidden": "true", hidden: true }),
  };
  const title = el("div", { class: "wall-title" }, el("h2", {}, name), parts.edition);
  const head = el("header", { class: "wall-head" }, title, parts.limits, parts.round);
  const inside = el("div", { class: "inside" }, head, parts.place, parts.announce);
  place.append(el("section", { class: "cell", "aria-label": name }, inside));
  boards.set(name, { show: boardIn(parts), view: {} });
}

/** What was kept of a board when the house was last heard of, if it can be read. @param {string} name */
function kept(name) {
  try {
    return /** @type {{ at: number, view: BoardView } | null} */ (JSON.parse(localStorage.getItem(KEPT + name) ?? "null"));
  } catch {
    return null;
  }
}

/** Keep what everybody may see of a board: nothing else ever comes here. @param {string} name @param {any} view */
function keep(name, view) {
  try {
    localStorage.setItem(KEPT + name, JSON.stringify({ at: Date.now(), view }));
  } catch {
    // there is no room: then nothing is kept
  }
}

function stale() {
  const since = new Date(heard);
  const day = since.toDateString() === new Date().toDateString() ? "" : `${since.toLocaleDateString()} `;
  const clock = since.toLocaleTimeString("en-GB");
  byId("stale").textContent = heard ? `Stale since ${day}${clock}` : "The house does not answer";
  byId("stale").hidden = false;
  document.body.classList.add("is-stale");
}

function live() {
  heard = Date.now();
  byId("stale").hidden = true;
  document.body.classList.remove("is-stale");
}

function open() {
  clearTimeout(again);
  source?.close();
  source = new EventSource(`/api/v1/wall/stream?boards=${encodeURIComponent(names.join(","))}`);
  source.addEventListener("open", () => {
    for (const board of boards.values()) board.view = {};
  });
  source.addEventListener("board", (event) => {
    const { board: name, event: kind, data } = JSON.parse(event.data);
    const board = boards.get(name);
    if (!board) return;
    live();
    if (kind === "refused") refused(data.message);
    if (kind !== "view") return;
    board.view = completed(board.view, data);
    board.show(board.view);
    keep(name, board.view);
    somethingNew();
  });
  source.addEventListener("error", lost);
}

/** The stream is gone: say so, and ask again. */
function lost() {
  stale();
  if (source?.readyState !== EventSource.CLOSED) return;
  clearTimeout(again);
  again = setTimeout(() => look().then(open, lost), AGAIN_MS);
}

/** @param {string} words */
function refused(words) {
  byId("stale").textContent = words;
  byId("stale").hidden = false;
}

/** Ask whether the house lives: a stream on a cable that was pulled out says nothing for minutes. */
async function look() {
  const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
  if (!answer.ok) throw new Error(String(answer.status));
}

async function lookNowAndThen() {
  try {
    await look();
    if (source?.readyState === EventSource.OPEN && [...boards.values()].every(({ view }) => view.kind)) live();
    else if (source?.readyState === EventSource.OPEN && document.body.classList.contains("is-stale")) open();
  } catch {
    stale();
  }
}

/** Nobody said which boards: whoever puts the wall up chooses. */
async function choose() {
  place.setAttribute("aria-busy", "false");
  const answer = await fetch("/api/v1/boards");
  const { tables, keyed } = /** @type {{ tables: string[], keyed: string[] }} */ (await answer.json());
  const boxes = [...tables, ...keyed].map((name) => el("label", {}, el("input", { type: "checkbox", value: name }), name));
  const button = el("button", { type: "submit" }, "Show them");
  const words = el("p", { role: "status" }, `Up to ${MOST} scoreboards on this screen.`);
  const form = el("form", { class: "choose" }, el("h2", {}, "Which scoreboards?"), words, ...boxes, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = [...form.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (chosen.length < 1 || chosen.length > MOST) words.textContent = `Choose 1 to ${MOST} of them.`;
    else location.search = `?boards=${chosen.map(encodeURIComponent).join(",")}`;
  });
  place.replaceChildren(form);
}

function begin() {
  if (names.length > MOST) {
    refused(`A wall shows up to ${MOST} scoreboards: name fewer.`);
    return;
  }
  place.dataset.count = String(names.length);
  for (const name of names) cell(name);
  for (const [name, board] of boards) {
    const before = kept(name);
    if (!before) continue;
    try {
      board.show(before.view);
      heard = Math.max(heard, before.at);
    } catch {
      localStorage.removeItem(KEPT + name); // another release has kept it
    }
  }
  if (heard) stale();
  place.setAttribute("aria-busy", "false");
  open();
  setInterval(lookNowAndThen, LOOK_MS);
  addEventListener("offline", stale);
  addEventListener("online", () => open());
  addEventListener("pagehide", () => source?.close());
  careForScreen();
}

if (names.length) begin();
else choose();

// A new release brings its own worker: when that has taken over, the page is the new one's too.
if ("serviceWorker" in navigator) {
  const isControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.register("/wall/worker.js", { scope: "/wall", updateViaCache: "none" }).catch(() => {});
  if (isControlled) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
}
