// From the house's view of a table to what lies on the felt. Pure functions: nothing here touches the page.
import { capital, dollars, inWords, isForDealer } from "../shared/dom.js";

/** @import { Cents, Face, HandView, LastRound, Payment, SeatView, TableView, WagerView } from "../types" */
/** @import { FeltState } from "./felt.js" */
/** @import { HandState } from "./hand-place.js" */
/** @import { SeatState } from "./seat-place.js" */

/** What a pay wins for one unit staked: "3 to 2" is 1.5; 0 for what is no win. @param {string} pays */
function ratio(pays) {
  const [, won = 0, staked = 1] = /^(\d+) to (\d+)$/.exec(pays) ?? [];
  return Number(won) / Number(staked);
}

/** @param {TableView} view @param {string} id */
export const wagerOf = (view, id) => view.wagers.find((wager) => wager.id === id);

/** @param {TableView} view @param {string} id */
export const nameOf = (view, id) => wagerOf(view, id)?.name ?? id;

/** @param {TableView} view @param {number} seat */
export const seatOf = (view, seat) => view.seats.find((other) => other.seat === seat);

/** @param {Record<string, Cents>} bets */
export const sumOf = (bets) => Object.values(bets).reduce((sum, cents) => sum + cents, 0);

/**
 * An outcome in words, as the pay table has it.
 * @param {TableView} view
 * @param {string} wager
 * @param {string} outcome
 */
export function outcomeName(view, wager, outcome) {
  const row = wagerOf(view, wager)?.pays.find((paid) => paid.outcome === outcome);
  return row?.name ?? capital(inWords(outcome));
}

/** What a wager pays, in the few words a spot has room for. @param {WagerView} wager */
export function paysShort(wager) {
  const rows = wager.pays.map((row) => row.pays).filter((pays) => ratio(pays) > 0);
  const top = rows.reduce((best, pays) => (ratio(pays) > ratio(best) ? pays : best), rows[0] ?? "");
  return new Set(rows).size > 1 && ratio(top) > 2 ? `to ${top}` : top;
}

/** Whether a wager is placed by its own bet, before the cards. @param {WagerView} wager */
export const isOpenBet = (wager) => !wager.follows && !wager.late && !wager.refused;

/** The posted limits: one line if all wagers have the same, else the first wager's. @param {TableView} view */
export function limitsLine(view) {
  const open = view.wagers.filter(isOpenBet);
  const [first] = open;
  if (!first) return "";
  const same = open.every((wager) => wager.min_cents === first.min_cents && wager.max_cents === first.max_cents);
  return `${same ? "Every wager" : first.name} ${dollars(first.min_cents)} to ${dollars(first.max_cents)}`;
}

/**
 * The payments of a round to a seat.
 * @param {LastRound | null} last
 * @param {number} seat
 * @returns {Payment[]}
 */
export const paymentsOf = (last, seat) =>
  (last?.payments ?? []).filter((payment) => payment.event === "paid" && payment.seat === seat);

/**
 * Whether the finished round still lies on the felt: until one bets again, or (watching) anybody does.
 * @param {TableView} view
 * @param {number} own
 * @param {number} dismissed
 */
function showsLast(view, own, dismissed) {
  if (view.phase !== "betting" || view.last?.how !== "settled" || view.last.seq === dismissed) return false;
  const looked = own ? view.seats.filter((seat) => seat.seat === own) : view.seats;
  return looked.every((seat) => !Object.keys(seat.bets).length);
}

// ---- hands ----------------------------------------------------------------------------------------------------------

/**
 * Whether these are the parts of one set hand.
 * @param {Face} face
 * @param {HandView[]} hands
 */
const isSet = (face, hands) => hands.length > 1 && hands.length === face.parts.length && hands.every((hand) => hand.part);

/**
 * The parts of a set hand in the order they are drawn.
 * @param {Face} face
 * @param {HandView[]} hands
 */
function partsOf(face, hands) {
  return face.parts.flatMap((part) => {
    const hand = hands.find((held) => held.part === part.id);
    return hand ? [{ name: part.name, cards: hand.cards, worth: hand.worth }] : [];
  });
}

/** @param {Face} face @param {HandView[]} hands */
const setWords = (face, hands) => partsOf(face, hands).map((part) => capital(part.worth)).join(" · ");

/**
 * A set hand.
 * @param {Face} face
 * @param {HandView[]} hands
 * @returns {HandState}
 */
function setHandState(face, hands) {
  const parts = partsOf(face, hands);
  return { cards: parts.flatMap((part) => part.cards), parts };
}

/**
 * A hand as dealt; a whole one that lies face down is laid out in its parts.
 * @param {Face} face
 * @param {HandView} hand
 */
function handState(face, hand) {
  const size = face.parts.reduce((sum, part) => sum + part.cards, 0);
  /** @type {HandState} */
  const state = { cards: hand.cards };
  if (!size || hand.cards.length !== size || hand.cards.some(Boolean)) return state;
  let from = 0;
  state.parts = face.parts.map((part) => {
    from += part.cards;
    return { name: part.name, cards: hand.cards.slice(from - part.cards, from) };
  });
  return state;
}

