// What somebody should look at, newest first, in plain words.
import { dollars, el, toast } from "./dom.js";
import { sender } from "./floor-ask.js";
import { may } from "./floor-may.js";

const words = (id) => String(id ?? "").replaceAll("-", " ");
const MONEY = new Set(["surveillance", "voided", "card-corrected", "settlement-reversed", "frozen", "resolved"]);

/** Title, tone ("bad" asks for eyes, "good" is done, "" is for the record) and the sentence of each event. */
const TOLD = {
  "acknowledged": ({ round }) => ["Payout verified", "good", `A supervisor has verified the payouts of round ${round}.`],
  "surveillance": ({ payouts, threshold_cents: over, acknowledge_first: waits }) => ["Big payout", "bad", `${payouts.join("; ")}: above ${dollars(over)}. ${waits ? "It waits until a supervisor has verified it." : "Verify it on the recording."}`],
  "voided": ({ round, reason, clause }) => ["Void", "bad", `Round ${round}: ${words(reason)}${clause ? ` (${clause})` : ""}. All wagers went back.`],
  "card-corrected": ({ place, before, after, card }) => ["Correction", "bad", before === undefined && place === undefined ? "A keyed card was corrected before the settlement." : `Card ${place}: ${before ?? "a card"} was corrected to ${after ?? card}.`],
  "settlement-reversed": ({ round, reason }) => ["Settlement reversed", "bad", `Round ${round}: ${reason}.`],
  "frozen": ({ round, reason }) => ["Dispute", "bad", `Round ${round} is frozen: ${reason}.`],
  "resolved": ({ round, reason }) => ["Dispute resolved", "good", `Round ${round} went on: ${reason}.`],
  "closer": ({ counted_cents: counted, expected_cents: expected, difference_cents: off }) => ["Closer", off ? "bad" : "good", `${dollars(counted)} counted; the books say ${dollars(expected)}${off ? `: ${dollars(Math.abs(off))} ${off > 0 ? "too much" : "missing"}` : ", and so it is"}.`],
  "table-closed": ({ win_cents: win, drop_cents: drop, closer_cents: closer, balanced }) => ["Table closed", balanced ? "good" : "bad", `Win ${dollars(win)}, drop ${dollars(drop)}, closer ${dollars(closer)}: ${balanced ? "balances to the cent" : "does NOT balance"}.`],
  "login-failed": ({ name, failures }) => ["Wrong password", "bad", `For the account of ${name}${failures > 1 ? `, ${failures} in a row` : ""}.`],
  "locked-out": ({ name }) => ["Account locked", "bad", `${name}: three wrong passwords. An administrator can unlock it.`],
  "person-added": ({ name, role }) => ["New account", "", `${name}, ${role}.`],
  "person-changed": ({ name, role, password, unlocked }) => ["Account changed", "", `${name}, ${role}${password ? ", new password" : ""}${unlocked ? ", unlocked" : ""}.`],
  "attempt": ({ command, message }) => ["Refused", "bad", `${words(command)}: ${message}.`],
};

/** An event as [title, tone, sentence]. */
export function told({ event, details }) {
  const known = TOLD[event] ?? (event.includes("attempt") ? TOLD.attempt : null);
  return known ? known(details) : [words(event), "", Object.entries(details).map(([name, value]) => `${words(name)} ${value}`).join(", ")];
}

/** A time of today as a time, any other with its day. */
export function clock(at) {
  const then = new Date(at), today = new Date().toDateString() === then.toDateString();
  return then.toLocaleString(undefined, today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" });
}

const verified = new Set();
const roundOf = (table) => `${table.name}/${table.round}/${table.phase}`;

/** Whether a round waits for a supervisor: a payout above the threshold is due, or an early one was told. */
function holdsBack(table, floor) {
  if (!table.is_open || table.watch !== "acknowledge") return false;
  const newest = floor.events.find((event) => event.table === table.name && ["surveillance", "acknowledged"].includes(event.event));
  return table.waits.length > 0 || (table.phase === "dealing" && newest?.details.acknowledge_first === true);
}

/** The tables that wait until a supervisor has verified a payout. */
export const waiting = (floor) => floor.tables.filter((table) => holdsBack(table, floor) && !verified.has(roundOf(table)));

async function acknowledge(table, redraw) {
  try {
    await sender()(`/api/v1/tables/${encodeURIComponent(table.name)}/acknowledge`);
    verified.add(roundOf(table));
    toast(`${table.name}: verified. The dealer can pay.`);
    redraw();
  } catch (refused) {
    toast(refused.message, true);
  }
}

function dueItem(table, floor, redraw) {
  const done = verified.has(roundOf(table));
  const name = encodeURIComponent(table.name);
  return el("li", { class: done ? "event good" : "event due", dataset: { due: table.name } },
    el("span", { class: "at small" }, "now"),
    el("span", { class: "title" }, el("b", {}, done ? "Verified" : "Verify"), el("span", { class: "small" }, table.name)),
    el("span", { class: "sentence" }, done ? `Round ${table.round} may be paid.` : `Round ${table.round}: ${table.waits.join("; ") || "a payout"} is above ${dollars(table.watch_cents)} and not paid before a supervisor has compared it with the cards.`),
    el("a", { class: "small", href: `/tables/${name}` }, "See the cards"),
    done ? el("span", { class: "good" }, "✓ verified") : may(floor.you.role, "acknowledge") ? el("button", { type: "button", onclick: () => acknowledge(table, redraw) }, "Verified: let it be paid") : null);
}

/** The list. */
export function eventList(floor, onlyMoney, redraw) {
  const shown = floor.events.filter((event) => !onlyMoney || MONEY.has(event.event));
  const due = floor.tables.filter((table) => holdsBack(table, floor)).map((table) => dueItem(table, floor, redraw));
  if (!shown.length && !due.length) return [el("li", { class: "empty" }, "Nothing to look at. Big payouts, voids, corrections, disputes, counted trays and wrong passwords appear here.")];
  return [...due, ...shown.map((event) => {
    const [title, tone, sentence] = told(event);
    return el("li", { class: `event ${tone}`, dataset: { event: event.event } },
      el("span", { class: "at small" }, clock(event.at), el("span", { class: "entry" }, `entry ${event.seq}`)),
      el("span", { class: "title" }, el("b", {}, title), event.table ? el("span", { class: "small" }, event.table) : ""),
      el("span", { class: "sentence" }, sentence), el("small", { class: "by" }, `by ${event.actor}`),
      event.event === "voided" ? el("a", { class: "small", href: `/rounds/${event.seq}` }, "Replay") : null);
  })];
}
