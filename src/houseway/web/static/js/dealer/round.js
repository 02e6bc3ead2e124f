// What lies on the table, as the dealer sees it: hands, who is to act, what the round came to, what is to be paid.
import { asHand } from "../board/hands.js";
import { bead, oneCell } from "../board/roads.js";
import { fan, hand } from "../shared/cards.js";
import { stack } from "../shared/chips.js";
import { api, dollars, el, inWords, isForDealer, messageOf } from "../shared/dom.js";
import { key, press } from "./parts.js";
import { resultWords } from "./result-pad.js";

/** @import { Advice, Child, HandView, LastRound, Payment, PaymentDue, SeatView, Step, TableView } from "../types" */
/** @import { Send } from "./parts.js" */

/** @param {TableView} view @param {string} id */
const wagerName = (view, id) => view.wagers.find((wager) => wager.id === id)?.name ?? inWords(id);

/** @param {HandView} hand @param {string} owner */
function handBox(hand, owner) {
  const title = [owner, hand.part && inWords(hand.part)].filter(Boolean).join(", ");
  const head = el("h3", {}, title, hand.worth && el("b", {}, hand.worth));
  const cards = hand.cards.length ? fan(hand.cards, { label: title }) : el("span", { class: "no-card" });
  return el("div", { class: "hand-of" }, head, cards);
}

/** The house's hands. @param {TableView} view */
export function houseHands(view) {
  const { face } = view;
  const boxes = view.dealer.map((hand) => {
    const owner = face.hands.find((box) => box.owner === hand.owner);
    const box = handBox(hand, owner?.name ?? hand.owner);
    box.classList.add(`tone-${owner?.tone ?? "plain"}`);
    return box;
  });
  return boxes.length ? el("div", { class: face.common ? "hands common" : "hands" }, boxes) : null;
}

/** All hands of the round, or its result where that alone was keyed. @param {TableView} view */
export function hands(view) {
  const { results } = view.face;
  if (!view.dealer.length && view.result && results) {
    const drawn = oneCell(bead(results, asHand(results, view.result)));
    return el("div", { class: "came-to" }, drawn, el("strong", {}, resultWords(results, view.result)));
  }
  const seats = view.seats.filter((seat) => seat.hands.length && seat.guest);
  const own = seats.flatMap((seat) => seat.hands.map((hand) => handBox(hand, `Seat ${seat.seat}`)));
  const house = houseHands(view);
  if (!house && !own.length) return null;
  const whole = house ?? el("div", { class: "hands" });
  whole.append(...own);
  return whole;
}

/** A hand that all bet on, in one line: who won. @param {TableView} view */
export function cameTo(view) {
  const [steps] = Object.values(view.steps);
  const last = view.face.common && view.dealer.length ? steps?.at(-1) : undefined;
  return last ? el("p", { class: "outcome" }, last.text) : null;
}

/** @param {Step} step */
const stepRow = (step) => el("li", {}, step.text, " ", el("small", {}, step.clause));

/** What the rules say of the round; what is the same for all seats is said once. @param {TableView} view */
export function steps(view) {
  const seats = Object.entries(view.steps);
  if (!seats.length) return null;
  const [[, first]] = seats;
  const isSame = seats.every(([, list]) => JSON.stringify(list) === JSON.stringify(first));
  const lists = isSame
    ? el("ol", {}, first.map(stepRow))
    : seats.map(([seat, list]) => [el("h3", {}, `Seat ${seat}`), el("ol", {}, list.map(stepRow))]);
  return el("div", { class: "steps", tabindex: 0, role: "group", "aria-label": "What the rules say" }, lists);
}

/** @param {PaymentDue} payment */
function dueWords({ win_cents: win }) {
  if (win > 0) return `pays ${dollars(win)}`;
  return win < 0 ? `takes ${dollars(-win)}` : "pushes";
}

