// Which edition is played, whether it is the approved one, and whether the program is as it was released.
import { el } from "./dom.js";

/** @import { EditionView, Standing } from "../types" */

const MOST_DIFFERENCES = 2;

/**
 * An edition's name in a list; one's own often keeps the name of the one that it descends from, so its id tells them apart.
 * @param {{id: string, name: string}} edition @param {{id: string, name: string}[]} all
 */
export const nameAmong = ({ id, name }, all) =>
  all.some((other) => other.name === name && other.id !== id) ? `${name} · ${id}` : name;

/** What is said of an edition in a few words; what differs is named beside it. @param {Standing} edition */
export function standingWords({ short, status, approval }) {
  return approval && approval !== status && approval !== short ? `${short} · ${approval}` : short;
}

/** @param {Standing} edition */
export const standingClass = ({ status }) => (status === "approved" || status === "modified" ? status : "");

/** Some of a list by name; the edition's page has all. @param {string[]} list */
function firstOf(list) {
  const more = list.length - MOST_DIFFERENCES;
  return list.slice(0, MOST_DIFFERENCES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/**
 * What differs from the approved rules, or what of the system was changed; nothing where neither is.
 * @param {Standing} edition
 */
export function differsLine({ differences, system_changes, system_problem }) {
  const changed = system_changes.length ? `changed: ${firstOf(system_changes)}` : "";
  const words = differences.length ? `differs: ${firstOf(differences)}` : system_problem || changed;
  return words ? el("span", { class: "small bad differs" }, words) : null;
}

/** What stands behind a badge: the sentence, the digest, what is assumed. @param {Standing} edition */
export const standingDetails = ({ badge, digest, assumption }) =>
  [badge, `digest ${digest}`, assumption].filter(Boolean).join("\n");

/** The badge of an edition; the letter, the digest and what differs are one click away. @param {EditionView} edition */
export function editionBadge(edition) {
  const title = standingDetails(edition);
  const href = `/editions/${edition.id}`;
  return el("a", { class: `badge ${standingClass(edition)}`, href, title }, standingWords(edition));
}
