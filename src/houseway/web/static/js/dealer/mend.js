// Mistakes put right: before the settlement cards, decisions and wagers; after it, any settled round of the day.
import { cardName } from "../shared/cards.js";
import { el, inWords, toast } from "../shared/dom.js";
import { mayGive } from "../shared/who.js";
import { ask, askForm } from "./parts.js";

/** @import { FormField, Send } from "./parts.js" */
/** @import { TableView } from "../types" */

/** @type {FormField} */
const WHY = { id: "reason", label: "Reason, for the journal", suggestions: ["keyed wrongly", "seen on the recording"] };

/** @param {string} text */
const cents = (text) => Math.round(Number(text) * 100);

/** @param {TableView} view */
const places = (view) =>
  view.drawn.map((code, index) => /** @type {[string, string]} */ ([`${index + 1}`, `${index + 1}: ${cardName(code)}`]));

/** @param {TableView} view @returns {[string, string][]} */
const seatsWithBets = (view) =>
  view.seats.filter((seat) => seat.held_cents).map((seat) => [`${seat.seat}`, `Seat ${seat.seat}, ${seat.guest}`]);

/** @param {TableView} view @returns {[string, string][]} */
const wagers = (view) => view.wagers.map((wager) => [wager.id, wager.name]);

/**
 * @typedef {object} Mend
 * @property {string} kind the command
 * @property {string} words what it is called
 * @property {string} about what it does
 * @property {(view: TableView) => boolean} isPossible
 * @property {(view: TableView) => FormField[]} fields
 * @property {(given: Record<string, string>, view: TableView) => object} body
 */

/** @param {TableView} view */
const isKeyed = (view) => view.source !== "virtual-shoe" && view.drawn.length > 0;
/** @param {TableView} view */
const isPlayed = (view) => view.phase === "dealing" || view.phase === "deciding" || view.phase === "ready";

/** @type {Mend[]} */
const MENDS = [
  {
    kind: "rekey",
    words: "Key all cards again",
    about: "The cards of this round were others. Bets and decisions stand.",
    isPossible: (view) => isPlayed(view) && isKeyed(view),
    fields: (view) => [{ id: "cards", label: "All cards, in the order they came", value: view.drawn.join(" ") }],
    body: ({ cards }) => ({ cards }),
  },
  {
    kind: "swap-cards",
    words: "Swap two cards",
    about: "Two cards were keyed in the wrong order.",
    isPossible: (view) => isPlayed(view) && isKeyed(view) && view.drawn.length > 1,
    fields: (view) => [
      { id: "place", label: "This card", options: places(view) },
      { id: "other", label: "and this one", options: places(view) },
    ],
    body: ({ place, other }) => ({ place: Number(place), other_place: Number(other) }),
  },
  {
    kind: "replace-card",
    words: "Replace a card that was seen",
    about: "It is set aside, and the next card takes its place, unless the game's rules void the round.",
    isPossible: (view) => isPlayed(view) && isKeyed(view),
    fields: (view) => [
      { id: "place", label: "The card that was seen", options: places(view) },
      { id: "card", label: "The card that takes its place, such as 10h" },
    ],
    body: ({ place, card }) => ({ place: Number(place), card }),
  },
  {
    kind: "undo",
    words: "Take a decision back",
    about: "The seat decides again, if no card has followed.",
    isPossible: (view) => isPlayed(view) && view.seats.some((seat) => seat.choices.length),
    fields: (view) => [{ id: "seat", label: "Whose decision", options: seatsWithBets(view) }],
    body: ({ seat }) => ({ seat: Number(seat) }),
  },
  {
    kind: "change-bet",
    words: "Change a wager",
    about: "What lay on the felt was another amount. 0 takes the wager back.",
    isPossible: isPlayed,
    fields: (view) => [
      { id: "seat", label: "Seat", options: seatsWithBets(view) },
      { id: "wager", label: "Wager", options: wagers(view) },
      { id: "stake", label: "Dollars", type: "number" },
    ],
    body: ({ seat, wager, stake }) => ({ seat: Number(seat), wager, stake_cents: cents(stake) }),
  },
  {
    kind: "correct",
    words: "Correct a settled round",
    about: "Fill in what was wrong, and only that. The round is settled again, and everybody gets or owes the difference.",
    isPossible: (view) => view.round > 1,
    fields: (view) => [
      { id: "round", label: "Round", type: "number", value: `${view.last?.round ?? view.round - 1}` },
      { id: "cards", label: "All cards, in the order they really came", isOptional: true },
      ...(view.face.results ? [resultField(view)] : []),
      { id: "seat", label: "Bets or decisions of seat", type: "number", isOptional: true },
      { id: "bets", label: "All that it bet: wager=dollars, with commas between", isOptional: true },
      { id: "choices", label: "All that it decided, with commas between", isOptional: true },
      { id: "void", label: "All wagers go back", options: [["", "No"], ["yes", "Yes: void the round after all"]] },
    ],
    body: correctionOf,
  },
];

/** @param {TableView} view @returns {FormField} */
function resultField(view) {
  const known = view.face.results?.winners.map(({ result }) => result) ?? [];
  const outcomes = view.wagers.flatMap((wager) => wager.pays).filter(({ outcome }) => outcome !== "otherwise");
  const named = new Map([...known, ...outcomes.map(({ outcome }) => outcome)].map((id) => [id, inWords(id)]));
  return { id: "result", label: "The result", options: [["", "As it was"], ...named] };
}

/** @param {string} text */
const listed = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

/** @param {Record<string, string>} given */
function correctionOf({ round, cards, result, seat, bets, choices, void: isVoid }) {
  const pairs = listed(bets ?? "").map((part) => part.split("=").map((word) => word.trim()));
  return {
    round: Number(round),
    ...(cards && { cards }),
    ...(result && { result }),
    ...(seat && bets && { seat_bets: { [Number(seat)]: pairs.map(([wager, amount]) => [wager, cents(amount)]) } }),
    ...(seat && choices && { choices: { [Number(seat)]: listed(choices) } }),
    ...(isVoid && { void: true }),
  };
}

/** What may be put right now, by whoever has this page. @param {TableView} view */
export const possibleMends = (view) => MENDS.filter((mend) => mayGive(mend.kind) && mend.isPossible(view));

/**
 * Ask what is to be put right, and how; then do it.
 * @param {Send} send
 * @param {TableView} view
 */
export async function putRight(send, view) {
  const mends = possibleMends(view);
  const choices = mends.map((mend) => /** @type {[string, string, string]} */ ([mend.kind, mend.words, "plain"]));
  const kind = await ask("What is to be put right?", { choices, cancel: "Nothing" });
  const mend = mends.find((each) => each.kind === kind);
  if (!mend) return;
  const given = await askForm(mend.words, el("p", {}, mend.about), [...mend.fields(view), WHY], "Put it right");
  if (!given) return;
  const { reason, ...fields } = given;
  await send(mend.kind, { ...mend.body(fields, view), reason });
  toast(`${mend.words}: done.`);
}
