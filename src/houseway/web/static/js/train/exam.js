// An examination: its clock, its exercises in any order, answers that may be changed until it is handed in; then its result.
// What is answered is kept here until the house has it, so that a reload or a broken connection loses nothing.
import { api, byId, codeOf, countOf, el, messageOf, scrollRegion } from "../shared/dom.js";
import { certificateLink, clockWords, passedMark } from "./exams.js";
import { sceneOf } from "./scene.js";
import { ExerciseTable } from "./table.js";
import { clauseMark, partsTable, rightMark, whySteps } from "./verdict.js";

/** @import { Answer, Exam, ExamExercise, ExamExplained, School } from "./types" */

const RETRY_MS = 3000;
const number = byId("exam").dataset.exam ?? "";
const PATH = `/api/v1/train/exams/${number}`;
const KEY = `houseway-exam:${number}`;

/** @param {Answer} answer */
const isWhole = (answer) => Object.values(answer).every(Boolean);

/** What is answered here and not yet kept by the house, by exercise. */
class Unsent {
  constructor() {
    /** @type {Record<string, Answer>} */
    this.answers = {};
    try {
      this.answers = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    } catch {
      // nothing that can be read
    }
  }

  /** @param {number | string} place @param {Answer | null} answer */
  put(place, answer) {
    if (answer) this.answers[place] = answer;
    else delete this.answers[place];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.answers));
    } catch {
      // kept as long as the page
    }
  }

  forget() {
    localStorage.removeItem(KEY);
  }
}

class ExamRun {
  /** @param {Exam} exam @param {School} school */
  constructor(exam, school) {
    this.exam = exam;
    this.kinds = new Map(school.kinds.map(({ name, title }) => [name, title]));
    this.unsent = new Unsent();
    this.place = 0;
    this.turn = 0;
    this.until = performance.now() + exam.seconds_left * 1000;
    this.table = new ExerciseTable(() => this.keepAndGoOn(), () => this.draft());
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
  }

  begin() {
    byId("sitting").hidden = false;
    byId("clock-part").hidden = false;
    byId("notices").replaceChildren(...this.exam.notices.map((words) => el("p", { class: "empty" }, words)));
    byId("hand-in").addEventListener("click", () => this.askToHandIn());
    byId("ask-no").addEventListener("click", () => dialog.close());
    byId("ask-yes").addEventListener("click", () => this.handIn());
    addEventListener("online", () => this.sendAll());
    this.ticking = setInterval(() => this.tick(), 500);
    this.tick();
    this.go(this.places().find((place) => !this.exam.answered.includes(place)) ?? 1);
    this.sendAll();
  }

  places() {
    return Array.from({ length: this.exam.asked }, (_, at) => at + 1);
  }

  tick() {
    const left = Math.max(0, (this.until - performance.now()) / 1000);
    byId("exam-clock").textContent = clockWords(left);
    byId("clock-part").classList.toggle("late", left < 60);
    if (!left) this.over();
  }

  /** The time is over: what the house has counts. */
  async over() {
    clearInterval(this.ticking);
    this.table.close();
    try {
      await showExam(await api("GET", PATH, undefined, { quiet: true }));
      if (Object.keys(this.unsent.answers).length) told("An answer was not sent in time, and does not count.");
    } catch (refused) {
      told(`The time is over. ${messageOf(refused)} What the house has counts; the result is shown when it answers.`);
      setTimeout(() => this.over(), RETRY_MS);
    }
  }

  showPlaces() {
    byId("places").replaceChildren(...this.places().map((place) => {
      const isKept = this.exam.answered.includes(place);
      const isWaiting = Boolean(this.unsent.answers[place]);
      const state = isWaiting ? "not kept yet" : isKept ? "answered" : "open";
      const mark = { "not kept yet": "…", answered: "✓", open: "" }[state];
      const current = place === this.place ? "true" : undefined;
      const names = { "aria-label": `Exercise ${place}, ${state}`, "aria-current": current };
      const kind = `quiet place ${isKept ? "kept" : ""}`;
      return el("button", { type: "button", class: kind, ...names, onclick: () => this.go(place) }, String(place),
        mark ? el("span", { "aria-hidden": "true" }, mark) : null);
    }));
  }

