// A staff screen that nobody touches locks: it goes blank, and whoever was there gives the password again, on the same page.
// Only input keeps it open, so only input is told to the house; asking when it locks does not.
import { api, codeOf, el, messageOf, toast } from "./dom.js";
import { LOCKED, OPENED } from "./watch.js";

const TOLD_MS = 15_000;
const SOON_MS = 1000;
const INPUTS = ["keydown", "pointerdown", "touchstart", "wheel"];

/** @type {HTMLDialogElement | null} */
let shown = null;
let toldAt = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Look again after so many seconds whether it is time. @param {number} seconds */
function lookAfter(seconds) {
  clearTimeout(timer);
  timer = setTimeout(look, Math.max(seconds * 1000, 0) + SOON_MS);
}

/** Ask the house whether the screen is still open: another page of the same person may have kept it so. */
async function look() {
  try {
    const { locks_in_seconds: seconds } = await api("GET", "/api/v1/session", undefined, { quiet: true });
    lookAfter(seconds);
  } catch (refused) {
    if (codeOf(refused) === "not-logged-in") location.reload();
    else if (codeOf(refused) === "offline") lookAfter(SOON_MS / 100);
  }
}

/** Somebody is here. */
async function told() {
  if (shown || Date.now() - toldAt < TOLD_MS) return;
  toldAt = Date.now();
  await api("POST", "/api/v1/session/input", undefined, { quiet: true }).catch(() => {});
}

/** @param {string} id @param {string} label @param {object} more */
const field = (id, label, more) => el("p", {}, el("label", { for: id }, label), el("input", { id, ...more }));

/** The screen is blank but for this. */
function lock() {
  if (shown) return;
  clearTimeout(timer);
  const said = el("p", { class: "bad", id: "unlock-said", role: "alert" });
  const secret = { type: "password", autocomplete: "current-password", required: true, maxlength: 200 };
  const password = field("unlock-password", "Password", secret);
  const code = field("unlock-code", "Code of your authenticator", { autocomplete: "one-time-code", maxlength: 40 });
  code.hidden = true;
  const go = el("button", { id: "unlock" }, "Go on");
  const { person = "" } = document.body.dataset;
  const form = el("form", { class: "narrow" }, [
    el("h2", {}, "Locked"),
    el("p", {}, "Nobody touched this screen for a while, ", el("b", {}, person), ". The page is as you left it."),
    password,
    code,
    said,
    el("p", { class: "row" }, go, el("button", { type: "button", class: "quiet", onclick: leave }, "Somebody else")),
  ]);
  const dialog = el("dialog", { class: "locked", "aria-label": "The screen is locked" }, form);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await unlock(dialog, code, said, go);
  });
  document.body.append(dialog);
  dialog.showModal();
  shown = dialog;
}

/** @param {HTMLDialogElement} dialog @param {HTMLElement} code @param {HTMLElement} said @param {HTMLButtonElement} go */
async function unlock(dialog, code, said, go) {
  const [password, given] = [...dialog.querySelectorAll("input")].map((input) => input.value);
  said.textContent = "";
  go.disabled = true;
  try {
    await api("POST", "/api/v1/session/unlock", { password, code: given }, { quiet: true });
    dialog.remove();
    shown = null;
    dispatchEvent(new Event(OPENED));
    look();
  } catch (refused) {
    said.textContent = messageOf(refused);
    if (codeOf(refused) === "not-logged-in") location.reload();
    code.hidden &&= codeOf(refused) !== "code-wanted";
  } finally {
    go.disabled = false;
  }
}

/** Log out, so that somebody else can log in. */
async function leave() {
  await api("DELETE", "/api/v1/session", undefined, { quiet: true }).catch(() => {});
  location.assign(`/login?next=${location.pathname}`);
}

addEventListener(LOCKED, lock);
for (const input of INPUTS) addEventListener(input, told, { passive: true, capture: true });
document.getElementById("lock-now")?.addEventListener("click", async () => {
  await api("POST", "/api/v1/session/lock", undefined, { quiet: true }).catch((refused) => toast(messageOf(refused), true));
  dispatchEvent(new Event(LOCKED));
});
const { locksIn = "0" } = document.body.dataset;
if (Number(locksIn) > 0) lookAfter(Number(locksIn));
else dispatchEvent(new Event(LOCKED));
