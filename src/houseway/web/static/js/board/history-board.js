// The scoreboard of games without roads: the last rounds, where the deal began, how the wagers ended, bonus hands.
import { countOf, el, present } from "../shared/dom.js";

/** @import { End, FinishedRound, HistoryFace, HistoryView } from "../types" */

/** @type {Record<End["end"], string>} */
const ENDS = { win: "W", lose: "L", push: "P" };
const KINDS = /** @type {End["end"][]} */ (Object.keys(ENDS));
const MOST_HITS = 9;

/** @param {HistoryView} view */
const faceOf = (view) => /** @type {HistoryFace} */ (view.face.board);

/**
 * The marks of a round that the scoreboard names.
 * @param {HistoryView} view
 * @param {FinishedRound} round
 */
const marksOf = (view, round) => faceOf(view).marks.filter((mark) => round.marks.includes(mark.id));

/** @param {HistoryView} view */
function hero(view) {
  const [last] = view.last;
  if (!last) {
    const about = `It appears here as soon as the first round is ${view.keyed ? "keyed" : "settled"}.`;
    const empty = el("p", { class: "nothing-yet" }, "No round is over yet.");
    return [el("h2", {}, "Last round"), empty, el("p", { class: "small" }, about)];
  }
  return [
    el("h2", {}, `Round ${last.round}: ${faceOf(view).headline}`),
    el("p", { class: "headline" }, last.headline),
    marksOf(view, last).map((mark) => el("p", { class: "mark-said" }, mark.says)),
    last.hits.map(({ outcome, seat }) => {
      return el("p", { class: "hit" }, outcome, seat ? el("small", {}, `seat ${seat}`) : null);
    }),
  ];
}

/** @param {HistoryView} view */
function start(view) {
  const now = view.dice || 0;
  const shown = now || view.last[0]?.start || 0;
  const most = Math.max(1, ...view.starts);
  const positions = view.starts.map((times, place) => {
    const isHere = place + 1 === shown;
    return el("li", { class: isHere ? "chosen" : "", "aria-current": isHere ? "true" : null }, [
      el("b", {}, String(place + 1)),
      el("small", {}, faceOf(view).start_names[place]),
      el("i", { style: { "--share": times / most }, "aria-hidden": "true" }),
      el("span", { class: "times" }, `${times}×`),
    ]);
  });
  return [
    el("h2", {}, now ? "The deal begins at" : "The last deal began at"),
    el("p", { class: "start-number" }, shown ? String(shown) : "–"),
    el("ol", { class: "positions", style: { "--starts": view.starts.length } }, positions),
  ];
}

/** How often a mark was made. @param {HistoryView} view */
function marks(view) {
  return faceOf(view).marks.flatMap((mark) => {
    const rounds = el("small", {}, `in ${countOf(view.rounds, "round")}`);
    return [el("h2", {}, mark.name), el("p", { class: "mark-count" }, String(view.marks[mark.id] ?? 0), rounds)];
  });
}

/** @param {End} ended */
const pill = (ended) => el("span", { class: `end ${ended.end}`, title: `${ended.wager}: ${ended.end}` }, ENDS[ended.end]);

/** @param {HistoryView} view @param {HistoryView["last"][number]} round */
function roundRow(view, round) {
  const ends = round.ends.filter((ended) => ended.wager === faceOf(view).main);
  const [hit, ...more] = round.hits;
  const short = marksOf(view, round).map((mark) => el("span", { class: "mark-short" }, mark.short));
  const label = ends.map((ended) => ended.end).join(", ");
  return el("li", {}, [
    el("span", { class: "number" }, String(round.round)),
    el("span", { class: "told" }, round.headline, short),
    hit ? el("span", { class: "row-hit" }, hit.outcome + (more.length ? ` +${more.length}` : "")) : null,
    faceOf(view).starts ? el("span", { class: "from" }, `from ${round.start}`) : null,
    ends.length ? el("span", { class: "ends", role: "img", "aria-label": label }, ends.map(pill)) : null,
  ]);
}

/** @param {HistoryView} view */
function rounds(view) {
  const { headline, main } = faceOf(view);
  const ends = view.keyed ? "" : ` · ${main} bets: W win, L lose, P push`;
  const about = el("small", {}, headline + ends);
  const list = el("ol", { class: "rounds" }, view.last.map((round) => roundRow(view, round)));
  const empty = el("p", { class: "small" }, "They are listed here, newest first.");
  return [el("h2", {}, "Last rounds", about), view.last.length ? list : empty];
}

/** @param {string} wager @param {HistoryView["ends"][string]} ends */
function totalRow(wager, ends) {
  const sum = Math.max(1, ends.win + ends.lose + ends.push);
  const bars = KINDS.map((end) => el("i", { class: end, style: { "--share": ends[end] / sum } }));
  const numbers = KINDS.map((end) => el("span", { class: `end ${end}`, title: end }, `${ENDS[end]} ${ends[end]}`));
  return el("div", { class: "total" }, [
    el("span", { class: "wager" }, wager),
    el("span", { class: "bar", "aria-hidden": "true" }, bars),
    el("span", { class: "numbers" }, numbers),
  ]);
}

/** @param {HistoryView} view */
function totals(view) {
  const rows = Object.entries(view.ends).map(([wager, ends]) => totalRow(wager, ends));
  const empty = el("p", { class: "small" }, "Win, lose and push are counted for every wager.");
  return [el("h2", {}, "How the wagers ended", el("small", {}, countOf(view.rounds, "round"))), rows.length ? rows : empty];
}

/** @param {HistoryView} view */
function bonuses(view) {
  const hits = Object.entries(view.hits).flatMap(([wager, outcomes]) => {
    return Object.entries(outcomes).map(([outcome, times]) => ({ wager, outcome, times }));
  });
  const rows = hits.slice(0, MOST_HITS).map(({ wager, outcome, times }) => {
    const words = el("span", {}, el("b", {}, outcome), el("small", {}, wager));
    return el("li", {}, words, el("strong", {}, `${times}×`));
  });
  const list = rows.length ? el("ul", { class: "hits" }, rows) : el("p", { class: "small" }, "None yet.");
  return [el("h2", {}, "Bonus hands hit"), list];
}

/**
 * Build the board once; the result shows every new view.
 * @param {HTMLElement} place
 * @param {HistoryFace} face
 * @param {boolean} keyed a board that is fed by a keypad knows of no bets
 */
export function historyBoard(place, face, keyed) {
  const all = [
    { name: "hero", fill: hero, isShown: true },
    { name: "start", fill: start, isShown: face.starts > 0 },
    { name: "marks", fill: marks, isShown: face.marks.length > 0 },
    { name: "rounds", fill: rounds, isShown: true },
    { name: "totals", fill: totals, isShown: !keyed },
    { name: "bonuses", fill: bonuses, isShown: true },
  ];
  const parts = all.filter((part) => part.isShown);
  const panels = parts.map(({ name }) => el("section", { class: `part ${name}` }));
  const layout = ["history", keyed && "keyed-alone", face.starts > 0 && "with-start", face.marks.length > 0 && "with-marks"];
  place.replaceChildren(el("div", { class: layout.filter(Boolean).join(" ") }, panels));
  return (/** @type {HistoryView} */ view) => {
    parts.forEach(({ fill }, at) => panels[at].replaceChildren(...present(fill(view))));
  };
}
