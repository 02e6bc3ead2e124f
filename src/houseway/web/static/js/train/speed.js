// A round against the clock: as many answers as there is time for, and what was wrong at the end.
import { byId, countOf, el } from "../shared/dom.js";
import { rightMark } from "./verdict.js";

/** @import { Exercise, Judged } from "./types" */

/** What a round needs of the drill. @typedef {import("./types").SpeedHost} SpeedHost */

/** @param {number} seconds */
const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export class SpeedRound {
  /** @param {SpeedHost} drill */
  constructor(drill) {
    this.drill = drill;
    this.isOn = false;
    this.until = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    /** @type {{exercise: Exercise, judged: Judged, seconds: number}[]} */
    this.done = [];
    byId("speed-start").addEventListener("click", () => this.begin());
  }

  async begin() {
    this.done = [];
    byId("speed-results").replaceChildren();
    byId("speed-view").classList.add("running");
    byId("speed-strip").replaceChildren();
    this.isOn = true;
    byId("table-view").hidden = false;
    if (!(await this.drill.next())) {
      this.end();
      return;
    }
    const seconds = Number(byId("speed-seconds", HTMLSelectElement).value);
    this.until = performance.now() + seconds * 1000;
    this.ticking = setInterval(() => this.tick(), 250);
    this.tick();
    this.drill.table.asks?.focus();
  }

  tick() {
    const left = Math.max(0, (this.until - performance.now()) / 1000);
    byId("speed-clock").textContent = clockWords(left);
    if (!left) this.end();
  }

  async answered() {
    const { table } = this.drill;
    const { exercise } = this.drill;
    const answer = table.whole();
    if (!exercise || !answer) return;
    const seconds = table.watch.stop();
    table.close();
    const judged = await this.drill.judge(exercise, answer, seconds);
    if (!judged || !this.isOn) {
      if (this.isOn) table.open();
      return;
    }
    this.done.push({ exercise, judged, seconds });
    byId("speed-strip").append(el("li", {}, rightMark(judged.is_right)));
    this.drill.tally(judged, seconds);
    await this.drill.next();
  }

  end() {
    if (!this.isOn) return;
    this.isOn = false;
    clearInterval(this.ticking);
    byId("table-view").hidden = true;
    byId("speed-view").classList.remove("running");
    byId("speed-clock").textContent = "";
    const right = this.done.filter(({ judged }) => judged.is_right).length;
    const each = this.done.reduce((sum, { seconds }) => sum + seconds, 0) / (this.done.length || 1);
    const told = this.done.length ? `${right} of ${countOf(this.done.length, "answer")} right, ${each.toFixed(1)} s each.`
      : "Time is up: nothing was answered.";
    const title = el("h3", { tabindex: -1 }, told);
    const rows = this.done.map(({ exercise, judged, seconds }) => el("li", {}, rightMark(judged.is_right), " ",
      el("a", { href: this.addressOf(exercise) }, exercise.question), ` ${exercise.topic_words} · ${seconds.toFixed(1)} s`,
      judged.is_right ? "" : el("p", { class: "small" }, judged.parts.filter((part) => !part.is_right)
        .map((part) => `${part.label}: you said ${part.given}, right is ${part.right}`).join("; "))));
    byId("speed-results").replaceChildren(title, el("ol", { class: "speed-list" }, rows));
    title.focus();
  }

  /** @param {Exercise} exercise */
  addressOf({ kind, topic, number }) {
    const query = { ...this.drill.asked().settings, kind, topic, number: String(number) };
    return `?${new URLSearchParams(query)}`;
  }
}
