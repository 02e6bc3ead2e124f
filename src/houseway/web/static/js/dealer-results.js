// Keys for baccarat results: a winner and what goes with it. What cannot be is disabled: a Dragon 7 is Banker's and has three
// cards, a Panda 8 is Player's and has three cards, a natural draws none (EZB-3a, EZB-4).
import { el } from "./dom.js";
import { bead, oneCell } from "./board-roads.js";
import { key, press } from "./dealer-parts.js";

const WINNERS = { P: ["Player", "1"], T: ["Tie", "3"], B: ["Banker", "2"] };
const BONUS = { 7: ["Dragon 7", "Banker, three-card 7", "7", "B"], 8: ["Panda 8", "Player, three-card 8", "0", "P"] };
const RESULTS = { P: "player-win", B: "banker-win", T: "tie" };

/** What was keyed, as a scoreboard writes it: `B7`, `Pn`, `T`. */
const asHand = ({ winner, bonus, natural }) => winner + bonus + (natural ? "n" : "");

/** The same as a table's result: `banker-win natural`, `dragon-7`. */
export const asResult = (hand) => ({ B7: "dragon-7", P8: "panda-8" })[hand] ?? RESULTS[hand[0]] + (hand.endsWith("n") ? " natural" : "");

/** A result in words: `banker-win natural` is "Banker wins, natural". */
export function resultWords(result) {
  const [id, natural] = result.split(" ");
  const words = { "player-win": "Player wins", "banker-win": "Banker wins", tie: "Tie", "dragon-7": "Banker wins with Dragon 7", "panda-8": "Player wins with Panda 8" };
  return (words[id] ?? id) + (natural ? ", natural" : "");
}

/** The hand that a result puts on the roads. */
export const resultHand = (result) => ({ "dragon-7": "B7", "panda-8": "P8" })[result] ?? { player: "P", banker: "B", tie: "T" }[result.split(/[- ]/)[0]] + (result.endsWith("natural") ? "n" : "");

/** A pad of result keys. `enter(hand)` gets what was keyed; `extras` are further keys. Digits work too: see `shortcut`. */
export function resultPad(enter, { extras = [], enterWords = "Enter" } = {}) {
  const empty = { winner: "", bonus: "", natural: false };
  let keyed = empty;
  const display = el("output", { class: "keyed", "aria-live": "polite" });
  const keys = {};
  const set = (next) => {
    keyed = next;
    show();
  };
  const winner = (letter) => set({ ...keyed, winner: keyed.winner === letter && !keyed.bonus ? "" : letter });
  const bonus = (digit) => set(keyed.bonus === digit ? { ...keyed, bonus: "" } : { winner: BONUS[digit][3], bonus: digit, natural: false });
  const natural = () => set({ ...keyed, natural: !keyed.natural });
  const commit = async () => {
    if (!keyed.winner) return;
    const before = keyed;
    set(empty);
    try {
      await enter(asHand(before));
    } catch (refused) {
      if (keyed === empty) set(before);
      throw refused;
    }
  };

  for (const [letter, [words, shortcut]] of Object.entries(WINNERS)) keys[letter] = key(words, { kind: `winner ${letter}`, shortcut, "data-key": letter, onclick: () => winner(letter) });
  for (const [digit, [words, note, shortcut]] of Object.entries(BONUS)) keys[digit] = key(words, { kind: `bonus ${BONUS[digit][3]}`, note, shortcut, "data-key": digit, onclick: () => bonus(digit) });
  keys.n = key("Natural", { kind: "bonus", note: "8 or 9 in two cards", shortcut: "8 9", "data-key": "n", onclick: natural });
  keys.clear = key("Clear", { kind: "plain", shortcut: "C", "data-key": "clear", onclick: () => set(empty) });
  keys.enter = key(enterWords, { kind: "enter", shortcut: "Enter", "data-key": "enter", onclick: press(commit) });

  function show() {
    const able = {
      P: !keyed.bonus || keyed.bonus === "8", B: !keyed.bonus || keyed.bonus === "7", T: !keyed.bonus,
      7: !keyed.natural && keyed.winner !== "P" && keyed.winner !== "T", 8: !keyed.natural && keyed.winner !== "B" && keyed.winner !== "T",
      n: !keyed.bonus, enter: Boolean(keyed.winner), clear: Boolean(keyed.winner || keyed.natural),
    };
    for (const [name, button] of Object.entries(keys)) button.disabled = !able[name];
    const pressed = { P: keyed.winner === "P", B: keyed.winner === "B", T: keyed.winner === "T", 7: keyed.bonus === "7", 8: keyed.bonus === "8", n: keyed.natural };
    for (const [name, is] of Object.entries(pressed)) keys[name].setAttribute("aria-pressed", String(is));
    const said = [WINNERS[keyed.winner]?.[0], BONUS[keyed.bonus]?.[0], keyed.natural && "Natural"].filter(Boolean).join(" · ");
    display.replaceChildren(keyed.winner ? oneCell(bead({ hand: asHand(keyed) })) : "", said || el("span", { class: "hint" }, "Key the winner"));
  }

  const shortcuts = { 1: keys.P, 2: keys.B, 3: keys.T, 7: keys[7], 0: keys[8], 8: keys.n, 9: keys.n, c: keys.clear, C: keys.clear, Escape: keys.clear, Enter: keys.enter };
  show();
  const pad = el("div", { class: "result-pad" }, display, el("div", { class: "winners" }, keys.P, keys.T, keys.B), el("div", { class: "bonuses" }, keys[8], keys.n, keys[7]), el("div", { class: "commit" }, keys.clear, extras, keys.enter));
  return { pad, shortcuts, clear: () => set(empty) };
}

/** Let a keypad's keys press the buttons, unless somebody types in a field or a dialog is open. */
export function listenToKeys(shortcutsNow) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog")) return;
    const button = shortcutsNow()[event.key];
    if (!button || !button.isConnected || (event.key === "Enter" && event.target.closest?.("button") && event.target !== button && !event.target.closest(".result-pad, .card-pad"))) return;
    event.preventDefault();
    if (!button.disabled) button.click();
  });
}
