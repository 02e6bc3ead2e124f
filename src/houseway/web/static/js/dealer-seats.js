// The seats: who sits where, what lies on the felt, bets and chips for guests without a screen, the bank of a player-banked table.
import { dollars, el } from "./dom.js";
import { ask, inWords, key, panel, press } from "./dealer-parts.js";

const cents = (text) => Math.round(Number(text) * 100);

/** Ask for a name and perhaps an amount. */
async function askGuest(title, words, { guests = [], amount = false, guest = "" }) {
  const name = el("input", { id: "ask-guest", maxlength: 40, list: "ask-guests", value: guest, autocomplete: "off" });
  const money = el("input", { id: "ask-dollars", type: "number", min: "1", step: "0.5", inputmode: "decimal" });
  const body = [el("label", { for: "ask-guest" }, "Guest"), name, el("datalist", { id: "ask-guests" }, guests.map((value) => el("option", { value }))), ...(amount ? [el("label", { for: "ask-dollars" }, "Dollars"), money] : [])];
  return (await ask(title, { body, choices: [["yes", words]] })) ? { guest: name.value.trim(), cents: cents(money.value) } : null;
}

/** What lies on each wager, all seats together. */
export function feltTotals(view) {
  const on = (id) => view.seats.map((seat) => seat.bets[id] ?? 0).filter(Boolean);
  const told = view.wagers.map((wager) => [wager.name, on(wager.id)]).filter(([, stakes]) => stakes.length);
  return told.length ? el("dl", { class: "felt-totals", "aria-label": "On the felt" }, told.map(([name, stakes]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("b", { class: "money" }, dollars(stakes.reduce((sum, one) => sum + one, 0))), el("small", {}, `${stakes.length} ${stakes.length === 1 ? "bet" : "bets"}`))))) : null;
}

/** The seats' panel; `show(view)` after every event. The form is built once, so that nothing typed is lost. */
export function seatsPanel(send) {
  const list = el("ol", { class: "seat-list" }), total = el("p", { class: "felt-total", role: "status" }), bank = el("div", { class: "bank" });
  const seat = el("select", { id: "bet-seat", name: "seat" }), guest = el("input", { id: "bet-guest", name: "guest", maxlength: 40, required: true, list: "bet-guests", autocomplete: "off" });
  const guests = el("datalist", { id: "bet-guests" }), wager = el("select", { id: "bet-wager", name: "wager" }), amount = el("input", { id: "bet-dollars", name: "dollars", type: "number", min: "0.5", step: "0.5", required: true, inputmode: "decimal" });
  const field = (label, input) => el("div", {}, el("label", { for: input.id }, label), input);
  const place = el("button", {}, "Place the bet");
  const form = el("form", { class: "bet-form", onsubmit: (event) => {
    event.preventDefault();
    press(async () => {
      await send("bet", { seat: Number(seat.value), guest: guest.value.trim(), wager: wager.value, cents: cents(amount.value) });
      amount.value = "";
      amount.focus();
    })();
  } }, field("Seat", seat), field("Guest", guest), guests, field("Wager", wager), field("Dollars", amount), place);
  const sell = el("button", { type: "button", class: "quiet", onclick: press(async () => {
    const sold = await askGuest("Sell chips at the table", "Cash is in the box: sell", { guests: seatedOf(view), amount: true, guest: guest.value });
    if (sold) await send("table-buy-in", sold);
  }) }, "Sell chips");
  let view = null;
  const fillGuest = () => (guest.value = view?.seats.find((one) => one.seat === Number(seat.value))?.guest ?? guest.value);
  seat.addEventListener("change", fillGuest);

  function show(next) {
    const first = !view;
    view = next;
    if (first) {
      seat.replaceChildren(...view.seats.map((one) => el("option", { value: one.seat }, String(one.seat))));
      fillGuest();
    }
    const open = view.wagers.filter((one) => !one.refused && !one.follows && (one.late ? view.before_look : view.phase === "betting"));
    const chosen = wager.value;
    wager.replaceChildren(...open.map((one) => el("option", { value: one.id }, `${one.name} (${dollars(one.min_cents)}–${dollars(one.max_cents)})`)));
    if (open.some((one) => one.id === chosen)) wager.value = chosen;
    for (const input of [seat, guest, wager, amount, place]) input.disabled = !open.length;
    guests.replaceChildren(...seatedOf(view).map((value) => el("option", { value })));
    list.replaceChildren(...view.seats.map((one) => seatRow(view, one, send)));
    const held = view.seats.reduce((sum, one) => sum + one.held_cents, 0);
    total.replaceChildren("On the felt ", el("b", { class: "money" }, dollars(held)));
    bank.replaceChildren(...bankParts(view, send));
  }

  const made = panel("Seats", "seats", total, bank, list, el("details", { class: "entry" }, el("summary", {}, "Enter a bet for a guest without a screen"), form, sell));
  return { panel: made, show };
}

