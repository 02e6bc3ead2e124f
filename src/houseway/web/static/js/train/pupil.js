// Whoever learns: answers are judged by the house, and what is learned is kept there, or in this browser.
import { api } from "../shared/dom.js";
import { keep, kept } from "./keep.js";

/** @import { Answer, Exercise, Judged } from "./types" */

const API = "/api/v1/train";

export class Pupil {
  /** @param {boolean} isKept whether the house keeps what is learned */
  constructor(isKept) {
    this.isKept = isKept;
  }

  /** What goes along with a question about an edition. @param {string} edition */
  sent(edition) {
    return this.isKept ? {} : { progress: kept(edition) };
  }

  /** What was learned before somebody had an account goes along to the house, once. @param {string} edition */
  async bring(edition) {
    const progress = this.isKept ? kept(edition) : null;
    if (!progress) return;
    await api("POST", `${API}/progress`, { edition, progress }, { quiet: true }).catch(() => {});
    keep(edition, null);
  }

  /**
   * What the house says of an answer; nothing if it is refused, and then it can be given again.
   * @param {{edition: string, settings: Record<string, string>}} asked
   * @param {Pick<Exercise, "kind" | "number" | "topic">} exercise
   * @param {{answer: Answer, seconds: number, again: boolean}} given
   * @returns {Promise<Judged | null>}
   */
  async judge(asked, { kind, number, topic }, given) {
    try {
      const body = { ...asked, kind, number, topic, ...given, ...this.sent(asked.edition) };
      const judged = /** @type {Judged} */ (await api("POST", `${API}/answer`, body));
      if (judged.progress && !given.again) keep(asked.edition, judged.progress);
      return judged;
    } catch {
      return null;
    }
  }
}
