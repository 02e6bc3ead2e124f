// A table's win beside the win to be expected: where it lies in the band that holds 95 % of all sessions.
import { countOf, dollars, el, svg } from "../shared/dom.js";
import { drawn } from "../shared/drawing.js";

/** @import { Cents, Theory } from "../types" */

const HIGH = 58;
const EDGE = 10;
const LINE = 22;
const NARROW = 200;

/** @param {number} part @param {number} whole */
const percent = (part, whole) => `${((100 * part) / whole).toFixed(2).replace("-", "−")} %`;

/** @param {number} x @param {string} words @param {"start" | "middle" | "end"} anchor */
const figure = (x, words, anchor) => svg("text", { x, y: HIGH - 4, class: "figure", "text-anchor": anchor }, words);

/**
 * The figures below the band: its ends and its middle, or all in one where it is narrow.
 * @param {Theory} theory
 * @param {(cents: Cents) => number} at
 * @param {number} wide
 */
function figures({ expected_cents: expected, band_cents: band }, at, wide) {
  const [left, right] = [at(expected - band), at(expected + band)];
  if (right - left < NARROW) {
    const x = Math.min(Math.max(at(expected), 90), wide - 90);
    return [figure(x, `${dollars(expected)} ± ${dollars(band)}`, "middle")];
  }
  return [
    figure(left, dollars(expected - band), "start"),
    figure(at(expected), dollars(expected), "middle"),
    figure(right, dollars(expected + band), "end"),
  ];
}

/**
 * The picture, as wide as its place: the band, the expected win, and the win itself.
 * @param {Cents} win
 * @param {Theory} theory
 * @param {number} wide
 */
function plot(win, theory, wide) {
  const { expected_cents: expected, band_cents: band } = theory;
  const reach = Math.max(band, Math.abs(win - expected), 1) * 1.15;
  const at = (/** @type {Cents} */ cents) => EDGE + ((cents - expected + reach) / (2 * reach)) * (wide - 2 * EDGE);
  const label = `Win ${dollars(win)}; expected ${dollars(expected)}, give or take ${dollars(band)}.`;
  const [left, right] = [at(expected - band), at(expected + band)];
  const isInside = Math.abs(win - expected) <= band;
  const box = { viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH };
  return svg("svg", { class: "hold", ...box, role: "img", "aria-label": label }, [
    svg("line", { x1: EDGE, x2: wide - EDGE, y1: LINE, y2: LINE, class: "axis-line" }),
    svg("rect", { x: left, y: LINE - 9, width: Math.max(2, right - left), height: 18, rx: 4, class: "band" }),
    svg("line", { x1: at(expected), x2: at(expected), y1: LINE - 13, y2: LINE + 13, class: "expected" }),
    svg("circle", { cx: at(win), cy: LINE, r: 6.5, class: isInside ? "win" : "win outside" }),
    figures(theory, at, wide),
  ]);
}

/**
 * The picture in a place of its own; it is drawn again when the place gets another width.
 * @param {Cents} win
 * @param {Theory} theory
 */
export function holdPlot(win, theory) {
  const place = el("div", { class: "hold-place" });
  drawn(place, (wide) => plot(win, theory, wide));
  return place;
}

/** @param {Cents} win @param {Theory} theory */
function bandWords(win, { expected_cents: expected, band_cents: band, bets }) {
  const over = Math.abs(win - expected) - band;
  if (over <= 0) {
    const result = `${dollars(Math.abs(win))} ${win < 0 ? "lost" : "won"}`;
    return `Inside the 95 % band: ${dollars(expected)} expected of ${countOf(bets, "bet")}, ${result}.`;
  }
  const often = over > band / 2 ? "in fewer than one of 300 sessions" : "in one of 20 sessions";
  return `Outside the 95 % band by ${dollars(over)}: chance alone does so ${often}. Look at its big payouts.`;
}

/** @param {string[]} left wagers that have no odds of their own */
function leftOut(left) {
  const words = [
    "Wagers on the same cards win and lose together; the band counts each alone and so is somewhat too narrow.",
    "Guests who do not play as the odds assume are not in it either.",
    left.length ? `Not counted for lack of odds of their own: ${left.join(", ")}.` : "",
  ];
  const summary = el("summary", {}, "What the band leaves out");
  return el("details", { class: "small" }, summary, el("p", {}, words.filter(Boolean).join(" ")));
}

/** @param {string} name @param {string} words */
const legendKey = (name, words) => el("span", {}, el("i", { class: name }), words);

/**
 * The same in words, and what the band leaves out.
 * @param {Cents} win
 * @param {Cents | null} drop
 * @param {Theory} theory
 */
export function holdWords(win, drop, theory) {
  const { expected_cents: expected, band_cents: band, handle_cents: handle } = theory;
  const isInside = Math.abs(win - expected) <= band;
  const facts = [
    `Handle ${dollars(handle)}`,
    handle ? `win ${percent(win, handle)} of handle, theory ${percent(expected, handle)}` : "",
    drop ? `hold ${percent(win, drop)} of drop` : drop === null ? "" : "no cash in the box yet, so no hold of drop",
  ];
  const keys = [legendKey("", "win"), legendKey("mid", "expected"), legendKey("wide", "95 of 100 sessions")];
  return [
    el("p", { class: "small legend", "aria-hidden": "true" }, keys),
    el("p", { class: isInside ? "hold-words" : "hold-words bad" }, bandWords(win, theory)),
    el("p", { class: "small" }, facts.filter(Boolean).join(" · ")),
    leftOut(theory.left_out),
  ];
}
