// What somebody should look at, newest first, in the house's own words.
import { dollars, el, messageOf, toast } from "../shared/dom.js";
import { mayGive } from "../shared/who.js";
import { sender } from "./ask.js";

/** @import { FloorEvent, FloorTable, FloorView } from "../types" */

/** A time of today as a time, any other with its day. @param {string} at */
export function clock(at) {
  const then = new Date(at);
  const isToday = new Date().toDateString() === then.toDateString();
  return then.toLocaleString(undefined, isToday ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" });
}

/** The rounds whose payouts were verified here. @type {Set<string>} */
const verified = new Set();

/** @param {FloorTable} table */
const roundOf = (table) => `${table.name}/${table.round}/${table.phase}`;

/**
 * Whether a round waits for a supervisor: a payout above the threshold is due, or an early one was told.
 * @param {FloorTable} table
 * @param {FloorView} floor
 */
function holdsBack(table, floor) {
  if (!table.is_open || table.watch !== "acknowledge") return false;
  const kinds = ["surveillance", "acknowledged"];
  const newest = floor.events.find((event) => event.table === table.name && kinds.includes(event.event));
  return table.waits.length > 0 || (table.phase === "dealing" && newest?.details.acknowledge_first === true);
}

/** The tables that wait until a supervisor has verified a payout. @param {FloorView} floor */
export const waiting = (floor) =>
  floor.tables.filter((table) => holdsBack(table, floor) && !verified.has(roundOf(table)));

/** @param {FloorTable} table @param {() => void} redraw */
async function acknowledge(table, redraw) {
  try {
    await sender()(`/api/v1/tables/${encodeURIComponent(table.name)}/acknowledge`);
    verified.add(roundOf(table));
    toast(`${table.name}: verified. The dealer can pay.`);
    redraw();
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {string} title @param {string} table */
const titleParts = (title, table) =>
  el("span", { class: "title" }, el("b", {}, title), table ? el("span", { class: "small" }, table) : "");

/**
 * A table that waits.
 * @param {FloorTable} table
 * @param {() => void} redraw
 */
function dueItem(table, redraw) {
  const isDone = verified.has(roundOf(table));
  const payouts = table.waits.join("; ") || "a payout";
  const waits = `is above ${dollars(table.watch_cents)} and not paid before a supervisor has compared it with the cards.`;
  const words = isDone ? `Round ${table.round} may be paid.` : `Round ${table.round}: ${payouts} ${waits}`;
  const verify = { type: "button", onclick: () => acknowledge(table, redraw) };
  const button = mayGive("acknowledge") ? el("button", verify, "Verified: let it be paid") : null;
  return el("li", { class: isDone ? "event good" : "event due", dataset: { due: table.name } }, [
    el("span", { class: "at small" }, "now"),
    titleParts(isDone ? "Verified" : "Verify", table.name),
    el("span", { class: "sentence" }, words),
    el("a", { class: "small", href: `/tables/${encodeURIComponent(table.name)}` }, "See the cards"),
    isDone ? el("span", { class: "good" }, "✓ verified") : button,
  ]);
}

/** @param {FloorEvent} event */
function eventItem(event) {
  const replay = event.event === "voided" ? el("a", { class: "small", href: `/rounds/${event.seq}` }, "Replay") : null;
  const entry = el("span", { class: "entry" }, `entry ${event.seq}`);
  return el("li", { class: `event ${event.tone}`, dataset: { event: event.event } }, [
    el("span", { class: "at small" }, clock(event.at), entry),
    titleParts(event.title, event.table),
    el("span", { class: "sentence" }, `${event.text}.`),
    el("small", { class: "by" }, `by ${event.actor}${event.shell && ` (in the shell, as the user ${event.shell})`}`),
    replay,
  ]);
}

/**
 * The list.
 * @param {FloorView} floor
 * @param {boolean} onlyMoney
 * @param {() => void} redraw
 */
export function eventList(floor, onlyMoney, redraw) {
  const shown = floor.events.filter((event) => !onlyMoney || event.of_money);
  const due = floor.tables.filter((table) => holdsBack(table, floor)).map((table) => dueItem(table, redraw));
  if (shown.length || due.length) return [...due, ...shown.map(eventItem)];
  const about = "Big payouts, voids, corrections, disputes, counted trays and wrong passwords appear here.";
  return [el("li", { class: "empty" }, `Nothing to look at. ${about}`)];
}
