// The scoreboard of games without roads: the dealer's last hands, where the deal began, how the wagers ended, bonus hands.
import { el } from "./dom.js";

const DEALERS_POSITION = 7;
const ENDS = { win: "W", lose: "L", push: "P" };
const QUEEN_HIGH = "queen-high-pai-gow";
const MAIN_WAGER = { ez_pai_gow: "base", blackjack: "blackjack", duki_4_poker: "ante" };

function hero(view) {
  const last = view.last[0];
  if (!last) return [el("h2", {}, "Last round"), el("p", { class: "nothing-yet" }, "No round is over yet."), el("p", { class: "small" }, "The dealer's hand appears here as soon as the first round is settled.")];
  const queen = last.marks.includes(QUEEN_HIGH);
  return [el("h2", {}, `Round ${last.round}: the dealer's hand`), el("p", { class: "headline" }, last.headline), queen && el("p", { class: "queen" }, "Queen-high pai gow: base wagers push"),
    last.hits.map((hit) => el("p", { class: "hit" }, `${hit.outcome}`, hit.seat ? el("small", {}, `seat ${hit.seat}`) : null))].flat().filter(Boolean);
}

function start(view) {
  const now = view.dice || 0, shown = now || view.last[0]?.start || 0, most = Math.max(1, ...view.starts);
  const position = (number) => el("li", { class: number === shown ? "chosen" : "", "aria-current": number === shown ? "true" : null },
    el("b", {}, String(number)), el("small", {}, number === DEALERS_POSITION ? "dealer" : `seat ${number}`),
    el("i", { style: { "--share": String(view.starts[number - 1] / most) }, "aria-hidden": "true" }), el("span", { class: "times" }, `${view.starts[number - 1]}×`));
  return [el("h2", {}, now ? "The deal begins at" : "The last deal began at"), el("p", { class: "start-number", id: "start" }, shown ? String(shown) : "–"),
    el("ol", { class: "positions" }, view.starts.map((_, place) => position(place + 1)))];
}

const pill = (ended) => el("span", { class: `end ${ended.end}`, title: `${ended.wager}: ${ended.end}` }, ENDS[ended.end]);

function rounds(view, dice) {
  const main = (one) => one.ends.filter((ended) => ended.wager === MAIN_WAGER[view.edition.game]);
  const row = (one) => el("li", {}, el("span", { class: "number" }, String(one.round)),
    el("span", { class: "told" }, one.headline, one.marks.includes(QUEEN_HIGH) && el("span", { class: "queen-mark" }, "Q-high")),
    one.hits.length > 0 && el("span", { class: "row-hit" }, one.hits[0].outcome + (one.hits.length > 1 ? ` +${one.hits.length - 1}` : "")),
    dice && el("span", { class: "from" }, `from ${one.start}`),
    el("span", { class: "ends", role: "img", "aria-label": main(one).map((ended) => ended.end).join(", ") }, main(one).map(pill)));
  return [el("h2", {}, "Last rounds", el("small", {}, `the dealer's hand · ${MAIN_WAGER[view.edition.game] ?? ""} bets: W win, L lose, P push`)),
    view.last.length ? el("ol", { class: "rounds" }, view.last.map(row)) : el("p", { class: "small" }, "They are listed here, newest first.")];
}

function totals(view) {
  const all = Object.entries(view.ends);
  const row = ([wager, ends]) => {
    const sum = Math.max(1, ends.win + ends.lose + ends.push);
    return el("div", { class: "total" }, el("span", { class: "wager" }, wager),
      el("span", { class: "bar", "aria-hidden": "true" }, Object.keys(ENDS).map((end) => el("i", { class: end, style: { "--share": String(ends[end] / sum) } }))),
      el("span", { class: "numbers" }, Object.entries(ENDS).map(([end, letter]) => el("span", { class: `end ${end}`, title: end }, `${letter} ${ends[end]}`))));
  };
  return [el("h2", {}, "How the wagers ended", el("small", {}, `${view.rounds} ${view.rounds === 1 ? "round" : "rounds"}`)), all.length ? all.map(row) : el("p", { class: "small" }, "Win, lose and push are counted for every wager.")].flat();
}

function bonuses(view) {
  const hits = Object.entries(view.hits).flatMap(([wager, outcomes]) => Object.entries(outcomes).map(([outcome, times]) => ({ wager, outcome, times })));
  return [el("h2", {}, "Bonus hands hit"), hits.length
    ? el("ul", { class: "hits" }, hits.slice(0, 9).map((hit) => el("li", {}, el("span", {}, el("b", {}, hit.outcome), el("small", {}, hit.wager)), el("strong", {}, `${hit.times}×`))))
    : el("p", { class: "small" }, "None yet.")];
}

/** Build the board once; the result shows every new view. */
export function historyBoard(place, first) {
  const dice = first.edition.game === "ez_pai_gow";
  const parts = { hero, start: dice && start, queens: dice && queens, rounds: (view) => rounds(view, dice), totals, bonuses };
  const panels = Object.entries(parts).filter(([, fill]) => fill).map(([name, fill]) => ({ fill, panel: el("section", { class: `part ${name}`, id: name }) }));
  place.replaceChildren(el("div", { class: dice ? "history with-dice" : "history" }, panels.map(({ panel }) => panel)));
  return (view) => panels.forEach(({ fill, panel }) => panel.replaceChildren(...fill(view)));
}

function queens(view) {
  return [el("h2", {}, "Queen-high pai gow"), el("p", { class: "queen-count" }, String(view.marks[QUEEN_HIGH] ?? 0), el("small", {}, `in ${view.rounds} ${view.rounds === 1 ? "round" : "rounds"}`))];
}
