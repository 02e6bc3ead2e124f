// The audit, and the journal to read: every entry with its hash and the hash before it.
import { api, el, inWords, present } from "../shared/dom.js";
import { sees } from "../shared/who.js";
import { clock } from "./events.js";

/** @typedef {import("../types").EntryView & {table: string, day: string, payload: unknown}} JournalEntry */

const PAGE = 40;
const ROUND_ENDS = ["settle", "void"];

/** @param {[string, HTMLElement][]} facts */
const factList = (facts) => el("dl", { class: "facts" }, facts.map(([name, value]) => [el("dt", {}, name), value]));

/**
 * @typedef {object} Report
 * @property {boolean} holds
 * @property {string} words
 * @property {{seq: number, hash: string}} head
 * @property {{seq: number, what: string}[]} flaws
 * @property {number} flaws_found
 * @property {Record<string, number>} left_out by table, how many entries could not be replayed
 * @property {{same_as_now: boolean, words: string}[]} played_under
 * @property {string[]} assumptions
 * @property {string[]} remarks what the audit could not see, and whether it had heads from outside
 */

/** Every flaw, what could not be replayed, and under which digests the rounds were played. @param {Report} report */
function findings(report) {
  const flaws = report.flaws.map((flaw) => el("li", {}, flaw.seq ? `entry ${flaw.seq}: ${flaw.what}` : flaw.what));
  const summary = el("summary", {}, `All ${report.flaws_found} flaws`);
  const list = el("details", { open: true }, summary, el("ol", { id: "audit-flaws" }, flaws));
  const left = Object.entries(report.left_out).map(([table, count]) => {
    return el("p", { class: "bad" }, `${table}: ${count} later entries could not be replayed and are taken as recorded.`);
  });
  const under = report.played_under.map(({ same_as_now: same, words }) => el("li", { class: same ? "" : "bad" }, words));
  const assumed = report.assumptions.map((words) => el("li", {}, words));
  return [
    report.flaws_found > 1 ? list : null,
    left,
    el("ul", { id: "audit-under", class: "small" }, under, assumed),
    el("ul", { id: "audit-remarks", class: "small" }, report.remarks.map((words) => el("li", {}, words))),
  ];
}

/** @param {Report} report */
function reportParts(report) {
  const { holds, words, head } = report;
  const verdict = { id: "audit-words", class: `verdict ${holds ? "good" : "bad"}` };
  const about = "Write the head down outside this house: whoever rewrites the journal cannot reach it again.";
  return present([
    el("p", verdict, `${holds ? "✓" : "✗"} ${words}`),
    findings(report),
    factList([
      ["Head of the chain", el("dd", {}, `entry ${head.seq}`)],
      ["Its hash", el("dd", { class: "mono", id: "audit-head" }, head.hash)],
    ]),
    el("p", { class: "small" }, about),
  ]);
}

function auditBox() {
  const about =
    "Checks every hash, plays every round again by the rulebook, and compares every cent. Nothing is changed.";
  const live = { id: "audit-answer", role: "status", "aria-live": "polite" };
  const answer = el("div", live, el("p", { class: "small" }, about));
  const button = el("button", { type: "button", id: "run-audit" }, "Audit the journal");
  button.addEventListener("click", async () => {
    button.disabled = true;
    answer.replaceChildren(el("p", {}, "Reading the journal from its first entry…"));
    try {
      answer.replaceChildren(...reportParts(await api("POST", "/api/v1/audit")));
    } catch {
      answer.replaceChildren(el("p", { class: "bad" }, "The audit did not run."));
    }
    button.disabled = false;
  });
  return el("div", { class: "panel audit-box" }, button, answer);
}

/** What an entry holds. @param {JournalEntry} entry */
function entryInside(entry) {
  const content = { class: "mono", tabindex: 0, role: "region", "aria-label": `Content of entry ${entry.seq}` };
  const replay = el("p", {}, el("a", { href: `/rounds/${entry.seq}` }, "Replay the round"));
  return el("div", { class: "inside" }, [
    factList([
      ["Hash before it", el("dd", { class: "mono" }, entry.previous)],
      ["Its hash", el("dd", { class: "mono" }, entry.hash)],
      ["Written", el("dd", {}, `${entry.at}, gaming day ${entry.day}`)],
    ]),
    ROUND_ENDS.includes(entry.kind) ? replay : null,
    el("pre", content, JSON.stringify(entry.payload, null, 2)),
  ]);
}

