// The seats: who sits where, what lies on the felt, bets and chips for guests without a screen, the bank of a player-banked
// table.
import { countOf, dollars, el, inWords, present } from "../shared/dom.js";
import { ask, key, panel, press } from "./parts.js";

/** @import { SeatView, TableView } from "../types" */
/** @import { Send } from "./parts.js" */

/** @param {string} text */
const cents = (text) => Math.round(Number(text) * 100);

/** @param {string[]} values */
const optionsOf = (values) => values.map((value) => el("option", { value }));

/**
 * Ask for a name and perhaps an amount; null when it is let be.
 * @param {string} title
 * @param {string} words
 * @param {{guests?: string[], amount?: boolean, guest?: string}} [options]
 */
async function askGuest(title, words, { guests = [], amount = false, guest = "" } = {}) {
  const field = { id: "ask-guest", maxlength: 40, list: "ask-guests", value: guest, autocomplete: "off" };
  const name = el("input", field);
  const money = el("input", { id: "ask-dollars", type: "number", min: "1", step: "0.5", inputmode: "decimal" });
  const list = el("datalist", { id: "ask-guests" }, optionsOf(guests));
  const dollarsField = amount ? [el("label", { for: "ask-dollars" }, "Dollars"), money] : [];
  const body = [el("label", { for: "ask-guest" }, "Guest"), name, list, ...dollarsField];
  const isGiven = await ask(title, { body, choices: [["yes", words]] });
  return isGiven ? { guest: name.value.trim(), cents: cents(money.value) } : null;
}

/** What lies on each wager, all seats together. @param {TableView} view */
export function feltTotals(view) {
  const totals = view.wagers.map((wager) => {
    const stakes = view.seats.map((seat) => seat.bets[wager.id] ?? 0).filter(Boolean);
    return { name: wager.name, count: stakes.length, sum: stakes.reduce((sum, stake) => sum + stake, 0) };
  });
  const rows = totals.filter(({ count }) => count).map(({ name, count, sum }) => {
    const amount = el("b", { class: "money" }, dollars(sum));
    return el("div", {}, el("dt", {}, name), el("dd", {}, amount, el("small", {}, countOf(count, "bet"))));
  });
  return rows.length ? el("dl", { class: "felt-totals", "aria-label": "On the felt" }, rows) : null;
}

/** @param {TableView} view */
const guestsOf = (view) => [...new Set(view.seats.map((seat) => seat.guest).filter(Boolean))];

