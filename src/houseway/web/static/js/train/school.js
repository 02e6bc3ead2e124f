// The school: which editions can be learned, and how far somebody is.
import { api, byId, countOf, el } from "../shared/dom.js";
import { kept } from "./keep.js";

/** @import { School, TrainEdition } from "./types" */

/** @param {TrainEdition} edition @param {boolean} isKept */
function card(edition, isKept) {
  const path = `/train/${encodeURIComponent(edition.id)}`;
  const progress = isKept ? null : kept(edition.id);
  const told = progress ? `${countOf(progress.answers, "answer")} so far, ${progress.streak} in a row right` : "";
  const link = (/** @type {string} */ words, /** @type {string} */ query, /** @type {string} */ kind) =>
    el("a", { class: kind, href: path + query, "aria-label": `${words}: ${edition.name}` }, words);
  return el("article", { class: `panel school-card cloth-${edition.cloth}` },
    el("h3", {}, el("a", { href: path }, edition.name)),
    el("p", { class: "small" }, edition.game, told ? ` · ${told}` : ""),
    el("div", { class: "tools" }, link("Drill", "", "button"), link("Skill map", "?view=map", "button quiet"),
      link("Speed round", "?view=speed", "button quiet")));
}

/** @type {School} */
const school = await api("GET", "/api/v1/train");
byId("editions").replaceChildren(...school.editions.map((edition) => card(edition, school.kept)));
byId("editions").setAttribute("aria-busy", "false");
byId("keeps").textContent = school.kept ? "The house keeps what you have learned, for you."
  : "What you learn is kept in this browser, and nowhere else.";
