// What waits for a second person: who asks, for what, how much and how long; confirmed or declined here.
import { dollars, el, messageOf, toast } from "../shared/dom.js";
import { ask, sender } from "./ask.js";

/** @import { FloorRequest, FloorView } from "../types" */

/** @param {number} seconds */
function timeLeft(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min left` : `${seconds} s left`;
}

/** @param {FloorRequest} request */
async function confirm(request) {
  try {
    await sender()("/api/v1/requests/confirm", { request: request.request });
    toast(`Request ${request.request} is confirmed and done.`);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** @param {FloorRequest} request @param {boolean} isOwn */
function decline(request, isOwn) {
  ask({
    title: `${isOwn ? "Take back" : "Decline"} request ${request.request}`,
    about: request.words,
    button: isOwn ? "Take it back" : "Decline it",
    fields: [{ name: "reason", label: "Why", maxlength: 400 }],
    act: async (values, send) => {
      await send("/api/v1/requests/decline", { request: request.request, ...values });
      return `Request ${request.request} is ${isOwn ? "taken back" : "declined"}.`;
    },
  });
}

/** @param {FloorRequest} request @param {FloorView} floor */
function requestItem(request, floor) {
  const isOwn = request.asked_by === floor.you.name;
  const yes = { type: "button", disabled: !request.may_confirm, title: request.why_not, onclick: () => confirm(request) };
  const no = { type: "button", class: "quiet", onclick: () => decline(request, isOwn) };
  return el("li", { class: "event due", dataset: { request: String(request.request) } }, [
    el("span", { class: "at small" }, timeLeft(request.seconds_left)),
    el("span", { class: "title" }, el("b", {}, `Request ${request.request}`), el("span", { class: "small" }, request.table)),
    el("span", { class: "sentence" }, `${request.words}.`),
    request.cents ? el("b", { class: "money" }, dollars(request.cents)) : null,
    el("small", { class: "by" }, `asked by ${request.asked_by}, ${request.role}`),
    el("span", { class: "row" }, [
      isOwn ? null : el("button", yes, "Confirm"),
      request.may_decline ? el("button", no, isOwn ? "Take it back" : "Decline") : null,
    ]),
    isOwn || request.may_confirm ? null : el("small", { class: "by" }, request.why_not),
  ]);
}

/** All that waits, oldest first. @param {FloorView} floor */
export const requestList = (floor) => floor.requests.map((request) => requestItem(request, floor));
