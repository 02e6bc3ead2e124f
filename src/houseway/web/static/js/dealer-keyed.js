// A scoreboard that is fed by a keypad alone: the approved use of EZ Trak. It needs no table, no bets and nobody else.
import { byId, el } from "./dom.js";
import { watch } from "./watch.js";
import { bead, bigRoad, handWords, oneCell, roadPanel } from "./board-roads.js";
import { ask, key, press, sender } from "./dealer-parts.js";
import { listenToKeys, resultPad } from "./dealer-results.js";

/** Run the keypad of a keyed scoreboard. */
export function runBoard(place) {
  const board = place.dataset.table, path = `/api/v1/boards/${encodeURIComponent(board)}`, send = sender(path, { repeats: true });
  let view = null;
  const undo = key("Undo last", { kind: "plain", shortcut: "−", "data-key": "undo", onclick: press(() => send("undo")) });
  const fresh = key("New shoe", { kind: "plain", shortcut: "/", "data-key": "new-shoe", onclick: press(async () => {
    const hands = `${view.hands.length} ${view.hands.length === 1 ? "hand" : "hands"}`;
    const yes = await ask("Begin a new shoe?", { body: el("p", {}, `The board is wiped of its ${hands}; they stay in the journal.`), choices: [["yes", "New shoe", "warn"]], cancel: "Keep this shoe" });
    if (yes) await send("new-shoe");
  }) });
  const pad = resultPad((hand) => send("hand", { hand }), { extras: [undo, fresh] });
  listenToKeys(() => ({ ...pad.shortcuts, "-": undo, "/": fresh }));
  const last = el("div", { class: "keyed-last", id: "keyed-last", role: "status" }), counts = el("p", { class: "keyed-counts" });
  const big = roadPanel("Big road", "big-road", bigRoad), beads = roadPanel("Bead plate", "bead-plate", bead);
  place.replaceChildren(el("div", { class: "keyed-board" }, el("section", { class: "panel pad-panel", "aria-label": "Keypad" }, pad.pad), el("section", { class: "panel wall-preview", "aria-label": "What the wall shows" }, last, counts, big.panel, beads.panel,
    el("a", { class: "button quiet", href: `/board/${encodeURIComponent(board)}`, target: "_blank" }, "Open the wall display"))));
  watch(`${path}/stream`, (given) => {
    view = given;
    place.setAttribute("aria-busy", "false");
    byId("edition").textContent = view.edition.name;
    byId("where").textContent = `Shoe ${view.shoe_number} · hand ${view.hands.length + 1} is next`;
    undo.disabled = !view.hands.length;
    fresh.disabled = !view.hands.length;
    const hand = view.hands.at(-1);
    last.replaceChildren(...(hand ? [oneCell(bead({ hand })), el("div", {}, el("small", {}, `Hand ${view.hands.length}`), el("b", {}, [handWords(hand).won, handWords(hand).extra].filter(Boolean).join(", ")))] : [el("p", {}, "No hand yet: key the winner and press Enter.")]));
    last.dataset.hands = view.hands.length;
    const { player, banker, tie, dragon_7: dragons, panda_8: pandas, natural } = view.counts;
    counts.textContent = `Player ${player} · Banker ${banker} · Tie ${tie} · Dragon 7 ${dragons} · Panda 8 ${pandas} · Natural ${natural}`;
    big.show(view.big_road);
    beads.show(view.bead_plate);
  });
}
