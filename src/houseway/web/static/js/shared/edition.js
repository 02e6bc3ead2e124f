// Which edition is played, and whether it is the approved one.
import { el } from "./dom.js";

/** @import { EditionView } from "../types" */

const MOST_DIFFERENCES = 2;

/**
 * What differs from the approved edition, the first by name: the edition's page lists all.
 * @param {string[]} differences
 */
export function differsWords(differences) {
  const more = differences.length - MOST_DIFFERENCES;
  return differences.slice(0, MOST_DIFFERENCES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** The same as a line, or nothing where nothing differs. @param {string[]} differences */
export const differsLine = (differences) =>
  differences.length ? el("span", { class: "small bad differs" }, `differs: ${differsWords(differences)}`) : null;

/** What is said of an edition: its approval, or what differs from the approved one. @param {EditionView} edition */
export const standingWords = ({ badge, status, approval }) =>
  badge || (approval && approval !== status ? `${status} · ${approval}` : status);

/** @param {EditionView} edition */
export const standingClass = ({ status }) => (status === "approved" || status === "modified" ? status : "");

/**
 * What stands behind a badge: the digest, all that differs, what is assumed.
 * @param {EditionView} edition
 */
export const standingDetails = ({ digest, differences, assumption }) =>
  [`Rules, letter and digest ${digest}`, ...differences, assumption].filter(Boolean).join("\n");

/** The badge of an edition; the letter, the digest and what differs are one click away. @param {EditionView} edition */
export function editionBadge(edition) {
  const { id } = edition;
  const title = standingDetails(edition);
  return el("a", { class: `badge ${standingClass(edition)}`, href: `/editions/${id}`, title }, standingWords(edition));
}