/** @param {JournalEntry} entry */
function entryRow(entry) {
  const shell = /** @type {{shell?: {user: string}}} */ (entry.payload).shell?.user;
  const summary = el("summary", {}, [
    el("span", { class: "number" }, String(entry.seq)),
    el("b", {}, inWords(entry.kind)),
    el("span", {}, entry.table),
    el("span", { class: "small" }, `${entry.actor}, ${entry.role}${shell ? ` (shell: ${shell})` : ""}`),
    el("span", { class: "small" }, clock(entry.at)),
  ]);
  const row = el("details", { class: "entry-row", dataset: { seq: entry.seq } }, summary);
  row.addEventListener("toggle", () => {
    if (row.open && row.children.length === 1) row.append(entryInside(entry));
  });
  return row;
}

/** The journal, a page at a time. */
class Journal {
  constructor() {
    this.head = 0;
    /** The entry before the first that is shown. */
    this.before = 0;
    this.list = el("div", { id: "journal", class: "journal" });
    this.where = el("span", { class: "small", id: "journal-where" });
    this.older = this.button("older", "← Older", () => this.show(this.before - PAGE));
    this.newer = this.button("newer", "Newer →", () => this.show(this.before + PAGE));
    const newest = this.button("newest", "Newest", () => this.showNewest());
    const tools = el("div", { class: "row no-print" }, this.older, this.newer, newest, this.jumpForm(), this.where);
    const title = el("h2", { id: "journal-title" }, "Journal");
    this.element = el("section", { class: "journal-box", "aria-labelledby": "journal-title" }, title, tools, this.list);
  }

  /** @param {string} id @param {string} words @param {() => void} onclick */
  button(id, words, onclick) {
    return el("button", { type: "button", class: "quiet", id, onclick }, words);
  }

  jumpForm() {
    const number = el("input", { id: "journal-number", type: "number", min: 1, class: "short" });
    const label = el("div", {}, el("label", { for: "journal-number" }, "Entry number"), number);
    const form = el("form", { class: "row jump" }, label, el("button", { class: "quiet" }, "Go"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (Number(number.value)) this.jumpTo(Number(number.value));
    });
    return form;
  }

  /** @param {number} seq */
  async jumpTo(seq) {
    await this.show(seq - PAGE / 2);
    /** @type {HTMLDetailsElement | null} */
    const row = this.list.querySelector(`[data-seq="${seq}"]`);
    if (row) row.open = true;
    row?.scrollIntoView({ block: "center" });
  }

  /** @param {number} after */
  async show(after) {
    this.before = Math.max(0, after);
    /** @type {{entries: JournalEntry[], head: number}} */
    const { entries, head } = await api("GET", `/api/v1/journal?after=${this.before}&limit=${PAGE}`);
    this.head = head;
    const last = entries.at(-1)?.seq ?? this.before;
    this.list.replaceChildren(...entries.reverse().map(entryRow));
    const shown = `entries ${this.before + 1} to ${last} of ${head}, newest first`;
    this.where.textContent = entries.length ? shown : `no entry after ${this.before}; the newest is ${head}`;
    this.older.disabled = this.before === 0;
    this.newer.disabled = last >= head;
  }

  async showNewest() {
    if (!this.head) this.head = (await api("GET", "/api/v1/journal?after=0&limit=1")).head;
    await this.show(this.head - PAGE);
    if (this.head > this.before + PAGE) await this.show(this.head - PAGE);
  }
}

/** Fill the section; returns what brings the journal up to date. @param {HTMLElement} place */
export function showAudit(place) {
  if (!sees("journal")) {
    const words = "Auditors, supervisors and administrators verify the chain and read the journal here.";
    place.replaceChildren(el("p", { class: "empty" }, words));
    return async () => {};
  }
  const journal = new Journal();
  place.replaceChildren(auditBox(), journal.element);
  return () => journal.showNewest();
}
