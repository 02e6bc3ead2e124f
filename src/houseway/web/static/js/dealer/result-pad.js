// Keys for results: a winner and what goes with it, as the game's face has them. What cannot be is disabled.
import { asHand, handSentence, readHand } from "../board/hands.js";
import { bead, oneCell } from "../board/roads.js";
import { el } from "../shared/dom.js";
import { key, press } from "./parts.js";

/** @import { FaceFlag, FaceResults } from "../types" */

/** @typedef {{winner: string, flags: string[]}} Keyed */

/** @type {Keyed} */
const NOTHING = { winner: "", flags: [] };

/**
 * A result in words.
 * @param {FaceResults} results
 * @param {string} result
 */
export const resultWords = (results, result) => handSentence(results, asHand(results, result));

/** A pad of result keys. Digits work too: see `shortcuts`. */
export class ResultPad {
  /**
   * @param {FaceResults} results
   * @param {(hand: string) => Promise<unknown>} enter gets what was keyed, as a scoreboard writes it
   * @param {HTMLButtonElement[]} extras further keys
   */
  constructor(results, enter, extras = []) {
    this.results = results;
    this.enter = enter;
    this.keyed = NOTHING;
    this.display = el("output", { class: "keyed", "aria-live": "polite" });
    this.winners = results.winners.map(({ key: id, name, shortcut, tone }) => {
      return key(name, { kind: `winner tone-${tone}`, shortcut, "data-key": id, onclick: () => this.keyWinner(id) });
    });
    this.flags = this.padFlags.map((flag) => this.flagKey(flag));
    this.clear = key("Clear", { kind: "plain", shortcut: "C", "data-key": "clear", onclick: () => this.set(NOTHING) });
    const commit = press(() => this.commit());
    this.enterKey = key("Enter", { kind: "enter", shortcut: "Enter", "data-key": "enter", onclick: commit });
    this.pad = el("div", { class: "result-pad" }, [
      this.display,
      el("div", { class: "winners" }, this.winners),
      this.flags.length ? el("div", { class: "bonuses" }, this.flags) : null,
      el("div", { class: "commit" }, this.clear, extras, this.enterKey),
    ]);
    this.show();
  }

  /** The flags that have keys, in their order. @returns {FaceFlag[]} */
  get padFlags() {
    const { flags, pad } = this.results;
    const named = pad.flatMap((id) => flags.filter((flag) => flag.key === id));
    return pad.length ? named : flags.filter((flag) => flag.shortcut);
  }

  /** @param {FaceFlag} flag */
  flagKey(flag) {
    const tone = this.results.winners.find((winner) => winner.key === flag.winner)?.tone;
    const kind = tone ? `bonus tone-${tone}` : "bonus";
    const shown = { kind, note: flag.note, shortcut: flag.shortcut, "data-key": flag.key };
    return key(flag.name, { ...shown, onclick: () => this.keyFlag(flag) });
  }

  /** Which button a key of the keyboard presses. */
  get shortcuts() {
    /** @type {Record<string, HTMLButtonElement>} */
    const buttons = { c: this.clear, C: this.clear, Escape: this.clear, Enter: this.enterKey };
    const add = (/** @type {{shortcut: string}} */ { shortcut }, /** @type {HTMLButtonElement} */ button) => {
      for (const pressed of shortcut.split(" ")) if (pressed) buttons[pressed] = button;
    };
    this.padFlags.forEach((flag, place) => add(flag, this.flags[place]));
    this.results.winners.forEach((winner, place) => add(winner, this.winners[place]));
    return buttons;
  }

  /** @param {Keyed} keyed */
  set(keyed) {
    this.keyed = keyed;
    this.show();
  }

  /** @param {string} id */
  keyWinner(id) {
    const { winner, flags } = this.keyed;
    const isTakenBack = winner === id && !this.tiedTo(flags);
    this.set({ flags, winner: isTakenBack ? "" : id });
  }

  /** @param {FaceFlag} flag */
  keyFlag(flag) {
    const { winner, flags } = this.keyed;
    if (flags.includes(flag.key)) this.set({ winner, flags: flags.filter((key) => key !== flag.key) });
    else this.set({ winner: flag.winner || winner, flags: [...flags, flag.key] });
  }

  /** The winner that the flags belong to, or "". @param {string[]} flags */
  tiedTo(flags) {
    return this.results.flags.find((flag) => flag.winner && flags.includes(flag.key))?.winner ?? "";
  }

  /** What was keyed, as a scoreboard writes it: the winner's letter, then the flags' in their order. */
  get hand() {
    const { winner, flags } = this.keyed;
    return winner + this.results.flags.filter((flag) => flags.includes(flag.key)).map((flag) => flag.key).join("");
  }

  async commit() {
    const before = this.keyed;
    const { hand } = this;
    if (!before.winner) return;
    this.set(NOTHING);
    try {
      await this.enter(hand);
    } catch (refused) {
      if (this.keyed === NOTHING) this.set(before);
      throw refused;
    }
  }

  /** Whether a flag goes with what is keyed. @param {FaceFlag} flag */
  fits(flag) {
    const { winner, flags } = this.keyed;
    const others = this.results.flags.filter((other) => other !== flag && flags.includes(other.key));
    const isExcluded = others.some((other) => other.excludes.includes(flag.key) || flag.excludes.includes(other.key));
    const tied = this.tiedTo(others.map((other) => other.key));
    if (isExcluded || (flag.winner && tied && tied !== flag.winner)) return false;
    return !flag.winner || !winner || winner === flag.winner;
  }

  show() {
    const { winner, flags } = this.keyed;
    const tied = this.tiedTo(flags);
    this.results.winners.forEach(({ key: id }, place) => {
      this.winners[place].disabled = tied !== "" && tied !== id;
      this.winners[place].setAttribute("aria-pressed", String(winner === id));
    });
    this.padFlags.forEach((flag, place) => {
      const isKeyed = flags.includes(flag.key);
      this.flags[place].disabled = !isKeyed && !this.fits(flag);
      this.flags[place].setAttribute("aria-pressed", String(isKeyed));
    });
    this.clear.disabled = !winner && !flags.length;
    this.enterKey.disabled = !winner;
    this.showKeyed();
  }

  showKeyed() {
    const { winner, flags } = readHand(this.results, this.hand);
    const keyed = this.results.flags.filter((flag) => this.keyed.flags.includes(flag.key));
    const words = [winner.name, ...(winner.key ? flags : keyed).map((flag) => flag.name)].filter(Boolean).join(" · ");
    const drawn = this.keyed.winner ? oneCell(bead(this.results, this.hand)) : "";
    this.display.replaceChildren(drawn, words || el("span", { class: "hint" }, "Key the winner"));
  }
}
