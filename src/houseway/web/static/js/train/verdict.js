// What is said of an answer: what was right, why, step by step with its clauses, and what is known now.
import { el, scrollRegion } from "../shared/dom.js";
import { levelMark } from "./levels.js";

/** @import { Judged } from "./types" */

let tips = 0;

/**
 * A clause: its text shows when it is pointed at or focused, and is what a screen reader says after its name.
 * @param {string} id
 * @param {string | undefined} text
 * @param {string} edition
 */
export function clauseMark(id, text, edition) {
  if (!text) return el("span", { class: "clause mono" }, id);
  const tip = `clause-${++tips}`;
  const link = { class: "clause mono", href: `/editions/${edition}#${id}`, "aria-describedby": tip };
  const told = el("span", { class: "clause-text", role: "tooltip", id: tip }, text);
  return el("span", { class: "clause-place" }, el("a", link, id), told);
}

/** @param {boolean} isRight */
export const rightMark = (isRight) =>
  el("span", { class: isRight ? "mark good" : "mark bad" }, el("span", { "aria-hidden": "true" }, isRight ? "✓ " : "✗ "),
    isRight ? "Right" : "Wrong");

/** An answer; an order one below the other. @param {string} words */
function saidOf(words) {
  const items = words.split(", then ");
  return items.length < 2 ? words : el("ol", { class: "said-order" }, items.map((item) => el("li", {}, item)));
}

/** What was said, part by part. @param {Pick<Judged, "parts">} judged */
export function partsTable({ parts }) {
  const rows = parts.map((part) =>
    el("tr", { class: part.is_right ? "" : "missed" }, el("th", { scope: "row" }, part.label), el("td", {}, saidOf(part.given)),
      el("td", {}, part.is_right ? "" : el("b", {}, saidOf(part.right))), el("td", {}, rightMark(part.is_right))));
  const head = ["", "You said", "Right is", ""].map((words) => (words ? el("th", { scope: "col" }, words) : el("td")));
  return el("div", scrollRegion("Your answer", "parts"),
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

/**
 * The explanation, step by step.
 * @param {Pick<Judged, "why" | "clauses">} judged
 * @param {string} edition
 */
export function whySteps({ why, clauses }, edition) {
  const steps = why.map(({ words, clause }) =>
    el("li", {}, words, clause ? [" ", clauseMark(clause, clauses[clause], edition)] : null));
  return el("ol", { class: "why" }, steps);
}

/** When something comes back, in words. @param {string} due @param {number} [now] */
export function dueWords(due, now = Date.now()) {
  const minutes = Math.round((Date.parse(due) - now) / 60_000);
  if (minutes <= 0) return "now";
  if (minutes < 60) return `in ${minutes} min`;
  return minutes < 48 * 60 ? `in ${Math.round(minutes / 60)} h` : `in ${Math.round(minutes / 1440)} days`;
}

/**
 * @param {Judged} judged
 * @param {{edition: string, about: string, seconds: number, isAgain: boolean}} asked `about`: the topic, which told the answer
 */
export function verdictOf(judged, { edition, about, seconds, isAgain }) {
  const { is_right: isRight, level, was, due } = judged;
  const title = el("h3", { tabindex: -1, id: "verdict-title" }, rightMark(isRight));
  const came = due ? ` · comes back ${dueWords(due)}` : "";
  const learned = isAgain ? "Tried again: it does not count." : [levelMark(level), level === was ? "" : ` (was ${was})`, came];
  return el("div", { class: isRight ? "verdict is-right" : "verdict is-wrong" },
    title,
    el("p", { class: "about" }, about),
    el("p", { class: "small learned" }, `${seconds.toFixed(1)} s · `, learned),
    partsTable(judged),
    el("details", { class: "explained", open: !isRight }, el("summary", {}, "Why, step by step"), whySteps(judged, edition)));
}
