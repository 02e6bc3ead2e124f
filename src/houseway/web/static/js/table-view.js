// From the house's view of a table to what lies on the felt. Pure functions: nothing here touches the page.
import { dollars } from "./dom.js";

const ratio = (pays) => { const [, won, staked] = /^(\d+) to (\d+)$/.exec(pays) ?? [0, 0, 1]; return Number(won) / Number(staked); };
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The wager of a view by its id. */
export const wagerOf = (view, id) => view.wagers.find((wager) => wager.id === id);
export const nameOf = (view, id) => wagerOf(view, id)?.name ?? id;

/** An outcome in words: "Dragon 7: Banker wins with a three-card 7". */
export function outcomeName(view, id, outcome) {
  return wagerOf(view, id)?.pays.find((row) => row.outcome === outcome)?.name ?? capital(outcome.replaceAll("-", " "));
}

/** What a wager pays, in the few words a spot has room for. */
export function paysShort(wager) {
  const rows = wager.pays.map((row) => row.pays).filter((pays) => ratio(pays) > 0);
  const top = rows.reduce((best, pays) => (ratio(pays) > ratio(best) ? pays : best), rows[0] ?? "");
  return new Set(rows).size > 1 && ratio(top) > 2 ? `to ${top}` : top;
}

/** What is printed on the cloth, read off the edition's own pays and settings. */
export function printedLines(view) {
  const pays = (id, outcome) => wagerOf(view, id)?.pays.find((row) => row.outcome === outcome)?.pays ?? "";
  const top = (id) => (wagerOf(view, id) ? paysShort(wagerOf(view, id)) : "");
  const lines = {
    ez_baccarat: () => [["No commission", pays("banker", "dragon-7") === "push" && "Dragon 7 pushes Banker"]],
    ez_pai_gow: () => [["No commission", pays("base", "queen-high-pai-gow") === "push" && "Dealer's queen-high pai gow pushes"]],
    blackjack: () => [[`Blackjack pays ${pays("blackjack", "blackjack")}`, view.settings["soft-17"] === "hits" ? "Dealer hits soft 17" : "Dealer stands on all 17s"], [top("insurance") && `Insurance pays ${top("insurance")}`]],
    duki_4_poker: () => [[`Ante ${top("ante")}`, `Bonus ${top("duki-bonus")}`]],
  }[view.edition.game]?.() ?? [];
  return lines.map((parts) => parts.filter(Boolean).join(" · ")).filter(Boolean);
}

/** The posted limits: one line if all wagers have the same, else the first wager's. */
export function limitsLine(view) {
  const open = view.wagers.filter((wager) => !wager.follows && !wager.late && !wager.refused);
  const [first] = open;
  if (!first) return "";
  const same = open.every((wager) => wager.min_cents === first.min_cents && wager.max_cents === first.max_cents);
  return `${same ? "Every wager" : first.name} ${dollars(first.min_cents)} to ${dollars(first.max_cents)}`;
}

/** Sum what was staked and won by wager, of one seat's payments. */
export function tally(payments) {
  const sums = {};
  for (const { wager, stake_cents: stake, win_cents: win } of payments) {
    const sum = (sums[wager] ??= { stake: 0, win: 0, envy: 0 });
    sum.stake += stake;
    sum.win += win;
    if (!stake) sum.envy += win;
  }
  return sums;
}

export const paymentsOf = (last, seat) => (last?.payments ?? []).filter((one) => one.event === "paid" && one.seat === seat);

/** Whether the finished round still lies on the felt: until one bets again, or (watching) anybody does. */
export function showsLast(view, own, dismissed) {
  if (view.phase !== "betting" || view.last?.how !== "settled" || view.last.seq === dismissed) return false;
  const looked = own ? view.seats.filter((seat) => seat.seat === own) : view.seats;
  return looked.every((seat) => !Object.keys(seat.bets).length);
}

const SET_PARTS = { back: 0, front: 1 };
const inSetOrder = (hands) => [...hands].sort((a, b) => SET_PARTS[a.part] - SET_PARTS[b.part]).flatMap((hand) => hand.cards);
const isSet = (hands) => hands.length === 2 && hands.every((hand) => hand.part);
const setWords = (hands) => [...hands].sort((a, b) => SET_PARTS[b.part] - SET_PARTS[a.part]).map((hand) => capital(hand.worth)).join(" · ");

/** The dealer's hand, or Player's and Banker's, as felt.show takes them. */
function houseHands(view, hands, over) {
  if (view.edition.game === "ez_baccarat") {
    const [player, banker] = ["player", "banker"].map((owner) => hands.find((hand) => hand.owner === owner));
    const ahead = Number(player?.worth) - Number(banker?.worth);
    const box = (hand, wins) => (hand ? { cards: hand.cards, note: hand.worth, winner: over && ahead ? wins : undefined } : {});
    return { player: box(player, ahead > 0), banker: box(banker, ahead < 0) };
  }
  if (isSet(hands)) return { dealer: { cards: inSetOrder(hands), set: true, note: setWords(hands) } };
  const [hand] = hands;
  return { dealer: hand ? { cards: hand.cards, set: view.edition.game === "ez_pai_gow", note: capital(hand.worth) } : {} };
}

/** A seat's cards: split hands side by side, a set pai gow hand in its two parts. */
function seatHands(view, seat) {
  const { hands } = seat;
  if (isSet(hands)) return { hands: [{ cards: inSetOrder(hands) }], set: true };
  const short = view.edition.game === "blackjack";
  return { hands: hands.map((hand) => ({ cards: hand.cards, note: short ? hand.worth : "", active: hand.active && hands.length > 1 })), set: view.edition.game === "ez_pai_gow" && hands[0]?.cards[0] === null };
}

