// What lies on the table, as the dealer sees it: hands, who is to act, what the round came to, what is to be paid.
import { api, dollars, el } from "./dom.js";
import { fan, hand } from "./cards.js";
import { stack } from "./chips.js";
import { bead, oneCell } from "./board-roads.js";
import { inWords, key, press } from "./dealer-parts.js";
import { resultHand, resultWords } from "./dealer-results.js";

const OWNERS = { player: "Player", banker: "Banker", dealer: "Dealer" };
const CHOICES = { look: "No insurance", "house-way": "House Way" };
const handTitle = (one, owner) => [owner ?? OWNERS[one.owner] ?? one.owner, one.part && inWords(one.part)].filter(Boolean).join(", ");

function handBox(one, owner) {
  return el("div", { class: `hand-of ${one.owner}` }, el("h3", {}, handTitle(one, owner), one.worth && el("b", {}, one.worth)), one.cards.length ? fan(one.cards, { label: handTitle(one, owner) }) : el("span", { class: "no-card" }));
}

/** All hands of the round. */
export function hands(view) {
  const seats = view.seats.filter((seat) => seat.hands.length && seat.guest);
  const common = view.edition.game === "ez_baccarat";
  if (common && !view.dealer.length) return view.result ? el("div", { class: "came-to" }, oneCell(bead({ hand: resultHand(view.result) })), el("strong", {}, resultWords(view.result))) : null;
  return el("div", { class: common ? "hands common" : "hands" }, view.dealer.map((one) => handBox(one)), seats.flatMap((seat) => seat.hands.map((one) => handBox(one, `Seat ${seat.seat}`))));
}

/** A hand that all bet on, in one line: who won. */
export function cameTo(view) {
  const list = view.dealer.length && view.edition.game === "ez_baccarat" ? Object.values(view.steps)[0] : null;
  return list ? el("p", { class: "outcome" }, list.at(-1).text) : null;
}

/** What the rules say of the round; what is the same for all seats is said once. */
export function steps(view) {
  const seats = Object.entries(view.steps), told = (one) => el("li", {}, one.text, " ", el("small", {}, one.clause));
  const same = seats.length && seats.every(([, list]) => JSON.stringify(list) === JSON.stringify(seats[0][1]));
  if (!seats.length) return null;
  return el("div", { class: "steps" }, same ? el("ol", {}, seats[0][1].map(told)) : seats.map(([seat, list]) => [el("h3", {}, `Seat ${seat}`), el("ol", {}, list.map(told))]).flat());
}

/** What the round comes to, in the order of payment, before anything is paid. */
export function due(view) {
  if (!view.due.length) return null;
  const name = (id) => view.wagers.find((wager) => wager.id === id)?.name ?? inWords(id);
  const amount = ({ win_cents: win }) => (win > 0 ? `pays ${dollars(win)}` : win < 0 ? `takes ${dollars(-win)}` : "pushes");
  const row = (one) => el("li", {}, el("span", { class: "seat-badge" }, String(one.seat)), ` ${name(one.wager)}, ${one.guest}: ${dollars(one.stake_cents)} ${amount(one)}`, " ", el("small", {}, one.chips));
  return el("div", { class: "steps due" }, el("h3", {}, "It will take and pay"), el("ol", {}, view.due.map(row)));
}

/** Who still has to decide, with what each may choose: the dealer enters it for a guest without a screen. */
export function deciding(view, { send, picks, again, extra }) {
  const seats = view.seats.filter((seat) => seat.to_act.length);
  return el("div", { class: "deciding" }, seats.map((seat) => {
    const decide = (choice) => press(() => send("decide", { seat: seat.seat, choice }));
    const visible = seat.hands.length && seat.hands.every((one) => one.cards.every(Boolean));
    const set = seat.to_act.includes("set") && visible ? setting(view, seat, { picks, again, decide }) : null;
    const plain = seat.to_act.filter((choice) => choice !== "set");
    return el("section", { class: "to-act", "data-seat": seat.seat, "aria-label": `Seat ${seat.seat} decides` },
      el("h3", {}, `Seat ${seat.seat}`, el("span", {}, seat.guest)),
      set ? set.cards : seat.hands.map((one) => handBox(one, one.active ? "To act" : "Hand")),
      el("div", { class: "choices" }, set?.key, plain.map((choice) => key(CHOICES[choice] ?? inWords(choice), { kind: "choice", "data-choice": choice, onclick: decide(choice) })), extra(seat)));
  }));
}

