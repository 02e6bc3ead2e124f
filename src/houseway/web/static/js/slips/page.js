// Slips: what waits for whose signature, what one may open or count, and the trays; live.
import { ask, sender } from "../floor/ask.js";
import { api, byId, capital, dollars, el, messageOf, toast } from "../shared/dom.js";
import { onceAtATime, watch } from "../shared/watch.js";
import { mayGive } from "../shared/who.js";
import { pieceFields, piecesOf } from "./pieces.js";

/** @import { OpenSlip, SlipsView, TrayView } from "../types" */

/** @type {SlipsView | null} */
let view = null;

/** @param {string} at */
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** @param {string} table @param {string} command */
const path = (table, command) => `/api/v1/tables/${encodeURIComponent(table)}/${command}`;

// ---- a slip ---------------------------------------------------------------------------------------------------------

/** Sign a step at which nothing is counted. @param {OpenSlip} slip */
async function sign(slip) {
  try {
    await sender()("/api/v1/slips/sign", { slip: slip.id });
    toast(`${slip.id} is signed.`);
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

/** Sign with what was counted: nothing stands there before. @param {OpenSlip} slip */
function signCounted(slip) {
  if (!view) return;
  ask({
    title: `Count for ${slip.id}`,
    about: `${capital(slip.words)}. Say what you have counted yourself.`,
    button: "Sign the count",
    extra: pieceFields(slip.next.of === "notes" ? view.notes : view.chips),
    act: async (_, send, form) => {
      await send("/api/v1/slips/sign", { slip: slip.id, pieces: piecesOf(form) });
      return `${slip.id} is signed.`;
    },
  });
}

/** @param {OpenSlip} slip */
function voidSlip(slip) {
  ask({
    title: `Void ${slip.id}`,
    about: "VOID stands on all its copies; its number stays, and chips on their way go back where they came from.",
    button: "Void the slip",
    warns: true,
    fields: [{ name: "reason", label: "Why", maxlength: 400 }],
    act: async (values, send) => {
      await send("/api/v1/slips/void", { slip: slip.id, ...values });
      return `${slip.id} is void.`;
    },
  });
}

/** @param {OpenSlip} slip */
function steps(slip) {
  const rows = slip.steps.map((step, place) => {
    const by = slip.signed[place];
    const state = by ? "done" : place === slip.signed.length ? "next" : "later";
    const who = by ? `${by.name}, ${clock(by.at)}` : step.roles.join(" or ");
    return el("li", { class: state }, el("b", {}, who), el("span", { class: "small" }, step.about));
  });
  return el("ol", { class: "steps" }, rows);
}

/** @param {OpenSlip} slip */
function slipCard(slip) {
  const button = slip.next.counts ? "Count and sign" : "Sign";
  const go = () => (slip.next.counts ? signCounted(slip) : sign(slip));
  const aside = { type: "button", class: "quiet", "aria-label": `Void: ${slip.id}`, onclick: () => voidSlip(slip) };
  const acts = [
    slip.yours ? el("button", { type: "button", "aria-label": `${button}: ${slip.id}`, onclick: go }, button) : null,
    mayGive("void-slip") && slip.kind !== "error" && !slip.void ? el("button", aside, "Void") : null,
    el("a", { class: "button quiet", href: `/slips/${slip.id}`, "aria-label": `Show the slip ${slip.id}` }, "Show the slip"),
  ];
  return el("article", { class: "panel slip-card", dataset: { slip: slip.id } }, [
    el("header", {}, el("h3", {}, slip.id), el("span", { class: "small" }, `${slip.table} · since ${clock(slip.opened_at)}`)),
    el("p", {}, `${capital(slip.words)}.`),
    slip.owner ? el("p", { class: "small" }, `${slip.owner} answers for the difference.`) : null,
    el("p", { class: "small" }, `Waits for ${slip.waits_for}.`),
    el("details", {}, el("summary", {}, "Signatures"), steps(slip)),
    el("div", { class: "row no-print" }, acts),
  ]);
}

// ---- beginning something --------------------------------------------------------------------------------------------

/** @param {(tray: TrayView) => boolean} [isMeant] @returns {[string, string][]} */
const tables = (isMeant = () => true) => (view?.trays ?? []).filter(isMeant).map(({ table }) => [table, table]);

/** @param {string} kind @param {string} title @param {Record<string, number>} [known] @param {string} [table] */
function request(kind, title, known = {}, table = "") {
  if (!view) return;
  const options = tables((tray) => tray.is_open && !tray.banked_by_players);
  ask({
    title,
    button: "Open the slip",
    fields: [{ name: "table", label: "Table", kind: "select", options, value: table }],
    extra: pieceFields(view.chips, known),
    act: async (values, send, form) => {
      await send(path(values.table, kind), { pieces: piecesOf(form) });
      return `${title}: the slip is open, and security takes it on.`;
    },
  });
}

/** Count a tray without seeing what it should hold. */
function countTray() {
  if (!view) return;
  ask({
    title: "Count a tray",
    about: "Opener or closer: the dealer and a supervisor count, each alone. Nobody is shown a count before both are there.",
    button: "Give the count",
    fields: [{ name: "table", label: "Table", kind: "select", options: tables((tray) => tray.is_open) }],
    extra: pieceFields(view.chips),
    act: async (values, send, form) => {
      await send(path(values.table, "count-tray"), { pieces: piecesOf(form) });
      return `Your count of ${values.table} is taken.`;
    },
  });
}

function pullBox() {
  ask({
    title: "Pull a box",
    about: "Somebody who deals there signs next, and goes with you.",
    button: "Pull the box",
    fields: [{ name: "table", label: "Table", kind: "select", options: tables() }],
    act: async (values, send) => {
      await send(path(values.table, "pull-box"));
      return `The box of ${values.table}: one of the gambling staff signs next.`;
    },
  });
}

function colour() {
  if (!view) return;
  ask({
    title: "Change a guest's colours",
    about: "What the guest gives; he gets the fewest chips for it that the tray has.",
    button: "Change them",
    fields: [
      { name: "table", label: "Table", kind: "select", options: tables((tray) => tray.is_open) },
      { name: "guest", label: "Guest", maxlength: 40 },
    ],
    extra: pieceFields(view.chips),
    act: async ({ table, guest }, send, form) => {
      await send(path(table, "colour"), { guest, pieces: piecesOf(form) });
      return `${guest}'s chips are changed.`;
    },
  });
}

/** Commands that begin something here, with their buttons. @type {[string, string, () => void][]} */
const STARTS = [
  ["request-fill", "Ask for a fill", () => request("request-fill", "Fill")],
  ["request-credit", "Ask for a credit", () => request("request-credit", "Credit")],
  ["count-tray", "Count a tray", countTray],
  ["pull-box", "Pull a box", pullBox],
  ["colour", "Change colours", colour],
];

/** What a tray should hold; a fill is wanted below a third of it. @param {TrayView} tray */
function setPar(tray) {
  if (!view) return;
  ask({
    title: `What the tray of ${tray.table} should hold`,
    about: "When less than a third of a denomination is left, a fill up to this is wanted.",
    button: "Set it",
    extra: pieceFields(view.chips, tray.par?.pieces),
    act: async (_, send, form) => {
      await send(path(tray.table, "tray-par"), { pieces: piecesOf(form) });
      return `It is set what the tray of ${tray.table} should hold.`;
    },
  });
}

// ---- trays, cage, notices -------------------------------------------------------------------------------------------

/** @param {TrayView} tray */
function trayCard(tray) {
  const counting = `Its ${tray.count} is being counted: nobody is shown what it holds.`;
  const hidden = tray.counting ? counting : "What it holds is for those who work with it.";
  const held = tray.tray ? `${tray.tray.words}: ${dollars(tray.tray.cents)}` : hidden;
  const { wanted } = tray;
  const fill = () => request("request-fill", "Fill", wanted?.pieces, tray.table);
  const par = { type: "button", class: "quiet", "aria-label": `Set what it should hold: ${tray.table}` };
  return el("article", { class: "panel slip-card", dataset: { tray: tray.table } }, [
    el("header", {}, el("h3", {}, tray.table), el("span", { class: "small" }, tray.is_open ? "open" : "closed, locked")),
    el("p", {}, tray.banked_by_players ? "Players bank here: there is no tray." : held),
    tray.par ? el("p", { class: "small" }, `It should hold ${tray.par.words}.`) : null,
    wanted ? el("p", { class: "bad" }, `It runs low: a fill of ${wanted.words} (${dollars(wanted.cents)}) is wanted.`) : null,
    wanted && mayGive("request-fill")
      ? el("button", { type: "button", "aria-label": `Ask for this fill: ${tray.table}`, onclick: fill }, "Ask for this fill")
      : null,
    mayGive("tray-par") && !tray.banked_by_players
      ? el("button", { ...par, onclick: () => setPar(tray) }, "Set what it should hold")
      : null,
  ]);
}

/** @param {SlipsView["notices"][number]} notice */
function noticeItem(notice) {
  const sent = () =>
    ask({
      title: `Notice ${notice.number} was sent`,
      about: notice.words,
      button: "Record it",
      fields: [{ name: "reason", label: "How the commission was told", maxlength: 400 }],
      act: async (values, send) => {
        await send("/api/v1/notices/sent", { notice: notice.number, ...values });
        return `Notice ${notice.number} is sent.`;
      },
    });
  const button = { type: "button", "aria-label": `Record that notice ${notice.number} was sent`, onclick: sent };
  return el("li", { class: "event due" }, [
    el("span", { class: "title" }, el("b", {}, `Notice ${notice.number}`), el("span", { class: "small" }, notice.table)),
    el("span", { class: "sentence" }, `${capital(notice.words)}, until ${new Date(notice.until).toLocaleString()}.`),
    mayGive("notice-sent") ? el("button", button, "It was sent") : null,
  ]);
}

// ---- drawing --------------------------------------------------------------------------------------------------------

let drawn = "";

/** @param {string} id @param {HTMLElement[]} cards @param {string} empty */
function fill(id, cards, empty) {
  byId(id).replaceChildren(...(cards.length ? cards : [el("p", { class: "empty" }, empty)]));
}

/** @param {SlipsView} now */
function draw(now) {
  const shows = JSON.stringify({ ...now, seq: 0 });
  if (shows === drawn) return;
  drawn = shows;
  const active = document.activeElement;
  const focused = active?.closest("section") ? active.getAttribute("aria-label") : null;
  const mine = now.slips.filter((slip) => slip.yours);
  fill("yours", mine.map(slipCard), "Nothing waits for you.");
  const rest = now.slips.filter((slip) => !slip.yours);
  fill("others", rest.map(slipCard), "No other slip is open.");
  fill("trays", now.trays.map(trayCard), "No table yet.");
  byId("yours").setAttribute("aria-busy", "false");
  byId("notices-part").hidden = !now.notices.length;
  byId("notices").replaceChildren(...now.notices.map(noticeItem));
  byId("cage-part").hidden = !now.cage;
  byId("cage").replaceChildren(el("p", {}, now.cage ? `${now.cage.words}: ${dollars(now.cage.cents)}` : ""));
  document.title = mine.length ? `(${mine.length}) Slips · Houseway` : "Slips · Houseway";
  if (focused) document.querySelector(/** @type {"button"} */ (`[aria-label="${CSS.escape(focused)}"]`))?.focus();
  if (focused) goOn();
}

/** Who has signed by the keyboard finds himself at what is his to do next, if what he was at is gone. */
function goOn() {
  if (document.activeElement && document.activeElement !== document.body) return;
  (document.querySelector(/** @type {"button"} */ ("#yours button")) ?? byId("yours-head")).focus();
}


const read = onceAtATime(async () => {
  view = /** @type {SlipsView} */ (await api("GET", "/api/v1/slips", undefined, { quiet: true }));
  draw(view);
});

async function begin() {
  await read();
  const mine = STARTS.filter(([kind]) => view?.chips.length && mayGive(kind));
  const buttons = mine.map(([, words, onclick]) => el("button", { type: "button", class: "quiet", onclick }, words));
  byId("starts").replaceChildren(...buttons);
  byId("find", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`/slips/${encodeURIComponent(byId("find-slip", HTMLInputElement).value.trim())}`);
  });
  document.addEventListener("close", goOn, true); // of a dialog, whose button may be gone by then
  watch("/api/v1/stream", read);
}

begin();
