// A table's win beside the win to be expected: where it lies in the band that holds 95 % of all sessions.
import { dollars, el, svg } from "./dom.js";
import { drawn } from "./plot.js";

const HIGH = 58, EDGE = 10, LINE = 22;
const percent = (part, whole) => `${((100 * part) / whole).toFixed(2).replace("-", "−")} %`;

/** The picture, as wide as its place: the band, the expected win, and the win itself. */
function plot(win, { expected_cents: expected, band_cents: band }, wide) {
  const reach = Math.max(band, Math.abs(win - expected), 1) * 1.15;
  const at = (cents) => EDGE + ((cents - expected + reach) / (2 * reach)) * (wide - 2 * EDGE);
  const label = `Win ${dollars(win)}; expected ${dollars(expected)}, give or take ${dollars(band)}.`;
  const text = (x, y, words, name, anchor) => svg("text", { x, y, class: name, "text-anchor": anchor }, words);
  const figures = () => {
    const [left, right] = [at(expected - band), at(expected + band)];
    if (right - left < 200) return [text(Math.min(Math.max(at(expected), 90), wide - 90), HIGH - 4, `${dollars(expected)} ± ${dollars(band)}`, "figure", "middle")];
    return [text(left, HIGH - 4, dollars(expected - band), "figure", "start"), text(at(expected), HIGH - 4, dollars(expected), "figure", "middle"), text(right, HIGH - 4, dollars(expected + band), "figure", "end")];
  };
  const parts = [
    svg("line", { x1: EDGE, x2: wide - EDGE, y1: LINE, y2: LINE, class: "axis-line" }),
    svg("rect", { x: at(expected - band), y: LINE - 9, width: Math.max(2, at(expected + band) - at(expected - band)), height: 18, rx: 4, class: "band" }),
    svg("line", { x1: at(expected), x2: at(expected), y1: LINE - 13, y2: LINE + 13, class: "expected" }),
    svg("circle", { cx: at(win), cy: LINE, r: 6.5, class: Math.abs(win - expected) <= band ? "win" : "win outside" }),
    ...figures(),
  ];
  return svg("svg", { class: "hold", viewBox: `0 0 ${wide} ${HIGH}`, width: wide, height: HIGH, role: "img", "aria-label": label }, parts);
}

/** The picture in a place of its own; it is drawn again when the place gets another width. */
export function holdPlot(win, theory) {
  const place = el("div", { class: "hold-place" });
  drawn(place, (wide) => plot(win, theory, wide));
  return place;
}

/** The same in words, and what the band leaves out. */
export function holdWords(table) {
  const { theory, win_cents: win, drop_cents: drop } = table;
  const { expected_cents: expected, band_cents: band, handle_cents: handle, bets, left_out: left } = theory;
  const inside = Math.abs(win - expected) <= band;
  const over = Math.abs(win - expected) - band;
  const key = (name, words) => el("span", {}, el("i", { class: name }), words);
  return [
    el("p", { class: "small legend", "aria-hidden": "true" }, key("", "win"), key("mid", "expected"), key("wide", "95 of 100 sessions")),
    el("p", { class: inside ? "hold-words" : "hold-words bad" }, inside
      ? `Inside the 95 % band: ${dollars(expected)} expected of ${bets.toLocaleString("en-US")} ${bets === 1 ? "bet" : "bets"}, ${dollars(Math.abs(win))} ${win < 0 ? "lost" : "won"}.`
      : `Outside the 95 % band by ${dollars(over)}: chance alone does so ${over > band / 2 ? "in fewer than one of 300 sessions" : "in one of 20 sessions"}. Look at its big payouts.`),
    el("p", { class: "small" }, [
      `Handle ${dollars(handle)}`,
      handle ? `win ${percent(win, handle)} of handle, theory ${percent(expected, handle)}` : "",
      drop ? `hold ${percent(win, drop)} of drop` : "no cash in the box yet, so no hold of drop",
    ].filter(Boolean).join(" · ")),
    el("details", { class: "small" }, el("summary", {}, "What the band leaves out"), el("p", {},
      "Wagers on the same cards win and lose together; the band counts each alone and so is somewhat too narrow. Guests who do not play as the odds assume are not in it either.",
      left.length ? ` Not counted for lack of odds of their own: ${left.join(", ")}.` : "")),
  ];
}
