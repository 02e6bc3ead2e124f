// The skill map: every skill by its clause, with its level; a click trains it.
import { byId, countOf, el } from "../shared/dom.js";
import { LEVELS, levelBar, levelMark } from "./levels.js";
import { clauseMark, dueWords } from "./verdict.js";

/** @import { Skill, Skills, TrainKind } from "./types" */

/** @param {Skill} skill */
function figuresOf({ asked, right, seconds, due, is_due: isDue, is_brought: isBrought }) {
  if (!asked) return "not asked yet";
  const when = isDue ? "due now" : due ? `back ${dueWords(due)}` : "";
  const each = seconds === null ? "" : `${seconds.toFixed(1)} s`;
  return [`${right} of ${asked} right`, each, when, isBrought ? "brought from a browser" : ""].filter(Boolean).join(" · ");
}

export class SkillMap {
  /**
   * @param {string} edition
   * @param {TrainKind[]} kinds
   * @param {(skill: Skill, number: number | null) => void} train
   */
  constructor(edition, kinds, train) {
    this.edition = edition;
    this.kinds = kinds;
    this.train = train;
    /** @type {Skills} */
    this.told = { skills: [], clauses: {}, answers: 0, streak: 0 };
    for (const id of ["map-filter", "map-level", "map-due"]) byId(id).addEventListener("input", () => this.show());
    byId("map-level").append(...LEVELS.map((level) => el("option", { value: level }, level)));
  }

  /** @param {Skills} told */
  put(told) {
    this.told = told;
    this.show();
  }

  wanted() {
    const text = byId("map-filter", HTMLInputElement).value.trim().toLowerCase();
    const level = byId("map-level", HTMLSelectElement).value;
    const due = byId("map-due", HTMLInputElement).checked;
    return this.told.skills.filter((skill) =>
      (!text || `${skill.words} ${skill.clause} ${skill.topic}`.toLowerCase().includes(text))
      && (!level || skill.level === level) && (!due || skill.is_due));
  }

  show() {
    const { skills } = this.told;
    byId("map-levels").replaceChildren(levelBar(skills.map(({ level }) => level)));
    const wanted = this.wanted();
    byId("map-count").textContent = `${countOf(wanted.length, "skill")} of ${skills.length}`;
    const groups = this.kinds.map((kind) => ({ kind, own: wanted.filter((skill) => skill.kind === kind.name) }));
    const shown = groups.filter(({ own }) => own.length).map(({ kind, own }) => this.group(kind, own));
    byId("map").replaceChildren(...(shown.length ? shown : [el("p", { class: "empty" }, "No skill is like that.")]));
  }

  /** @param {TrainKind} kind @param {Skill[]} own */
  group(kind, own) {
    const clauses = [...new Set(own.map(({ clause }) => clause))];
    const parts = clauses.map((clause) => {
      const tiles = own.filter((skill) => skill.clause === clause).map((skill) => this.tile(skill));
      const other = el("span", { class: "small" }, "other");
      const name = clause ? clauseMark(clause, this.told.clauses[clause], this.edition) : other;
      return el("div", { class: "map-clause" }, el("div", {}, name), el("ul", { class: "map-tiles" }, tiles));
    });
    return el("section", { class: "map-kind", "aria-label": kind.title }, el("h3", {}, kind.title), parts);
  }

  /** @param {Skill} skill */
  tile(skill) {
    const missed = skill.missed;
    const open = el("button", { type: "button", class: `tile level-${skill.level}`, onclick: () => this.train(skill, null) },
      el("span", { class: "tile-words" }, skill.words), levelMark(skill.level), el("small", {}, figuresOf(skill)));
    const last = { type: "button", class: "quiet missed-case", onclick: () => this.train(skill, missed) };
    const again = missed === null ? null : el("button", last, "The case last missed");
    return el("li", {}, open, again);
  }
}
