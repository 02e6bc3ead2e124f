// The bank of a player-banked table: who holds it, to whom it is offered, what it costs, and taking or passing it.
import { dollars, el, present } from "../shared/dom.js";
import { seatOf } from "./felt-state.js";

/** @import { BankView, TableView } from "../types" */

/** @typedef {(kind: string, fields: object) => void} Send */

const FIRST_OFFER = 500;

/** @param {TableView} view @param {BankView} bank @param {number} own @param {Send} send */
function offer(view, bank, own, send) {
  const balance = view.you?.balance_cents ?? 0;
  const most = Math.floor(balance / 100);
  const range = { min: 1, step: 1, max: most, value: Math.min(FIRST_OFFER, most), required: true };
  const amount = el("input", { id: "bank-amount", type: "number", inputmode: "numeric", ...range });
  const pass = el("button", { type: "button", class: "quiet", onclick: () => send("pass", { seat: own }) }, "Pass");
  const hands = bank.used_up ? "your last hand" : "two hands";
  const about = `You would pay and collect all bets of ${hands}, and win or lose no more than you put up.`;
  const offered = bank.used_up ? "Your bank is used up: put up again, or pass. " : "The bank is offered to you. ";
  const fee = `The bank pays ${dollars(bank.bank_fee_cents)} a hand to the house.`;
  const form = el("form", { class: "bank-offer" }, [
    el("p", {}, el("b", {}, offered), about),
    el("label", { for: "bank-amount" }, `Dollars to put up (you have ${dollars(balance)})`),
    el("div", { class: "row" }, amount, el("button", {}, "Take the bank"), pass),
    bank.bank_fee_cents ? el("p", { class: "small" }, fee) : null,
  ]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send("bank", { seat: own, cents: Math.round(Number(amount.value) * 100) });
  });
  return form;
}

/** @param {TableView} view @param {BankView} bank @param {boolean} isMine */
function facts(view, bank, isMine) {
  const guest = seatOf(view, bank.offered)?.guest;
  const offered = guest ? `${guest}, seat ${bank.offered}` : "the first who sits down";
  const held = [
    ["Banks", `${isMine ? "You" : bank.guest}, seat ${bank.holder}`],
    ["Put up", dollars(bank.cents)],
    ["Hands left", String(bank.hands_left)],
  ];
  const open = [["Banks", "nobody yet"], ["Offered to", offered]];
  const fees = `player ${dollars(bank.player_fee_cents)}, bank ${dollars(bank.bank_fee_cents)} a hand`;
  const marker = [["Marker", bank.marker ? `seat ${bank.marker}` : "not drawn yet"]];
  const list = [...(bank.holder ? held : open), ["Collection", fees], ...(bank.marker === null ? [] : marker)];
  return list.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]);
}

/**
 * The panel of the bank; nothing at a table that the house banks.
 * @param {TableView} view
 * @param {number} own
 * @param {Send} send
 */
export function bankPanel(view, own, send) {
  const { bank } = view;
  if (!bank) return [];
  const isMine = own > 0 && bank.holder === own;
  const isBetting = view.phase === "betting";
  const isOffered = own > 0 && (bank.holder ? isMine && bank.used_up : bank.offered === own);
  const end = { type: "button", class: "quiet", onclick: () => send("pass", { seat: own }) };
  const rule = "A bank pays no more than it put up; what it cannot cover goes back to the player. How it covers:";
  return present([
    el("h2", {}, "The bank"),
    el("dl", { class: "bank-facts" }, facts(view, bank, isMine)),
    isOffered && isBetting ? offer(view, bank, own, send) : null,
    isMine && isBetting && !bank.used_up ? el("button", end, "End the bank now") : null,
    el("p", { class: "small" }, isMine ? "The bank does not wager. " : "", rule),
    bank.covers.length ? el("ul", { class: "small bank-covers" }, bank.covers.map((words) => el("li", {}, words))) : null,
  ]);
}
