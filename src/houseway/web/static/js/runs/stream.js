// Work that the house does apart: the stream of its answers, its place in the queue, how far it is.
import { events as streamed } from "../shared/stream.js";

/** @import { RunProgress } from "../types" */
/** @import { Asked } from "./fields.js" */

/**
 * The events of work that is asked for.
 * @param {string} path
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
export const events = (path, asked, signal) => streamed(path, JSON.stringify(asked), "application/json", signal);

/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en-US");

/** @param {number} seconds */
function timeWords(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** @param {number} rate */
const rateWords = (rate) => (rate >= 1e6 ? `${(rate / 1e6).toFixed(1)} million` : whole(rate));

/** @param {RunProgress} progress @param {string} unit */
export function progressWords({ done, total, rate, left_seconds: left }, unit) {
  const parts = [`${whole(done)} of ${whole(total)} ${unit}`];
  if (rate) parts.push(`${rateWords(rate)} a second`);
  if (left !== null && done < total) parts.push(`${timeWords(left)} left`);
  return parts.join(" · ");
}

/** What is said while it waits. @param {number} place among those that wait; 0: its turn has come */
export function queueWords(place) {
  if (!place) return "Its turn has come: preparing the rules…";
  return place === 1 ? "In the queue: the next one." : `In the queue: ${place - 1} before it.`;
}
