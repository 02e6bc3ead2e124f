// The wall: several scoreboards on one screen. Which they are is said in its address, or as they were when it was last shown.
import { follow } from "../board/follow.js";
import { byId, el } from "../shared/dom.js";

/** @import { BoardParts } from "../board/one.js" */

const MOST = 6;
const SHOWN_LAST = "houseway-wall";

const place = byId("boards");

/** Names as an address has them. @param {string} text */
const namesIn = (text) => [...new Set(text.split(",").map((name) => name.trim()))].filter(Boolean);

/** The names that are asked for; if nobody says which, such as a screen that was installed, those that were shown last. */
function wanted() {
  const asked = new URLSearchParams(location.search).get("boards");
  if (asked !== null) return namesIn(asked);
  const last = localStorage.getItem(SHOWN_LAST) ?? "";
  if (last) history.replaceState(null, "", addressOf(namesIn(last)));
  return namesIn(last);
}

/** @param {string[]} names */
const addressOf = (names) => `?boards=${names.map(encodeURIComponent).join(",")}`;

/** @param {string} name @returns {BoardParts} */
function cell(name) {
  const parts = {
    place: el("div", { class: "board", "aria-busy": "true" }, el("p", { class: "empty" }, "Opening the scoreboard…")),
    edition: el("p", {}),
    limits: el("div", { class: "wall-limits", role: "group", "aria-label": "Limits" }),
    round: el("div", { class: "wall-round", "aria-live": "polite" }),
    announce: el("div", { class: "announce", "aria-hidden": "true", hidden: true }),
  };
  const title = el("div", { class: "wall-title" }, el("h2", {}, name), parts.edition);
  const head = el("header", { class: "wall-head" }, title, parts.limits, parts.round);
  const inside = el("div", { class: "inside" }, head, parts.place, parts.announce);
  place.append(el("section", { class: "cell", "aria-label": name }, inside));
  return parts;
}

/** Nobody said which boards: whoever puts the wall up chooses. */
async function choose() {
  place.setAttribute("aria-busy", "false");
  const answer = await fetch("/api/v1/boards");
  const { tables, keyed } = /** @type {{ tables: string[], keyed: string[] }} */ (await answer.json());
  const boxes = [...tables, ...keyed].map((name) => el("label", {}, el("input", { type: "checkbox", value: name }), name));
  const button = el("button", { type: "submit" }, "Show them");
  const words = el("p", { role: "status" }, `Up to ${MOST} scoreboards on this screen.`);
  const form = el("form", { class: "choose" }, el("h2", {}, "Which scoreboards?"), words, ...boxes, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = [...form.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (chosen.length < 1 || chosen.length > MOST) words.textContent = `Choose 1 to ${MOST} of them.`;
    else location.search = addressOf(chosen);
  });
  place.replaceChildren(form);
}

/** @param {string[]} names */
function begin(names) {
  if (names.length > MOST) {
    byId("stale").textContent = `A wall shows up to ${MOST} scoreboards: name fewer.`;
    byId("stale").hidden = false;
    return;
  }
  localStorage.setItem(SHOWN_LAST, names.join(","));
  place.dataset.count = String(names.length);
  follow(`/api/v1/wall/stream${addressOf(names)}`, new Map(names.map((name) => [name, cell(name)])));
  place.setAttribute("aria-busy", "false");
  byId("others").hidden = false;
}

const names = wanted();
if (names.length) begin(names);
else choose();

// A new release brings its own worker: when that has taken over, the page is the new one's too.
if ("serviceWorker" in navigator) {
  const isControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.register("/wall/worker.js", { scope: "/wall", updateViaCache: "none" }).catch(() => {});
  if (isControlled) navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
}
