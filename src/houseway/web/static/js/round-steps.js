// What a round consists of, one moment after the other: journal entries, the steps of the rules, the payments.
import { dollars } from "./dom.js";

const CARD = /\b(?:10|[2-9AKQJ])[shdc]\b|\bJk\b/g;
const OWNER = /^(player|banker|dealer)\b/i;
/** Whether the players' hands lie face up from the deal on, the dealer's first card too. */
const faceUp = (round) => round.hands_face_up && round.dealer.some((hand) => hand.owner === "dealer");

/** An id as words: "dragon-7" is "Dragon 7". */
export function named(id) {
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A wager's id as its name: "lucky-lucky" is "Lucky Lucky". */
export const wagerName = (id) => id.split("-").map(named).join(" ");

const EVENTS = {
  "seated": (event) => `${event.guest} takes seat ${event.seat}`,
  "left": (event) => `Seat ${event.seat} is free again`,
  "bet-placed": (event) => `Seat ${event.seat}, ${event.guest}: ${dollars(event.cents)} on ${wagerName(event.wager)}`,
  "bet-withdrawn": (event) => `Seat ${event.seat} takes ${wagerName(event.wager)} back`,
  "no-more-bets": (event) => (event.dice ? `No more bets; the dice show ${event.dice}` : "No more bets"),
  "to-act": (event) => `Seat ${event.seat} is asked: ${event.allowed.map(named).join(" or ").toLowerCase()}`,
  "decided": (event) => `Seat ${event.seat} decides: ${named(event.choice).toLowerCase()}`,
  "voided": (event) => `The round is voided: ${named(event.reason).toLowerCase()}. All wagers go back`,
  "frozen": (event) => `The round is frozen: ${event.reason}`,
  "resolved": (event) => `The dispute is resolved: ${event.reason}`,
  "result-keyed": (event) => `The dealer keys the result ${event.result}`,
  "bank-taken": (event) => `${event.guest} banks from seat ${event.seat} with ${dollars(event.cents)}`,
  "bank-passed": (event) => `Seat ${event.seat} passes the bank on`,
  "bank-offered": () => "The bank is offered to the players",
  "bank-ended": (event) => `The bank of seat ${event.seat} ends`,
  "aggregate-limit": (event) => `${wagerName(event.wager)} reaches the most one deal pays: ${dollars(event.cents)}`,
  "new-shoe": () => "A new shoe begins",
  "table-opened": () => "The table is opened",
};
const KINDS = {
  "shoe-committed": "The house commits to a shuffled order before anybody can bet on it",
  "shoe-revealed": "The shoe is done: its order is published",
  "settle": "The round is settled",
  "acknowledge": "A supervisor has verified the payout",
};

function entryWords(entry) {
  const told = entry.happened.filter((event) => EVENTS[event.event]).map((event) => EVENTS[event.event](event));
  if (entry.cards.length) told.unshift(`${entry.cards.length} ${entry.cards.length === 1 ? "card comes" : "cards come"} out`);
  return told.length ? told : [KINDS[entry.kind] ?? named(entry.kind)];
}

/** The rules' steps, those that are the same for every seat once. */
function ruleSteps(steps) {
  const seats = Object.entries(steps);
  const found = [];
  for (const [seat, own] of seats) {
    for (const step of own) {
      const common = seats.length > 1 && seats.every(([, others]) => others.some((other) => other.text === step.text));
      const known = common && found.find((one) => one.words[0] === step.text);
      if (!known) found.push({ kind: "rule", words: [step.text], clause: step.clause, seat: common ? "" : seat, several: seats.length > 1 });
    }
  }
  return found;
}

/** Every moment of a round, in order. */
export function momentsOf(round) {
  const moments = [];
  let paid = 0;
  for (const entry of round.entries) {
    const last = entry.seq === round.seq;
    if (last && round.how === "settled") moments.push(...ruleSteps(round.steps ?? {}));
    const from = { kind: "entry", entry };
    const payments = entry.happened.filter((event) => event.event === "paid");
    if (!payments.length || entry.cards.length || entry.kind === "decide") moments.push({ ...from, words: entryWords(entry), cards: entry.cards, clause: entry.happened.find((event) => event.event === "voided")?.clause });
    for (const payment of payments) moments.push({ ...from, kind: "payment", words: [paymentWords(payment)], clause: payment.clause, payment: paid++ });
  }
  return moments;
}

/** One payment as a sentence. */
export function paymentWords(payment) {
  const name = `Seat ${payment.seat}, ${wagerName(payment.wager)}`;
  const chips = payment.step?.match(/: (\d.*)$/)?.[1];
  if (payment.win_cents > 0) return `${name}: ${named(payment.outcome).toLowerCase()}, ${dollars(payment.stake_cents)} wins ${dollars(payment.win_cents)}${chips ? ` (${chips})` : ""}`;
  return `${name}: ${named(payment.outcome).toLowerCase()}, ${dollars(payment.stake_cents)} ${payment.win_cents < 0 ? "loses" : "pushes"}`;
}

/** For every card of every hand: at which moment it is dealt, and at which it lies face up. */
export function cardTimes(round, moments) {
  const places = [];
  const add = (hands, seat) => hands.forEach((hand, which) => hand.cards.forEach((code, place) => places.push({ code, owner: hand.owner, seat: String(seat), which, place, dealt: null, up: null, named: [] })));
  add(round.dealer, "");
  for (const seat of round.seats) add(seat.hands, seat.seat);
  moments.forEach((moment, at) => {
    for (const code of moment.cards ?? []) {
      const place = places.find((one) => one.code === code && one.dealt === null);
      if (place) place.dealt = at;
    }
    if (moment.kind === "rule") turnUp(places, moment, at);
  });
  const end = moments.findIndex((moment) => moment.kind === "payment");
  for (const place of places) {
    place.dealt ??= 0;
    const open = faceUp(round) && (place.owner !== "dealer" || place.place === 0);
    place.up = open ? place.dealt : place.up ?? (end < 0 ? moments.length - 1 : end);
  }
  return places;
}

/** The cards that a step of the rules names are seen from then on. */
function turnUp(places, moment, at) {
  const owner = moment.words[0].match(OWNER)?.[1].toLowerCase();
  for (const code of moment.words[0].match(CARD) ?? []) {
    const fits = places.filter((one) => one.code === code && (one.seat === "" || moment.seat === "" || one.seat === moment.seat));
    const mine = fits.filter((one) => !owner || one.owner === owner);
    const place = mine.find((one) => one.up === null) ?? mine[0] ?? fits[0];
    if (!place) continue;
    place.up ??= at;
    place.named.push(at);
  }
}
