// The verify page: every published figure beside the computed one, with the reading that explains it.
import { api, byId, el } from "./dom.js";

const page = { editions: [], answers: new Map(), chosen: "", show: "all" };
const FILTERS = [["all", "All"], ["explained", "Explained"], ["differs", "Differ"], ["agrees", "Agree"]];
const many = (n, one, more = `${one}s`) => `${n.toLocaleString("en-US")} ${n === 1 ? one : more}`;

function book(edition) {
  const found = page.answers.get(edition.id);
  const state = found?.message ? found.message : found ? `${many(found.findings.length, "figure")}` : "computing…";
  const counts = found?.findings ? [["agrees", "agree"], ["explained", "explained"], ["differs", "differ"]].map(([verdict, word]) => el("span", { class: `count ${verdict}${found[verdict] ? "" : " none"}` }, el("b", {}, String(found[verdict])), ` ${word}`)) : [];
  const here = edition.id === page.chosen;
  return el("button", { type: "button", role: "radio", id: `book-${edition.id}`, "aria-checked": String(here), tabindex: here ? 0 : -1, class: "book", onclick: () => choose(edition.id), onkeydown: move },
    el("span", { class: "book-name" }, edition.name),
    el("span", { class: "small" }, edition.approval),
    el("span", { class: "counts" }, ...(counts.length ? counts : [el("span", { class: "count none" }, state)])),
  );
}

function move(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const place = page.editions.findIndex((one) => one.id === page.chosen);
  const next = page.editions[(place + by + page.editions.length) % page.editions.length].id;
  choose(next);
  byId(`book-${next}`).focus();
}

const showBooks = () => {
  const focused = document.activeElement?.id;
  byId("books").replaceChildren(...page.editions.map(book));
  if (focused?.startsWith("book-")) byId(focused)?.focus();
};

function choose(id) {
  page.chosen = id;
  page.show = "all";
  history.replaceState(null, "", `/verify?edition=${encodeURIComponent(id)}`);
  showBooks();
  show();
}

function showFilter(found) {
  const number = (verdict) => (verdict === "all" ? found.findings.length : found[verdict]);
  byId("filter").replaceChildren(
    ...FILTERS.map(([verdict, word]) =>
      el("button", { type: "button", role: "radio", "aria-checked": String(page.show === verdict), class: "segment", id: `show-${verdict}`, onclick: () => ((page.show = verdict), show(), byId(`show-${verdict}`).focus()) }, `${word} `, el("span", { class: "small" }, String(number(verdict)))),
    ),
  );
}

function show() {
  const found = page.answers.get(page.chosen);
  if (!found) {
    byId("verdict-title").textContent = "Computing every figure…";
    byId("document").textContent = "A few seconds where a hundred million hands are counted.";
    for (const id of ["filter", "readings"]) byId(id).replaceChildren();
    return byId("findings").replaceChildren(el("p", { class: "waiting" }, "Computing under every reading…"));
  }
  if (found.message) return byId("findings").replaceChildren(el("p", { class: "empty" }, found.message));
  byId("verdict-title").textContent = summary(found);
  byId("document").textContent = found.document;
  byId("json").href = `/api/v1/verify/${found.edition}`;
  byId("json").download = `${found.edition}-verify.json`;
  showFilter(found);
  showReadings(found);
  const shown = found.findings.filter((finding) => page.show === "all" || finding.verdict === page.show);
  return byId("findings").replaceChildren(...(shown.length ? grouped(shown) : [el("p", { class: "empty" }, nothing(found))]));
}

function summary(found) {
  if (!found.findings.length) return "This document prints no figures.";
  const fine = `${many(found.agrees, "figure agrees", "figures agree")} with the plain wording`;
  const explained = found.explained ? `, ${many(found.explained, "is", "are")} explained by a reading` : "";
  return `${fine}${explained}, ${found.differs ? many(found.differs, "differs", "differ") : "none differs"}.`;
}

const nothing = (found) => (found.findings.length ? { differs: "No figure differs: each agrees or is explained.", explained: "No figure needs an explanation: all agree as they are printed.", agrees: "No figure agrees as it is printed." }[page.show] : "The document prints no figures to compare.");

