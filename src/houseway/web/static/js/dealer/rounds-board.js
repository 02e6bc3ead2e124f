// A scoreboard of rounds that is fed by a keypad alone: the number thrown, the dealer's hand, the bonuses that were hit.
import { byId, countOf, el } from "../shared/dom.js";
import { ask, key, listenToKeys, press } from "./parts.js";

/** @import { FaceKeypad, HistoryFace, HistoryView } from "../types" */
/** @import { Send } from "./parts.js" */

/** @typedef {{start: string, hand: string, hits: string[]}} Keyed */

/** @returns {Keyed} */
const nothing = () => ({ start: "", hand: "", hits: [] });

export class RoundsBoard {
  /** @param {HTMLElement} place @param {HistoryFace} face @param {Send} send @param {string} board */
  constructor(place, face, send, board) {
    this.face = face;
    this.keypad = /** @type {FaceKeypad} */ (face.keypad);
    this.send = send;
    this.keyed = nothing();
    this.rounds = 0;
    this.display = el("output", { class: "keyed", id: "keyed", "aria-live": "polite" });
    this.last = el("div", { class: "keyed-last", id: "keyed-last", role: "status" });
    this.counts = el("p", { class: "keyed-counts" });
    this.list = el("ol", { class: "keyed-rounds" });
    this.starts = face.start_names.map((name, at) => this.startKey(String(at + 1), name));
    this.hands = this.keypad.hands.map(({ key: id, name, shortcut }) => {
      const onclick = () => this.set({ hand: this.keyed.hand === id ? "" : id });
      return key(name, { kind: "plain", shortcut: shortcut.toUpperCase(), "data-key": id, onclick });
    });
    this.hit = this.hitFields();
    this.clear = key("Clear", { kind: "plain", shortcut: "Esc", "data-key": "clear", onclick: () => this.set(nothing()) });
    this.undo = key("Undo last", { kind: "plain", shortcut: "−", "data-key": "undo", onclick: press(() => send("undo")) });
    this.fresh = key("Begin anew", { kind: "plain", shortcut: "/", "data-key": "new-shoe", onclick: press(() => this.anew()) });
    const commit = press(() => this.commit());
    this.enter = key("Enter", { kind: "enter", shortcut: "Enter", "data-key": "enter", onclick: commit });
    listenToKeys(() => this.shortcuts);
    place.replaceChildren(el("div", { class: "keyed-board" }, this.pad(), this.preview(board)));
    place.setAttribute("aria-busy", "false");
    this.set({});
  }

  /** @param {string} number @param {string} name */
  startKey(number, name) {
    const onclick = () => this.set({ start: this.keyed.start === number ? "" : number });
    return key(number, { kind: "plain", note: name, "data-key": `start-${number}`, onclick });
  }

  /** What was hit, and at which seat: chosen, then added. */
  hitFields() {
    const outcomes = this.keypad.hits.map(({ wager, name, outcomes: wins }) => {
      return el("optgroup", { label: name }, wins.map(({ id, name: won }) => el("option", { value: `${wager}.${id}` }, won)));
    });
    const seats = Array.from({ length: this.keypad.seats }, (_, at) => el("option", { value: at + 1 }, `Seat ${at + 1}`));
    const which = el("select", { id: "hit", "aria-label": "Bonus hit" }, outcomes);
    const seat = el("select", { id: "hit-seat", "aria-label": "At seat" }, el("option", { value: "" }, "Any seat"), seats);
    const add = () => {
      const hit = which.value + (seat.value && `@${seat.value}`);
      if (!this.keyed.hits.includes(hit)) this.set({ hits: [...this.keyed.hits, hit] });
    };
    return { which, seat, add: key("Add the hit", { kind: "plain", "data-key": "add-hit", onclick: add }) };
  }

  pad() {
    const { face, hit } = this;
    const group = (/** @type {string} */ words, /** @type {HTMLElement[]} */ keys, kind = "") =>
      el("div", { class: `keyed-group ${kind}`.trim(), role: "group", "aria-label": words }, keys);
    const hits = this.keypad.hits.length ? group("Bonuses hit", [hit.which, hit.seat, hit.add]) : null;
    return el("section", { class: "panel pad-panel", "aria-label": "Keypad" }, [
      el("div", { class: "rounds-pad" }, [
        this.display,
        face.starts ? group("Where the deal began", this.starts, "starts") : null,
        group("The dealer's hand", this.hands, "hands-keyed"),
        hits,
        el("div", { class: "commit" }, this.clear, this.undo, this.fresh, this.enter),
      ]),
    ]);
  }

