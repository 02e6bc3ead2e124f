// Exact arithmetic on par sheets: fractions of BigInts, pays, and what a pay table makes of counted outcomes.

/** @import { Fraction, Pay, Reckoning, Sheet, SheetRow } from "../types" */

/**
 * A fraction of BigInts from "a/b".
 * @param {string} text
 * @returns {Fraction}
 */
export function fraction(text) {
  const [over, under = "1"] = text.split("/");
  return { over: BigInt(over), under: BigInt(under) };
}

/** @param {Fraction} a @param {Fraction} b */
const plus = (a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });

/** @param {Fraction} a @param {Fraction} b */
const times = (a, b) => ({ over: a.over * b.over, under: a.under * b.under });

/** @param {Fraction} a */
const minus = (a) => ({ over: -a.over, under: a.under });

/** @param {bigint} n */
const size = (n) => (n < 0n ? -n : n);

/** The fraction that a float is. @param {number} value @returns {Fraction} */
function fractionOf(value) {
  let [over, under] = [value, 1n];
  while (!Number.isInteger(over)) [over, under] = [over * 2, under * 2n];
  return { over: BigInt(over), under };
}

/** A fraction as a float, right to 18 decimals. @param {Fraction} fraction */
export const float = ({ over, under }) => Number((over * 10n ** 18n) / under) / 1e18;

/**
 * A fraction with so many decimals, half rounded up, never through a float.
 * @param {Fraction} fraction
 * @param {number} places
 */
export function decimals({ over, under }, places) {
  const scale = 10n ** BigInt(places);
  const rounded = (2n * size(over) * scale + under) / (2n * under);
  const digits = rounded.toString().padStart(places + 1, "0");
  const sign = over < 0n && rounded > 0n ? "−" : "";
  const point = digits.length - places;
  return `${sign}${digits.slice(0, point)}${places ? "." : ""}${digits.slice(point)}`;
}

/** A fraction as a percentage. @param {Fraction} value */
export const percent = (value, places = 6) =>
  `${decimals({ over: value.over * 100n, under: value.under }, places)} %`;

/** @type {Pay} */
const LOSE = { text: "lose", net: { over: -1n, under: 1n } };
/** @type {Pay} */
const PUSH = { text: "push", net: { over: 0n, under: 1n } };
/** @type {Pay} */
const LOSE_HALF = { text: "lose half", net: { over: -1n, under: 2n } };

/**
 * A pay of so many to so many, in lowest terms.
 * @param {bigint} over
 * @param {bigint} under
 * @returns {Pay}
 */
function payOf(over, under) {
  let [a, b] = [over, under];
  while (b) [a, b] = [b, a % b];
  const net = { over: over / a, under: under / a };
  return { text: `${net.over} to ${net.under}`, net };
}

/** Read a pay: "40 to 1", "3:2", "40", "push", "lose" or "lose half"; null if it is none. @param {string} text */
export function parsePay(text) {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const named = [LOSE, PUSH, LOSE_HALF].find((pay) => pay.text === words);
  if (named) return named;
  const [, won = "", staked = "1"] = /^(\d{1,6})(?: ?(?:to|:) ?(\d{1,3}))?$/.exec(words) ?? [];
  return Number(won) && Number(staked) ? payOf(BigInt(won), BigInt(staked)) : null;
}

/**
 * The next pay up or down: lose, push, 1 to 1, 2 to 1, ...
 * @param {Pay} pay
 * @param {boolean} up
 */
export function stepPay(pay, up) {
  const { over, under } = pay.net;
  if (over < 0n) return up ? PUSH : LOSE;
  if (over === 0n) return up ? payOf(1n, 1n) : LOSE;
  const next = over + (up ? 1n : -1n);
  return next === 0n ? PUSH : parsePay(`${next} to ${under}`) ?? pay;
}

/** The pay of an outcome on a par sheet, which the house wrote. @param {string} text */
export function printedPay(text) {
  const pay = parsePay(text);
  if (!pay) throw new Error(`“${text}” is not a pay`);
  return pay;
}

/** What an outcome pays: as edited, unless it must stay as it is. @param {SheetRow} row @param {Record<string, Pay>} pays */
const payIn = (row, pays) =>
  row.is_fixed ? { text: row.pays, net: fraction(row.net) } : (pays[row.outcome] ?? printedPay(row.pays));

/** The outcomes' shares of a whole: deals, or where none were counted, parts of the least float. @param {Sheet} sheet */
function weighted({ method, outcomes, total }) {
  if (method !== "solved") return { weights: outcomes.map((row) => BigInt(row.combinations)), total: BigInt(total) };
  const chances = outcomes.map((row) => fractionOf(row.probability.value));
  const under = chances.reduce((most, chance) => (chance.under > most ? chance.under : most), 1n);
  return { weights: chances.map((chance) => chance.over * (under / chance.under)), total: under };
}

/**
 * What these pays make of the outcomes: exact where they are counted, but for the standard deviation's root.
 * @param {Sheet} sheet
 * @param {Record<string, Pay>} pays those that were edited
 * @returns {Reckoning}
 */
export function reckon(sheet, pays) {
  const { weights, total } = weighted(sheet);
  let [mean, square] = [fraction("0/1"), fraction("0/1")];
  let [hits, pushes] = [0n, 0n];
  const rows = sheet.outcomes.map((outcome, place) => {
    const pay = payIn(outcome, pays);
    const net = outcome.rides.reduce((sum, ride) => plus(sum, fraction(ride.net)), pay.net);
    const count = weights[place];
    const share = times(net, { over: count, under: total });
    mean = plus(mean, { over: net.over * count, under: net.under });
    square = plus(square, times(times(net, net), { over: count, under: 1n }));
    if (net.over > 0n) hits += count;
    if (net.over === 0n) pushes += count;
    return { outcome: outcome.outcome, name: outcome.name, pay, net, chance: { over: count, under: total }, share };
  });
  const won = { over: mean.over, under: mean.under * total };
  const variance = plus({ over: square.over, under: square.under * total }, minus(times(won, won)));
  const deviation = Math.sqrt(float(variance));
  const worth = sheet.envy ? fraction(sheet.envy.worth.exact) : fraction("0/1");
  return {
    rows,
    edge: minus(plus(won, worth)),
    hit: { over: hits, under: total },
    push: { over: pushes, under: total },
    deviation,
    error: sheet.method !== "simulated" ? null : deviation / Math.sqrt(Number(total)),
    stakeOnly: sheet.outcomes.every((outcome) => outcome.rides.length === 0),
  };
}