/** The readings that explain figures, each once, with how many figures take it. */
function showReadings(found) {
  const used = new Map();
  const counted = new Map();
  for (const finding of found.findings.filter((one) => one.verdict === "explained"))
    for (const reading of new Map(finding.readings.flat().map((one) => [`${one.id}=${one.value}`, one])).values()) {
      counted.set(reading.id, (counted.get(reading.id) ?? 0) + 1);
      const key = `${reading.id}=${reading.value}`;
      used.set(key, { ...reading, figures: (used.get(key)?.figures ?? 0) + 1 });
    }
  const cards = [...used.values()].sort((a, b) => b.figures - a.figures).map((reading) =>
    el("li", {}, el("div", { class: "reading-head" }, el("b", {}, reading.id), el("span", { class: "small" }, reading.where), el("span", { class: "small figures" }, many(reading.figures, "figure"))), el("p", {}, reading.question), el("p", { class: "meaning" }, reading.meaning)),
  );
  byId("readings").replaceChildren(...(cards.length ? [el("details", {}, el("summary", {}, `${many(counted.size, "reading explains", "readings explain")} the rest `, ...[...counted].map(([id, figures]) => el("span", { class: "badge" }, el("b", {}, id), many(figures, "figure")))), el("ul", {}, ...cards))] : []));
}

/** Findings by the table they are printed in; figures that stand alone share a panel. */
function grouped(findings) {
  const tables = new Map();
  for (const finding of findings) {
    const key = `${finding.clause} ${finding.table}`;
    tables.set(key, [...(tables.get(key) ?? []), finding]);
  }
  const alone = [...tables.values()].filter((group) => group.length === 1).flat();
  const groups = [...tables.values()].filter((group) => group.length > 1);
  const panels = groups.map((group) => panel(group[0].table, group[0].clause, group, (finding) => finding.shows));
  const single = (finding) => [finding.clause, finding.table, finding.shows].join(" · ");
  return alone.length ? [...panels, panel("Single figures", "", alone, single)] : panels;
}

function panel(title, clause, findings, about) {
  return el("section", { class: "panel figures" },
    el("header", { class: "panel-head" }, el("div", {}, el("h3", {}, title), el("p", { class: "small" }, findings[0].source)), clause ? el("span", { class: "badge" }, clause) : null),
    el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Figure"), el("th", { scope: "col", class: "number" }, "Published"), el("th", { scope: "col", class: "number" }, "Computed"), el("th", { scope: "col" }, "Verdict"), el("th", { scope: "col" }, "Explanation"))),
      el("tbody", {}, ...findings.map((finding) => figureRow(finding, about(finding)))),
    ),
  );
}

function figureRow(finding, about) {
  const quiet = finding.verdict === "agrees" && !finding.readings.length && !finding.note;
  return el("tr", { class: finding.verdict },
    el("th", { scope: "row" }, el("span", {}, finding.name), el("small", {}, about)),
    el("td", { class: "number", "data-name": "Published" }, finding.published),
    el("td", { class: "number", "data-name": "Computed" }, finding.computed),
    el("td", { class: "verdict-cell" }, el("span", { class: `verdict ${finding.verdict}` }, finding.verdict)),
    el("td", { class: "why" }, quiet ? "" : finding.explanation, finding.note && !quiet ? el("small", {}, finding.note) : null),
  );
}

async function start() {
  page.editions = await api("GET", "/api/v1/editions");
  const asked = new URLSearchParams(location.search).get("edition");
  choose(page.editions.some((one) => one.id === asked) ? asked : page.editions[0].id);
  const first = page.editions.filter((one) => one.id === page.chosen);
  for (const edition of [...first, ...page.editions.filter((one) => one.id !== page.chosen)]) {
    const answer = await api("GET", `/api/v1/verify/${edition.id}`, undefined, { quiet: true }).catch((refused) => ({ message: refused.message }));
    page.answers.set(edition.id, answer);
    showBooks();
    if (edition.id === page.chosen) show();
  }
}

start();
