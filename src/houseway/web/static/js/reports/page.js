// Reports: what can be made of an edition or of this house, made apart and shown; and one that is verified.
import { api, byId, capital, codeOf, countOf, el, findById, inWords, messageOf, scrollRegion } from "../shared/dom.js";
import { nameAmong } from "../shared/edition.js";
import { events } from "../shared/stream.js";
import { queueWords } from "../runs/stream.js";
import { optionField, optionsIn } from "../runs/options.js";
import { chosen, part, settingParts, settingsIn, written } from "../runs/fields.js";

/** @import { LabEdition } from "../types" */
/** @typedef {{name: string, about: string, takes: string}} ReportOption */
/** @typedef {{kind: string, about: string, options: ReportOption[], papers: string[]}} ReportChoice */
/** @typedef {{title: string, command: string, figures: number, html: string, files: Record<string, string>}} ReportAnswer */
/**
 * @typedef {object} VerifyAnswer
 * @property {string} title
 * @property {string} kind
 * @property {boolean} holds
 * @property {number} figures
 * @property {number} agreeing
 * @property {string} pages
 * @property {string[]} findings
 * @property {number} findings_found
 * @property {string[]} remarks
 * @property {{label: string, then: string, now: string}[]} made_by
 */

const TYPES = { ".pdf": "application/pdf", ".html": "text/html", ".csv": "text/csv", ".json": "application/json" };
const MOST_BYTES = 16 * 1024 * 1024;
const place = byId("reports");
const mode = place.dataset.mode ?? "";
const form = byId("asked", HTMLFormElement);

/** @type {AbortController | null} */
let running = null;
/** @type {ReportChoice[]} */
let choices = [];
/** @type {LabEdition | null} */
let edition = null;
/** @type {File | null} */
let dropped = null;

// ---- what is asked ------------------------------------------------------------------------------------------------------

/** The kind that is chosen. */
const kindNow = () =>
  choices.find(({ kind }) => kind === (new FormData(form).get("kind") ?? place.dataset.kind)) ?? choices[0];

/** The fields of the kind that is chosen. */
function showFields() {
  const { about, options, papers } = kindNow();
  const given = JSON.parse(place.dataset.given ?? "{}");
  const words = papers.map((paper) => /** @type {[string, string]} */ ([paper, paper.toUpperCase()]));
  const date = written("date", "Date", { hint: "such as 2026-03-01; without it today", mode: "text" });
  byId("kind-fields").replaceChildren(
    el("p", { class: "small" }, about),
    part("Paper", chosen("paper", "Paper", words), date),
    options.length ? part("Options", ...options.map((option) => optionField(option, given[option.name]))) : "",
  );
}

/** What is written in the form, as the house takes it. */
function asked() {
  const given = new FormData(form);
  const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
  const options = optionsIn(form, kindNow().options);
  const settings = edition ? settingsIn(form, edition) : {};
  return { options, paper: text("paper"), date: text("date"), ...settings };
}

// ---- a run --------------------------------------------------------------------------------------------------------------

/** @param {boolean} isRunning */
function busy(isRunning) {
  byId("start", HTMLButtonElement).disabled = isRunning;
  byId("stop", HTMLButtonElement).disabled = !isRunning;
  byId("progress").hidden = !isRunning;
  byId("results").setAttribute("aria-busy", String(isRunning));
}

/** @param {string} words */
function refuse(words) {
  byId("refused").textContent = words;
  byId("refused").hidden = !words;
}

/** @param {string} words */
const state = (words) => {
  byId("state").textContent = words;
};

/** @param {{done: number, total: number}} progress */
function showProgress({ done, total }) {
  byId("progress", HTMLProgressElement).value = total ? done / total : 0;
  state(`${Math.floor((100 * done) / (total || 1))} % is worked out…`);
}

/**
 * Ask, and show what comes.
 * @param {string} path
 * @param {BodyInit} body
 * @param {string} type
 * @param {(answer: any) => void} show
 */
async function run(path, body, type, show) {
  if (running) return;
  running = new AbortController();
  const { signal } = running;
  refuse("");
  busy(true);
  byId("progress", HTMLProgressElement).removeAttribute("value");
  state("Waiting for its turn…");
  try {
    for await (const { kind, content } of events(path, body, type, signal)) {
      if (kind === "progress") showProgress(content);
      else if (kind === "answer") show(content);
      else if (kind === "queue") state(queueWords(content.place));
      else if (content.words && byId("refused").hidden) refuse(content.words);
    }
    state(byId("refused").hidden ? "Done." : "");
  } catch (refused) {
    if (signal.aborted) state("Stopped.");
    else {
      state("");
      refuse(codeOf(refused) === "" ? "The house does not answer: check the connection." : messageOf(refused));
    }
  } finally {
    running = null;
    busy(false);
  }
}

