// What comes back of all stakes after many bets: z standard deviations over the root of their number, around the mean.
import { el, scrollRegion } from "../shared/dom.js";
import { float } from "./reckon.js";

/** @import { Reckoning } from "../types" */

/** How many standard deviations of a normal law on both sides hold so many per cent of it. @type {[number, number][]} */
const Z = [[90, 1.645], [95, 1.96], [99, 2.576]];
const BETS = [100, 1000, 10000, 100000, 1000000];
const FAIR_SKEW = 0.5;
/** The volatility index: this many standard deviations. */
export const VOLATILITY = Z[0][1];
export const VOLATILITY_WORDS = `${VOLATILITY} standard deviations; over √N it bounds the mean of N bets, 90 %`;

/** The third is the skewness, the fourth the kurtosis. @param {Reckoning} result @param {number} power */
export function standardMoment({ rows, deviation }, power) {
  if (!deviation) return 0;
  const mean = rows.reduce((sum, row) => sum + float(row.share), 0);
  return rows.reduce((sum, row) => sum + ((float(row.net) - mean) / deviation) ** power * float(row.chance), 0);
}

/** @param {Reckoning} result */
const fairFrom = (result) => Math.max(1, Math.ceil((standardMoment(result, 3) / FAIR_SKEW) ** 2));

/**
 * The least and the most that comes back of each 100 staked, after so many bets.
 * @param {Reckoning} result
 * @param {number} bets
 * @param {number} z
 */
function returnRange({ rows, deviation }, bets, z) {
  const back = 1 + rows.reduce((sum, row) => sum + float(row.share), 0);
  const nets = rows.filter((row) => row.chance.over > 0n).map((row) => float(row.net));
  const width = (z * deviation) / Math.sqrt(bets);
  const low = Math.max(back - width, 1 + Math.min(...nets));
  const high = Math.min(back + width, 1 + Math.max(...nets));
  return [low * 100, high * 100];
}

/** A table of them. @param {Reckoning} result @param {string} stakes of which so much comes back */
export function rangesTable(result, stakes) {
  const heads = ["Bets", ...Z.map(([share]) => `${share} % of series`)];
  const rows = BETS.map((bets) => {
    const cells = Z.map(([, z]) => {
      const [low, high] = returnRange(result, bets, z);
      return el("td", { class: "number" }, `${low.toFixed(2)} to ${high.toFixed(2)} %`);
    });
    return el("tr", {}, el("th", { scope: "row", class: "number" }, bets.toLocaleString("en-US")), cells);
  });
  const about = `Of all ${stakes}, so much comes back to the players in 90, 95 or 99 of 100 series of so many bets`;
  const fair = `fair from ${fairFrom(result).toLocaleString("en-US")} bets on`;
  return [
    el("p", { class: "small" }, `${about} (${fair}; envy left out). Of a single bet it says nothing.`),
    el("div", scrollRegion("What comes back after many bets"), [
      el("table", {}, [
        el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col", class: "number" }, name)))),
        el("tbody", {}, rows),
      ]),
    ]),
  ];
}
