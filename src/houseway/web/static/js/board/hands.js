// The text of a hand that all bet on, read with the letters that its game gives to winners and flags.

/** @import { FaceFlag, FaceResults, FaceWinner, Tone } from "../types" */

/**
 * @typedef {object} RoadHand
 * @property {FaceWinner} winner
 * @property {FaceFlag[]} flags
 * @property {FaceFlag | undefined} special the flag that takes the middle of a bead
 * @property {string} glyph what a bead shows
 * @property {boolean} isDisc the first side is drawn as a ring where colour alone would tell sides apart
 */

/** @type {FaceWinner} */
const NOBODY = {
  ...{ key: "", name: "", says: "", short: "", shortcut: "", result: "", count: "" },
  tone: "plain",
  side: false,
};

/**
 * Read a hand's text.
 * @param {FaceResults} results
 * @param {string} text
 * @returns {RoadHand}
 */
export function readHand(results, text) {
  const winner = results.winners.find((known) => text.startsWith(known.key)) ?? NOBODY;
  const letters = text.slice(winner.key.length);
  const flags = results.flags.filter((flag) => letters.includes(flag.key));
  const special = flags.find((flag) => flag.place === "middle");
  const [first] = results.winners.filter((winner) => winner.side);
  return { winner, flags, special, glyph: special?.key ?? (winner.short || winner.key), isDisc: winner !== first };
}

/**
 * A hand in words: who won, and what else is to be said.
 * @param {FaceResults} results
 * @param {string} text
 */
export function handWords(results, text) {
  const { winner, flags } = readHand(results, text);
  return { won: winner.says, extra: flags[0]?.name ?? "" };
}

/**
 * The tone of a side, the first or the second.
 * @param {FaceResults} results
 * @param {number} place
 * @returns {Tone}
 */
export const sideTone = (results, place) => results.winners.filter((winner) => winner.side)[place]?.tone ?? "plain";

/**
 * A hand as a table keys it.
 * @param {FaceResults} results
 * @param {string} text
 */
export function asResult(results, text) {
  const { winner, flags } = readHand(results, text);
  const result = flags.find((flag) => flag.result)?.result ?? winner.result;
  return result + flags.map((flag) => flag.suffix).join("");
}

/**
 * The hand that a table's result puts on the roads.
 * @param {FaceResults} results
 * @param {string} result
 */
export function asHand(results, result) {
  const suffixes = results.flags.filter((flag) => flag.suffix && result.endsWith(flag.suffix));
  const plain = suffixes.reduce((text, flag) => text.replace(flag.suffix, ""), result);
  const special = results.flags.find((flag) => flag.result && flag.result === plain);
  const winner = special ? special.winner : results.winners.find((known) => known.result === plain)?.key ?? "";
  return winner + [...(special ? [special] : []), ...suffixes].map((flag) => flag.key).join("");
}

/**
 * A hand in a sentence.
 * @param {FaceResults} results
 * @param {string} text
 */
export function handSentence(results, text) {
  const { winner, flags } = readHand(results, text);
  return winner.says + flags.map((flag) => flag.says).join("");
}