/** The form for a bet of a guest without a screen; it is built once, so that nothing typed is lost. */
class BetForm {
  /** @param {Send} send */
  constructor(send) {
    const money = { type: "number", min: "0.5", step: "0.5", required: true, inputmode: "decimal" };
    const name = { maxlength: 40, required: true, list: "bet-guests", autocomplete: "off" };
    this.send = send;
    /** @type {TableView | null} */
    this.view = null;
    this.seat = el("select", { id: "bet-seat", name: "seat" });
    this.guest = el("input", { id: "bet-guest", name: "guest", ...name });
    this.guests = el("datalist", { id: "bet-guests" });
    this.wager = el("select", { id: "bet-wager", name: "wager" });
    this.amount = el("input", { id: "bet-dollars", name: "dollars", ...money });
    this.forDealer = el("input", { type: "checkbox", id: "bet-for-dealer", name: "for_dealer" });
    this.tip = el("label", { class: "inline", hidden: true }, this.forDealer, " for the dealer, beside the guest's own");
    this.place = el("button", {}, "Place the bet");
    const fields = [this.field("Seat", this.seat), this.field("Guest", this.guest), this.guests];
    const bet = [this.field("Wager", this.wager), this.field("Dollars", this.amount)];
    const form = el("form", { class: "bet-form" }, fields, bet, this.tip, this.place);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      press(() => this.bet())();
    });
    this.seat.addEventListener("change", () => this.fillGuest());
    const sell = { type: "button", class: "quiet", onclick: press(() => this.sell()) };
    const summary = el("summary", {}, "Enter a bet for a guest without a screen");
    this.element = el("details", { class: "entry" }, summary, form, el("button", sell, "Sell chips"));
  }

  /** @param {string} label @param {HTMLElement} input */
  field(label, input) {
    return el("div", {}, el("label", { for: input.id }, label), input);
  }

  async bet() {
    const guest = this.guest.value.trim();
    const bet = { seat: Number(this.seat.value), guest, wager: this.wager.value, cents: cents(this.amount.value) };
    await this.send("bet", this.forDealer.checked ? { ...bet, for_dealer: true } : bet);
    this.forDealer.checked = false;
    this.amount.value = "";
    this.amount.focus();
  }

  async sell() {
    const guests = this.view ? guestsOf(this.view) : [];
    const options = { guests, amount: true, guest: this.guest.value };
    const sold = await askGuest("Sell chips at the table", "Cash is in the box: sell", options);
    if (sold) await this.send("table-buy-in", sold);
  }

  fillGuest() {
    const guest = this.view?.seats.find((seat) => seat.seat === Number(this.seat.value))?.guest;
    if (guest !== undefined) this.guest.value = guest;
  }

  /** @param {TableView} view */
  show(view) {
    const isFirst = !this.view;
    this.view = view;
    this.tip.hidden = !view.takes_dealer_bets;
    if (isFirst) {
      this.seat.replaceChildren(...view.seats.map((seat) => el("option", { value: seat.seat }, String(seat.seat))));
      this.fillGuest();
    }
    const open = view.wagers.filter((wager) => {
      const isInTime = wager.late ? view.before_look : view.phase === "betting";
      return !wager.refused && !wager.follows && isInTime;
    });
    const chosen = this.wager.value;
    const options = open.map((wager) => {
      return el("option", { value: wager.id }, `${wager.name} (${dollars(wager.min_cents)}–${dollars(wager.max_cents)})`);
    });
    this.wager.replaceChildren(...options);
    if (open.some((wager) => wager.id === chosen)) this.wager.value = chosen;
    for (const input of [this.seat, this.guest, this.wager, this.amount, this.place]) input.disabled = !open.length;
    this.guests.replaceChildren(...optionsOf(guestsOf(view)));
  }
}

/** The seats' panel. */
export class SeatsPanel {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.list = el("ol", { class: "seat-list" });
    this.total = el("p", { class: "felt-total", role: "status" });
    this.bank = el("div", { class: "bank" });
    this.form = new BetForm(send);
    this.panel = panel("Seats", "seats", this.total, this.bank, this.list, this.form.element);
  }

  /** @param {TableView} view */
  show(view) {
    this.form.show(view);
    this.list.replaceChildren(...view.seats.map((seat) => seatRow(view, seat, this.send)));
    const held = view.seats.reduce((sum, seat) => sum + seat.held_cents, 0);
    this.total.replaceChildren("On the felt ", el("b", { class: "money" }, dollars(held)));
    this.bank.replaceChildren(...present(bankParts(view, this.send)));
  }
}

/**
 * A bet of a seat; while bets are open it can be withdrawn.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {string} wager
 * @param {Send} send
 * @param {boolean} forDealer whether it is for the dealers
 */
function betPill(view, seat, wager, send, forDealer = false) {
  const name = (view.wagers.find((other) => other.id === wager)?.name ?? inWords(wager)) + (forDealer ? " for the dealer" : "");
  const words = [`${name} `, el("b", { class: "money" }, dollars((forDealer ? seat.for_dealer : seat.bets)[wager]))];
  if (view.phase !== "betting") return el("span", { class: "bet-pill" }, words);
  const bet = { seat: seat.seat, guest: seat.guest, wager };
  const withdraw = press(() => send("withdraw", forDealer ? { ...bet, for_dealer: true } : bet));
  const label = `Withdraw ${name} of seat ${seat.seat}`;
  const button = { type: "button", class: "take-back", "aria-label": label, onclick: withdraw };
  return el("span", { class: "bet-pill" }, words, el("button", button, "×"));
}

/**
 * The parts of a bet, such as its colour, while they can be chosen.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {Send} send
 */
