// The scoreboard of baccarat: bead plate, big road, the three derived roads, counts, the last winner, next-hand cells.
import { el } from "./dom.js";
import { DERIVED, bead, bigRoad, derivedCell, handWords, oneCell, readHand, roadPanel } from "./board-roads.js";

const COUNTS = [["player", "Player", "P"], ["banker", "Banker", "B"], ["tie", "Tie", "T"], ["dragon_7", "Dragon 7", "B7"], ["panda_8", "Panda 8", "P8"], ["natural", "Natural", "n"]];

/** The mark in front of a count: the bead it counts. */
const countMark = (code) => (code === "n" ? el("span", { class: "natural-mark", "aria-hidden": "true" }) : oneCell(bead({ hand: code })));

function legend() {
  const pair = (cell, words) => el("span", {}, oneCell(cell), words);
  return el("p", { class: "legend" },
    pair(bigRoad({ hand: "P" }), "Player"), pair(bigRoad({ hand: "B" }), "Banker"), pair(bigRoad({ hand: "", ties: 1 }), "Tie"),
    pair(bigRoad({ hand: "B7" }), "Dragon 7"), pair(bigRoad({ hand: "P8" }), "Panda 8"),
    el("span", { class: "apart" }, "Derived roads tell how the pattern goes on, not who won:"),
    pair(derivedCell[0]({ colour: "R" }), "regular"), pair(derivedCell[0]({ colour: "B" }), "irregular"));
}

function lastWinner(view) {
  const hand = view.hands.at(-1);
  if (!hand) return [el("div", {}, el("p", { class: "nothing-yet" }, "No hand yet in this shoe."), el("p", { class: "small" }, "The first result appears here by itself."))];
  const { won, extra } = handWords(hand);
  return [oneCell(bead({ hand })), el("div", {}, el("span", { class: "small" }, `Hand ${view.hands.length}`), el("strong", {}, won), extra && el("em", {}, extra))];
}

function nextCells(view) {
  if (!view.next_hand) return [];
  const row = (winner, name) => el("div", { class: "next-row", role: "img", "aria-label": `If ${name} wins: ${view.next_hand[winner].map((colour, road) => `${DERIVED[road]} ${{ R: "regular", B: "irregular" }[colour] ?? "nothing"}`).join(", ")}` },
    oneCell(bead({ hand: winner })), el("span", { class: "next-to", "aria-hidden": "true" }, "→"),
    view.next_hand[winner].map((colour, road) => el("span", { class: "next-cell", dataset: { next: winner, colour: colour ?? "" } }, colour ? oneCell(derivedCell[road]({ colour })) : "–")));
  return [el("h2", {}, "If the next hand is"), row("P", "Player"), row("B", "Banker")];
}

/** Build the board once; the result shows every new view. */
export function baccaratBoard(place) {
  const beads = roadPanel("Bead plate", "bead-plate", bead);
  const big = roadPanel("Big road", "big-road", bigRoad);
  const derived = DERIVED.map((title, road) => roadPanel(title, title.toLowerCase().replaceAll(" ", "-"), derivedCell[road]));
  const last = el("div", { class: "last-winner", id: "last-winner", role: "status" });
  const counts = el("dl", { class: "counts", id: "counts" });
  const next = el("div", { class: "next-hand", id: "next-hand" });
  place.replaceChildren(el("div", { class: "roads" },
    beads.panel, el("section", { class: "side" }, last, counts, next), big.panel, el("div", { class: "derived" }, derived.map((road) => road.panel)), legend()));
  return (view) => {
    beads.show(view.bead_plate);
    big.show(view.big_road);
    derived.forEach((road, number) => road.show(view.derived[number]));
    last.className = `last-winner ${readHand(view.hands.at(-1) ?? "").winner}`;
    last.replaceChildren(...lastWinner(view));
    counts.replaceChildren(...COUNTS.map(([name, words, code]) => el("div", { dataset: { count: name } }, el("dt", {}, countMark(code), words), el("dd", {}, String(view.counts[name])))));
    next.replaceChildren(...nextCells(view));
    next.hidden = !view.next_hand;
  };
}
