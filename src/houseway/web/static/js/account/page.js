// One's own account: the password, the second factor, and the sessions that are open.
import { ask } from "../floor/ask.js";
import { sessionTable } from "../floor/sessions.js";
import { api, byId, codeOf, countOf, el, findById, messageOf, scrollRegion, svg, toast } from "../shared/dom.js";

/** @import { Field } from "../floor/ask.js" */
/** @import { Account } from "../types" */

const NEEDS = {
  password: "Your password is for one log-in only. Choose one of your own: until then nothing else is possible.",
  "second-factor": "This house demands a second factor of its staff. Set it up: until then nothing else is possible.",
};

/** @type {Field} */
const PASSWORD = { name: "password", label: "Your password", kind: "password", autocomplete: "current-password" };
/** @type {Field} */
const CODE = { name: "code", label: "Code of your authenticator, or a recovery code", autocomplete: "one-time-code" };

/** What proves that it is still you. @param {Account} account @returns {Field[]} */
const proof = (account) => (account.second_factor ? [PASSWORD, CODE] : [PASSWORD]);

/** A guest's own wish not to play. */
function excludeMyself() {
  ask({
    title: "Exclude yourself",
    about: "Nobody ends this before its day. You are logged out at once.",
    button: "Exclude myself",
    warns: true,
    fields: [{ name: "until", label: "Until", hint: "a date, such as 2030-01-31; nothing: without an end", required: false }],
    act: async (values, send) => {
      await send("/api/v1/guests/exclude", values);
      location.assign("/");
      return "";
    },
  });
}

/** @param {Account} account */
function changePassword(account) {
  const hint = "Twelve characters or more, not easily guessed: four words that have nothing to do with each other will do.";
  /** @type {Field} */
  const fresh = { name: "new_password", label: "New password", kind: "password", minlength: 12, maxlength: 200, hint };
  ask({
    title: "Change your password",
    button: "Change it",
    about: "Wherever else you are logged in, you have to log in again.",
    fields: [...(account.needs === "password" ? [] : proof(account)), fresh],
    act: async (values, send) => {
      await send("/api/v1/account/password", values);
      await show();
      return "You have a new password.";
    },
  });
}

/** @param {string[]} codes */
const codeList = (codes) =>
  el("ol", { class: "mono codes", id: "recovery-codes" }, codes.map((code) => el("li", {}, code)));

/** The codes, told once. @param {string[]} codes */
function tellCodes(codes) {
  ask({
    title: "Recovery codes",
    button: "I have kept them",
    about: "Each lets you in once, if your telephone is lost. Keep them apart from it: they are not told again.",
    extra: codeList(codes),
    act: async () => "The second factor is on.",
  });
}

const QUIET_ZONE = 4;

/** A QR code as a drawing. @param {string[]} rows */
function drawn(rows) {
  const size = rows.length + 2 * QUIET_ZONE;
  const path = rows.flatMap((row, y) =>
    [...row].map((dark, x) => (dark === "1" ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : "")),
  );
  const look = { viewBox: `0 0 ${size} ${size}`, width: 240, height: 240, role: "img", "aria-label": "The secret as a code" };
  const paper = svg("rect", { width: size, height: size, fill: "#fff" });
  return svg("svg", { ...look, id: "factor-qr" }, paper, svg("path", { d: path.join(""), fill: "#000" }));
}

/** @param {{secret: string, uri: string, qr: string[]}} offered */
function confirmFactor({ secret, uri, qr }) {
  const groups = secret.match(/.{1,4}/g)?.join(" ") ?? secret;
  ask({
    title: "Put this into your authenticator",
    button: "Confirm",
    about: "Read the code with an authenticator, type the secret into it (time-based, 6 digits), or open the link.",
    extra: [
      qr.length ? drawn(qr) : null,
      el("p", { class: "mono", id: "factor-secret" }, groups),
      el("p", {}, el("a", { href: uri, id: "factor-uri" }, "Open in an authenticator on this device")),
    ],
    fields: [{ name: "code", label: "The code that it shows now", maxlength: 40 }],
    act: async (values, send) => {
      const { recovery_codes: codes } = await send("/api/v1/account/second-factor/confirm", values);
      await show();
      tellCodes(codes);
      return "";
    },
  });
}

/** @param {Account} account */
function beginFactor(account) {
  ask({
    title: "Set up a second factor",
    button: "Go on",
    about: "A log-in then asks for a code that your authenticator shows.",
    fields: proof(account),
    act: async (values, send) => {
      const offered = await send("/api/v1/account/second-factor", values);
      setTimeout(() => confirmFactor(offered));
      return "";
    },
  });
}

/** @param {Account} account */
function endFactor(account) {
  ask({
    title: "Do without the second factor",
    button: "Take it off",
    warns: true,
    fields: proof(account),
    act: async (values, send) => {
      await send("/api/v1/account/second-factor/remove", values);
      await show();
      return "The second factor is off.";
    },
  });
}

/** @param {string} title @param {string} words @param {...Node} acts */
const part = (title, words, ...acts) =>
  el("section", { class: "panel" }, el("h2", {}, title), el("p", {}, words), el("p", { class: "row" }, acts));

/** @param {Account} account */
function factorPart(account) {
  const demanded = account.second_factor_rule === "demanded";
  const begin = el("button", { type: "button", id: "begin-factor", onclick: () => beginFactor(account) });
  if (!account.second_factor) {
    begin.textContent = "Set it up";
    return part("Second factor", `It is off${demanded ? ", and this house demands one" : ""}.`, begin);
  }
  begin.textContent = "Set up another";
  begin.classList.add("quiet");
  const ends = { type: "button", id: "end-factor", class: "quiet", onclick: () => endFactor(account) };
  const off = el("button", ends, "Take it off");
  const words = `It is on; ${countOf(account.recovery_codes_left, "recovery code")} left.`;
  return part("Second factor", words, begin, ...(demanded ? [] : [off]));
}

/** @param {string} id */
async function endSession(id) {
  await api("DELETE", `/api/v1/sessions/${id}`);
  toast("The session has ended.");
  await show();
}

/** @param {Account} account */
function parts(account) {
  const change = el("button", { type: "button", id: "change-password", onclick: () => changePassword(account) }, "Change it");
  const words = "Change it whenever you think that somebody may know it.";
  const sessions = [
    el("h2", {}, "Where you are logged in"),
    el("div", scrollRegion("Where you are logged in", "panel"), sessionTable(account.sessions, endSession, false)),
  ];
  const own = account.has_password ? [part("Password", words, change), factorPart(account)] : [];
  return account.needs ? own : [...own, ...sessions];
}

async function show() {
  try {
    /** @type {Account} */
    const account = await api("GET", "/api/v1/account", undefined, { quiet: true });
    const needs = byId("needs");
    needs.hidden = !account.needs;
    needs.textContent = account.needs ? NEEDS[account.needs] : "";
    byId("account").setAttribute("aria-busy", "false");
    byId("account").replaceChildren(...parts(account));
  } catch (refused) {
    if (codeOf(refused) === "not-logged-in") location.assign("/login?next=/account");
    else if (codeOf(refused) !== "screen-locked") toast(messageOf(refused), true);
  }
}

addEventListener("houseway-opened", show);
show();
findById("exclude-me")?.addEventListener("click", excludeMyself);
