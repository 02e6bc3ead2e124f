// What the last round came to and why: every wager, every step with its clause, and where to check it.
import { dollars, el, present, signedDollars } from "../shared/dom.js";
import { lastWords, nameOf, netOf, netWords, outcomeName, paymentsOf, seatOf } from "./felt-state.js";

/** @import { Cents, LastRound, Payment, Step, TableView, WagerView } from "../types" */

/**
 * A clause of the edition, linked to its text.
 * @param {TableView} view
 * @param {string} clause
 */
function clauseLink(view, clause) {
  const href = `/editions/${view.edition.id}#${encodeURIComponent(clause)}`;
  return el("a", { class: "clause", href, title: `Read clause ${clause}` }, clause);
}

/** @param {TableView} view @param {string} wager */
function oddsLink(view, wager) {
  const href = `/lab?edition=${encodeURIComponent(view.edition.id)}&wager=${encodeURIComponent(wager)}`;
  return el("a", { href, title: `Exact odds of ${nameOf(view, wager)}` }, "odds");
}

/** What a short bank did not cover, in words. @param {Payment} payment */
function uncovered({ stake_cents: stake, owed_cents: owed, win_cents: win }) {
  if (owed === win) return null;
  const words =
    owed > 0
      ? `the bank covers ${dollars(win)} of this win`
      : `the bank covers ${dollars(-win)}; ${dollars(stake + win)} goes back`;
  return el("span", { class: "not-covered" }, words);
}

/** @param {TableView} view @param {Payment} payment */
function paymentRow(view, payment) {
  const { wager, win_cents: won, stake_cents: stake, spot } = payment;
  const isEnvy = !stake;
  const tone = won > 0 ? "won" : won < 0 ? "lost" : "";
  return el("tr", { class: tone, dataset: { wager, win: won } }, [
    el("th", { scope: "row" }, [
      nameOf(view, wager),
      spot ? el("span", { class: "small" }, ` ${spot}`) : null,
      isEnvy && !spot ? el("span", { class: "badge" }, "envy") : null,
      el("span", { class: "outcome" }, outcomeName(view, wager, payment.outcome)),
      uncovered(payment),
    ]),
    el("td", { class: "number" }, isEnvy ? "—" : dollars(stake)),
    el("td", { class: `number ${won > 0 ? "money" : ""}` }, won ? signedDollars(won) : "push"),
    el("td", { class: "links" }, clauseLink(view, payment.clause), " ", oddsLink(view, wager)),
  ]);
}

/** @param {TableView} view @param {Step[] | undefined} steps @param {string} name */
function stepsOf(view, steps, name) {
  if (!steps?.length) return null;
  const list = steps.map((step) => el("li", {}, step.text, " ", clauseLink(view, step.clause)));
  return el("details", { class: "steps", open: true }, el("summary", {}, name), el("ol", {}, list));
}

/** @param {Payment[]} payments */
const wonBy = (payments) => payments.reduce((sum, payment) => sum + payment.win_cents, 0);

/** @param {TableView} view @param {number} seat */
function otherSeat(view, seat) {
  const payments = paymentsOf(view.last, seat);
  const net = wonBy(payments);
  const envy = wonBy(payments.filter((payment) => !payment.stake_cents && payment.win_cents > 0));
  const clauses = new Set(payments.map((payment) => payment.clause));
  return el("li", {}, [
    el("span", {}, `${seat} · ${payments[0].guest}`),
    el("b", { class: net > 0 ? "money" : "" }, net ? signedDollars(net) : "even"),
    [...clauses].map((clause) => clauseLink(view, clause)),
    envy ? el("span", { class: "badge" }, `envy ${signedDollars(envy)}`) : null,
    payments.map(uncovered),
  ]);
}

/**
 * Other seats in a line each.
 * @param {TableView} view
 * @param {LastRound} last
 * @param {number} own
 */
function others(view, last, own) {
  const paid = last.payments.filter((payment) => payment.event === "paid" && payment.seat !== own);
  const seats = [...new Set(paid.map((payment) => payment.seat))].sort((a, b) => a - b);
  if (!seats.length) return null;
  const list = el("ul", {}, seats.map((seat) => otherSeat(view, seat)));
  return el("div", { class: "others" }, el("h3", {}, own ? "Other seats" : "Seats"), list);
}

/** @param {Cents} cents */
function feeRow(cents) {
  const name = el("th", { scope: "row" }, "Collection", el("span", { class: "outcome" }, "a flat fee a hand"));
  return el("tr", {}, name, el("td", {}), el("td", { class: "number" }, signedDollars(-cents)), el("td", {}));
}

/**
 * One's chips before the round and after it, while nothing else has happened.
 * @param {TableView} view
 * @param {number} own
 * @param {Cents} net
 */
