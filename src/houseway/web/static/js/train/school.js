// The school: which editions can be learned, how far somebody is, courses and examinations.
import { api, byId, countOf, el, inWords } from "../shared/dom.js";
import { nameAmong } from "../shared/edition.js";
import { sees } from "../shared/who.js";
import { examRow } from "./exams.js";
import { kept } from "./keep.js";

/** @import { CourseListed, Exam, School, TrainEdition } from "./types" */

/** @param {CourseListed} course @param {string} name */
const courseLink = ({ id }, name) => el("a", { href: `/train/course/${encodeURIComponent(id)}` }, name);

/**
 * @param {TrainEdition} edition
 * @param {School} school
 * @param {CourseListed[]} courses
 */
function card(edition, { kept: isKept, editions }, courses) {
  const name = nameAmong(edition, editions);
  const path = `/train/${encodeURIComponent(edition.id)}`;
  const progress = isKept ? null : kept(edition.id);
  const told = progress ? `${countOf(progress.answers, "answer")} so far, ${progress.streak} in a row right` : "";
  const link = (/** @type {string} */ words, /** @type {string} */ query, /** @type {string} */ kind) =>
    el("a", { class: kind, href: path + query, "aria-label": `${words}: ${name}` }, words);
  const own = courses.filter((course) => !course.own && course.edition === edition.id);
  return el("article", { class: `panel school-card cloth-${edition.cloth}` },
    el("h3", {}, el("a", { href: path }, name)),
    el("p", { class: "small" }, edition.game, told ? ` · ${told}` : ""),
    el("div", { class: "tools" }, link("Drill", "", "button"), link("Skill map", "?view=map", "button quiet"),
      link("Speed round", "?view=speed", "button quiet"),
      el("a", { class: "button quiet", href: `/train/table/${encodeURIComponent(edition.id)}`,
        "aria-label": `Full table: ${name}` }, "Full table")),
    el("h4", {}, "Courses and examinations"),
    el("ul", { class: "courses", "aria-label": `Courses of ${name}` },
      own.map((course) => el("li", {}, courseLink(course, course.name)))));
}

/** One's own examinations, where the house keeps any. */
async function showExams() {
  /** @type {Exam[]} */
  const exams = await api("GET", "/api/v1/train/exams", undefined, { quiet: true }).catch(() => []);
  const { person } = document.body.dataset;
  const mine = exams.filter((exam) => !person || exam.person === person);
  const rows = mine.slice(0, 20).map((exam) => examRow(exam, false));
  byId("exams").replaceChildren(rows.length ? el("ul", { class: "exam-list" }, rows)
    : el("p", { class: "empty" }, "None yet: a course has one, with a clock and a certificate."));
}

/** Rounds of one's own that had to be put right. */
async function showRounds() {
  const rounds = await api("GET", "/api/v1/train/rounds", undefined, { quiet: true }).catch(() => []);
  byId("rounds-part").hidden = !rounds.length;
  byId("rounds").replaceChildren(...rounds.map((/** @type {any} */ { seq, table, day, how, reason }) => el("li", {},
    el("a", { href: `/train/round/${seq}` }, `${table}, ${day}`),
    el("span", { class: "small" }, ` ${inWords(how)}: ${reason}`))));
}

/** @type {[School, CourseListed[]]} */
const [school, courses] = await Promise.all([api("GET", "/api/v1/train"), api("GET", "/api/v1/train/courses")]);
byId("editions").replaceChildren(...school.editions.map((edition) => card(edition, school, courses)));
byId("editions").setAttribute("aria-busy", "false");
byId("keeps").textContent = school.kept ? "The house keeps what you have learned, for you."
  : "What you learn is kept in this browser, and nowhere else. Examinations need an account.";
const own = courses.filter((course) => course.own);
byId("own-part").hidden = !own.length;
byId("own").replaceChildren(...own.map((course) => el("li", {}, courseLink(course, course.name))));
byId("exams-part").hidden = !school.kept;
byId("results-link").hidden = !sees("training");
byId("verify-link").hidden = !sees("floor");
byId("house-part").hidden = !sees("training") && !sees("floor");
if (school.kept) await Promise.all([showExams(), showRounds()]);
