// Small parts of the lab's tables.
import { el } from "../shared/dom.js";
import { decimals } from "./reckon.js";

/** @import { Child, Fraction } from "../types" */

/** A number's digits in groups of three. @param {string} digits */
export const thousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/**
 * A share with its sign.
 * @param {Fraction} share
 * @param {number} places
 */
export const signed = (share, places) => `${share.over > 0n ? "+" : ""}${decimals(share, places)}`;

/**
 * A cell with a number; `name` is what a phone writes in front of it.
 * @param {string} name
 * @param {Child} [words]
 */
export const numberCell = (name, words, more = {}) => el("td", { class: "number", "data-name": name, ...more }, words);

/** The head of a table; columns whose name starts with "#" hold numbers. @param {string[]} names */
export function tableHead(names) {
  const cell = (/** @type {string} */ name) => {
    const isNumber = name.startsWith("#");
    return el("th", { scope: "col", class: isNumber ? "number" : "" }, isNumber ? name.slice(1) : name);
  };
  return el("thead", {}, el("tr", {}, names.map(cell)));
}
