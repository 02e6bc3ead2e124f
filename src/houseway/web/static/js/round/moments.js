// What a round consists of, one moment after the other: journal entries, the steps of the rules, the payments.
import { capital, inWords } from "../shared/dom.js";

/** @import { EntryView, RoundView, Step } from "../types" */

/**
 * @typedef {object} Moment
 * @property {"entry" | "rule" | "payment"} kind
 * @property {string[]} words
 * @property {string} clause
 * @property {EntryView} [entry]
 * @property {string[]} cards the cards that come out, or that a step tells of
 * @property {string} [owner] whose hand a step is about
 * @property {string} [seat] the seat that a step is about, "" for all
 * @property {boolean} [isOneOfSeveral] whether other seats have steps of their own
 * @property {number} [payment] which payment it is; less than 0 if it was taken back
 */

/**
 * A card of a hand: at which moment it is dealt, and at which it lies face up.
 * @typedef {object} CardTime
 * @property {string} code
 * @property {string} owner
 * @property {string} seat "" for the house
 * @property {number} which hand of the seat
 * @property {number} place in the hand
 * @property {number} dealt
 * @property {number} up
 * @property {number[]} named the moments that tell of it
 */

const NOT_YET = -1;

/** An id as words with a capital letter. @param {string} id */
export const named = (id) => capital(inWords(id));

/** The rules' steps, those that are the same for every seat once. @param {Record<string, Step[]>} steps */
function ruleMoments(steps) {
  const seats = Object.entries(steps);
  /** @type {Moment[]} */
  const moments = [];
  for (const [seat, own] of seats) {
    for (const step of own) {
      const isCommon = seats.length > 1 && seats.every(([, others]) => others.some((other) => other.text === step.text));
      if (isCommon && moments.some((moment) => moment.words[0] === step.text)) continue;
      const { text, clause, owner, cards } = step;
      const about = { seat: isCommon ? "" : seat, isOneOfSeveral: seats.length > 1 };
      moments.push({ kind: "rule", words: [text], clause, owner, cards, ...about });
    }
  }
  return moments;
}

/** @param {EntryView} entry */
const paymentsIn = (entry) => entry.happened.filter((event) => event.event === "paid");

/** How many payments were made early and taken back: those that stand came after them. @param {RoundView} round */
const takenBack = (round) =>
  round.entries.flatMap(paymentsIn).length - round.payments.filter((payment) => payment.event === "paid").length;

/**
 * The moments of an entry: what it tells, then its payments.
 * @param {EntryView} entry
 * @param {number} paid payments made before, less those that were taken back
 */
function entryMoments(entry, paid) {
  const payments = paymentsIn(entry);
  const voided = entry.happened.find((event) => event.event === "voided");
  /** @type {Moment[]} */
  const moments = [];
  if (!payments.length || entry.kind !== "settle") {
    moments.push({ kind: "entry", entry, words: entry.words, cards: entry.cards, clause: voided?.clause ?? "" });
  }
  payments.forEach(({ text, clause }, place) => {
    moments.push({ kind: "payment", entry, words: [capital(text)], cards: [], clause, payment: paid + place });
  });
  return moments;
}

/** Every moment of a round, in order. @param {RoundView} round */
export function momentsOf(round) {
  /** @type {Moment[]} */
  const moments = [];
  for (const entry of round.entries) {
    if (entry.seq === round.seq && round.how === "settled") moments.push(...ruleMoments(round.steps));
    const paid = moments.filter((moment) => moment.kind === "payment").length;
    moments.push(...entryMoments(entry, paid - takenBack(round)));
  }
  return moments;
}

/**
 * Every card that lies on the felt.
 * @param {RoundView} round
 * @returns {CardTime[]}
 */
function cardsOf(round) {
  const house = { seat: "", hands: round.dealer };
  const seats = round.seats.map(({ seat, hands }) => ({ seat: String(seat), hands }));
  return [house, ...seats].flatMap(({ seat, hands }) => {
    return hands.flatMap(({ owner, cards }, which) => {
      return cards.map((code, place) => {
        return { code: code ?? "", owner, seat, which, place, dealt: NOT_YET, up: NOT_YET, named: [] };
      });
    });
  });
}

/**
 * For every card of every hand: at which moment it is dealt, and at which it lies face up.
 * @param {RoundView} round
 * @param {Moment[]} moments
 */
export function cardTimes(round, moments) {
  const cards = cardsOf(round);
  moments.forEach((moment, at) => {
    if (moment.kind === "rule") turnUp(cards, moment, at);
    else deal(cards, moment.cards, at);
  });
  const firstPayment = moments.findIndex((moment) => moment.kind === "payment");
  const end = firstPayment < 0 ? moments.length - 1 : firstPayment;
  const isOpen = round.hands_face_up && round.dealer.some((hand) => hand.owner === "dealer");
  for (const card of cards) {
    card.dealt = Math.max(card.dealt, 0);
    // a hand that lies face up does so from the deal on, and the dealer's first card with it
    const isUp = isOpen && (card.owner !== "dealer" || card.place === 0);
    if (isUp) card.up = card.dealt;
    else if (card.up === NOT_YET) card.up = end;
  }
  return cards;
}

/** @param {CardTime[]} cards @param {string[]} codes @param {number} at */
function deal(cards, codes, at) {
  for (const code of codes) {
    const card = cards.find((other) => other.code === code && other.dealt === NOT_YET);
    if (card) card.dealt = at;
  }
}

/**
 * The cards that a step of the rules tells of are seen from then on.
 * @param {CardTime[]} cards
 * @param {Moment} moment
 * @param {number} at
 */
function turnUp(cards, { cards: codes, owner, seat }, at) {
  for (const code of codes) {
    const fits = cards.filter((card) => card.code === code && (card.seat === "" || !seat || card.seat === seat));
    const own = fits.filter((card) => !owner || card.owner === owner);
    const card = own.find((other) => other.up === NOT_YET) ?? own[0] ?? fits[0];
    if (!card) continue;
    if (card.up === NOT_YET) card.up = at;
    card.named.push(at);
  }
}
