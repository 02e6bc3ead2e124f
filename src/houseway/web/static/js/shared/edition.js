// Which edition is played, and whether it is the approved one.
import { el } from "./dom.js";

/** @import { EditionView } from "../types" */

/** What is said of an edition: its approval, or what differs from the approved one. @param {EditionView} edition */
export const standingWords = ({ badge, status, approval }) =>
  badge || (approval && approval !== status ? `${status} · ${approval}` : status);

/** @param {EditionView} edition */
export const standingClass = ({ status }) => (status === "approved" || status === "modified" ? status : "");

/** The badge of an edition; the letter, the digest and what differs are one click away. @param {EditionView} edition */
export function editionBadge(edition) {
  const { id, digest, differences } = edition;
  const title = [...differences, `digest ${digest}`].join("; ");
  return el("a", { class: `badge ${standingClass(edition)}`, href: `/editions/${id}`, title }, standingWords(edition));
}
