// The house edge by the number of decks.
import { byId, countOf, el, messageOf, toast } from "../shared/dom.js";
import { drawn } from "../shared/drawing.js";
import { decksLegend, decksPlot } from "./plot.js";
import { address, ask, changedPays, lab, query, setting, value } from "./state.js";
import { tableHead } from "./tables.js";

/** @import { DecksPoint, Figure } from "../types" */

/** The simulation that was offered last, so that it is not offered twice. */
let offered = "";

/**
 * @param {number} decks
 * @param {boolean} approved
 * @param {{house_edge: Figure, hit_rate: Figure, standard_error?: number}} odds
 * @returns {DecksPoint}
 */
const point = (decks, approved, odds) => ({
  decks,
  approved,
  edge: odds.house_edge.value * 100,
  hit: odds.hit_rate.value,
  error: (odds.standard_error ?? 0) * 100,
});

/** @param {string} words */
const showNothing = (words) => byId("decks").replaceChildren(el("p", { class: "empty" }, words));

/** The present question for every number of decks. */
function withoutDecks() {
  const asked = query();
  asked.delete("decks");
  return asked;
}

/** Plot the house edge by decks, or offer to. @param {number} turn the question that it belongs to */
export async function loadDecks(turn) {
  /** @type {number[]} */
  const numbers = setting("decks")?.values ?? [];
  byId("pair").classList.toggle("solo", numbers.length < 2);
  if (numbers.length < 2) {
    return showNothing(`${lab.edition.game} is dealt from one deck each round: nothing to choose, and nothing to plot.`);
  }
  const isSolved = lab.sheet?.method === "solved";
  if ((isSolved || (lab.sheet?.solved_edge && !lab.player)) && !changedPays().length) return solveDecks(numbers, turn);
  if (isSolved) return showNothing("With other pays only this shoe is solved: undo them to see every number of decks.");
  if (!lab.sheet?.exact) return offerDecks(numbers);
  const asked = withoutDecks();
  try {
    const answer = await ask(address("decks", asked));
    if (turn !== lab.turn || asked.toString() !== withoutDecks().toString()) return;
    showDecks(answer.points.map((/** @type {any} */ answered) => point(answered.decks, answered.approved, answered)));
  } catch (refused) {
    if (turn === lab.turn) showNothing(messageOf(refused));
  }
}

/** What a solver knows of every number of decks. @param {number[]} numbers @param {number} turn */
async function solveDecks(numbers, turn) {
  const points = [];
  for (const decks of numbers) {
    const known = await ask(address("edge", query({ changes: { decks: String(decks) }, pays: false }))).catch(() => null);
    if (turn !== lab.turn || changedPays().length) return;
    const approved = Boolean(setting("decks")?.approved.includes(decks));
    if (known?.house_edge) points.push({ decks, approved, edge: known.house_edge.value * 100, hit: null, error: 0 });
  }
  showDecks(points);
}

/** Where every shoe is simulated, that is done when asked for. @param {number[]} numbers */
function offerDecks(numbers) {
  const question = () => `${lab.turn} ${withoutDecks()}`;
  const begun = question();
  if (offered === begun) return;
  offered = begun;
  const words = `Simulate ${numbers[0]} to ${numbers.at(-1)} decks`;
  const button = el("button", { type: "button", class: "quiet" }, words);
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Simulating, one shoe after the other…";
    await simulate(numbers, () => question() === begun);
  });
  const about = `${lab.wager.name} is simulated: ${numbers.length} shoes take some seconds.`;
  byId("decks").replaceChildren(el("div", { class: "empty" }, el("p", {}, about), button));
}

/** @param {number[]} numbers @param {() => boolean} isStillAsked */
async function simulate(numbers, isStillAsked) {
  const points = [];
  for (const decks of numbers) {
    const path = address("odds", query({ changes: { decks: String(decks) } }));
    const odds = await ask(path).catch((refused) => toast(messageOf(refused), true));
    if (!isStillAsked()) return;
    if (odds) points.push(point(decks, Boolean(setting("decks")?.approved.includes(decks)), odds));
    if (points.length > 1) showDecks(points);
  }
}

/** @param {DecksPoint} shown @param {number} chosen */
function decksRow(shown, chosen) {
  return el("tr", { class: shown.decks === chosen ? "here" : "" }, [
    el("th", { scope: "row" }, countOf(shown.decks, "deck")),
    el("td", { class: "number" }, `${shown.edge.toFixed(shown.error ? 3 : 5)} %`),
    shown.hit === null ? null : el("td", { class: "number" }, `${(shown.hit * 100).toFixed(3)} %`),
    el("td", {}, shown.approved ? "approved" : el("span", { class: "what-if-word" }, "what-if")),
  ]);
}

/** @param {DecksPoint[]} points */
function showDecks(points) {
  const chosen = Number(value("decks"));
  const place = el("div", { class: "drawing" });
  const isSolved = points.every((shown) => shown.hit === null);
  const head = tableHead(isSolved ? ["Shoe", "#House edge", "Standing"] : ["Shoe", "#House edge", "#Hit rate", "Standing"]);
  const player = lab.sheet?.solved_edge?.player ?? lab.sheet?.player;
  const solved = isSolved ? el("p", { class: "small" }, `For the ${player} player, solved.`) : null;
  const body = el("tbody", {}, points.map((shown) => decksRow(shown, chosen)));
  byId("decks").replaceChildren(...(solved ? [solved] : []), place, decksLegend(), el("table", { class: "decks" }, head, body));
  drawn(place, (width) => decksPlot(points, chosen, width))();
}