  /** @param {number} place */
  async go(place) {
    const turn = ++this.turn;
    const isFirst = !this.place;
    this.place = place;
    this.showPlaces();
    try {
      /** @type {ExamExercise} */
      const asked = await api("GET", `${PATH}/exercises/${place}`, undefined, { quiet: true });
      if (turn !== this.turn) return;
      byId("problem").hidden = true;
      byId("kind").textContent = `${place} of ${this.exam.asked} · ${this.kinds.get(asked.kind) ?? asked.kind}`;
      this.table.show(asked, asked.table);
      this.table.asks?.put(this.unsent.answers[place] ?? asked.given);
      if (!isFirst) this.table.asks?.focus();
    } catch (refused) {
      if (turn !== this.turn) return;
      showProblem(refused, el("button", { type: "button", onclick: () => this.go(place) }, "Try again"));
    }
  }

  /** Something was put into the form: it is kept here until it is whole and the house has it. */
  draft() {
    const answer = this.table.asks?.answer();
    if (answer && this.place) this.unsent.put(this.place, answer);
  }

  async keepAndGoOn() {
    const answer = this.table.whole();
    if (!answer) return;
    const { place } = this;
    this.unsent.put(place, answer);
    if (!(await this.send(place))) return;
    const waiting = Object.entries(this.unsent.answers).filter(([, one]) => isWhole(one)).map(([at]) => Number(at));
    const given = new Set([...this.exam.answered, ...waiting]);
    const open = [...this.places().slice(place), ...this.places().slice(0, place)].find((one) => !given.has(one));
    if (open) await this.go(open);
    else {
      this.showPlaces();
      byId("hand-in").focus();
      told("Every exercise has an answer: change what you like, or hand in.");
    }
  }

  /** Whether one may go on: the house has the answer, or does not answer now. @param {number} place */
  async send(place) {
    const answer = this.unsent.answers[place];
    if (!answer) return true;
    try {
      this.exam = await api("POST", `${PATH}/exercises/${place}`, { answer }, { quiet: true });
      this.until = performance.now() + this.exam.seconds_left * 1000;
      this.unsent.put(place, null);
      byId("sent").textContent = `Exercise ${place} is kept.`;
      return true;
    } catch (refused) {
      const code = codeOf(refused);
      if (code === "too-late" || code === "exam-over") {
        told(messageOf(refused));
        await this.over();
        return false;
      }
      if (code !== "offline" && code !== "store-out" && code !== "error") {
        this.unsent.put(place, null); // it cannot be read: the form still shows it
        told(messageOf(refused));
        return false;
      }
      byId("sent").textContent = `${messageOf(refused)} Your answer is kept here, and sent again.`;
      setTimeout(() => this.sendAll(), RETRY_MS);
      return true;
    } finally {
      this.showPlaces();
    }
  }

  /** What was left unsent is sent, if it is whole. */
  async sendAll() {
    for (const [place, answer] of Object.entries(this.unsent.answers)) {
      if (isWhole(answer) && Number(place) !== this.place) await this.send(Number(place));
    }
  }

  async askToHandIn() {
    await this.sendAll();
    const answer = this.table.asks?.missing() ? null : this.table.asks?.answer();
    if (answer && this.unsent.answers[this.place] && !(await this.send(this.place))) return;
    const open = this.exam.asked - this.exam.answered.length;
    byId("ask-words").textContent = open ? `${countOf(open, "exercise")} without an answer count as wrong.`
      : "Every exercise has an answer.";
    dialog.showModal();
  }

  async handIn() {
    dialog.close();
    try {
      const exam = await api("POST", `${PATH}/hand-in`, {}, { quiet: true });
      clearInterval(this.ticking);
      await showExam(exam);
    } catch (refused) {
      if (codeOf(refused) === "exam-over") await this.over();
      else showProblem(refused, el("button", { type: "button", onclick: () => this.handIn() }, "Hand in"));
    }
  }
}