/**
 * The house's hands by their owners.
 * @param {TableView} view
 * @param {HandView[]} hands
 * @param {boolean} isOver
 */
function houseHands(view, hands, isOver) {
  const { face } = view;
  /** @type {Record<string, HandState>} */
  const states = {};
  for (const { owner } of face.hands) {
    const own = hands.filter((hand) => hand.owner === owner);
    if (isSet(face, own)) states[owner] = { ...setHandState(face, own), note: setWords(face, own) };
    else if (own.length) {
      const wins = isOver ? own[0].wins : null;
      states[owner] = { ...handState(face, own[0]), note: capital(own[0].worth), wins };
    }
  }
  return states;
}

/**
 * A seat's cards: split hands side by side, a set hand in its parts.
 * @param {Face} face
 * @param {SeatView} seat
 */
function seatHands(face, { hands }) {
  if (isSet(face, hands)) return [setHandState(face, hands)];
  return hands.map((hand) => ({
    ...handState(face, hand),
    note: face.worth === "each" ? hand.worth : "",
    active: hand.active && hands.length > 1,
  }));
}

// ---- seats ----------------------------------------------------------------------------------------------------------

/**
 * The part of a bet that its guest has chosen, such as its colour.
 * @param {TableView} view
 * @param {SeatView} seat
 */
const chosenPart = (view, seat) => chosenParts(view).find((part) => seat.choices.includes(part));

/** What may be chosen with a bet, before the cards. @param {TableView} view */
const chosenParts = (view) => Object.values(view.with_bet).flat();

/** @param {TableView} view @param {SeatView} seat @param {boolean} isOwn */
function seatNote(view, seat, isOwn) {
  const { face } = view;
  const chosen = seat.choices.map((choice) => face.choices[choice]?.note).find(Boolean);
  if (chosen) return chosen;
  if (view.bank?.holder === seat.seat) return "Bank";
  const worth = isOwn && face.worth === "own" ? seat.hands[0]?.worth ?? "" : "";
  const set = isOwn && isSet(face, seat.hands) ? setWords(face, seat.hands) : "";
  const part = seat.hands.length ? "" : chosenPart(view, seat) ?? "";
  const tips = sumOf(seat.for_dealer) ? `${dollars(sumOf(seat.for_dealer))} for the dealer` : "";
  return [worth, set, part, tips].filter(Boolean).map(capital).join(" · ");
}

/**
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {{own: number, isBetting: boolean, pending: Record<string, Cents>}} options
 * @returns {SeatState}
 */
function liveSeat(view, seat, { own, isBetting, pending }) {
  const isOwn = seat.seat === own;
  const late = view.wagers.filter((wager) => wager.late).map((wager) => wager.id);
  const closed = view.wagers.filter((wager) => !isOwn || !isBetting || !isOpenBet(wager));
  return {
    name: seat.is_you ? `${seat.guest} (you)` : seat.guest,
    note: seatNote(view, seat, isOwn),
    bets: isOwn ? { ...seat.chips, ...pending } : seat.chips,
    ends: endsOf(earlyOf(view, seat.seat)).ends,
    hands: seatHands(view.face, seat),
    closed: closed.map((wager) => wager.id),
    turn: view.to_act.includes(seat.seat),
    offered: view.before_look && seat.to_act.length ? late : [],
  };
}

/**
 * What a seat's wagers came to that are settled while the round goes on: their chips are gone from the spot already.
 * @param {TableView} view
 * @param {number} seat
 */
const earlyOf = (view, seat) => view.early_paid.filter((payment) => payment.seat === seat);

/**
 * The same in a few words, until the seat has decided something: "Bonus wins $75".
 * @param {TableView} view
 * @param {number} own
 */
export function earlyWords(view, own) {
  const seat = seatOf(view, own);
  if (!seat || seat.choices.some((choice) => !chosenParts(view).includes(choice))) return "";
  const words = earlyOf(view, own).map(({ wager, win_cents: win }) => {
    const end = win > 0 ? `wins ${dollars(win)}` : win < 0 ? "loses" : "pushes";
    return `${nameOf(view, wager)} ${end}`;
  });
  return words.join(" · ");
}

/**
 * How a seat's wagers ended, and what was staked on each.
 * @param {(Pick<Payment, "wager" | "stake_cents" | "win_cents"> & {spot?: string})[]} payments
 * @returns {Pick<SeatState, "bets" | "ends">}
 */
function endsOf(payments) {
  /** @type {Record<string, {stake: Cents, win: Cents}>} */
  const sums = {};
  for (const { wager, stake_cents: stake, win_cents: win } of payments.filter((payment) => !isForDealer(payment))) {
    sums[wager] ??= { stake: 0, win: 0 };
    sums[wager].stake += stake;
    sums[wager].win += win;
  }
  const staked = Object.entries(sums).filter(([, { stake }]) => stake);
  /** @type {(win: Cents) => "wins" | "loses" | "push"} */
  const endOf = (win) => (win > 0 ? "wins" : win < 0 ? "loses" : "push");
  return {
    bets: Object.fromEntries(staked.map(([wager, { stake }]) => [wager, stake])),
    ends: Object.fromEntries(staked.map(([wager, { win }]) => [wager, { end: endOf(win), paid: Math.max(win, 0) }])),
  };
}

