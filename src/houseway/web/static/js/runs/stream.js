// Work that the house does apart: the stream of its answers, its place in the queue, how far it is.
import { refusal } from "../shared/dom.js";

/** @import { RunProgress } from "../types" */
/** @import { Asked } from "./fields.js" */

/**
 * The events of a stream that is asked for with a body (an EventSource has none, and would ask again by itself).
 * @param {string} path
 * @param {Asked} asked
 * @param {AbortSignal} signal
 */
export async function* events(path, asked, signal) {
  const csrf = document.querySelector("meta[name=csrf]")?.getAttribute("content") ?? "";
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream", "X-CSRF": csrf };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(asked), signal });
  if (!response.ok || !response.body) {
    const refused = await response.json().catch(() => null);
    throw refusal(refused?.message ?? `The house answered ${response.status}.`, refused?.code ?? "error");
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (waiting + value).split("\n\n");
    waiting = pieces.pop() ?? "";
    for (const piece of pieces) {
      const [, kind = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/s.exec(piece) ?? [];
      const content = JSON.parse(data);
      if (kind === "refused") throw refusal(content.message, content.code);
      yield { kind, content };
    }
  }
}

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
