// A scoreboard for the wall: it watches by itself and is never touched.
import { byId, dollars, el } from "./dom.js";
import { watch } from "./watch.js";
import { baccaratBoard } from "./board-baccarat.js";
import { bead, handWords, oneCell, readHand } from "./board-roads.js";
import { historyBoard } from "./board-history.js";

const place = byId("board");
const ANNOUNCED_MS = 3500;
const PHASES = { betting: "Place your bets", dealing: "No more bets", deciding: "No more bets", ready: "No more bets", frozen: "Please wait" };
let show = null;
let known = null;
let hiding = 0;

/** Wagers with the same limits are told together. */
function limits(view) {
  const same = new Map();
  for (const { wager, min_cents: least, max_cents: most } of view.limits) {
    const span = `${dollars(least)} – ${dollars(most)}`;
    same.set(span, [...(same.get(span) ?? []), wager]);
  }
  return [...same].map(([span, wagers]) => el("span", {}, el("small", {}, wagers.join(" · ")), el("b", {}, span)));
}

function roundWords(view) {
  if (view.kind !== "roads") return view.phase === "betting" ? `Round ${view.round}` : `Round ${view.round} in play`;
  return `Shoe ${Math.max(1, view.shoe_number)} · ${view.hands.length} ${view.hands.length === 1 ? "hand" : "hands"}`;
}

/** The last winner, large for a moment. */
function announce(hand) {
  const { won, extra } = handWords(hand), box = byId("announce");
  box.className = `announce ${readHand(hand).winner}`;
  box.replaceChildren(oneCell(bead({ hand })), el("strong", {}, won), extra ? el("em", {}, extra) : "");
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (box.hidden = true), ANNOUNCED_MS);
}

watch(`/api/v1/boards/${encodeURIComponent(place.dataset.board)}/stream`, (view) => {
  show ??= view.kind === "roads" ? baccaratBoard(place) : historyBoard(place, view);
  place.setAttribute("aria-busy", "false");
  byId("edition").textContent = view.edition.name;
  byId("limits").replaceChildren(...limits(view));
  byId("round").replaceChildren(...[el("b", {}, roundWords(view)), view.phase && el("span", { class: `phase ${view.phase}` }, PHASES[view.phase])].filter(Boolean));
  show(view);
  if (view.kind === "roads") {
    if (known !== null && view.hands.length > known) announce(view.hands.at(-1));
    else if (known !== null && view.hands.length < known) byId("announce").hidden = true;
    known = view.hands.length;
  }
});