/**
 * A seat with the round that is over still on it.
 * @param {TableView} view
 * @param {SeatView} before
 * @param {SeatState} now
 * @param {number} own
 * @returns {SeatState}
 */
function lastSeat(view, before, now, own) {
  const guest = seatOf(view, before.seat)?.guest ?? "";
  const name = before.guest === guest ? now.name : before.guest || guest;
  const { bets, ends } = endsOf(paymentsOf(view.last, before.seat));
  const note = seatNote(view, before, before.seat === own);
  return { ...now, name, note, bets, ends, hands: seatHands(view.face, before) };
}

// ---- words ----------------------------------------------------------------------------------------------------------

/**
 * What one's own round came to, in cents: what a bet for the dealer wins is theirs, what it loses was one's own.
 * @param {LastRound | null} last
 * @param {number} own
 */
export const netOf = (last, own) =>
  paymentsOf(last, own).reduce((sum, payment) => {
    return sum + (isForDealer(payment) ? Math.min(payment.win_cents, 0) : payment.win_cents);
  }, 0);

/** @param {Cents} net */
export function netWords(net, even = "Your money is back") {
  if (!net) return even;
  return net > 0 ? `You win ${dollars(net)}` : `You lose ${dollars(-net)}`;
}

/**
 * The end of a round in a few words.
 * @param {TableView} view
 * @param {number} own
 */
export function lastWords(view, own) {
  const { last } = view;
  if (!last) return "";
  if (last.how === "voided") return `Round ${last.round} is void: all wagers are back`;
  const headline = view.face.common ? last.headline : "";
  const mine = paymentsOf(last, own).length ? netWords(netOf(last, own)) : "";
  return [headline, mine].filter(Boolean).join(" · ") || `Round ${last.round} is settled`;
}

/** @param {TableView} view @param {number} own @param {boolean} isReady */
function bettingWords(view, own, isReady) {
  if (view.bank && !view.bank.holder) {
    return view.bank.offered === own ? "The bank is offered to you" : "Waiting for a bank";
  }
  if (view.bank?.used_up) {
    return view.bank.holder === own ? "Your bank is used up: put up again, or pass" : "The bank is used up: waiting for it";
  }
  if (isReady) return "Ready: waiting for the others";
  return own && view.bank?.holder === own ? "You bank: players place their bets" : "Place your bets";
}

const PHASES = {
  dealing: "No more bets",
  deciding: "Cards are coming",
  ready: "No more cards",
  frozen: "The round is under review",
};

/**
 * What the table waits for, in a few words.
 * @param {TableView} view
 * @param {number} own
 */
export function nowWords(view, own, isReady = false) {
  if (!view.is_open) return "This table is closed";
  if (view.phase === "betting") return bettingWords(view, own, isReady);
  if (seatOf(view, own)?.to_act.length) return view.before_look ? view.face.words.before_look : view.face.words.deciding;
  if (view.phase === "dealing" && view.drawer) {
    return view.drawer === own ? "No more bets: you draw the cards" : `No more bets: seat ${view.drawer} draws the cards`;
  }
  if (view.phase !== "deciding" || !view.to_act.length) return PHASES[view.phase] ?? "";
  const [first] = view.to_act;
  return view.to_act.length === 1 ? `Seat ${first} decides` : `Seats ${view.to_act.join(", ")} decide`;
}

/**
 * The whole felt.
 * @param {TableView} view
 * @param {object} options
 * @param {number} options.own one's seat, or 0
 * @param {Record<string, Cents>} options.pending one's own bets on their way to the house
 * @param {number} options.dismissed the finished round that was cleared away, by its entry
 * @param {boolean} options.isReady
 * @returns {FeltState}
 */
export function feltState(view, { own, pending, dismissed, isReady }) {
  const isBetting = view.is_open && view.phase === "betting" && (!view.bank || view.bank.holder !== own);
  const last = showsLast(view, own, dismissed) && !Object.keys(pending).length ? view.last : null;
  /** @type {Record<number, SeatState>} */
  const seats = {};
  for (const seat of view.seats) {
    const now = liveSeat(view, seat, { own, isBetting, pending: last ? {} : pending });
    const before = last?.seats.find((other) => other.seat === seat.seat && Object.keys(other.bets).length);
    const isUntouched = !Object.keys(seat.bets).length;
    seats[seat.seat] = before && isUntouched ? lastSeat(view, before, now, own) : now;
  }
  const { backs } = view.face;
  return {
    hands: houseHands(view, last ? last.dealer : view.dealer, Boolean(last)),
    seats,
    message: last ? lastWords(view, own) : [earlyWords(view, own), nowWords(view, own, isReady)].filter(Boolean).join(" · "),
    back: backs[(last ? last.round : view.round) % backs.length],
  };
}