  /** @param {string} board */
  preview(board) {
    const wall = { class: "button quiet", href: `/board/${encodeURIComponent(board)}`, target: "_blank" };
    const about = { class: "panel wall-preview", "aria-label": "What the wall shows" };
    return el("section", about, this.last, this.counts, this.list, el("a", wall, "Open the wall display"));
  }

  /** What was hit in a round, in words. @param {HistoryView["last"][number]} round */
  hitsOf(round) {
    return round.hits.map(({ outcome, seat }) => outcome + (seat ? ` at seat ${seat}` : "")).join(", ");
  }

  /** @param {HistoryView["last"][number]} round */
  roundRow(round) {
    const start = round.start ? `from ${round.start}` : "";
    const rest = [start, this.hitsOf(round)].filter(Boolean).join(" · ");
    return el("li", {}, el("b", {}, `${round.round} `), round.headline, " ", el("small", {}, rest));
  }

  /** Which button a key of the keyboard presses. @returns {Record<string, HTMLButtonElement>} */
  get shortcuts() {
    /** @type {Record<string, HTMLButtonElement>} */
    const buttons = { Escape: this.clear, Enter: this.enter, "-": this.undo, "/": this.fresh };
    this.starts.forEach((button, at) => (buttons[String(at + 1)] = button));
    this.keypad.hands.forEach(({ shortcut }, at) => {
      if (shortcut) buttons[shortcut] = this.hands[at];
    });
    return buttons;
  }

  /** @param {Partial<Keyed>} changes */
  set(changes) {
    this.keyed = { ...this.keyed, ...changes };
    const { start, hand, hits } = this.keyed;
    this.starts.forEach((button, at) => button.setAttribute("aria-pressed", String(start === String(at + 1))));
    this.hands.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.key === hand)));
    this.enter.disabled = !hand || (this.face.starts > 0 && !start);
    this.clear.disabled = !start && !hand && !hits.length;
    const name = this.keypad.hands.find((known) => known.key === hand)?.name;
    const words = [start && `from ${start}`, name, ...hits.map((hit) => this.hitWords(hit))].filter(Boolean).join(" · ");
    this.display.replaceChildren(words || el("span", { class: "hint" }, "Key the round: where it began, the dealer's hand"));
  }

  /** @param {string} hit */
  hitWords(hit) {
    const [which, seat] = hit.split("@");
    const won = this.keypad.hits.flatMap(({ wager, outcomes }) => {
      return outcomes.filter(({ id }) => `${wager}.${id}` === which).map(({ name }) => name);
    });
    return won[0] + (seat ? ` at seat ${seat}` : "");
  }

  async commit() {
    const before = this.keyed;
    if (this.enter.disabled) return;
    this.set(nothing());
    try {
      await this.send("hand", { hand: [before.start, before.hand, ...before.hits].filter(Boolean).join(" ") });
    } catch (refused) {
      this.set(before);
      throw refused;
    }
  }

  async anew() {
    const words = `The board is wiped of its ${countOf(this.rounds, "round")}; they stay in the journal.`;
    const choices = /** @type {[string, string, string][]} */ ([["yes", "Begin anew", "warn"]]);
    const options = { body: el("p", {}, words), choices, cancel: "Keep these rounds" };
    if (await ask("Begin the board anew?", options)) await this.send("new-shoe");
  }

  /** @param {HistoryView} view */
  show(view) {
    this.rounds = view.rounds;
    byId("edition").textContent = view.edition.name;
    byId("where").textContent = `Round ${view.rounds + 1} is next`;
    this.undo.disabled = !view.rounds;
    this.fresh.disabled = !view.rounds;
    const [newest] = view.last;
    const words = newest ? [el("small", {}, `Round ${newest.round}`), el("b", {}, newest.headline)] : [];
    this.last.replaceChildren(newest ? el("div", {}, words) : el("p", {}, "No round yet: key one and press Enter."));
    this.last.dataset.rounds = String(view.rounds);
    this.counts.textContent = this.face.marks.map((mark) => `${mark.name} ${view.marks[mark.id] ?? 0}`).join(" · ");
    this.list.replaceChildren(...view.last.map((round) => this.roundRow(round)));
  }
}
