// The results of all, for supervisors; examinations begun for somebody, and the house's own courses.
import { api, byId, countOf, el, toast } from "../shared/dom.js";
import { examRow } from "./exams.js";

/** @import { CourseListed, Exam, School } from "./types" */

const API = "/api/v1/train";
/** @type {Exam[]} */
let exams = [];

function show() {
  const person = byId("of", HTMLSelectElement).value;
  const shown = exams.filter((exam) => !person || exam.person === person);
  const over = shown.flatMap(({ result }) => (result ? [result] : []));
  const passed = over.filter((result) => result.passed).length;
  byId("summary").textContent = `${countOf(shown.length, "examination")}, ${passed} passed of ${over.length} that are over`;
  const people = [...new Set(shown.map((exam) => exam.person))].sort();
  const parts = people.map((name) => el("section", { class: "panel person-results", "aria-label": name }, el("h2", {}, name),
    el("ul", { class: "exam-list" }, shown.filter((exam) => exam.person === name).map((exam) => examRow(exam, false)))));
  byId("results").replaceChildren(...(parts.length ? parts : [el("p", { class: "empty" }, "No examination yet.")]));
  byId("results").setAttribute("aria-busy", "false");
}

async function load() {
  exams = await api("GET", `${API}/exams`);
  const chosen = byId("of", HTMLSelectElement).value;
  const people = [...new Set(exams.map((exam) => exam.person))].sort();
  byId("of").replaceChildren(el("option", { value: "" }, "everybody"),
    ...people.map((name) => el("option", { selected: name === chosen }, name)));
  show();
}

async function loadCourses() {
  /** @type {[CourseListed[], School]} */
  const [courses, school] = await Promise.all([api("GET", `${API}/courses`), api("GET", API)]);
  const names = new Map(school.editions.map(({ id, name }) => [id, name]));
  byId("begin-course").replaceChildren(...courses.map(({ id, name, edition, own }) =>
    el("option", { value: id }, own ? name : `${name}: ${names.get(edition) ?? edition}`)));
  byId("own").replaceChildren(...courses.filter(({ own }) => own).map(({ id, name }) => el("li", {},
    el("a", { href: `/train/course/${id}` }, name), " ",
    el("button", { type: "button", class: "quiet small-button", onclick: () => remove(id) }, `Remove ${name}`))));
}

/** @param {string} id */
async function remove(id) {
  await api("DELETE", `${API}/courses/${id}`).catch(() => null);
  await loadCourses();
}

byId("of").addEventListener("change", show);
byId("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const seed = byId("seed", HTMLInputElement).value.trim();
  const body = { person: byId("person", HTMLInputElement).value.trim(), course: byId("begin-course", HTMLSelectElement).value };
  const begun = await api("POST", `${API}/exams`, seed ? { ...body, seed: Number(seed) } : body).catch(() => null);
  if (begun) toast(`Examination ${begun.exam} of ${begun.person} has begun: it is at /train/exam/${begun.exam}.`);
  await load();
});
byId("add").addEventListener("submit", async (event) => {
  event.preventDefault();
  const added = await api("POST", `${API}/courses`, { text: byId("text", HTMLTextAreaElement).value }).catch(() => null);
  if (!added) return;
  toast(`${added.name} is a course of the house now.`);
  await loadCourses();
});
await Promise.all([load(), loadCourses()]);
