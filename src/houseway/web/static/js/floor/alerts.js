// What somebody should look at now: what is to be acted on first.
import { api, el, messageOf, toast } from "../shared/dom.js";

/** @import { FloorAlert } from "../types" */

/** What happened is ticked off by whoever has seen to it; what stands ends by itself. @param {FloorAlert} alert */
async function tickOff({ alert, entry, words }, /** @type {(alerts: FloorAlert[]) => void} */ show) {
  try {
    const { alerts } = await api("POST", "/api/v1/alerts/seen", { alert, entry });
    toast(`Ticked off: ${words}.`);
    show(alerts);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {FloorAlert} alert @param {(alerts: FloorAlert[]) => void} show */
function alertItem(alert, show) {
  const { severity, words, at, entry, table } = alert;
  const go = () => tickOff(alert, show);
  const seen = { type: "button", class: "quiet", "aria-label": `Seen to: ${words}`, onclick: go };
  const isUrgent = severity === "act";
  const title = el("b", { class: isUrgent ? "bad" : "" }, isUrgent ? "✗ Act" : "Look");
  return el("li", { class: isUrgent ? "event due" : "event" }, [
    el("span", { class: "at small" }, at.slice(11, 16)),
    el("span", { class: "title" }, title, el("span", { class: "small" }, table)),
    el("span", { class: "sentence" }, `${words}.`),
    entry ? el("small", { class: "by" }, `entry ${entry}`) : null,
    entry ? el("button", seen, "Seen to") : null,
  ]);
}

/** @param {FloorAlert[]} alerts @param {(alerts: FloorAlert[]) => void} show what stays, after one is ticked off */
export const alertList = (alerts, show) => alerts.map((alert) => alertItem(alert, show));