function balance(view, own, net) {
  if (!view.you || view.phase !== "betting") return null;
  const now = view.you.balance_cents + (seatOf(view, own)?.held_cents ?? 0);
  const before = `Your chips: ${dollars(now - net)} before, `;
  return el("p", { class: "small balance" }, before, el("b", {}, `${dollars(now)} now`));
}

/** @param {TableView} view @param {Payment[]} mine @param {Cents} fee */
function paymentsTable(view, mine, fee) {
  const heads = [
    el("th", {}, "Wager"),
    el("th", { class: "number" }, "Bet"),
    el("th", { class: "number" }, "Result"),
    el("th", {}, "Why"),
  ];
  const rows = mine.map((payment) => paymentRow(view, payment));
  const body = el("tbody", {}, rows, fee ? feeRow(fee) : null);
  return el("table", { class: "payments" }, el("thead", {}, el("tr", {}, heads)), body);
}

/**
 * What the round came to for oneself.
 * @param {TableView} view
 * @param {LastRound} last
 * @param {number} own
 * @param {boolean} isBank whether one banked it
 */
function netLine(view, last, own, isBank) {
  if (paymentsOf(last, own).length) {
    const net = netOf(last, own);
    const dataset = { net, round: last.round };
    return el("p", { class: `net ${net > 0 ? "money" : ""}`, dataset }, netWords(net, "Even: your money is back"));
  }
  if (!isBank) return el("p", { class: "net" }, lastWords(view, own));
  const won = -last.payments.reduce((sum, payment) => sum + (payment.win_cents ?? 0), 0);
  return el("p", { class: "net" }, `Your bank ${won >= 0 ? "wins" : "loses"} ${dollars(Math.abs(won))}`);
}

/** @param {TableView} view @param {LastRound} last @param {number} own */
function ownParts(view, last, own) {
  const mine = paymentsOf(last, own);
  if (!mine.length) return [];
  const fee = view.bank?.player_fee_cents ?? 0;
  return [paymentsTable(view, mine, fee), balance(view, own, netOf(last, own) - fee)];
}

/**
 * The panel of the last round; says what to do when there was none.
 * @param {TableView} view
 * @param {number} own
 * @param {number | null} bankedRound the round that one banked oneself
 */
export function resultPanel(view, own, bankedRound = null) {
  const { last } = view;
  if (!last) {
    const about = "No round has been played here yet. What happens, and why, will be told here step by step.";
    return [el("h2", {}, "The round"), el("p", { class: "empty" }, about)];
  }
  const replay = el("a", { class: "button quiet replay", href: `/rounds/${last.seq}` }, "Replay and proof");
  if (last.how === "voided") {
    const reason = last.payments.find((payment) => payment.event === "voided")?.reason ?? "";
    return [el("h2", {}, lastWords(view, own)), el("p", {}, reason), replay];
  }
  const shown = last.steps[own] ? String(own) : Object.keys(last.steps)[0];
  const name = Number(shown) === own ? "What happened, step by step" : `What happened (seat ${shown})`;
  const net = netLine(view, last, own, bankedRound === last.round);
  return present([
    el("header", { class: "result-head" }, el("h2", {}, `Round ${last.round}`), net),
    ownParts(view, last, own),
    stepsOf(view, last.steps[shown], name),
    others(view, last, own),
    replay,
  ]);
}

/** @param {TableView} view @param {WagerView} wager */
function limitWords(view, wager) {
  if (wager.follows) return `equal to the ${nameOf(view, wager.follows)}`;
  return `${dollars(wager.min_cents)} to ${dollars(wager.max_cents)}`;
}

/** @param {TableView} view @param {WagerView} wager */
function wagerDetails(view, wager) {
  const wins = wager.pays.filter((row) => /^\d/.test(row.pays));
  const pays = wins.flatMap((row) => [el("dt", {}, row.name), el("dd", { class: "money" }, row.pays)]);
  const needs = wager.needs && !wager.follows ? `Needs a ${nameOf(view, wager.needs)} bet beside it. ` : "";
  const rule = [needs, "Rule ", clauseLink(view, wager.clause), " · ", oddsLink(view, wager.id)];
  return el("details", { class: "wager", dataset: { wager: wager.id } }, [
    el("summary", {}, el("b", {}, wager.name), el("span", { class: "limits" }, limitWords(view, wager))),
    el("dl", { class: "pays" }, pays),
    el("p", { class: "small" }, rule),
  ]);
}

/** Every wager of the table: its limits, what it pays, its clause and its exact odds. @param {TableView} view */
export function wagersPanel(view) {
  const offered = view.wagers.filter((wager) => !wager.refused);
  const most = Object.entries(view.aggregates).map(([id, cents]) => `${nameOf(view, id)} ${dollars(cents)}`);
  const about = "Most paid to all seats together in one deal: ";
  return present([
    el("h2", {}, "Wagers"),
    offered.map((wager) => wagerDetails(view, wager)),
    most.length ? el("p", { class: "small" }, about, most.join(", ")) : null,
  ]);
}