const dialog = byId("ask", HTMLDialogElement);

/** @param {string} words */
function told(words) {
  byId("problem").replaceChildren(el("p", {}, words));
  byId("problem").hidden = false;
}

/** @param {unknown} refused @param {HTMLElement} way */
function showProblem(refused, way) {
  byId("problem").replaceChildren(el("p", {}, messageOf(refused)), el("p", { class: "small" }, "Nothing is lost."), way);
  byId("problem").hidden = false;
}

/** An exercise after the end, explained when it is opened. @param {number} place @param {HTMLDetailsElement} details */
async function explain(place, details) {
  if (details.querySelector(".explained-exercise")) return;
  try {
    /** @type {ExamExplained} */
    const asked = await api("GET", `${PATH}/explained/${place}`);
    details.append(el("div", { class: "explained-exercise" }, el("h3", {}, asked.question), sceneOf(asked.scene, asked.table),
      partsTable(asked), whySteps(asked, asked.edition)));
  } catch {
    // said
  }
}

/** @param {Exam} exam @param {Map<string, string>} kinds */
function showResult(exam, kinds) {
  const { result } = exam;
  if (!result) return;
  byId("sitting").hidden = true;
  byId("clock-part").hidden = true;
  byId("problem").hidden = true;
  new Unsent().forget();
  const title = el("h2", { tabindex: -1 }, passedMark(result));
  const words = `${result.right} of ${result.asked} right: ${result.percent} %, and ${result.pass_percent} % pass. `
    + `${clockWords(result.seconds)} of ${exam.minutes}:00 minutes.`;
  const rows = result.exercises.map(({ place, kind, is_answered: isAnswered, is_right: isRight, seconds }) => {
    const details = el("details", { class: "exam-exercise" });
    details.append(el("summary", {}, rightMark(isRight), ` ${place}. ${kinds.get(kind) ?? kind}`,
      el("span", { class: "small" }, isAnswered ? ` ${seconds?.toFixed(1)} s` : " not answered")));
    details.addEventListener("toggle", () => details.open && explain(place, details));
    return el("li", {}, details);
  });
  const clauses = Object.entries(result.clauses).map(([id, { right, asked }]) =>
    el("tr", {}, el("th", { scope: "row" }, clauseMark(id, undefined, "")), el("td", {}, `${right} of ${asked}`),
      el("td", {}, right === asked ? rightMark(true) : "")));
  const course = el("a", { class: "button quiet", href: `/train/course/${exam.course}` }, "The course");
  byId("result").replaceChildren(
    el("section", { class: "panel course-result", "aria-label": "Result" }, title, el("p", {}, words),
      el("div", { class: "tools" }, certificateLink(exam), course)),
    el("h2", {}, "Exercise by exercise"), el("ol", { class: "exam-exercises" }, rows),
    el("h2", {}, "Clause by clause"), el("div", scrollRegion("Clause by clause", "panel"),
      el("table", {}, el("thead", {}, el("tr", {}, ["Clause", "Right", ""].map((name) => (name
        ? el("th", { scope: "col" }, name) : el("td"))))), el("tbody", {}, clauses))));
  title.focus();
}

/** @param {Exam} exam */
async function showExam(exam) {
  byId("name").textContent = exam.name;
  byId("told").textContent = `${exam.person} · ${countOf(exam.asked, "exercise")}, ${exam.pass_percent} % pass`;
  /** @type {School} */
  const school = await api("GET", "/api/v1/train");
  if (exam.result) showResult(exam, new Map(school.kinds.map(({ name, title }) => [name, title])));
  else if (exam.person !== byId("exam").dataset.person) told(`${exam.person} sits this examination; its result is shown here.`);
  else new ExamRun(exam, school).begin();
}

try {
  await showExam(await api("GET", PATH, undefined, { quiet: true }));
} catch (refused) {
  told(messageOf(refused));
}