/** What the round comes to, in the order of payment, before anything is paid. @param {TableView} view */
export function due(view) {
  if (!view.due.length) return null;
  const rows = view.due.map((payment) => {
    const name = wagerName(view, payment.wager) + (payment.spot ? ` (${payment.spot})` : "");
    const words = ` ${name}, ${payment.guest}: ${dollars(payment.stake_cents)} ${dueWords(payment)}`;
    const badge = el("span", { class: "seat-badge" }, String(payment.seat));
    return el("li", {}, badge, words, " ", el("small", {}, payment.chips));
  });
  const part = { class: "steps due", tabindex: 0, role: "group", "aria-label": "It will take and pay" };
  return el("div", part, el("h3", {}, "It will take and pay"), el("ol", {}, rows));
}

/**
 * What the dealer decides for guests without a screen.
 * @typedef {object} DecidingOptions
 * @property {Send} send
 * @property {Map<number, number[]>} picks the cards picked to set a seat's hand
 * @property {() => void} again draws the stage again
 * @property {(seat: SeatView) => Child} extra further keys of a seat
 */

/**
 * Who still has to decide, with what each may choose.
 * @param {TableView} view
 * @param {DecidingOptions} options
 */
export function deciding(view, options) {
  const seats = view.seats.filter((seat) => seat.to_act.length);
  return el("div", { class: "deciding" }, seats.map((seat) => decidingSeat(view, seat, options)));
}

/** @param {TableView} view @param {SeatView} seat @param {DecidingOptions} options */
function decidingSeat(view, seat, options) {
  const { choices } = view.face;
  const isVisible = seat.hands.length > 0 && seat.hands.every((hand) => hand.cards.every(Boolean));
  const setChoice = seat.to_act.find((choice) => choices[choice]?.picks);
  const setting = setChoice && isVisible ? settingOf(view, seat, setChoice, options) : null;
  const plain = seat.to_act.filter((choice) => !choices[choice]?.picks);
  const keys = plain.map((choice) => {
    const words = choices[choice]?.short ?? inWords(choice);
    return key(words, { kind: "choice", "data-choice": choice, onclick: decide(seat, choice, options.send) });
  });
  const cards = setting ? setting.cards : seat.hands.map((hand) => handBox(hand, hand.active ? "To act" : "Hand"));
  return el("section", { class: "to-act", "data-seat": seat.seat, "aria-label": `Seat ${seat.seat} decides` }, [
    el("h3", {}, `Seat ${seat.seat}`, el("span", {}, seat.guest)),
    cards,
    el("div", { class: "choices" }, setting?.key, keys, options.extra(seat)),
  ]);
}

/** @param {SeatView} seat @param {string} choice @param {Send} send */
const decide = (seat, choice, send) => press(() => send("decide", { seat: seat.seat, choice }));

/** @param {TableView} view @param {Advice} advice */
function adviceParts(view, advice) {
  const parts = advice.hands.map((hand) => `${inWords(hand.part || hand.owner)}: ${hand.worth}`).join(" · ");
  const foul = advice.foul ? el("b", { class: "bad" }, `${view.face.words.foul_short} `) : "";
  return [foul, parts];
}

/**
 * Cards to pick for a hand that is set; what its parts come to.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {string} choice
 * @param {DecidingOptions} options
 */
function settingOf(view, seat, choice, { picks, again, send }) {
  const { words, choices } = view.face;
  const { cards } = seat.hands[0];
  const most = choices[choice].picks;
  const picked = picks.get(seat.seat) ?? [];
  const front = picked.map((place) => cards[place]).join(" ");
  const advised = el("p", { class: "advice", "aria-live": "polite" }, words.pick_for_guest);
  if (picked.length === most) {
    const path = `/api/v1/tables/${encodeURIComponent(view.name)}/seats/${seat.seat}/set`;
    api("GET", `${path}?front=${encodeURIComponent(front)}`, undefined, { quiet: true }).then(
      (advice) => advised.replaceChildren(...adviceParts(view, advice)),
      (refused) => (advised.textContent = messageOf(refused)),
    );
  }
  const onpick = (/** @type {number} */ place) => {
    const others = picked.filter((other) => other !== place);
    picks.set(seat.seat, picked.includes(place) ? others : [...picked, place].slice(-most));
    again();
  };
  const laid = hand(cards, { onpick, picked, label: `Seat ${seat.seat}` });
  const does = { disabled: picked.length !== most, onclick: decide(seat, `${choice} ${front}`, send) };
  return {
    cards: el("div", { class: "setting" }, laid, advised),
    key: key(words.set_for_guest, { kind: "choice", "data-choice": choice, ...does }),
  };
}

