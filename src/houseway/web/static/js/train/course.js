// A course: its exercises one after the other, each explained, with the score against its pass mark; and the way to its
// examination. How far somebody is stays in this browser, so that a reload loses nothing.
import { api, byId, codeOf, countOf, el, messageOf } from "../shared/dom.js";
import { Pupil } from "./pupil.js";
import { ExerciseTable } from "./table.js";
import { rightMark, verdictOf } from "./verdict.js";

/** @import { Course, Exam, Exercise, School, TrainEdition } from "./types" */

/**
 * An exercise of the course, and how it was answered.
 * @typedef {object} Step
 * @property {string} edition
 * @property {Record<string, string>} settings
 * @property {string} kind
 * @property {string} topic
 * @property {number} number
 * @property {boolean | null} isRight null until it is answered
 */

const API = "/api/v1/train";
const NUMBERS = 2 ** 31;
const WAITING_MS = 500;
const drawn = () => Math.floor(crypto.getRandomValues(new Uint32Array(1))[0] % NUMBERS);

class CourseRun {
  /** @param {Course} course @param {School} school */
  constructor(course, school) {
    this.course = course;
    this.school = school;
    this.pupil = new Pupil(school.kept);
    this.key = `houseway-course:${course.id}`;
    /** @type {Step[]} */
    this.steps = this.read();
    /** @type {Exercise | null} */
    this.exercise = null;
    this.isAgain = false;
    this.table = new ExerciseTable(() => this.answer());
    byId("next").addEventListener("click", () => this.next());
    byId("again").addEventListener("click", () => this.again());
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @returns {Step[]} */
  read() {
    try {
      const steps = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(steps) && steps.length === this.course.asked ? steps : [];
    } catch {
      return [];
    }
  }

  write() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.steps));
    } catch {
      // a browser that keeps nothing: the course lasts as long as the page
    }
  }

  get place() {
    return this.steps.findIndex(({ isRight }) => isRight === null);
  }

  /** All exercises of the course, each by a number of its own. */
  begin() {
    this.steps = this.course.exercises.flatMap((part) => Array.from({ length: part.many }, () => ({
      edition: part.edition,
      settings: Object.fromEntries(Object.entries(part.settings).map(([name, value]) => [name, String(value)])),
      kind: part.kind,
      topic: part.topic,
      number: drawn(),
      isRight: /** @type {boolean | null} */ (null),
    })));
    this.write();
    this.next();
  }

  showDoor() {
    const { course } = this;
    const kinds = new Map(this.school.kinds.map(({ name, title }) => [name, title]));
    const begun = this.steps.length && this.place >= 0;
    const rows = course.exercises.map(({ kind, many, topic }) =>
      el("li", {}, `${kinds.get(kind) ?? kind}${topic ? ` (${topic})` : ""}: ${many}`));
    const go = el("button", { type: "button", id: "begin", onclick: () => (begun ? this.next() : this.begin()) },
      begun ? `Go on: exercise ${this.place + 1}` : "Begin the course");
    const anew = begun ? el("button", { type: "button", class: "quiet", onclick: () => this.begin() }, "Begin anew") : null;
    const sits = course.minutes && this.school.kept
      ? el("button", { type: "button", class: "quiet", id: "sit", onclick: () => this.sit() }, "Sit the examination") : null;
    const minutes = countOf(course.minutes, "minute");
    const clock = course.minutes ? `The examination takes ${minutes}, without explanations until the end.` : "";
    const account = course.minutes && !this.school.kept ? " It needs an account." : "";
    byId("door").replaceChildren(el("section", { class: "panel", "aria-label": "The course" },
      course.about ? el("p", {}, course.about) : null, el("ul", {}, rows), el("p", { class: "small" }, clock, account),
      el("div", { class: "tools" }, go, anew, sits)));
  }

  /** An examination that is under way is gone on with. */
  async sit() {
    try {
      /** @type {Exam} */
      const exam = await waited(api("POST", `${API}/exams`, { course: this.course.id }, { quiet: true }));
      location.assign(`/train/exam/${exam.exam}`);
    } catch (refused) {
      const exams = codeOf(refused) === "exam-begun" ? await api("GET", `${API}/exams`).catch(() => []) : [];
      const open = exams.find((/** @type {Exam} */ exam) => exam.course === this.course.id && !exam.is_over);
      if (open) location.assign(`/train/exam/${open.exam}`);
      else showProblem(refused, []);
    }
  }

  async next() {
    byId("door").replaceChildren();
    byId("judged").replaceChildren();
    byId("after").hidden = true;
    byId("problem").hidden = true;
    const { place } = this;
    if (place < 0) {
      this.end();
      return;
    }
    const { edition, settings, kind, number, topic } = this.steps[place];
    try {
      await this.pupil.bring(edition);
      const asked = api("POST", `${API}/exercise`, { edition, settings, kind, number, topic }, { quiet: true });
      this.exercise = /** @type {Exercise} */ (await waited(asked));
    } catch (refused) {
      byId("table-view").hidden = true;
      showProblem(refused, [
        el("p", {}, "Nothing is lost: what you have answered stays."),
        el("button", { type: "button", onclick: () => this.next() }, "Try again"),
        el("button", { type: "button", class: "quiet", onclick: () => this.leaveOut() }, "Leave this exercise out")]);
      return;
    }
    this.show(place, this.exercise);
  }

  /** An exercise that cannot be asked any more does not count. */
  leaveOut() {
    this.steps.splice(this.place, 1);
    this.course = { ...this.course, asked: this.steps.length };
    this.next();
  }

  /** @param {number} place @param {Exercise} exercise */
  show(place, exercise) {
    this.isAgain = false;
    const isFirst = byId("table-view").hidden;
    byId("table-view").hidden = false;
    const right = this.steps.filter(({ isRight }) => isRight).length;
    byId("course-place").textContent = `Exercise ${place + 1} of ${this.steps.length}`
      + (place ? ` · ${right} of ${place} right` : "");
    byId("kind").textContent = this.school.kinds.find(({ name }) => name === exercise.kind)?.title ?? "";
    const edition = this.school.editions.find(({ id }) => id === this.steps[place].edition);
    this.table.show(exercise, /** @type {TrainEdition} */ (edition));
    if (!isFirst) this.table.asks?.focus();
  }

  async answer() {
    const answer = this.table.whole();
    const step = this.steps[this.isAgain ? this.steps.findLastIndex(({ isRight }) => isRight !== null) : this.place];
    if (!answer || !this.exercise) return;
    const seconds = Math.min(this.table.watch.stop(), 3600);
    const { edition, settings } = step;
    const judged = await this.pupil.judge({ edition, settings }, this.exercise, { answer, seconds, again: this.isAgain });
    if (!judged) {
      this.table.watch.start();
      return;
    }
    this.table.close();
    if (!this.isAgain) step.isRight = judged.is_right;
    this.write();
    const about = { edition, about: this.exercise.topic_words, seconds, isAgain: this.isAgain };
    byId("judged").replaceChildren(verdictOf(judged, about));
    byId("after").hidden = false;
    byId("verdict-title").focus();
  }

  again() {
    this.isAgain = true;
    byId("judged").replaceChildren();
    byId("after").hidden = true;
    this.table.open();
    this.table.asks?.focus();
  }

  end() {
    byId("table-view").hidden = true;
    byId("course-place").textContent = "";
    const right = this.steps.filter(({ isRight }) => isRight).length;
    const percent = this.steps.length ? Math.floor((100 * right) / this.steps.length) : 0;
    const passed = percent >= this.course.pass_percent;
    const title = el("h2", { tabindex: -1 }, passed ? "✓ Passed" : "✗ Not passed yet");
    const score = `${right} of ${countOf(this.steps.length, "exercise")} right: ${percent} %, `
      + `and ${this.course.pass_percent} % pass.`;
    const list = this.steps.map(({ edition, settings, kind, topic, number, isRight }) => {
      const query = new URLSearchParams({ ...settings, kind, number: String(number), ...(topic ? { topic } : {}) });
      const name = this.school.kinds.find((one) => one.name === kind)?.title ?? kind;
      return el("li", {}, rightMark(Boolean(isRight)), " ", el("a", { href: `/train/${edition}?${query}` }, name));
    });
    byId("course-end").replaceChildren(el("section", { class: "panel course-result", "aria-label": "Result" }, title,
      el("p", {}, score), el("ol", { class: "speed-list" }, list)));
    title.focus();
    this.steps = [];
    this.write();
    this.showDoor();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || byId("after").hidden) return;
    if (target !== document.body && target.id !== "verdict-title") return;
    if (event.key === "Enter") this.next();
    else if (event.key.toLowerCase() === "r") this.again();
    else return;
    event.preventDefault();
  }
}

/**
 * What a promise comes to; if that takes a while, it is said.
 * @template T
 * @param {Promise<T>} promise
 */
async function waited(promise) {
  const waiting = setTimeout(() => {
    byId("waiting").hidden = false;
  }, WAITING_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(waiting);
    byId("waiting").hidden = true;
  }
}

/** @param {unknown} refused @param {HTMLElement[]} ways */
function showProblem(refused, ways) {
  byId("problem").replaceChildren(el("p", {}, messageOf(refused)), el("div", { class: "tools" }, ways));
  byId("problem").hidden = false;
}

const id = byId("course").dataset.course ?? "";
try {
  const asked = Promise.all([
    api("GET", `${API}/courses/${encodeURIComponent(id)}`, undefined, { quiet: true }), api("GET", API)]);
  /** @type {[Course, School]} */
  const [course, school] = await waited(asked);
  byId("name").textContent = course.name;
  byId("told").textContent = `${countOf(course.asked, "exercise")}, ${course.pass_percent} % pass`;
  new CourseRun(course, school).showDoor();
} catch (refused) {
  showProblem(refused, []);
}
