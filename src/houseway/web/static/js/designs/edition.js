// A design as an edition: what the law says of it, its text to take away, and for whoever may, its registration.
import { api, el, messageOf, toast } from "../shared/dom.js";
import { sees } from "../shared/who.js";

/** @import { LabEdition, RunAnswer } from "../types" */
/** @import { Design, WagerDesigns } from "./types" */

const MARKS = { met: ["✓", "meets", "good"], not: ["✗", "does not meet", "bad"], see: ["•", "see to", ""] };

/** @param {boolean | null} meets */
const markOf = (meets) => (meets === null ? MARKS.see : meets ? MARKS.met : MARKS.not);

/** What in the law a design meets or not. @param {Design} design */
function lawList({ law }) {
  const lines = law.map(({ rule, meets, says }) => {
    const [sign, words, name] = markOf(meets);
    return el("li", {}, [
      el("span", { class: `mark ${name}`, "aria-hidden": "true" }, sign),
      el("span", {}, el("span", { class: name }, words), " ", el("b", { class: "mono" }, rule), `: ${says}`),
    ]);
  });
  return el("ul", { class: "law" }, lines);
}

/**
 * The text of an edition with another id and name; both stand before any table of it, each on a line of its own.
 * @param {string} text
 * @param {string} id
 * @param {string} name
 */
function renamed(text, id, name) {
  const put = (/** @type {string} */ all, /** @type {string} */ key, /** @type {string} */ value) =>
    value ? all.replace(new RegExp(`^${key} = .*$`, "m"), () => `${key} = ${JSON.stringify(value)}`) : all;
  return put(put(text, "id", id), "name", name);
}

/** @param {string} id @param {string} label @param {string} value */
function field(id, label, value) {
  const box = el("input", { id, type: "text", value, autocomplete: "off", spellcheck: "false", maxlength: 120 });
  return { box, shown: el("div", { class: "field" }, el("label", { for: id }, label), box) };
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** Where a design that is registered is found. @param {string} id @param {string} badge */
const registered = (id, badge) =>
  el("p", { class: "registered" }, [
    el("b", { class: "good" }, `✓ ${id} is registered`),
    `, ${badge}. `,
    el("a", { href: `/editions/${id}` }, "Its rules and pays"),
    " · ",
    el("a", { href: `/lab?edition=${id}` }, "Its odds"),
    " · ",
    el("a", { href: "/floor" }, "Open a table with it"),
  ]);

/**
 * A design, chosen among those that were found, as an edition.
 * @param {RunAnswer} answer
 * @param {LabEdition} edition
 */
export function asEdition(answer, edition) {
  /** @type {WagerDesigns[]} */
  const wagers = answer.data.wagers;
  const count = Math.min(...wagers.map(({ designs }) => designs.length));
  const options = Array.from({ length: count }, (_, at) => el("option", { value: at }, `Design ${at + 1}`));
  const which = el("select", { id: "design-number" }, options);
  const id = field("design-id", "Its id", `${edition.id}-design`);
  const name = field("design-name", "Its name", `${edition.name}: a design`);
  const law = el("div", {});
  const said = el("div", { role: "status" });
  const text = () => renamed(answer.files[`.${Number(which.value) + 1}.toml`], id.box.value.trim(), name.box.value.trim());
  const show = () => law.replaceChildren(...wagers.map(({ designs }) => lawList(designs[Number(which.value)])));
  which.addEventListener("change", show);
  show();

  async function register() {
    try {
      const own = await api("POST", "/api/v1/own-editions", { text: text() }, { quiet: true });
      said.replaceChildren(registered(own.id, own.edition.approval));
      toast(`${own.id} is registered.`);
    } catch (refused) {
      said.replaceChildren(el("p", { class: "bad", role: "alert" }, messageOf(refused)));
    }
  }

  const take = { type: "button", class: "quiet", onclick: () => download(`${id.box.value.trim() || "design"}.toml`, text()) };
  const tools = [el("button", take, "Edition as TOML")];
  if (sees("editions")) tools.push(el("button", { type: "button", onclick: register }, "Register as an edition"));
  const others = sees("editions")
    ? "Registered, it can be opened at a table at once. Wherever it is shown it says that it is not approved."
    : "Whoever may add editions registers it on the floor, or with houseway editions add FILE.";
  return el("section", { class: "panel as-edition", "aria-label": "As an edition" }, [
    el("header", { class: "panel-head" }, [
      el("div", {}, el("h2", {}, "As an edition"), el("p", { class: "small" }, others)),
      el("span", { class: "badge" }, answer.data.status),
    ]),
    el("div", { class: "edition-fields" }, [
      el("div", { class: "field" }, el("label", { for: "design-number" }, "Which"), which),
      id.shown,
      name.shown,
      el("div", { class: "tools no-print" }, tools),
    ]),
    said,
    law,
  ]);
}
