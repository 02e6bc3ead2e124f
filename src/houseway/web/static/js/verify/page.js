// The verify page: every published figure beside the computed one, with the reading that explains it.
import { api, byId, el, findById, messageOf } from "../shared/dom.js";
import { differsLine, nameAmong } from "../shared/edition.js";

/** @import { Finding, Findings, LabEdition, Reading } from "../types" */

/** @typedef {Finding["verdict"]} Verdict */

const page = {
  /** @type {LabEdition[]} */
  editions: [],
  /** The findings by edition, or why there are none. @type {Map<string, Findings | {message: string}>} */
  answers: new Map(),
  chosen: "",
  /** @type {"all" | Verdict} */
  show: "all",
};
/** @type {[typeof page.show, string][]} */
const FILTERS = [["all", "All"], ["explained", "Explained"], ["differs", "Differ"], ["agrees", "Agree"]];
/** @type {[Verdict, string][]} */
const COUNTS = [["agrees", "agree"], ["explained", "explained"], ["differs", "differ"]];
/** @type {Record<string, string>} */
const NOTHING = {
  differs: "No figure differs: each agrees or is explained.",
  explained: "No figure needs an explanation: all agree as they are printed.",
  agrees: "No figure agrees as it is printed.",
};

/** @param {number} n @param {string} one @param {string} more */
const many = (n, one, more = `${one}s`) => `${n.toLocaleString("en-US")} ${n === 1 ? one : more}`;

// ---- the editions ---------------------------------------------------------------------------------------------------

/** @param {string} edition */
function countParts(edition) {
  const answer = page.answers.get(edition);
  if (!answer) return [el("span", { class: "count none" }, "computing…")];
  if ("message" in answer) return [el("span", { class: "count none" }, answer.message)];
  return COUNTS.map(([verdict, word]) => {
    const count = answer[verdict];
    return el("span", { class: `count ${verdict}${count ? "" : " none"}` }, el("b", {}, String(count)), ` ${word}`);
  });
}

/** @param {LabEdition} edition */
function book(edition) {
  const isHere = edition.id === page.chosen;
  const radio = { role: "radio", "aria-checked": String(isHere), tabindex: isHere ? 0 : -1 };
  const does = { onclick: () => choose(edition.id), onkeydown: move };
  return el("button", { type: "button", id: `book-${edition.id}`, class: "book", ...radio, ...does }, [
    el("span", { class: "book-name" }, nameAmong(edition, page.editions)),
    el("span", { class: "small" }, edition.approval),
    differsLine(edition),
    el("span", { class: "counts" }, countParts(edition.id)),
  ]);
}

/** @param {KeyboardEvent} event */
function move(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const place = page.editions.findIndex((edition) => edition.id === page.chosen);
  const next = page.editions[(place + by + page.editions.length) % page.editions.length].id;
  choose(next);
  byId(`book-${next}`).focus();
}

function showBooks() {
  const focused = document.activeElement?.id ?? "";
  byId("books").replaceChildren(...page.editions.map(book));
  if (focused.startsWith("book-")) findById(focused)?.focus();
}

/** @param {string} id */
function choose(id) {
  page.chosen = id;
  page.show = "all";
  history.replaceState(null, "", `/verify?edition=${encodeURIComponent(id)}`);
  showBooks();
  show();
}

// ---- its figures ----------------------------------------------------------------------------------------------------

/** @param {Findings} answer */
function showFilter(answer) {
  const buttons = FILTERS.map(([verdict, word]) => {
    const count = verdict === "all" ? answer.findings.length : answer[verdict];
    const choose = () => {
      page.show = verdict;
      show();
      byId(`show-${verdict}`).focus();
    };
    const radio = { role: "radio", "aria-checked": String(page.show === verdict), onclick: choose };
    const button = { type: "button", class: "segment", id: `show-${verdict}`, ...radio };
    return el("button", button, `${word} `, el("span", { class: "small" }, String(count)));
  });
  byId("filter").replaceChildren(...buttons);
}

function showWaiting() {
  byId("verdict-title").textContent = "Computing every figure…";
  byId("document").textContent = "A few seconds where a hundred million hands are counted.";
  for (const id of ["filter", "readings"]) byId(id).replaceChildren();
  byId("findings").replaceChildren(el("p", { class: "waiting" }, "Computing under every reading…"));
}

function show() {
  const answer = page.answers.get(page.chosen);
  if (!answer) return showWaiting();
  if ("message" in answer) return byId("findings").replaceChildren(el("p", { class: "empty" }, answer.message));
  byId("verdict-title").textContent = summary(answer);
  byId("document").textContent = answer.document;
  const link = { href: `/api/v1/verify/${answer.edition}`, download: `${answer.edition}-verify.json` };
  Object.assign(byId("json", HTMLAnchorElement), link);
  showFilter(answer);
  showReadings(answer);
  const shown = answer.findings.filter((finding) => page.show === "all" || finding.verdict === page.show);
  const nothing = answer.findings.length ? NOTHING[page.show] : "The document prints no figures to compare.";
  return byId("findings").replaceChildren(...(shown.length ? grouped(shown) : [el("p", { class: "empty" }, nothing)]));
}

