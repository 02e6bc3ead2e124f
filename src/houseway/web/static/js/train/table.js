// The table of an exercise: the question, what lies there, how it is answered, and the time that it takes.
import { byId, toast } from "../shared/dom.js";
import { Asks } from "./asks.js";
import { sceneOf } from "./scene.js";

/** @import { Answer, Exercise, TrainEdition } from "./types" */
/** What is shown of an exercise. @typedef {Pick<Exercise, "question" | "scene" | "asks"> & {on_purpose?: boolean}} Shown */

const TEXT_FIELDS = "input:not([type=radio], [type=checkbox]), select, textarea";

/** Time that runs while the page is looked at. */
class Watch {
  constructor() {
    this.before = 0;
    this.since = performance.now();
    this.isRunning = true;
    document.addEventListener("visibilitychange", () => this.look());
  }

  look() {
    if (!this.isRunning) return;
    if (document.hidden) this.before = this.milliseconds();
    this.since = document.hidden ? NaN : performance.now();
  }

  milliseconds() {
    return Number.isNaN(this.since) ? this.before : this.before + performance.now() - this.since;
  }

  start() {
    this.before = 0;
    this.since = performance.now();
    this.isRunning = true;
  }

  /** Seconds until now, and no more. */
  stop() {
    const seconds = this.milliseconds() / 1000;
    this.before = seconds * 1000;
    this.since = NaN;
    this.isRunning = false;
    return seconds;
  }
}

export class ExerciseTable {
  /**
   * @param {() => void} answer what is done when the answer is given
   * @param {() => void} changed what is done whenever it changes
   */
  constructor(answer, changed = () => {}) {
    this.changed = changed;
    this.form = byId("answer", HTMLFormElement);
    this.watch = new Watch();
    /** @type {Asks | null} */
    this.asks = null;
    /** @type {Shown | null} */
    this.exercise = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {Shown} exercise @param {TrainEdition} edition */
  show(exercise, edition) {
    this.exercise = exercise;
    byId("question").textContent = exercise.question;
    byId("about").textContent = exercise.on_purpose ? "Drawn on purpose: at a table this comes more rarely." : "";
    byId("scene").replaceChildren(sceneOf(exercise.scene, edition));
    this.open();
  }

  /** The same exercise, to be answered (again). */
  open() {
    if (!this.exercise) return;
    this.asks = new Asks(this.exercise, this.changed);
    byId("asks").replaceChildren(this.asks.element);
    this.form.hidden = false;
    byId("give", HTMLButtonElement).disabled = false;
    this.watch.start();
  }

  /** The answer, if it is whole; else what is missing is said. @returns {Answer | null} */
  whole() {
    const missing = this.asks?.missing();
    if (!missing) return this.asks?.answer() ?? null;
    const zero = missing.ask.form === "amount" ? " (0 for nothing)" : "";
    toast(`${missing.ask.label}: no answer is given yet${zero}.`, true);
    missing.control.focus();
    return null;
  }

  close() {
    this.asks?.close();
    byId("give", HTMLButtonElement).disabled = true;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const give = byId("give", HTMLButtonElement);
    if (this.form.hidden || give.disabled || target.matches(TEXT_FIELDS)) return;
    const answers = target === document.body || target.matches(".card-pick, .tray-chip, [data-enter], #question");
    if (event.key === "Enter" && answers) {
      event.preventDefault();
      this.form.requestSubmit();
    } else if (this.asks?.pressed(event)) event.preventDefault();
  }
}
