// Scoreboards that are followed live, one or several: what was last seen stays when the house is away, and says since when.
import { byId, el } from "../shared/dom.js";
import { completed } from "../shared/watch.js";
import { boardIn } from "./one.js";
import { careForScreen, somethingNew } from "./screen.js";

/** @import { BoardView } from "../types" */
/** @import { BoardParts } from "./one.js" */

const AGAIN_MS = 3000;
const LOOK_MS = 10_000;
/** How long the house may take to say that it lives. */
const ANSWER_MS = 5000;
const KEPT = "houseway-board:";

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

/** One scoreboard in its frame: a view, or why there is none. */
class Followed {
  /** @param {string} name @param {BoardParts} parts */
  constructor(name, parts) {
    this.name = name;
    this.parts = parts;
    this.show = boardIn(parts);
    /** @type {any} */
    this.view = {};
    this.refusal = "";
  }

  /** Show what was kept of it; when that was, or 0. */
  before() {
    const before = kept(this.name);
    if (!before) return 0;
    try {
      this.show(before.view);
      return before.at;
    } catch {
      localStorage.removeItem(KEPT + this.name); // another release has kept it
      return 0;
    }
  }

  /** @param {string} kind @param {any} data */
  told(kind, data) {
    if (kind === "view") {
      this.refusal = "";
      this.view = completed(this.view, data);
      this.show(this.view);
      keep(this.name, this.view);
      somethingNew();
    } else if (kind === "refused" && this.refusal !== data.message) this.refuse(data.message);
  }

  /** The house has no such scoreboard to show, or not any more. @param {string} message */
  refuse(message) {
    const { place, edition, limits, round, announce } = this.parts;
    this.refusal = message;
    this.view = {};
    this.show = boardIn(this.parts);
    for (const part of [edition, limits, round]) part.replaceChildren();
    announce.hidden = true;
    place.replaceChildren(el("p", { class: "empty", role: "status" }, `${message[0].toUpperCase()}${message.slice(1)}`));
    place.setAttribute("aria-busy", "false");
    localStorage.removeItem(KEPT + this.name);
  }
}

/**
 * Follow scoreboards: each in its parts, all by one stream.
 * @param {string} path of the stream, of one board or of a wall
 * @param {Map<string, BoardParts>} places
 */
export function follow(path, places) {
  const boards = new Map([...places].map(([name, parts]) => [name, new Followed(name, parts)]));
  /** @type {EventSource | null} */
  let source = null;
  let again = 0;
  /** When the house was last heard of; of boards that were kept from before, when that was. */
  let heard = Math.max(...[...boards.values()].map((board) => board.before()));

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

  /** @param {string} name @param {string} kind @param {any} data */
  function told(name, kind, data) {
    const board = boards.get(name);
    if (!board) return;
    live();
    board.told(kind, data);
  }

  function open() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(path);
    source.addEventListener("open", () => {
      for (const board of boards.values()) board.view = {};
    });
    source.addEventListener("board", (event) => {
      const { board, event: kind, data } = JSON.parse(event.data);
      told(board, kind, data);
    });
    const [only] = boards.keys(); // a board's own stream does not say its name
    for (const kind of ["view", "refused"]) {
      source.addEventListener(kind, (event) => told(only, kind, JSON.parse(event.data)));
    }
    source.addEventListener("error", lost);
  }

  /** The stream is gone: say so, and ask again. */
  function lost() {
    stale();
    if (source?.readyState !== EventSource.CLOSED) return;
    clearTimeout(again);
    again = setTimeout(() => look().then(open, lost), AGAIN_MS);
  }

  /** Ask whether the house lives: a stream on a cable that was pulled out says nothing for minutes. */
  async function look() {
    const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(String(answer.status));
  }

  async function lookNowAndThen() {
    try {
      await look();
      if (source?.readyState !== EventSource.OPEN) return;
      if ([...boards.values()].every(({ view, refusal }) => view.kind || refusal)) live();
      else if (document.body.classList.contains("is-stale")) open();
    } catch {
      stale();
    }
  }

  if (heard) stale();
  open();
  setInterval(lookNowAndThen, LOOK_MS);
  addEventListener("offline", stale);
  addEventListener("online", () => open());
  addEventListener("pagehide", () => source?.close());
  careForScreen();
}
