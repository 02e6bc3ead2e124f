// What every page of the lab about one edition has: its name and standing, the choice of another, and files.
import { byId, el, present } from "../shared/dom.js";
import { differsLine, nameAmong, standingClass } from "../shared/edition.js";

/** @import { LabEdition, RunAnswer } from "../types" */

const KINDS = {
  ".csv": "text/csv",
  ".svg": "image/svg+xml",
  ".html": "text/html",
  ".txt": "text/plain",
  ".parquet": "application/octet-stream",
};

/** @param {LabEdition} edition */
export function showStanding(edition) {
  const { differences, digest } = edition;
  const parts = [
    el("span", { class: `badge ${standingClass(edition)}`, title: differences.join("; ") }, edition.short),
    el("span", { class: "small mono", title: `digest ${digest}` }, digest.slice(0, 12)),
    differsLine(edition),
  ];
  byId("standing").replaceChildren(...present(parts));
}

/** @param {LabEdition[]} editions @param {LabEdition} edition @param {string} page of the lab */
export function showEditions(editions, edition, page) {
  const box = byId("edition", HTMLSelectElement);
  const option = (/** @type {LabEdition} */ each) =>
    el("option", { value: each.id, selected: each.id === edition.id }, nameAmong(each, editions));
  box.replaceChildren(...editions.map(option));
  box.addEventListener("change", () => location.assign(`/lab/${box.value}/${page}`));
}

/** @param {string} name @param {BlobPart} content @param {string} type */
function download(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** @param {string} text in base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Buttons for the files of an answer.
 * @param {RunAnswer} answer
 * @param {string} name of the files
 */
export function fileButtons(answer, name) {
  const button = (/** @type {string} */ ending, /** @type {() => void} */ onclick) => {
    const words = ending === ".parquet" ? "Parquet" : ending.slice(1).toUpperCase();
    return el("button", { type: "button", class: "quiet", onclick }, words);
  };
  const json = () => download(`${name}.json`, `${JSON.stringify(answer.data, null, 2)}\n`, "application/json");
  const others = Object.entries(KINDS).filter(([ending]) => ending in answer.files);
  const content = (/** @type {string} */ ending) =>
    ending === ".parquet" ? bytesOf(answer.files[ending]) : answer.files[ending];
  return el("div", { class: "tools no-print" }, [
    button(".json", json),
    ...others.map(([ending, type]) => button(ending, () => download(`${name}${ending}`, content(ending), type))),
  ]);
}

/** Say what of an answer lies outside the approval. @param {string[]} outside */
export function showOutside(outside) {
  byId("banner").hidden = outside.length === 0;
  byId("banner").replaceChildren(el("b", {}, "What-if"), el("span", {}, outside.join("; ").replace(/^what-if, /, "")));
}
