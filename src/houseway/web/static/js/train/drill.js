// The drill: exercises of an edition one after the other, its skill map, and rounds against the clock.
import { api, byId, codeOf, countOf, el, findById, messageOf } from "../shared/dom.js";
import { nameAmong } from "../shared/edition.js";
import { keep } from "./keep.js";
import { levelMark } from "./levels.js";
import { Pupil } from "./pupil.js";
import { SkillMap } from "./skills.js";
import { SpeedRound } from "./speed.js";
import { ExerciseTable } from "./table.js";
import { verdictOf } from "./verdict.js";
import { worthsOf } from "./worths.js";

/** @import { Answer, Exercise, Judged, Level, School, Skill, Skills, TrainEdition } from "./types" */

const API = "/api/v1/train";
const VIEWS = ["drill", "map", "speed"];
const WAITING_MS = 500;

class Drill {
  /**
   * @param {School} school
   * @param {TrainEdition} edition
   * @param {URLSearchParams} address
   */
  constructor(school, edition, address) {
    this.edition = edition;
    this.pupil = new Pupil(school.kept);
    this.kinds = school.kinds;
    this.address = address;
    /** The topic that is trained alone, if one is. @type {{kind: string, topic: string} | null} */
    this.only = null;
    /** @type {Exercise | null} */
    this.exercise = null;
    this.isAgain = false;
    this.turn = 0;
    this.answers = 0;
    this.seconds = 0;
    this.view = "drill";
    this.table = new ExerciseTable(() => (this.speed.isOn ? this.speed.answered() : this.answer()));
    this.map = new SkillMap(edition.id, this.kinds, (skill, number) => this.train(skill, number));
    this.speed = new SpeedRound(this);
  }

  /** What every question to the house has. */
  asked() {
    const chosen = [...byId("settings").querySelectorAll("select")].map((one) => [one.name, one.value]);
    const usual = new Map(this.edition.settings.map(({ name, approved }) => [name, String(approved[0])]));
    return {
      edition: this.edition.id,
      settings: Object.fromEntries(chosen.filter(([name, value]) => usual.get(name) !== value)),
    };
  }

  /** Progress is sent along where this browser keeps it. */
  sent() {
    return this.pupil.sent(this.edition.id);
  }

  chosenKinds() {
    const boxes = [...byId("kinds").querySelectorAll("input")];
    const chosen = boxes.filter((box) => box.checked);
    return (chosen.length ? chosen : boxes).map((box) => box.value);
  }

