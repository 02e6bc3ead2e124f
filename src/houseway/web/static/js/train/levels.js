// How well a skill is known, told by a mark, a word and a colour.
import { el } from "../shared/dom.js";

/** @import { Level } from "./types" */

/** @type {Level[]} */
export const LEVELS = ["new", "begun", "known", "sure"];
/** @type {Record<Level, string>} */
const MARKS = { new: "○", begun: "◔", known: "◑", sure: "●" };

/** @param {Level} level */
export const levelMark = (level) =>
  el("span", { class: `level level-${level}` }, el("span", { "aria-hidden": "true" }, MARKS[level]), ` ${level}`);

/** @param {Level[]} levels of all skills */
export function levelBar(levels) {
  const counts = LEVELS.map((level) => levels.filter((one) => one === level).length);
  const parts = LEVELS.map((level, place) =>
    counts[place] ? el("span", { class: `bar-part level-${level}`, style: { "--share": counts[place] } }) : null);
  const words = LEVELS.map((level, place) => el("li", {}, levelMark(level), ` ${counts[place]}`));
  const bar = el("div", { class: "level-bar", "aria-hidden": "true" }, parts);
  return el("div", { class: "levels" }, bar, el("ul", { "aria-label": "Levels" }, words));
}