/** @param {Findings} answer */
function summary(answer) {
  if (!answer.findings.length) return "This document prints no figures.";
  const fine = `${many(answer.agrees, "figure agrees", "figures agree")} with the plain wording`;
  const explained = answer.explained ? `, ${many(answer.explained, "is", "are")} explained by a reading` : "";
  return `${fine}${explained}, ${answer.differs ? many(answer.differs, "differs", "differ") : "none differs"}.`;
}

/** The readings that explain figures, each once, with how many figures take it. @param {Findings} answer */
function readingsUsed(answer) {
  /** @type {Map<string, Reading & {figures: number}>} */
  const used = new Map();
  for (const finding of answer.findings.filter((other) => other.verdict === "explained")) {
    const readings = new Map(finding.readings.flat().map((reading) => [`${reading.id}=${reading.value}`, reading]));
    for (const [key, reading] of readings) used.set(key, { ...reading, figures: (used.get(key)?.figures ?? 0) + 1 });
  }
  return [...used.values()].sort((a, b) => b.figures - a.figures);
}

/** @param {Reading & {figures: number}} reading */
function readingCard(reading) {
  const head = el("div", { class: "reading-head" }, [
    el("b", {}, reading.id),
    el("span", { class: "small" }, reading.where),
    el("span", { class: "small figures" }, many(reading.figures, "figure")),
  ]);
  return el("li", {}, head, el("p", {}, reading.question), el("p", { class: "meaning" }, reading.meaning));
}

/** @param {Findings} answer */
function showReadings(answer) {
  const used = readingsUsed(answer);
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const { id, figures } of used) counted.set(id, (counted.get(id) ?? 0) + figures);
  const badges = [...counted].map(([id, figures]) => {
    return el("span", { class: "badge" }, el("b", {}, id), many(figures, "figure"));
  });
  const words = `${many(counted.size, "reading explains", "readings explain")} the rest `;
  const list = el("details", {}, el("summary", {}, words, badges), el("ul", {}, used.map(readingCard)));
  byId("readings").replaceChildren(...(used.length ? [list] : []));
}

/** Findings by the table they are printed in; figures that stand alone share a panel. @param {Finding[]} findings */
function grouped(findings) {
  /** @type {Map<string, Finding[]>} */
  const tables = new Map();
  for (const finding of findings) {
    const key = `${finding.clause} ${finding.table}`;
    tables.set(key, [...(tables.get(key) ?? []), finding]);
  }
  const alone = [...tables.values()].filter((group) => group.length === 1).flat();
  const groups = [...tables.values()].filter((group) => group.length > 1);
  const panels = groups.map((group) => panel(group[0].table, group[0].clause, group, (finding) => finding.shows));
  const single = (/** @type {Finding} */ finding) => [finding.clause, finding.table, finding.shows].join(" · ");
  return alone.length ? [...panels, panel("Single figures", "", alone, single)] : panels;
}

/**
 * @param {string} title
 * @param {string} clause
 * @param {Finding[]} findings
 * @param {(finding: Finding) => string} about
 */
function panel(title, clause, findings, about) {
  const heads = ["Figure", "Published", "Computed", "Verdict", "Explanation"].map((name, at) => {
    return el("th", { scope: "col", class: at === 1 || at === 2 ? "number" : "" }, name);
  });
  const rows = findings.map((finding) => figureRow(finding, about(finding)));
  const words = el("div", {}, el("h3", {}, title), el("p", { class: "small" }, findings[0].source));
  const badge = clause ? el("span", { class: "badge" }, clause) : null;
  const table = el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
  return el("section", { class: "panel figures" }, el("header", { class: "panel-head" }, words, badge), table);
}

/** @param {Finding} finding @param {string} about */
function figureRow(finding, about) {
  const isPlain = finding.verdict === "agrees" && !finding.readings.length && !finding.note;
  const note = finding.note ? el("small", {}, finding.note) : null;
  return el("tr", { class: finding.verdict }, [
    el("th", { scope: "row" }, el("span", {}, finding.name), el("small", {}, about)),
    el("td", { class: "number", "data-name": "Published" }, finding.published),
    el("td", { class: "number", "data-name": "Computed" }, finding.computed),
    el("td", { class: "verdict-cell" }, el("span", { class: `verdict ${finding.verdict}` }, finding.verdict)),
    el("td", { class: "why" }, isPlain ? null : [finding.explanation, note]),
  ]);
}

async function start() {
  page.editions = await api("GET", "/api/v1/editions?names=true");
  const asked = new URLSearchParams(location.search).get("edition");
  const chosen = page.editions.find((edition) => edition.id === asked) ?? page.editions[0];
  choose(chosen.id);
  for (const edition of [chosen, ...page.editions.filter((other) => other !== chosen)]) {
    const path = `/api/v1/verify/${edition.id}`;
    const answer = await api("GET", path, undefined, { quiet: true }).catch((refused) => ({ message: messageOf(refused) }));
    page.answers.set(edition.id, answer);
    showBooks();
    if (edition.id === page.chosen) show();
  }
}

start();