  begin() {
    this.showSettings();
    this.showKinds();
    if (matchMedia("(max-width: 900px)").matches) byId("setup", HTMLDetailsElement).open = false;
    byId("setup").addEventListener("change", (event) => this.changed(/** @type {HTMLElement} */ (event.target)));
    byId("next").addEventListener("click", () => this.next());
    byId("again").addEventListener("click", () => this.again());
    byId("all-topics").addEventListener("click", () => {
      this.only = null;
      this.next();
    });
    for (const link of document.querySelectorAll("[data-view]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.open(/** @type {HTMLElement} */ (link).dataset.view ?? "drill");
      });
    }
    document.addEventListener("keydown", (event) => this.pressed(event));
    if (this.pupil.isKept) showRounds();
    this.begun();
  }

  /** As the address says. */
  async begun() {
    await this.pupil.bring(this.edition.id);
    const { kind, topic, number, view, only } = Object.fromEntries(this.address);
    if (kind && topic && (only || !number)) this.only = { kind, topic };
    if (view && VIEWS.includes(view) && view !== "drill") this.open(view);
    else if (kind && number) await this.askFor(kind, Number(number), topic ?? "");
    else await this.next();
  }

  showSettings() {
    const fields = this.edition.settings.map(({ name, about, approved }) => {
      const id = `setting-${name}`;
      const wanted = this.address.get(name);
      const options = approved.map((value) => el("option", { selected: String(value) === wanted }, String(value)));
      return el("div", { class: "field" }, el("label", { for: id }, about), el("select", { id, name }, options));
    });
    byId("settings").replaceChildren(...fields);
    const part = byId("settings-part", HTMLDetailsElement);
    part.hidden = !fields.length;
    part.open = this.edition.settings.some(({ name }) => this.address.has(name));
  }

  /** The kinds that whoever learns may choose. */
  showKinds() {
    const players = this.kinds.some((kind) => kind.for_players);
    const wanted = this.address.get("kinds")?.split(",") ?? [];
    const isPlayer = this.address.get("who") === "player"
      || this.kinds.some((kind) => kind.for_players && kind.name === this.address.get("kind"));
    byId("who").hidden = !players;
    const box = findById(isPlayer && players ? "who-player" : "who-dealer");
    if (box instanceof HTMLInputElement) box.checked = true;
    this.listKinds(wanted);
  }

  /** @param {string[]} wanted none: all */
  listKinds(wanted) {
    const isPlayer = byId("who-player", HTMLInputElement).checked;
    const own = this.kinds.filter((kind) => kind.for_players === isPlayer);
    byId("kinds").replaceChildren(...own.map((kind) => {
      const checked = !wanted.length || wanted.includes(kind.name);
      const box = el("input", { type: "checkbox", value: kind.name, checked });
      return el("label", { class: "check", title: kind.about }, box, kind.title);
    }));
  }

  /** Something was chosen. @param {HTMLElement} field */
  changed(field) {
    if (field instanceof HTMLSelectElement && field.id === "edition") {
      location.assign(`/train/${encodeURIComponent(field.value)}`);
      return;
    }
    if (field.id.startsWith("who-")) this.listKinds([]);
    this.only = null;
    this.speed.end();
    if (this.view === "map") this.showMap();
    else if (this.view === "drill") this.next();
  }

  /** @param {string} view */
  open(view) {
    this.view = view;
    this.speed.end();
    for (const link of document.querySelectorAll("[data-view]")) {
      if (/** @type {HTMLElement} */ (link).dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    byId("map-view").hidden = view !== "map";
    byId("speed-view").hidden = view !== "speed";
    byId("table-view").hidden = view !== "drill";
    if (view === "drill") this.next();
    else {
      this.note({ view });
      if (view === "map") this.showMap();
    }
  }

  /** The address tells what is shown, so that a link shows it again. @param {Record<string, string>} shown */
  note(shown) {
    const isPlayer = byId("who-player", HTMLInputElement).checked;
    const boxes = [...byId("kinds").querySelectorAll("input")];
    const some = boxes.some((box) => !box.checked) ? { kinds: this.chosenKinds().join(",") } : {};
    const about = { ...(isPlayer ? { who: "player" } : {}), ...some, ...this.asked().settings, ...shown };
    const query = new URLSearchParams(about).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
  }

  /**
   * Ask the house; meanwhile it is said that it takes a moment.
   * @param {string} path
   * @param {object} body
   */
  async ask(path, body) {
    const waiting = setTimeout(() => {
      byId("waiting").hidden = false;
    }, WAITING_MS);
    try {
      return await api("POST", `${API}/${path}`, { ...this.asked(), ...body }, { quiet: true });
    } catch (refused) {
      this.refused(refused);
      throw refused;
    } finally {
      clearTimeout(waiting);
      byId("waiting").hidden = true;
    }
  }

  /** Why there is no exercise, and what can be done. @param {unknown} refused */
  refused(refused) {
    const anew = el("button", { type: "button", onclick: () => this.forget() }, "Begin anew");
    const retry = el("button", { type: "button", class: "quiet", onclick: () => this.next() }, "Ask for another");
    byId("problem").replaceChildren(el("p", {}, messageOf(refused)), codeOf(refused) === "bad-progress" ? anew : retry);
    byId("problem").hidden = false;
  }

  forget() {
    keep(this.edition.id, null);
    this.next();
  }

  async showMap() {
    try {
      /** @type {Skills} */
      const told = await this.ask("skills", { kinds: this.chosenKinds(), ...this.sent() });
      const has = new Set(told.skills.map(({ kind }) => kind));
      if (told.skills.length) this.close(this.chosenKinds().filter((kind) => !has.has(kind)));
      byId("problem").hidden = true;
      this.map.put(told);
    } catch {
      // said
    }
  }

  /** @param {Skill} skill @param {number | null} number */
  train(skill, number) {
    this.only = { kind: skill.kind, topic: skill.topic };
    this.address = new URLSearchParams();
    this.view = "drill";
    this.open("drill");
    if (number !== null) this.askFor(skill.kind, number, skill.topic);
  }

  /** The next exercise. @returns {Promise<boolean>} whether there is one */
  async next() {
    const turn = ++this.turn;
    const body = { kinds: this.chosenKinds(), ...this.sent(), ...(this.only ?? {}) };
    try {
      const { exercise, why, level, empty_kinds: empty } = await this.ask("next", body);
      if (turn !== this.turn) return false;
      this.close(empty);
      this.show(exercise, why, level);
      return true;
    } catch {
      return false;
    }
  }

  /** Kinds that the edition has no exercises of are not offered. @param {string[]} kinds */
  close(kinds) {
    for (const box of byId("kinds").querySelectorAll("input")) if (kinds.includes(box.value)) box.parentElement?.remove();
  }

  /** One exercise by its number. @param {string} kind @param {number} number @param {string} topic */
  async askFor(kind, number, topic) {
    const turn = ++this.turn;
    try {
      const exercise = await this.ask("exercise", { kind, number, topic });
      if (turn === this.turn) this.show(exercise, "the case of this address", null);
    } catch {
      // said
    }
  }

  /**
   * @param {Exercise} exercise
   * @param {string} why
   * @param {Level | null} level
   */
  show(exercise, why, level) {
    const isFirst = !this.table.exercise;
    this.isAgain = false;
    byId("problem").hidden = true;
    byId("table-view").hidden = false;
    byId("judged").replaceChildren();
    byId("after").hidden = true;
    byId("all-topics").hidden = !this.only;
    const kind = this.kinds.find(({ name }) => name === exercise.kind);
    byId("kind").replaceChildren(kind?.title ?? exercise.kind);
    byId("why-now").replaceChildren(...(level ? [levelMark(level), ` · ${why}`] : [why]));
    this.exercise = exercise;
    this.table.show(exercise, this.edition);
    const { kind: named, topic, number } = exercise;
    if (!this.speed.isOn) this.note({ kind: named, topic, number: String(number), ...(this.only ? { only: "yes" } : {}) });
    if (!isFirst) this.table.asks?.focus();
  }

  async answer() {
    const { exercise } = this;
    const answer = this.table.whole();
    if (!exercise || !answer) return;
    const seconds = Math.min(this.table.watch.stop(), 3600);
    const judged = await this.judge(exercise, answer, seconds);
    if (!judged) {
      this.table.watch.start();
      return;
    }
    this.table.close();
    byId("judged").replaceChildren(verdictOf(judged, {
      edition: this.edition.id, about: exercise.topic_words, seconds, isAgain: this.isAgain }));
    byId("after").hidden = false;
    byId("verdict-title").focus();
    this.tally(judged, seconds);
    if (!this.kinds.find(({ name }) => name === exercise.kind)?.for_players) return;
    const worths = await worthsOf(this.edition.id, this.asked().settings, exercise.scene);
    if (worths && this.exercise === exercise) byId("judged").append(worths);
  }

  /**
   * What the house says of an answer; nothing if it is refused.
   * @param {Exercise} exercise
   * @param {Answer} answer
   * @param {number} seconds
   */
  judge(exercise, answer, seconds) {
    return this.pupil.judge(this.asked(), exercise, { answer, seconds, again: this.isAgain });
  }

  /** @param {Judged} judged @param {number} seconds */
  tally(judged, seconds) {
    if (this.isAgain) return;
    this.answers += 1;
    this.seconds += seconds;
    byId("tally").replaceChildren(
      el("span", {}, countOf(this.answers, "answer"), " now"),
      el("span", {}, `${(this.seconds / this.answers).toFixed(1)} s each`),
      el("span", {}, judged.streak ? `${judged.streak} in a row right` : "the row begins anew"));
  }

  again() {
    this.isAgain = true;
    byId("judged").replaceChildren();
    byId("after").hidden = true;
    this.table.open();
    this.table.asks?.focus();
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

/** Rounds of one's own that had to be put right come first. */
async function showRounds() {
  const rounds = await api("GET", `${API}/rounds`, undefined, { quiet: true }).catch(() => []);
  byId("rounds").hidden = !rounds.length;
  if (!rounds.length) return;
  byId("rounds").replaceChildren(`${countOf(rounds.length, "round")} that you dealt had to be put right: `,
    el("a", { href: `/train/round/${rounds[0].seq}` }, "begin with that"), ".");
}

const { edition: id } = byId("drill").dataset;
/** @type {School} */
const school = await api("GET", API);
const edition = school.editions.find((one) => one.id === id);
if (edition) {
  const editions = school.editions.map((one) =>
    el("option", { value: one.id, selected: one === edition }, nameAmong(one, school.editions)));
  byId("edition").replaceChildren(...editions);
  new Drill(school, edition, new URLSearchParams(location.search)).begin();
}