const seatedOf = (view) => [...new Set(view.seats.map((seat) => seat.guest).filter(Boolean))];

function betPill(view, seat, [id, stake], send) {
  const name = view.wagers.find((one) => one.id === id)?.name ?? inWords(id), words = [`${name} `, el("b", { class: "money" }, dollars(stake))];
  if (view.phase !== "betting") return el("span", { class: "bet-pill" }, words);
  return el("span", { class: "bet-pill" }, words, el("button", { type: "button", class: "take-back", "aria-label": `Withdraw ${name} of seat ${seat.seat}`, onclick: press(() => send("withdraw", { seat: seat.seat, guest: seat.guest, wager: id })) }, "×"));
}

function seatRow(view, seat, send) {
  const bets = Object.entries(seat.bets), betting = view.phase === "betting";
  const parts = betting ? Object.entries(view.with_bet).filter(([id]) => id in seat.bets).flatMap(([, values]) => values) : [];
  const sit = press(async () => {
    const named = await askGuest(`Who sits at seat ${seat.seat}?`, "Sit down", {});
    if (named?.guest) await send("sit", { seat: seat.seat, guest: named.guest });
  });
  const act = !seat.guest ? el("button", { type: "button", class: "quiet small-key", "aria-label": `Sit somebody at seat ${seat.seat}`, onclick: sit }, "Sit")
    : betting && !bets.length && el("button", { type: "button", class: "quiet small-key", "aria-label": `Seat ${seat.seat}: leave`, onclick: press(() => send("leave", { seat: seat.seat, guest: seat.guest })) }, "Leave");
  return el("li", { class: seat.to_act.length ? "seat-row acts" : "seat-row", "data-seat": seat.seat }, el("span", { class: "seat-badge" }, String(seat.seat)),
    el("span", { class: "seat-who" }, seat.guest || el("i", {}, "free"), seat.to_act.length ? el("em", {}, "to decide") : seat.choices.length ? el("small", {}, seat.choices.map(inWords).join(", ")) : null),
    el("span", { class: "seat-bets" }, bets.map((bet) => betPill(view, seat, bet, send)), parts.map((value) => el("button", { type: "button", class: "small-key quiet", "aria-pressed": String(seat.choices.includes(value)), onclick: press(() => send("decide", { seat: seat.seat, choice: value })) }, inWords(value)))), act);
}

/** Who banks, and what the dealer enters for the bank. */
function bankParts(view, send) {
  const { bank } = view;
  if (!bank) return [];
  const offered = view.seats.find((seat) => seat.seat === bank.offered), betting = view.phase === "betting";
  const pass = (seat, guest) => press(() => send("pass", { seat, guest }));
  if (bank.holder) {
    return [el("p", {}, "Bank: ", el("b", {}, `seat ${bank.holder}, ${bank.guest}`), ` with ${dollars(bank.cents)}, ${bank.hands_left} ${bank.hands_left === 1 ? "hand" : "hands"} left`), betting && key("The bank ends", { kind: "plain", onclick: pass(bank.holder, bank.guest) })].filter(Boolean);
  }
  if (!offered?.guest) return [el("p", {}, "Nobody banks: the bank is offered when guests sit down.")];
  const take = press(async () => {
    const put = await askGuest(`Seat ${bank.offered} takes the bank`, "Put it up", { guest: offered.guest, amount: true });
    if (put) await send("bank", { seat: bank.offered, ...put });
  });
  return [el("p", {}, "The bank is offered to ", el("b", {}, `seat ${bank.offered}, ${offered.guest}`)), el("div", { class: "two-keys" }, key("Takes it", { kind: "plain", onclick: take }), key("Passes", { kind: "plain", onclick: pass(bank.offered, offered.guest) }))];
}
