// The cloth as SVG: rail, felt, gold line, the dealer's tray and shoe, and the words printed along the arc.
import { svg } from "../shared/dom.js";

/** @import { Face } from "../types" */

export const WIDE = 1600;
export const TALL = 820;
const MIDDLE = WIDE / 2;
const TUBES = ["white", "red", "red", "green", "green", "black", "black", "purple", "yellow"];
/** @type {[offset: number, colour: string][]} */
const RAIL = [[0, "#201713"], [0.6, "#3a281f"], [0.93, "#5a3d2c"], [1, "#1d130e"]];
const PRINT_TOP = 330;
const PRINT_LINE = 38;
/** Where the title, a line and the ribbon's words run, where there is a ribbon. */
const PRINT_WITH_RIBBON = [302, 332];
const RIBBON = 366;

/**
 * The outline of the table.
 * @param {number} inset
 * @param {number} drop
 */
function outline(inset, drop) {
  const top = 8 + inset / 2;
  const corner = 34 + inset / 2;
  const [left, right] = [8 + inset, WIDE - 8 - inset];
  const across = `M${30 + inset} ${top}H${WIDE - 30 - inset}Q${right} ${top} ${right} ${corner}`;
  const round = `V${560 - drop}A${792 - inset} ${246 - inset * 0.7} 0 0 1 ${left} ${560 - drop}`;
  return `${across}${round}V${corner}Q${left} ${top} ${30 + inset} ${top}Z`;
}

/** @param {number} y @param {number} reach @param {number} deep */
const arc = (y, reach, deep) => `M${MIDDLE - reach} ${y}Q${MIDDLE} ${y + deep} ${MIDDLE + reach} ${y}`;

/** @param {string} id */
function gradients(id) {
  const light = [
    svg("stop", { class: "light-in", offset: "0" }),
    svg("stop", { class: "light-mid", offset: ".55" }),
    svg("stop", { class: "light-out", offset: "1" }),
  ];
  const rail = RAIL.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour }));
  return svg("defs", {}, [
    svg("radialGradient", { id: `${id}-light`, cx: "50%", cy: "34%", r: "75%" }, light),
    svg("linearGradient", { id: `${id}-rail`, x1: 0, y1: 0, x2: 0, y2: 1 }, rail),
  ]);
}

function tray() {
  const tubes = TUBES.map((name, tube) => {
    const d = `M${MIDDLE - 168 + tube * 42} 30V74`;
    return svg("path", { class: `tube tube-${name}`, d, "stroke-dasharray": "4.4 .9", "stroke-width": 34 });
  });
  return [svg("rect", { x: MIDDLE - 196, y: 22, width: 392, height: 60, rx: 8, class: "tray" }), tubes];
}

function shoe() {
  const lines = "M-26 -44H26M-26 -34H26M-26 -24H26M-38 18H38M-14 46Q0 30 14 46";
  return svg("g", { class: "shoe", transform: "translate(1440 88) scale(.86) rotate(30)" }, [
    svg("rect", { class: "back", x: -27, y: 18, width: 54, height: 66, rx: 4 }),
    svg("rect", { x: -38, y: -58, width: 76, height: 104, rx: 7 }),
    svg("path", { class: "shoe-line", d: lines }),
  ]);
}

function discards() {
  return svg("g", { class: "discard", transform: "rotate(-14 150 80)" }, [
    svg("rect", { x: 116, y: 34, width: 70, height: 92, rx: 7 }),
    svg("rect", { x: 124, y: 42, width: 54, height: 76, rx: 4, class: "back" }),
    svg("rect", { x: 127.5, y: 45.5, width: 47, height: 69, rx: 2, class: "shoe-line" }),
  ]);
}

function ribbon() {
  const under = `L${MIDDLE + 568} 373Q${MIDDLE} 497 ${MIDDLE - 568} 373Z`;
  return svg("g", { class: "print-ribbon" }, svg("path", { d: arc(343, 560, 120) + under }));
}

/**
 * Words along the arc.
 * @param {string} id
 * @param {string} words
 * @param {number} y
 * @param {boolean} isTitle
 */
function print(id, words, y, isTitle) {
  return [
    svg("path", { id, d: arc(y, 620, 118), fill: "none" }),
    svg("text", { class: isTitle ? "print print-title" : "print", "text-anchor": "middle" }, [
      svg("textPath", { href: `#${id}`, startOffset: "50%" }, words),
    ]),
  ];
}

/** @param {string} id @param {Face} face */
function prints(id, face) {
  const lines = [face.title, ...face.lines];
  const tops = face.ribbon ? PRINT_WITH_RIBBON : lines.map((_, place) => PRINT_TOP + place * PRINT_LINE);
  const printed = lines.slice(0, tops.length).map((words, place) => print(`${id}-${place}`, words, tops[place], !place));
  return face.ribbon ? [ribbon(), printed, print(`${id}-ribbon`, face.ribbon, RIBBON, false)] : printed;
}

/** @param {Face} face */
export function cloth(face) {
  const id = "cloth";
  return svg("svg", { class: "cloth", viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" }, [
    gradients(id),
    svg("path", { d: outline(0, 0), fill: `url(#${id}-rail)`, class: "rail" }),
    svg("path", { d: outline(22, 10), class: "rail-lip" }),
    svg("path", { d: outline(26, 12), fill: `url(#${id}-light)` }),
    svg("path", { d: outline(36, 16), class: "gold-line" }),
    tray(),
    shoe(),
    discards(),
    prints(id, face),
  ]);
}