/** The chips in front of a seat now: doubles, splits and the Play bet included, what is already settled left out. */
function chipsNow(view, seat) {
  const bets = { ...seat.bets };
  const isOut = view.phase === "deciding" || view.phase === "ready";
  if (view.edition.game === "blackjack" && isOut && bets.blackjack) {
    delete bets["lucky-lucky"];
    bets.blackjack = seat.held_cents - (bets.insurance ?? 0);
  }
  const follows = view.wagers.find((wager) => wager.follows);
  if (follows && seat.choices.includes(follows.id)) bets[follows.id] = bets[follows.follows];
  return bets;
}

function seatNote(view, seat, isOwn) {
  if (seat.choices.includes("fold")) return "Folded";
  if (view.bank?.holder === seat.seat) return "Bank";
  const worth = isOwn && view.edition.game === "duki_4_poker" ? seat.hands[0]?.worth ?? "" : "";
  const set = isOwn && isSet(seat.hands) ? setWords(seat.hands) : "";
  const colour = Object.values(view.with_bet).flat().find((part) => seat.choices.includes(part));
  return [capital(worth), set, colour && !seat.hands.length && capital(colour)].filter(Boolean).join(" · ");
}

function liveSeat(view, seat, { own, betting, pending }) {
  const isOwn = seat.seat === own;
  const late = view.wagers.filter((wager) => wager.late).map((wager) => wager.id);
  const closed = !isOwn ? true : betting ? view.wagers.filter((wager) => wager.follows || wager.late || wager.refused).map((wager) => wager.id) : true;
  const bets = chipsNow(view, seat);
  if (isOwn) for (const [wager, cents] of Object.entries(pending)) bets[wager] = cents;
  return {
    name: seat.is_you ? `${seat.guest} (you)` : seat.guest,
    note: seatNote(view, seat, isOwn), bets, closed, ...seatHands(view, seat),
    turn: view.to_act.includes(seat.seat), offered: view.before_look && seat.to_act.length ? late : [],
  };
}

function lastSeat(view, seat, own, betting) {
  const now = view.seats.find((one) => one.seat === seat.seat);
  const sums = tally(paymentsOf(view.last, seat.seat));
  const results = {}, paid = {}, bets = {};
  for (const [wager, { stake, win }] of Object.entries(sums)) {
    if (!stake) continue;
    bets[wager] = stake;
    results[wager] = win > 0 ? true : win < 0 ? false : "push";
    paid[wager] = win > 0 ? win : 0;
  }
  const open = liveSeat(view, now, { own, betting, pending: {} });
  const name = seat.guest === now.guest ? open.name : seat.guest || now.guest;
  return { ...open, name, note: seatNote(view, seat, seat.seat === own), bets, results, paid, ...seatHands(view, seat) };
}

/** What one's own round came to, in cents: wagers, or the bank's side of everybody's wagers. */
export function netOf(view, own) {
  const last = view.last;
  const mine = paymentsOf(last, own);
  return mine.reduce((sum, one) => sum + one.win_cents, 0);
}

const inWords = (net) => (net > 0 ? `You win ${dollars(net)}` : net < 0 ? `You lose ${dollars(-net)}` : "Your money is back");

/** The end of a round in a few words. */
export function lastWords(view, own) {
  const { last } = view;
  if (last.how === "voided") return `Round ${last.round} is void: all wagers are back`;
  const mine = paymentsOf(last, own);
  const steps = Object.values(last.steps ?? {})[0] ?? [];
  const headline = view.edition.game === "ez_baccarat" ? last.result || steps.at(-1)?.text || "" : "";
  return [headline, mine.length ? inWords(netOf(view, own)) : ""].filter(Boolean).join(" · ") || `Round ${last.round} is settled`;
}

/** What the table waits for, in a few words. */
export function nowWords(view, own, isReady) {
  const seat = view.seats.find((one) => one.seat === own);
  if (!view.is_open) return "This table is closed";
  if (view.phase === "betting") {
    if (view.bank && !view.bank.holder) return view.bank.offered === own ? "The bank is offered to you" : "Waiting for a bank";
    if (isReady) return "Ready: waiting for the others";
    return own && view.bank?.holder === own ? "You bank: players place their bets" : "Place your bets";
  }
  if (seat?.to_act.length) return view.before_look && view.wagers.some((wager) => wager.late) ? "Insurance?" : view.edition.game === "ez_pai_gow" ? "Set your hand" : "Your decision";
  if (view.phase === "deciding" && view.to_act.length) return view.to_act.length === 1 ? `Seat ${view.to_act[0]} decides` : `Seats ${view.to_act.join(", ")} decide`;
  return { dealing: "No more bets", deciding: "Cards are coming", ready: "No more cards", frozen: "The round is under review" }[view.phase] ?? "";
}

/** The whole felt. `pending`: one's own bets on their way to the house. */
export function feltState(view, { own, pending = {}, dismissed = 0, isReady = false }) {
  const betting = view.is_open && view.phase === "betting" && (!view.bank || (view.bank.holder !== own));
  const wasLast = showsLast(view, own, dismissed) && !Object.keys(pending).length;
  const seats = {};
  for (const seat of view.seats) {
    const before = wasLast && view.last.seats.find((one) => one.seat === seat.seat && Object.keys(one.bets).length);
    const untouched = !Object.keys(seat.bets).length;
    seats[seat.seat] = before && untouched ? lastSeat(view, before, own, betting) : liveSeat(view, seat, { own, betting, pending });
  }
  const hands = wasLast ? view.last.dealer : view.dealer;
  return { ...houseHands(view, hands, wasLast), seats, message: wasLast ? lastWords(view, own) : nowWords(view, own, isReady) };
}
