// What every choice with a hand is worth to a player, and what an error costs: exact, from the solver of the lab.
import { api, el, scrollRegion } from "../shared/dom.js";

/** @import { Scene } from "./types" */

const SHOWN = 6;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(3)} %`;

/**
 * A chart of the choices, the best first; nothing where no solver answers at once.
 * @param {string} edition
 * @param {Record<string, string>} settings
 * @param {Scene} scene the player's hand first, then the dealer's
 */
export async function worthsOf(edition, settings, { hands: [own, dealer] }) {
  const asked = { ...settings, hand: own.cards.join(" "), ...(dealer ? { dealer: dealer.cards.join(" ") } : {}) };
  const path = `/api/v1/editions/${edition}/best?${new URLSearchParams(asked)}`;
  const answer = await api("GET", path, undefined, { quiet: true }).catch(() => null);
  if (!answer) return null;
  const choices = /** @type {any[]} */ (answer.choices).slice(0, SHOWN);
  const most = Math.max(...choices.map(({ less }) => less.value)) || 1;
  const rows = choices.map(({ choice, worth, less, best }) => el("tr", {}, el("th", { scope: "row" }, choice),
    el("td", { class: "number" }, percent(worth.value)), el("td", { class: "number" }, best ? "the best" : percent(less.value)),
    el("td", { "aria-hidden": "true" }, el("span", { class: "cost-bar", style: { "--share": less.value / most } }))));
  const head = ["Choice", "Worth of the bet", "An error costs"].map((words) => el("th", { scope: "col" }, words));
  return el("div", { class: "worths" }, el("div", scrollRegion("What each choice is worth"),
    el("table", {}, el("thead", {}, el("tr", {}, head, el("td"))), el("tbody", {}, rows))),
    el("p", { class: "small" }, el("a", { href: `/lab/${edition}/strategy` }, "The whole chart"), " for this table."));
}
