// A full table to practise at: the dealer's own page, and above it the trainer, who says what came out of the shoe, counts
// mistakes and asks what is paid.
import { runTable } from "../dealer/table.js";
import { fan, hand } from "../shared/cards.js";
import { API, api, byId, countOf, el, messageOf } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { Asks } from "./asks.js";
import { sceneOf } from "./scene.js";
import { partsTable, rightMark, whySteps } from "./verdict.js";

/** @import { Ask, Judged, Scene, TrainEdition } from "./types" */

/**
 * What the trainer says.
 * @typedef {object} Told
 * @property {string} table
 * @property {TrainEdition} edition
 * @property {number} round
 * @property {string[]} out
 * @property {number} dice
 * @property {string[]} mistakes
 * @property {string} question
 * @property {Ask[]} asks
 * @property {Scene | null} scene
 * @property {Pick<Judged, "is_right" | "parts" | "why" | "clauses"> | null} judged
 * @property {boolean} is_over
 */

const FEW = 4;
/** @type {Asks | null} */
let asks = null;
let askedRound = 0;

/** @param {Told} told */
function showOut({ out, dice, question, judged, is_over: isOver }) {
  const words = isOver ? "The round is settled." : question ? "All is dealt: name what each wager is paid."
    : judged ? "Now settle it." : "";
  const about = out.length > 1 ? "These cards came out of the shoe" : "Out of the shoe";
  const dealt = out.length ? [el("p", { class: "small" }, about),
    (out.length > FEW ? fan : hand)(out, { label: "Out of the shoe", back: "red" })] : [];
  const thrown = dice && !out.length && !words ? el("p", {}, "The dice show ", el("b", {}, String(dice)), ".") : null;
  const lead = words || (out.length ? "" : "The guests have bet: close the betting, and deal.");
  byId("out").replaceChildren(...dealt, ...(thrown ? [thrown] : []), ...(lead ? [el("p", {}, lead)] : []));
}

/** @param {Told} told */
function showPay({ question, asks: asked, round, scene, edition }) {
  byId("pay").hidden = !question;
  document.body.classList.toggle("to-pay", Boolean(question));
  if (!question || (asks && askedRound === round)) return;
  askedRound = round;
  asks = new Asks({ asks: asked });
  byId("pay-question").textContent = question;
  byId("pay-asks").replaceChildren(...(scene ? [sceneOf(scene, edition)] : []), asks.element);
  asks.focus();
}

/** @param {Told} told */
function showJudged({ judged, edition, mistakes, is_over: isOver }) {
  if (!judged) {
    byId("judged").replaceChildren();
    return;
  }
  const right = judged.parts.filter((part) => part.is_right).length;
  const dealing = `${countOf(mistakes.length, "mistake")} in dealing`;
  const sum = `${right} of ${countOf(judged.parts.length, "payment")} right, ${dealing}.`;
  const next = el("button", { type: "button", id: "next-round", onclick: () => nextRound() }, "Next round");
  byId("judged").replaceChildren(el("div", { class: judged.is_right ? "verdict is-right" : "verdict is-wrong" },
    el("h2", { id: "verdict-title", tabindex: -1 }, rightMark(judged.is_right)), el("p", {}, sum), partsTable(judged),
    el("details", { open: !judged.is_right }, el("summary", {}, "Why, step by step"), whySteps(judged, edition.id)),
    isOver ? el("div", { class: "tools" }, next, el("a", { class: "button quiet", href: "/train" }, "Enough for now")) : null));
}

/** @param {Told} told */
function show(told) {
  showOut(told);
  showPay(told);
  showJudged(told);
  const { mistakes } = told;
  byId("mistakes").replaceChildren(countOf(mistakes.length, "mistake"),
    mistakes.length ? el("small", {}, ` The last: ${mistakes.at(-1)}`) : "");
}

const look = async () => show(await api("GET", API, undefined, { quiet: true }));

async function nextRound() {
  asks = null;
  show(await api("POST", `${API}/next`, {}));
}

byId("pay").addEventListener("submit", async (event) => {
  event.preventDefault();
  const missing = asks?.missing();
  if (missing) {
    missing.control.focus();
    return;
  }
  const told = await api("POST", `${API}/pay`, { answer: asks?.answer() }).catch(() => null);
  if (!told) return;
  show(told);
  byId("verdict-title").focus();
});

const chosen = Object.fromEntries(new URLSearchParams(location.search));
try {
  /** @type {Told} */
  const begun = await api("POST", API, { edition: byId("trainer").dataset.edition, settings: chosen }, { quiet: true });
  show(begun);
  const place = byId("dealer");
  place.dataset.table = begun.table;
  runTable(place);
  watch(`${API}/tables/${encodeURIComponent(begun.table)}/stream`, () => look().catch(() => {}));
  new MutationObserver(() => look().catch(() => {})).observe(byId("toasts"), { childList: true });
} catch (refused) {
  byId("out").replaceChildren(el("p", { class: "bad", role: "alert" }, messageOf(refused)));
}