// ---- payouts --------------------------------------------------------------------------------------------------------

/**
 * The payments that were checked off, by their places.
 * @param {string} which the round, as it was corrected last
 * @returns {Set<number>}
 */
const checkedOff = (which) => new Set(JSON.parse(sessionStorage.getItem(`paid-${which}`) ?? "[]"));

/** What the dealer does with a payment: take, leave or pay. @param {Payment} payment */
function paymentWords({ win_cents: win, stake_cents: stake }) {
  if (win > 0) return { kind: "pay", words: `Pay ${dollars(win)}` };
  return win === 0 ? { kind: "push", words: `Push ${dollars(stake)}` } : { kind: "take", words: `Take ${dollars(-win)}` };
}

/**
 * The payouts of the last round in the order they are made, each to be checked off by touch.
 * @param {TableView} view
 * @param {LastRound} last
 * @param {() => void} again
 */
export function payouts(view, last, again) {
  const paid = last.payments.filter((payment) => payment.event === "paid");
  const which = `${last.seq}/${last.corrected.length}`;
  const done = checkedOff(which);
  const keep = (/** @type {Iterable<number>} */ places) => {
    sessionStorage.setItem(`paid-${which}`, JSON.stringify([...places]));
    again();
  };
  const toggle = (/** @type {number} */ place) => {
    if (!done.delete(place)) done.add(place);
    keep(done);
  };
  const rows = paid.map((payment, place) => paymentRow(view, payment, place, done.has(place), () => toggle(place)));
  const left = paid.length - done.size;
  const all = { type: "button", class: "quiet", onclick: () => keep(paid.keys()) };
  const head = el("div", { class: "payouts-head" }, [
    el("h2", {}, `Payouts of round ${last.round}`),
    el("span", { class: left ? "left" : "left all-paid" }, left ? `${left} to make` : "All made"),
    left > 1 && el("button", all, "All made"),
  ]);
  return el("div", { class: "payouts" }, head, el("ol", {}, rows));
}

/**
 * @param {TableView} view
 * @param {Payment} payment
 * @param {number} place
 * @param {boolean} isDone
 * @param {() => void} toggle
 */
function paymentRow(view, payment, place, isDone, toggle) {
  const { kind, words } = paymentWords(payment);
  const whose = isForDealer(payment) ? `${payment.guest}, for the dealer` : payment.guest;
  const title = el("b", {}, `${wagerName(view, payment.wager)} · ${whose}`);
  const checkbox = { role: "checkbox", "aria-checked": String(isDone), onclick: toggle };
  const button = el("button", { type: "button", id: `payment-${place}`, class: `payment ${kind}`, ...checkbox }, [
    el("span", { class: "tick", "aria-hidden": "true" }),
    el("span", { class: "seat-badge" }, String(payment.seat)),
    el("span", { class: "payment-words" }, title, el("small", {}, payment.text)),
    kind === "pay" ? stack(payment.win_cents, { plain: true, most: 8 }) : null,
    el("strong", {}, words),
  ]);
  return el("li", {}, button);
}

/** A voided round. @param {LastRound} last */
export function voided(last) {
  const event = last.payments.find((payment) => payment.event === "voided");
  const why = `${inWords(event?.reason ?? "")}, ${event?.clause ?? ""}`;
  return el("p", { class: "notice" }, `Round ${last.round} was voided (${why}): all wagers went back.`);
}
