// A scoreboard that is fed by a keypad alone. It needs no table, no bets and nobody else.
import { handWords } from "../board/hands.js";
import { bead, beadPlate, bigRoadPanel, handsWords, oneCell } from "../board/roads.js";
import { byId, el } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { ask, key, listenToKeys, press, sender } from "./parts.js";
import { ResultPad } from "./result-pad.js";
import { RoundsBoard } from "./rounds-board.js";

/** @import { BoardView, FaceResults, HistoryFace, RoadsFace, RoadsView } from "../types" */
/** @import { Send } from "./parts.js" */

class Scoreboard {
  /** @param {HTMLElement} place @param {FaceResults} results @param {Send} send @param {string} board */
  constructor(place, results, send, board) {
    this.results = results;
    this.send = send;
    /** @type {string[]} */
    this.hands = [];
    const undo = press(() => send("undo"));
    const fresh = press(() => this.newShoe());
    this.undo = key("Undo last", { kind: "plain", shortcut: "−", "data-key": "undo", onclick: undo });
    this.fresh = key("New shoe", { kind: "plain", shortcut: "/", "data-key": "new-shoe", onclick: fresh });
    this.last = el("div", { class: "keyed-last", id: "keyed-last", role: "status" });
    this.counts = el("p", { class: "keyed-counts" });
    this.big = bigRoadPanel(results);
    this.beads = beadPlate(results);
    const pad = new ResultPad(results, (hand) => send("hand", { hand }), [this.undo, this.fresh]);
    listenToKeys(() => ({ ...pad.shortcuts, "-": this.undo, "/": this.fresh }));
    const wall = { class: "button quiet", href: `/board/${encodeURIComponent(board)}`, target: "_blank" };
    const preview = [this.last, this.counts, this.big.element, this.beads.element, el("a", wall, "Open the wall display")];
    const keypad = el("section", { class: "panel pad-panel", "aria-label": "Keypad" }, pad.pad);
    const shown = el("section", { class: "panel wall-preview", "aria-label": "What the wall shows" }, preview);
    place.replaceChildren(el("div", { class: "keyed-board" }, keypad, shown));
    place.setAttribute("aria-busy", "false");
  }

  async newShoe() {
    const words = `The board is wiped of its ${handsWords(this.hands)}; they stay in the journal.`;
    const choices = /** @type {[string, string, string][]} */ ([["yes", "New shoe", "warn"]]);
    const options = { body: el("p", {}, words), choices, cancel: "Keep this shoe" };
    if (await ask("Begin a new shoe?", options)) await this.send("new-shoe");
  }

  /** @param {string | undefined} hand */
  lastParts(hand) {
    if (!hand) return [el("p", {}, "No hand yet: key the winner and press Enter.")];
    const { won, extra } = handWords(this.results, hand);
    const words = el("b", {}, [won, extra].filter(Boolean).join(", "));
    return [oneCell(bead(this.results, hand)), el("div", {}, el("small", {}, `Hand ${this.hands.length}`), words)];
  }

  /** @param {RoadsView} view */
  show(view) {
    this.hands = view.hands;
    byId("edition").textContent = view.edition.name;
    byId("where").textContent = `Shoe ${view.shoe_number} · hand ${view.hands.length + 1} is next`;
    this.undo.disabled = !view.hands.length;
    this.fresh.disabled = !view.hands.length;
    this.last.replaceChildren(...this.lastParts(view.hands.at(-1)));
    this.last.dataset.hands = String(view.hands.length);
    const { counts } = /** @type {RoadsFace} */ (view.face.board);
    this.counts.textContent = counts.map((count) => `${count.name} ${view.counts[count.key]}`).join(" · ");
    this.big.show(view.big_road);
    this.beads.show(view.bead_plate);
  }
}

/** Run the keypad of a keyed scoreboard. @param {HTMLElement} place */
export function runBoard(place) {
  const { table: board = "" } = place.dataset;
  const path = `/api/v1/boards/${encodeURIComponent(board)}`;
  const send = sender(path, { repeats: true });
  /** @type {Scoreboard | RoundsBoard | null} */
  let scoreboard = null;
  const build = (/** @type {BoardView} */ view) => {
    if (view.face.results) return new Scoreboard(place, view.face.results, send, board);
    return new RoundsBoard(place, /** @type {HistoryFace} */ (view.face.board), send, board);
  };
  watch(`${path}/stream`, (/** @type {any} */ view) => {
    scoreboard ??= build(view);
    scoreboard.show(view);
  });
}
