// The audit, and the journal to read: every entry with its hash and the hash before it.
import { api, el } from "./dom.js";
import { clock } from "./floor-events.js";
import { JOURNAL } from "./floor-may.js";

const PAGE = 40;
const ROUND_ENDS = ["settle", "void"];

/** Every flaw, what could not be replayed, and under which digests the rounds were played. */
function findings(said) {
  const flaws = el("ol", { id: "audit-flaws" }, said.flaws.map((flaw) => el("li", {}, `entry ${flaw.seq}: ${flaw.what}`)));
  const left = ([table, count]) => el("p", { class: "bad" }, `${table}: ${count} later entries could not be replayed and are taken as recorded.`);
  const under = said.played_under.map(({ same_as_now: same, words }) => el("li", { class: same ? "" : "bad" }, words));
  return [
    said.flaws_found > 1 ? el("details", { open: true }, el("summary", {}, `All ${said.flaws_found} flaws`), flaws) : null,
    ...Object.entries(said.left_out).map(left),
    el("ul", { id: "audit-under", class: "small" }, under, said.assumptions.map((words) => el("li", {}, words))),
  ].filter(Boolean);
}

function auditBox() {
  const answer = el("div", { id: "audit-answer", role: "status", "aria-live": "polite" }, el("p", { class: "small" }, "Checks every hash, plays every round again by the rulebook, and compares every cent. Nothing is changed."));
  const button = el("button", { type: "button", id: "run-audit" }, "Audit the journal");
  button.addEventListener("click", async () => {
    button.disabled = true;
    answer.replaceChildren(el("p", {}, "Reading the journal from its first entry…"));
    try {
      const said = await api("POST", "/api/v1/audit");
      answer.replaceChildren(
        el("p", { id: "audit-words", class: `verdict ${said.holds ? "good" : "bad"}` }, `${said.holds ? "✓" : "✗"} ${said.words}`),
        ...findings(said),
        el("dl", { class: "facts" }, el("dt", {}, "Head of the chain"), el("dd", {}, `entry ${said.head.seq}`), el("dt", {}, "Its hash"), el("dd", { class: "mono", id: "audit-head" }, said.head.hash)),
        el("p", { class: "small" }, "Write the head down outside this house: whoever rewrites the journal cannot reach it again."));
    } catch {
      answer.replaceChildren(el("p", { class: "bad" }, "The audit did not run."));
    }
    button.disabled = false;
  });
  return el("div", { class: "panel audit-box" }, button, answer);
}

function entryRow(entry) {
  const open = el("details", { class: "entry-row", dataset: { seq: entry.seq } },
    el("summary", {}, el("span", { class: "number" }, String(entry.seq)), el("b", {}, entry.kind.replaceAll("-", " ")), el("span", {}, entry.table), el("span", { class: "small" }, `${entry.actor}, ${entry.role}`), el("span", { class: "small" }, clock(entry.at))));
  open.addEventListener("toggle", () => {
    if (!open.open || open.children.length > 1) return;
    open.append(el("div", { class: "inside" },
      el("dl", { class: "facts" }, el("dt", {}, "Hash before it"), el("dd", { class: "mono" }, entry.previous), el("dt", {}, "Its hash"), el("dd", { class: "mono" }, entry.hash), el("dt", {}, "Written"), el("dd", {}, `${entry.at}, gaming day ${entry.day}`)),
      ROUND_ENDS.includes(entry.kind) ? el("p", {}, el("a", { href: `/rounds/${entry.seq}` }, "Replay the round")) : null,
      el("pre", { class: "mono", tabindex: 0, "aria-label": `Content of entry ${entry.seq}` }, JSON.stringify(entry.payload, null, 2))));
  });
  return open;
}

function journalBox() {
  const list = el("div", { id: "journal", class: "journal" });
  const where = el("span", { class: "small", id: "journal-where" });
  let head = 0, first = 0;
  const show = async (after) => {
    first = Math.max(0, after);
    const said = await api("GET", `/api/v1/journal?after=${first}&limit=${PAGE}`);
    head = said.head;
    list.replaceChildren(...said.entries.reverse().map(entryRow));
    const last = said.entries.length ? said.entries[0].seq : first;
    where.textContent = said.entries.length ? `entries ${first + 1} to ${last} of ${head}, newest first` : `no entry after ${first}; the newest is ${head}`;
    [older.disabled, newer.disabled] = [first === 0, last >= head];
  };
  const newest = async () => {
    if (!head) ({ head } = await api("GET", "/api/v1/journal?after=0&limit=1"));
    await show(head - PAGE);
    if (head > first + PAGE) await show(head - PAGE);
  };
  const button = (id, words, go) => el("button", { type: "button", class: "quiet", id, onclick: go }, words);
  const older = button("older", "← Older", () => show(first - PAGE)), newer = button("newer", "Newer →", () => show(first + PAGE));
  const number = el("input", { id: "journal-number", type: "number", min: 1, class: "short" });
  const jump = el("form", { class: "row jump" }, el("div", {}, el("label", { for: "journal-number" }, "Entry number"), number), el("button", { class: "quiet" }, "Go"));
  jump.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = Number(number.value);
    if (!wanted) return;
    await show(Math.max(0, wanted - PAGE / 2));
    const found = list.querySelector(`[data-seq="${wanted}"]`);
    if (found) found.open = true;
    found?.scrollIntoView({ block: "center" });
  });
  return { box: el("section", { class: "journal-box", "aria-labelledby": "journal-title" }, el("h2", { id: "journal-title" }, "Journal"), el("div", { class: "row no-print" }, older, newer, button("newest", "Newest", newest), jump, where), list), newest };
}

/** Fill the section; returns what brings the journal up to date. */
export function showAudit(place, you) {
  if (!JOURNAL.includes(you.role)) {
    place.replaceChildren(el("p", { class: "empty" }, "Auditors, supervisors and administrators verify the chain and read the journal here."));
    return async () => {};
  }
  const { box, newest } = journalBox();
  place.replaceChildren(auditBox(), box);
  return newest;
}