/** Two of seven cards go in front: pick them, see what both hands come to. */
function setting(view, seat, { picks, again, decide }) {
  const cards = seat.hands[0].cards, picked = picks.get(seat.seat) ?? [], front = picked.map((place) => cards[place]).join(" ");
  const told = el("p", { class: "advice", "aria-live": "polite" }, "Touch the two cards for the front, or the House Way.");
  if (picked.length === 2) {
    api("GET", `/api/v1/tables/${encodeURIComponent(view.name)}/seats/${seat.seat}/set?front=${encodeURIComponent(front)}`, undefined, { quiet: true }).then(
      (advice) => told.replaceChildren(advice.foul ? el("b", { class: "bad" }, "A foul: the front beats the back. ") : "", advice.hands.map((one) => `${inWords(one.part || one.owner)}: ${one.worth}`).join(" · ")), (refused) => (told.textContent = refused.message));
  }
  const onpick = (place) => {
    picks.set(seat.seat, picked.includes(place) ? picked.filter((one) => one !== place) : [...picked, place].slice(-2));
    again();
  };
  return { cards: el("div", { class: "setting" }, hand(cards, { onpick, picked, label: `Seat ${seat.seat}` }), told), key: key("Set these two in front", { kind: "choice", "data-choice": "set", disabled: picked.length !== 2, onclick: decide(`set ${front}`) }) };
}

const checksOf = (seq) => new Set(JSON.parse(sessionStorage.getItem(`paid-${seq}`) ?? "[]"));

/** What the dealer does with a payment: take, leave or pay. */
function paymentWords({ win_cents: win, stake_cents: stake }) {
  if (win > 0) return ["pay", `Pay ${dollars(win)}`];
  return win === 0 ? ["push", `Push ${dollars(stake)}`] : ["take", `Take ${dollars(-win)}`];
}

/** The payouts of the last round in the order they are made, each to be checked off by touch. */
export function payouts(last, wagers, again) {
  const paid = last.payments.filter((payment) => payment.event === "paid"), done = checksOf(last.seq);
  const keep = () => {
    sessionStorage.setItem(`paid-${last.seq}`, JSON.stringify([...done]));
    again();
  };
  const name = (id) => wagers.find((wager) => wager.id === id)?.name ?? inWords(id);
  const row = (payment, place) => {
    const [kind, words] = paymentWords(payment), is = done.has(place);
    const toggle = () => (is ? done.delete(place) : done.add(place), keep());
    return el("li", {}, el("button", { type: "button", id: `payment-${place}`, class: `payment ${kind}`, role: "checkbox", "aria-checked": String(is), onclick: toggle },
      el("span", { class: "tick", "aria-hidden": "true" }), el("span", { class: "seat-badge" }, String(payment.seat)),
      el("span", { class: "payment-words" }, el("b", {}, `${name(payment.wager)} · ${payment.guest}`), el("small", {}, payment.step)),
      kind === "pay" ? stack(payment.win_cents, { plain: true, most: 8 }) : null, el("strong", {}, words)));
  };
  const left = paid.length - done.size;
  return el("div", { class: "payouts" }, el("div", { class: "payouts-head" }, el("h2", {}, `Payouts of round ${last.round}`), el("span", { class: left ? "left" : "left all-paid" }, left ? `${left} to make` : "All made"),
    left > 1 && el("button", { type: "button", class: "quiet", onclick: () => (paid.forEach((_, place) => done.add(place)), keep()) }, "All made")), el("ol", {}, paid.map(row)));
}

/** A voided round. */
export function voided(last) {
  const event = last.payments.find((payment) => payment.event === "voided");
  return el("p", { class: "notice" }, `Round ${last.round} was voided (${inWords(event?.reason ?? "")}, ${event?.clause ?? ""}): all wagers went back.`);
}