// ---- a report -----------------------------------------------------------------------------------------------------------

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {string} name @param {string} ending @param {string} content in base64 */
function fileButton(name, ending, content) {
  const save = () => {
    const type = TYPES[/** @type {keyof typeof TYPES} */ (ending)];
    const href = URL.createObjectURL(new Blob([bytesOf(content)], { type }));
    el("a", { href, download: `${name}${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };
  const look = { type: "button", class: ending === ".pdf" ? "" : "quiet", onclick: save };
  return el("button", look, ending.slice(1).toUpperCase());
}

/** @param {ReportAnswer} answer */
function showReport({ html, files, command, figures }) {
  const name = `${kindNow().kind}-${edition?.id ?? "house"}`;
  const buttons = Object.entries(files).map(([ending, content]) => fileButton(name, ending, content));
  const print = el("button", { type: "button", class: "quiet", onclick: () => globalThis.print() }, "Print");
  byId("files").replaceChildren(...buttons, print, el("span", { class: "small" }, countOf(figures, "figure")));
  byId("files").hidden = false;
  byId("command").textContent = command;
  byId("command-line").hidden = false;
  const paper = el("div", { class: "paper", id: "paper", tabindex: 0, role: "region", "aria-label": "The report" });
  paper.append(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  byId("results").replaceChildren(paper);
}

async function beginReports() {
  if (mode === "edition") {
    const box = byId("edition", HTMLSelectElement);
    const wanted = box.dataset.edition ?? "";
    const known = [api("GET", "/api/v1/editions"), api("GET", `/api/v1/editions/${wanted}/reports`)];
    const [editions, kinds] = await Promise.all(known);
    choices = kinds;
    edition = editions.find((/** @type {LabEdition} */ each) => each.id === wanted) ?? null;
    const option = (/** @type {LabEdition} */ each) =>
      el("option", { value: each.id, selected: each.id === wanted }, nameAmong(each, editions));
    box.replaceChildren(...editions.map(option));
    box.addEventListener("change", () => location.assign(`/lab/${box.value}/reports`));
  } else choices = JSON.parse(place.dataset.choices ?? "[]");
  const names = choices.map(({ kind }) => /** @type {[string, string]} */ ([kind, capital(inWords(kind))]));
  const fields = el("div", { id: "kind-fields" });
  form.replaceChildren(
    ...(choices.length > 1 ? [part("Report", chosen("kind", "Kind", names, place.dataset.kind))] : []),
    fields,
    ...(edition ? settingParts(edition, {}) : []),
  );
  findById("ask-kind")?.addEventListener("change", showFields);
  showFields();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { kind } = kindNow();
    const path = edition ? `/api/v1/editions/${edition.id}/reports/${kind}/stream` : `/api/v1/reports/${kind}/stream`;
    run(path, JSON.stringify(asked()), "application/json", showReport);
  });
}

// ---- one that is verified -----------------------------------------------------------------------------------------------

/** @param {VerifyAnswer} answer */
function showVerified(answer) {
  const { title, kind, agreeing, figures, holds, pages, findings, findings_found: found, remarks, made_by: lines } = answer;
  const agree = agreeing.toLocaleString("en-US");
  const words = `${title} (${inWords(kind)}): ${agree} of ${figures.toLocaleString("en-US")} figures agree`;
  const row = (/** @type {{label: string, then: string, now: string}} */ { label, then, now }) =>
    el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, then), el("td", {}, then === now ? "the same" : now));
  const head = el("tr", {}, ["", "then", "at hand"].map((name) => el("th", { scope: "col" }, name)));
  const table = el("table", { class: "small" }, el("thead", {}, head), el("tbody", {}, lines.map(row)));
  byId("results").replaceChildren(
    el("section", { class: "panel", id: "verified" }, [
      el("p", { class: `verdict-words ${holds ? "good" : "bad"}`, id: "verdict" }, words),
      el("p", {}, `Pages: ${pages}.`),
      findings.length ? el("ol", { id: "findings" }, findings.map((each) => el("li", {}, each))) : null,
      found > findings.length ? el("p", {}, `and ${found - findings.length} more`) : null,
      el("ul", { class: "small", id: "remarks" }, remarks.map((each) => el("li", {}, each))),
      el("div", scrollRegion("Then and now"), table),
    ]),
  );
}

/** @param {File | undefined} file */
function take(file) {
  dropped = file ?? null;
  byId("dropped").textContent = dropped ? dropped.name : "or drop it here";
  byId("start", HTMLButtonElement).disabled = !dropped;
}

function beginVerify() {
  const box = el("input", { type: "file", id: "file", accept: "application/pdf" });
  const label = el("label", { for: "file" }, "A report as PDF");
  const drop = el("div", { class: "pdf-drop", id: "drop" }, label, box, el("span", { id: "dropped" }, "or drop it here"));
  form.replaceChildren(drop);
  box.addEventListener("change", () => take(box.files?.[0]));
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer?.files[0]);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!dropped) return;
    if (dropped.size > MOST_BYTES) refuse(`${dropped.name} is larger than 16 MB: no report is.`);
    else run("/api/v1/reports/verify/stream", dropped, "application/pdf", showVerified);
  });
}

byId("stop").addEventListener("click", () => running?.abort());
addEventListener("pagehide", () => running?.abort());
if (mode === "verify") beginVerify();
else {
  byId("rules", HTMLDetailsElement).open = window.innerWidth > 700 || mode !== "edition";
  await beginReports();
  byId("start", HTMLButtonElement).disabled = false;
}
