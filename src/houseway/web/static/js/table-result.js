// What the last round came to and why: every wager, every step with its clause, and where to check it.
import { dollars, el } from "./dom.js";
import { lastWords, nameOf, netOf, outcomeName, paymentsOf } from "./table-view.js";

const signed = (cents) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));
const NOT_COVERED = "(all that the bank covers)";

/** A clause of the edition, linked to its text. */
export const clauseLink = (view, clause) => el("a", { class: "clause", href: `/editions/${view.edition.id}#${encodeURIComponent(clause)}`, title: `Read clause ${clause}` }, clause);

const oddsLink = (view, wager) => el("a", { href: `/lab?edition=${encodeURIComponent(view.edition.id)}&wager=${encodeURIComponent(wager)}`, title: `Exact odds of ${nameOf(view, wager)}` }, "odds");

/** What a short bank did not cover, in words. */
function uncovered(payment) {
  if (!payment.step.endsWith(NOT_COVERED)) return null;
  const back = payment.win_cents < 0 ? payment.stake_cents + payment.win_cents : 0;
  const words = payment.win_cents > 0 || !back ? `the bank covers ${dollars(Math.max(payment.win_cents, 0))} of this win` : `the bank covers ${dollars(-payment.win_cents)}; ${dollars(back)} goes back`;
  return el("span", { class: "not-covered" }, words);
}

/** The hand of a split that a payment is for, as its step names it. */
const splitHand = (payment) => /, [^,(]+ \(([^)]+)\), /.exec(payment.step)?.[1] ?? "";

function paymentRow(view, payment) {
  const won = payment.win_cents;
  const isEnvy = !payment.stake_cents;
  const hand = splitHand(payment);
  return el("tr", { class: won > 0 ? "won" : won < 0 ? "lost" : "", dataset: { wager: payment.wager, win: won } },
    el("th", { scope: "row" }, nameOf(view, payment.wager), hand ? el("span", { class: "small" }, ` ${hand}`) : null, isEnvy ? el("span", { class: "badge" }, "envy") : null,
      el("span", { class: "outcome" }, outcomeName(view, payment.wager, payment.outcome)), uncovered(payment)),
    el("td", { class: "number" }, isEnvy ? "—" : dollars(payment.stake_cents)),
    el("td", { class: `number ${won > 0 ? "money" : ""}` }, won ? signed(won) : "push"),
    el("td", { class: "links" }, clauseLink(view, payment.clause), " ", oddsLink(view, payment.wager)));
}

function stepsOf(view, steps, open, name) {
  if (!steps?.length) return null;
  return el("details", { class: "steps", open }, el("summary", {}, name),
    el("ol", {}, steps.map((step) => el("li", {}, step.text, " ", clauseLink(view, step.clause)))));
}

/** Other seats in a line each: what they won or lost, envy prizes named. */
function others(view, own) {
  const seats = [...new Set(view.last.payments.filter((one) => one.event === "paid" && one.seat !== own).map((one) => one.seat))].sort((a, b) => a - b);
  if (!seats.length) return null;
  return el("div", { class: "others" }, el("h3", {}, own ? "Other seats" : "Seats"), el("ul", {}, seats.map((seat) => {
    const payments = paymentsOf(view.last, seat);
    const net = payments.reduce((sum, one) => sum + one.win_cents, 0);
    const envy = payments.filter((one) => !one.stake_cents && one.win_cents > 0).reduce((sum, one) => sum + one.win_cents, 0);
    return el("li", {}, el("span", {}, `${seat} · ${payments[0].guest}`), el("b", { class: net > 0 ? "money" : "" }, net ? signed(net) : "even"), [...new Set(payments.map((one) => one.clause))].map((clause) => clauseLink(view, clause)),
      envy ? el("span", { class: "badge" }, `envy ${signed(envy)}`) : null, payments.map(uncovered));
  })));
}

function fee(view, mine) {
  const cents = mine.length ? view.bank?.player_fee_cents : 0;
  return cents ? el("tr", {}, el("th", { scope: "row" }, "Collection", el("span", { class: "outcome" }, "a flat fee a hand")), el("td", {}), el("td", { class: "number" }, signed(-cents)), el("td", { class: "links" }, clauseLink(view, "EZC-1"))) : null;
}

