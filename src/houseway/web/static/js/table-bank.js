// The bank of a player-banked table: who holds it, to whom it is offered, what it costs, and taking or passing it.
import { dollars, el } from "./dom.js";

function offer(view, own, command) {
  const { bank, you } = view;
  const amount = el("input", { id: "bank-amount", type: "number", min: 1, step: 1, max: Math.floor((you?.balance_cents ?? 0) / 100), value: Math.min(500, Math.floor((you?.balance_cents ?? 0) / 100)), inputmode: "numeric", required: true });
  return el("form", { class: "bank-offer", onsubmit: (event) => { event.preventDefault(); command("bank", { seat: own, cents: Math.round(Number(amount.value) * 100) }); } },
    el("p", {}, el("b", {}, "The bank is offered to you. "), "You would pay and collect all bets of two hands, and win or lose no more than you put up."),
    el("label", { for: "bank-amount" }, `Dollars to put up (you have ${dollars(you?.balance_cents ?? 0)})`),
    el("div", { class: "row" }, amount, el("button", {}, "Take the bank"), el("button", { type: "button", class: "quiet", onclick: () => command("pass", { seat: own }) }, "Pass")),
    bank.bank_fee_cents ? el("p", { class: "small" }, `The bank pays ${dollars(bank.bank_fee_cents)} a hand to the house.`) : null);
}

/** The panel of the bank; nothing at a table that the house banks. */
export function bankPanel(view, own, command) {
  const { bank } = view;
  if (!bank) return null;
  const offered = view.seats.find((seat) => seat.seat === bank.offered)?.guest;
  const mine = own && bank.holder === own;
  const facts = [
    ["Banks", bank.holder ? `${mine ? "You" : bank.guest}, seat ${bank.holder}` : "nobody yet"],
    bank.holder ? ["Put up", dollars(bank.cents)] : ["Offered to", offered ? `${offered}, seat ${bank.offered}` : "the first who sits down"],
    bank.holder ? ["Hands left", String(bank.hands_left)] : null,
    ["Collection", `player ${dollars(bank.player_fee_cents)}, bank ${dollars(bank.bank_fee_cents)} a hand`],
  ].filter(Boolean);
  return [
    el("h2", {}, "The bank"),
    el("dl", { class: "bank-facts" }, facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    own && !bank.holder && bank.offered === own && view.phase === "betting" ? offer(view, own, command) : null,
    mine && view.phase === "betting" ? el("button", { type: "button", class: "quiet", onclick: () => command("pass", { seat: own }) }, "End the bank now") : null,
    el("p", { class: "small" }, mine ? "The bank does not wager. " : "", "A bank pays no more than it put up, in the order of the seats; what it cannot cover goes back to the player."),
  ].filter(Boolean);
}
