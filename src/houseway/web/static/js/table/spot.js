// A betting spot: its words, the chips on it, and how its wager ended.
import { stack } from "../shared/chips.js";
import { dollars, el, present } from "../shared/dom.js";

/** @import { Cents, FaceSpot } from "../types" */

/**
 * What a spot shows now.
 * @typedef {object} SpotState
 * @property {string} [pays] what the wager pays, in a few words
 * @property {Cents} [cents] the bet
 * @property {"wins" | "loses" | "push"} [end] undefined while it is open; its chips may be gone already
 * @property {Cents} [paid] what it won
 * @property {boolean} [closed]
 */

/** @type {Record<string, {words: string, mark: string}>} */
const ENDS = {
  wins: { words: "✓ Wins", mark: "✓" },
  push: { words: "= Push", mark: "=" },
  loses: { words: "✕ Loses", mark: "✕" },
};

export class Spot {
  /**
   * @param {FaceSpot} face
   * @param {{small?: boolean, onplace?: () => void}} options `small` leaves out the words; with `onplace` it is a button
   */
  constructor(face, { small = false, onplace }) {
    this.face = face;
    this.small = small;
    /** @type {SpotState} */
    this.state = {};
    this.shown = "";
    this.element = onplace
      ? el("button", { type: "button", class: "spot", onclick: onplace })
      : el("div", { class: "spot", role: "img" });
    this.element.dataset.wager = face.wager;
    this.element.style.setProperty("grid-area", face.wager);
    this.show({});
  }

  /** Show the spot as it is now; focus stays where it is. @param {SpotState} state */
  show(state) {
    const key = JSON.stringify(state);
    if (key === this.shown) return;
    this.shown = key;
    this.state = state;
    this.element.className = this.className();
    this.element.setAttribute("aria-label", this.label());
    if (this.element instanceof HTMLButtonElement) this.element.disabled = Boolean(state.closed);
    this.element.replaceChildren(...present([this.words(), this.chips(), this.badge()]));
  }

  className() {
    const { face, small, state } = this;
    const names = ["spot", `tone-${face.tone}`, `shape-${face.shape}`, small && "small", face.main && "main"];
    const chips = state.cents ? "has-bet" : state.end && "cleared";
    return [...names, chips, state.end, state.closed && "closed"].filter(Boolean).join(" ");
  }

  label() {
    const { pays, cents, end, paid, closed } = this.state;
    const won = end === "wins" && paid ? `, paid ${dollars(paid)}` : "";
    const bet = cents ? `bet ${dollars(cents)}` : end ? "" : "no bet";
    return [this.face.name, pays && `pays ${pays}`, bet, end ? end + won : closed && "closed"].filter(Boolean).join(", ");
  }

  words() {
    const { face, small, state } = this;
    return el("span", { class: "spot-words" }, [
      face.mark ? el("span", { class: "spot-mark" }, face.mark) : null,
      small ? null : el("span", { class: "spot-name" }, face.name),
      small || !state.pays ? null : el("span", { class: "spot-pays" }, state.pays),
    ]);
  }

  chips() {
    if (!this.state.cents) return null;
    const chips = stack(this.state.cents, { most: this.small ? 3 : 12 });
    chips.setAttribute("aria-hidden", "true");
    return chips;
  }

  badge() {
    const { end, paid } = this.state;
    if (!end) return null;
    const won = end === "wins" && paid ? `✓ +${dollars(paid)}` : "";
    return el("span", { class: "spot-badge" }, won || (this.small ? ENDS[end].mark : ENDS[end].words));
  }
}