/** One's chips before the round and after it, while nothing else has happened. */
function balance(view, own, net, feeCents) {
  if (!view.you || view.phase !== "betting") return null;
  const now = view.you.balance_cents + (view.seats.find((seat) => seat.seat === own)?.held_cents ?? 0);
  return el("p", { class: "small balance" }, `Your chips: ${dollars(now - net + feeCents)} before, `, el("b", {}, `${dollars(now)} now`));
}

/** The panel of the last round; says what to do when there was none. */
export function resultPanel(view, own, bankedRound = null) {
  const { last } = view;
  if (!last) return [el("h2", {}, "The round"), el("p", { class: "empty" }, "No round has been played here yet. What happens, and why, will be told here step by step.")];
  const replay = el("a", { class: "button quiet replay", href: `/rounds/${last.seq}` }, "Replay and proof");
  if (last.how === "voided") return [el("h2", {}, lastWords(view, own)), el("p", {}, last.payments.find((one) => one.event === "voided")?.reason ?? ""), replay];
  const mine = paymentsOf(last, own);
  const net = netOf(view, own);
  const banked = !mine.length && bankedRound === last.round;
  const bankWon = banked ? -last.payments.reduce((sum, one) => sum + (one.win_cents ?? 0), 0) : 0;
  const steps = last.steps ?? {};
  const first = Object.keys(steps)[0];
  const shown = steps[own] ? own : first;
  return [
    el("header", { class: "result-head" }, el("h2", {}, `Round ${last.round}`),
      mine.length ? el("p", { class: `net ${net > 0 ? "money" : ""}`, dataset: { net, round: last.round } }, net > 0 ? `You win ${dollars(net)}` : net < 0 ? `You lose ${dollars(-net)}` : "Even: your money is back")
        : banked ? el("p", { class: "net" }, `Your bank ${bankWon >= 0 ? "wins" : "loses"} ${dollars(Math.abs(bankWon))}`) : el("p", { class: "net" }, lastWords(view, own))),
    mine.length ? el("table", { class: "payments" }, el("thead", {}, el("tr", {}, el("th", {}, "Wager"), el("th", { class: "number" }, "Bet"), el("th", { class: "number" }, "Result"), el("th", {}, "Why"))),
      el("tbody", {}, mine.map((payment) => paymentRow(view, payment)), fee(view, mine))) : null,
    mine.length ? balance(view, own, net, view.bank?.player_fee_cents ?? 0) : null,
    stepsOf(view, steps[shown], true, Number(shown) === own ? "What happened, step by step" : `What happened (seat ${shown})`),
    others(view, own), replay,
  ].filter(Boolean);
}

const LIMITS = (wager) => (wager.follows ? "equal to the Ante" : `${dollars(wager.min_cents)} to ${dollars(wager.max_cents)}`);

/** Every wager of the table: its limits, what it pays, its clause and its exact odds. */
export function wagersPanel(view) {
  return [
    el("h2", {}, "Wagers"),
    ...view.wagers.filter((wager) => !wager.refused).map((wager) => {
      const wins = wager.pays.filter((row) => /^\d/.test(row.pays));
      return el("details", { class: "wager", dataset: { wager: wager.id } },
        el("summary", {}, el("b", {}, wager.name), el("span", { class: "limits" }, LIMITS(wager))),
        el("dl", { class: "pays" }, wins.flatMap((row) => [el("dt", {}, row.name), el("dd", { class: "money" }, row.pays)])),
        el("p", { class: "small" }, wager.needs && !wager.follows ? `Needs a ${nameOf(view, wager.needs)} bet beside it. ` : "", "Rule ", clauseLink(view, wager.clause), " · ", oddsLink(view, wager.id)));
    }),
    Object.keys(view.aggregates).length ? el("p", { class: "small" }, "Most paid to all seats together in one deal: ", Object.entries(view.aggregates).map(([id, cents]) => `${nameOf(view, id)} ${dollars(cents)}`).join(", ")) : null,
  ].filter(Boolean);
}
