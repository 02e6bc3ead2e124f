// What is told of an examination in a list and in its result.
import { el } from "../shared/dom.js";

/** @import { Exam, ExamResult } from "./types" */

/** @param {number} seconds */
export const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** @param {ExamResult} result */
export const passedMark = ({ passed }) =>
  el("span", { class: passed ? "mark good" : "mark bad" }, passed ? "✓ Passed" : "✗ Not passed");

/** The way to a certificate, if one can be had. @param {Exam} exam */
export const certificateLink = ({ exam, result }) =>
  result?.passed ? el("a", { class: "button quiet", href: `/api/v1/train/exams/${exam}/certificate.pdf`, download: true },
    "Certificate (PDF)") : null;

/** An examination in a list. @param {Exam} exam @param {boolean} withPerson */
export function examRow(exam, withPerson) {
  const { result } = exam;
  const begun = new Date(exam.begun).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
  const came = result ? [passedMark(result), ` ${result.right} of ${result.asked} right (${result.percent} %)`]
    : `under way: ${exam.answered.length} of ${exam.asked} answered`;
  return el("li", { class: "exam-row" }, withPerson ? el("b", {}, `${exam.person} `) : null,
    el("a", { href: `/train/exam/${exam.exam}` }, exam.name), el("span", { class: "small" }, ` ${begun} `), came,
    certificateLink(exam));
}
