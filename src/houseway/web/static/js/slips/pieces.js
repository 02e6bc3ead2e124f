// Fields to count chips or notes in: one for each denomination, and what they come to.
import { dollars, el } from "../shared/dom.js";

/** @import { Cents, Denomination } from "../types" */

const PIECE = "piece-";
const COINS = `${PIECE}1`;
const CENTS = 100;

/** @param {FormData} given @returns {Record<string, number>} */
function countsIn(given) {
  /** @type {Record<string, number>} */
  const pieces = {};
  for (const [name, typed] of given) {
    if (!name.startsWith(PIECE) || !String(typed).trim()) continue;
    const count = name === COINS ? Math.round(Number(typed) * CENTS) : Number(typed);
    if (count) pieces[name.slice(PIECE.length)] = count;
  }
  return pieces;
}

/** The pieces that a form names. @param {HTMLFormElement} form */
export const piecesOf = (form) => countsIn(new FormData(form));

/** What pieces come to. @param {Record<string, number>} pieces @returns {Cents} */
const worthOf = (pieces) => Object.entries(pieces).reduce((sum, [value, count]) => sum + Number(value) * count, 0);

/** @param {Denomination} chip @param {Record<string, number>} known */
function countField(chip, known) {
  const id = `${PIECE}${chip.cents}`;
  const limits = { type: "number", min: 0, max: 1_000_000, step: 1, inputmode: "numeric", autocomplete: "off" };
  const swatch = chip.colour ? el("i", { class: `chip chip-${chip.colour}`, "aria-hidden": "true" }) : null;
  const words = chip.colour ? `${chip.name} ${chip.colour}` : chip.name;
  const input = el("input", { ...limits, id, name: id, value: known[chip.cents] ?? "", placeholder: "0" });
  return el("p", { class: "piece" }, el("label", { for: id }, swatch, words), input);
}

/** @param {Record<string, number>} known */
function coinField(known) {
  const coins = known["1"] ? String(known["1"] / CENTS) : "";
  const limits = { type: "number", min: 0, step: 0.01, inputmode: "decimal", autocomplete: "off" };
  const input = el("input", { ...limits, id: COINS, name: COINS, value: coins, placeholder: "0.00" });
  return el("p", { class: "piece" }, el("label", { for: COINS }, "Coins, in dollars"), input);
}

/**
 * A field for each chip or note, largest first, coins, and the sum as it is typed.
 * @param {Denomination[]} chips
 * @param {Record<string, number>} [known] what stands there at first
 */
export function pieceFields(chips, known = {}) {
  const sum = el("output", { class: "money big", "aria-live": "polite" }, dollars(worthOf(known)));
  const fields = [...chips.map((chip) => countField(chip, known)), coinField(known)];
  const together = el("p", {}, "Together ", sum);
  const place = el("fieldset", { class: "pieces" }, el("legend", {}, "How many of each"), fields, together);
  place.addEventListener("input", () => {
    const { form } = place;
    if (form) sum.textContent = dollars(worthOf(piecesOf(form)));
  });
  return place;
}
