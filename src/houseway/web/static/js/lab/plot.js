// Pictures of odds as SVG: what comes back of a stake, what each outcome adds, and the house edge by decks.
import { el, svg } from "../shared/dom.js";

const fixed = (value, places) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(places)}`;

/** A name that fits: the part before its colon if the whole is too long, else cut. */
function shorten(name, most) {
  if (name.length <= most) return name;
  const [first, rest = ""] = name.split(": ");
  if (/\d$/.test(first) && first.length <= most) return first;
  const kept = rest && first.length > 14 ? `…${rest}` : name;
  return kept.length <= most ? kept : `${kept.slice(0, Math.max(1, most - 1)).trimEnd()}…`;
}

function canvas(width, height, label) {
  return svg("svg", {
    class: "plot",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
  });
}

const text = (x, y, words, name = "", anchor = "start") =>
  svg("text", { x, y, class: name, "text-anchor": anchor }, words);

/** One bar of 100 units staked: what each outcome gives back, and what the house keeps. */
export function returnBar(parts, edge, width) {
  const back = parts.reduce((sum, part) => sum + part.back, 0);
  const whole = Math.max(1, back);
  const scale = (value) => (value / whole) * width;
  const kept = edge >= 0 ? `the house keeps ${fixed(edge * 100, 3)}` : `the house loses ${fixed(-edge * 100, 3)}`;
  const drawn = canvas(width, 62, `Of each 100 staked ${fixed(back * 100, 3)} comes back; ${kept}.`);
  let x = 0;
  parts.forEach((part, place) => {
    const wide = scale(part.back);
    const bar = svg("rect", {
      x,
      y: 0,
      width: Math.max(0, wide - 1),
      height: 34,
      class: `share share-${place % 6}`,
    });
    bar.append(svg("title", {}, `${part.name}: ${fixed(part.back * 100, 3)} of 100`));
    drawn.append(bar);
    if (wide > 74) drawn.append(text(x + 8, 22, shorten(part.name, Math.floor((wide - 12) / 7.6)), "on-bar"));
    x += wide;
  });
  if (edge > 0) drawn.append(svg("rect", { x, y: 0, width: Math.max(2, scale(edge)), height: 34, class: "kept" }));
  const limit = scale(1);
  drawn.append(svg("line", { x1: limit - 0.5, x2: limit - 0.5, y1: 0, y2: 42, class: "limit" }));
  drawn.append(text(0, 56, `${fixed(back * 100, 2)} of 100 comes back`, "axis"));
  drawn.append(
    text(
      width,
      56,
      edge >= 0 ? `house keeps ${fixed(edge * 100, 2)}` : `house loses ${fixed(-edge * 100, 2)}`,
      "axis kept-text",
      "end",
    ),
  );
  return drawn;
}

/** What each outcome adds to (right) or takes from (left) the player's return, for each unit staked. */
export function shareBars(rows, width) {
  const narrow = width < 400;
  const [high, labels, numbers] = narrow ? [42, 0, 84] : [24, Math.min(330, width * 0.4), 92];
  const drawn = canvas(
    width,
    rows.length * high + 6,
    "What each outcome adds to the return; the par sheet has the same figures in its last column.",
  );
  const most = Math.max(...rows.map((row) => row.share), 0);
  const least = Math.min(...rows.map((row) => row.share), 0);
  const room = width - labels - numbers - 8;
  const scale = (value) => (value / (most - least || 1)) * room;
  const zero = labels + scale(-least) + 4;
  rows.forEach((row, place) => {
    const top = place * high + (narrow ? 18 : 3);
    const long = Math.abs(scale(row.share));
    const side = row.share > 0 ? "gain" : "loss";
    drawn.append(
      text(0, narrow ? top - 5 : top + 13, shorten(row.name, Math.floor((narrow ? width : labels) / 7.4)), "label"),
    );
    drawn.append(
      svg("rect", {
        x: row.share > 0 ? zero : zero - long,
        y: top,
        width: Math.max(row.share ? 1 : 0, long),
        height: 17,
        rx: 2,
        class: side,
      }),
    );
    drawn.append(
      svg("line", {
        x1: zero,
        x2: zero,
        y1: narrow ? top - 2 : top - 4,
        y2: top + (narrow ? 19 : 21),
        class: "zero",
      }),
    );
    drawn.append(
      text(width, top + 13, `${row.share > 0 ? "+" : ""}${fixed(row.share, 6)}`, `figure ${side}-text`, "end"),
    );
  });
  return drawn;
}

function ticks(low, high, about) {
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((unit) => unit * power).find((unit) => unit >= rough) ?? power;
  const marks = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) marks.push(at);
  return {
    marks,
    places: Math.min(4, Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0))),
  };
}

/** House edge in percent against decks; what-if points are hollow. A sampled point carries two standard errors. */
export function decksPlot(points, present, width) {
  const height = 248;
  const box = { left: 58, right: width - 14, top: 26, bottom: height - 44 };
  const reach = points.map((point) => [point.edge - 2 * point.error, point.edge + 2 * point.error]).flat();
  let [low, high] = [Math.min(...reach), Math.max(...reach)];
  const air = (high - low || Math.abs(high) * 0.02 || 0.1) * 0.22;
  [low, high] = [low - air, high + air];
  const across = (decks) => box.left + 22 + ((decks - 1) / 7) * (box.right - box.left - 44);
  const up = (edge) => box.bottom - ((edge - low) / (high - low)) * (box.bottom - box.top);
  const drawn = canvas(width, height, "House edge by number of decks; the table below has the same figures.");
  const { marks, places } = ticks(low, high, 4);
  for (const at of marks) {
    drawn.append(svg("line", { x1: box.left, x2: box.right, y1: up(at), y2: up(at), class: "grid-line" }));
    drawn.append(text(box.left - 8, up(at) + 4, `${fixed(at, places)} %`, "axis", "end"));
  }
  const path = points
    .map((point, place) => `${place ? "L" : "M"}${across(point.decks)} ${up(point.edge)}`)
    .join(" ");
  drawn.append(svg("path", { d: path, class: "trace" }));
  for (const point of points) drawn.append(...dot(point, present, across(point.decks), up, box));
  drawn.append(
    text((box.left + box.right) / 2, height - 6, "decks", "axis", "middle"),
    text(0, 12, "house edge (the axis does not start at 0)", "axis"),
  );
  return drawn;
}

function dot(point, present, x, up, box) {
  /** @type {SVGElement[]} */
  const parts = [
    text(x, box.bottom + 18, String(point.decks), point.decks === present ? "axis here" : "axis", "middle"),
  ];
  if (point.error)
    parts.push(
      svg("line", {
        x1: x,
        x2: x,
        y1: up(point.edge - 2 * point.error),
        y2: up(point.edge + 2 * point.error),
        class: "error",
      }),
    );
  if (point.decks === present) parts.push(svg("circle", { cx: x, cy: up(point.edge), r: 10, class: "here-ring" }));
  const mark = svg("circle", { cx: x, cy: up(point.edge), r: 5, class: point.approved ? "dot" : "dot what-if" });
  mark.append(
    svg("title", {}, `${point.decks} decks: ${fixed(point.edge, 6)} %${point.approved ? "" : ", what-if"}`),
  );
  return [...parts, mark];
}

/** @param {string} name @param {number} r @param {string} words */
function legendMark(name, r, words) {
  const box = { width: 22, height: 22, viewBox: "0 0 22 22", "aria-hidden": "true" };
  return el("span", {}, svg("svg", box, svg("circle", { cx: 11, cy: 11, r, class: name })), words);
}

/** What the marks of the decks plot mean. */
export function decksLegend() {
  return el("p", { class: "legend small" }, [
    legendMark("dot", 5, "approved"),
    legendMark("dot what-if", 5, "what-if: outside the approval"),
    legendMark("here-ring", 9, "chosen here"),
  ]);
}
