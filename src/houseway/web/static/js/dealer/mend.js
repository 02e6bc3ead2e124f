// Mistakes put right: before the settlement cards, decisions and wagers; after it, any settled round of the day.
import { cardName } from "../shared/cards.js";
import { el, toast } from "../shared/dom.js";
import { mayGive } from "../shared/who.js";
import { correct, rekey } from "./correct.js";
import { ask, askUntil, formOf } from "./parts.js";

/** @import { FormField, Send } from "./parts.js" */
/** @import { TableView } from "../types" */

/** @type {FormField} */
const WHY = { id: "reason", label: "Reason, for the journal", suggestions: ["keyed wrongly", "seen on the recording"] };

/** @type {FormField} */
const FOR_WHOM = { id: "whose", label: "Whose it is", options: [["guest", "The guest's own"], ["dealers", "For the dealers"]] };

/** @param {string} text */
const cents = (text) => Math.round(Number(text) * 100);

/** @param {TableView} view */
const places = (view) =>
  view.drawn.map((code, index) => /** @type {[string, string]} */ ([`${index + 1}`, `${index + 1}: ${cardName(code)}`]));

/** @param {TableView} view @returns {[string, string][]} */
const seatsWithBets = (view) =>
  view.seats.filter((seat) => seat.held_cents).map((seat) => [`${seat.seat}`, `Seat ${seat.seat}, ${seat.guest}`]);

/** Where bets may be changed: a bank may cover none of a seat. @param {TableView} view @returns {[string, string][]} */
const seatsThatBet = (view) =>
  view.bank
    ? view.seats.filter(({ guest }) => guest).map(({ seat, guest }) => [`${seat}`, `Seat ${seat}, ${guest}`])
    : seatsWithBets(view);

/** What may be chosen with a wager, such as a colour. @param {TableView} view @returns {FormField[]} */
const chosenWith = (view) =>
  Object.values(view.with_bet).map((parts) => {
    const options = /** @type {[string, string][]} */ ([["", "As it is"], ...parts.map((id) => [id, id])]);
    return { id: "chosen", label: "What was chosen with it", options };
  });

/** @param {TableView} view @returns {[string, string][]} */
const wagers = (view) => view.wagers.map((wager) => [wager.id, wager.name]);

/**
 * @typedef {object} Mend
 * @property {string} kind the command
 * @property {string} words what it is called
 * @property {(view: TableView) => boolean} isPossible
 * @property {(send: Send, view: TableView, why: FormField) => Promise<boolean>} asks asks what was wrong, and puts it right
 */

/**
 * A form of a few fields.
 * @param {string} kind the command
 * @param {string} words what it is called
 * @param {string} about what it does
 * @param {(view: TableView) => FormField[]} fields
 * @param {(given: Record<string, string>) => object} body
 * @returns {Pick<Mend, "kind" | "words" | "asks">}
 */
const plain = (kind, words, about, fields, body) => ({
  kind,
  words,
  asks: (send, view, why) => {
    const form = formOf([...fields(view), why]);
    const does = async () => {
      const { reason, ...given } = form.given();
      await send(kind, { ...body(given), reason }, { quiet: true });
    };
    return askUntil(words, { body: [el("p", {}, about), form.rows], words: "Put it right", does });
  },
});

/** @param {TableView} view */
const isKeyed = (view) => view.source !== "virtual-shoe" && view.drawn.length > 0;
/** @param {TableView} view */
const isPlayed = (view) => view.phase === "dealing" || view.phase === "deciding" || view.phase === "ready";

/** @type {Mend[]} */
const MENDS = [
  {
    kind: "rekey",
    words: "Key all cards again",
    isPossible: (view) => isPlayed(view) && isKeyed(view),
    asks: rekey,
  },
  {
    ...plain(
      "swap-cards",
      "Swap two cards",
      "Two cards were keyed in the wrong order.",
      (view) => [
        { id: "place", label: "This card", options: places(view) },
        { id: "other", label: "and this one", options: places(view) },
      ],
      ({ place, other }) => ({ place: Number(place), other_place: Number(other) }),
    ),
    isPossible: (view) => isPlayed(view) && isKeyed(view) && view.drawn.length > 1,
  },
  {
    ...plain(
      "replace-card",
      "Replace a card that was seen",
      "It is set aside, and the next card takes its place, unless the game's rules void the round.",
      (view) => [
        { id: "place", label: "The card that was seen", options: places(view) },
        { id: "card", label: "The card that takes its place, such as 10h" },
      ],
      ({ place, card }) => ({ place: Number(place), card }),
    ),
    isPossible: (view) => isPlayed(view) && isKeyed(view),
  },
  {
    ...plain(
      "undo",
      "Take a decision back",
      "The seat decides again, if no card has followed.",
      (view) => [{ id: "seat", label: "Whose decision", options: seatsWithBets(view) }],
      ({ seat }) => ({ seat: Number(seat) }),
    ),
    isPossible: (view) => isPlayed(view) && view.seats.some((seat) => seat.choices.length),
  },
  {
    ...plain(
      "change-bet",
      "Change a wager",
      "What lay on the felt was another amount. 0 takes the wager back.",
      (view) => [
        { id: "seat", label: "Seat", options: seatsThatBet(view) },
        { id: "wager", label: "Wager", options: wagers(view) },
        { id: "stake", label: "Dollars", type: "number" },
        ...(view.takes_dealer_bets ? [FOR_WHOM] : []),
        ...chosenWith(view),
      ],
      ({ seat, wager, stake, whose, chosen }) => {
        const more = { ...(whose === "dealers" && { for_dealer: true }), ...(chosen && { chosen }) };
        return { seat: Number(seat), wager, stake_cents: cents(stake), ...more };
      },
    ),
    isPossible: isPlayed,
  },
  {
    kind: "correct",
    words: "Correct a settled round",
    isPossible: (view) => view.round > 1,
    asks: correct,
  },
];

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
  if (await mend.asks(send, view, WHY)) toast(`${mend.words}: done.`);
}