function partButtons(view, seat, send) {
  if (view.phase !== "betting") return [];
  const parts = Object.entries(view.with_bet).filter(([wager]) => wager in seat.bets).flatMap(([, values]) => values);
  return parts.map((choice) => {
    const onclick = press(() => send("decide", { seat: seat.seat, choice }));
    const pressed = { "aria-pressed": String(seat.choices.includes(choice)), onclick };
    return el("button", { type: "button", class: "small-key quiet", ...pressed }, inWords(choice));
  });
}

/**
 * Sitting down and leaving.
 * @param {TableView} view
 * @param {SeatView} seat
 * @param {Send} send
 */
function comeOrGo(view, seat, send) {
  const button = { type: "button", class: "quiet small-key" };
  if (!seat.guest) {
    const sit = press(async () => {
      const named = await askGuest(`Who sits at seat ${seat.seat}?`, "Sit down");
      if (named?.guest) await send("sit", { seat: seat.seat, guest: named.guest });
    });
    return el("button", { ...button, "aria-label": `Sit somebody at seat ${seat.seat}`, onclick: sit }, "Sit");
  }
  if (view.phase !== "betting" || Object.keys(seat.bets).length) return null;
  const leave = press(() => send("leave", { seat: seat.seat, guest: seat.guest }));
  return el("button", { ...button, "aria-label": `Seat ${seat.seat}: leave`, onclick: leave }, "Leave");
}

/** @param {TableView} view @param {SeatView} seat @param {Send} send */
function seatRow(view, seat, send) {
  const isAsked = seat.to_act.length > 0;
  const chosen = seat.choices.length ? el("small", {}, seat.choices.map(inWords).join(", ")) : null;
  const who = [seat.guest || el("i", {}, "free"), isAsked ? el("em", {}, "to decide") : chosen];
  const own = Object.keys(seat.bets).map((wager) => betPill(view, seat, wager, send));
  const tips = Object.keys(seat.for_dealer).map((wager) => betPill(view, seat, wager, send, true));
  const bets = [...own, ...tips];
  return el("li", { class: isAsked ? "seat-row acts" : "seat-row", "data-seat": seat.seat }, [
    el("span", { class: "seat-badge" }, String(seat.seat)),
    el("span", { class: "seat-who" }, who),
    el("span", { class: "seat-bets" }, bets, partButtons(view, seat, send)),
    comeOrGo(view, seat, send),
  ]);
}

/**
 * Who banks, and what the dealer enters for the bank.
 * @param {TableView} view
 * @param {Send} send
 */
function bankParts(view, send) {
  const { bank } = view;
  if (!bank) return [];
  const pass = (/** @type {number} */ seat, /** @type {string} */ guest) => press(() => send("pass", { seat, guest }));
  const putUp = (/** @type {number} */ seat, /** @type {string} */ guest, /** @type {string} */ words) =>
    press(async () => {
      const put = await askGuest(`Seat ${seat} ${words}`, "Put it up", { guest, amount: true });
      if (put) await send("bank", { seat, ...put });
    });
  if (bank.holder) {
    const holder = el("b", {}, `seat ${bank.holder}, ${bank.guest}`);
    const rest = ` with ${dollars(bank.cents)}, ${countOf(bank.hands_left, "hand")} left`;
    const end = key("The bank ends", { kind: "plain", onclick: pass(bank.holder, bank.guest) });
    const again = putUp(bank.holder, bank.guest, "puts up again");
    const more = bank.used_up ? key("Puts up again", { kind: "plain", "data-key": "put-up-again", onclick: again }) : null;
    const keys = view.phase === "betting" ? el("div", { class: "two-keys" }, more, end) : null;
    return [el("p", {}, "Bank: ", holder, bank.used_up ? " has lost all that it put up" : rest), keys];
  }
  const guest = view.seats.find((seat) => seat.seat === bank.offered)?.guest;
  if (!guest) return [el("p", {}, "Nobody banks: the bank is offered when guests sit down.")];
  const takes = key("Takes it", { kind: "plain", onclick: putUp(bank.offered, guest, "takes the bank") });
  const passes = key("Passes", { kind: "plain", onclick: pass(bank.offered, guest) });
  const offered = el("p", {}, "The bank is offered to ", el("b", {}, `seat ${bank.offered}, ${guest}`));
  return [offered, el("div", { class: "two-keys" }, takes, passes)];
}
