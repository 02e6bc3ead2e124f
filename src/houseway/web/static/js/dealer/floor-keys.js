// What does not belong to the ordinary course of a round: new shoe, freeze, resolve, void, and mistakes put right.
import { api, el, inWords } from "../shared/dom.js";
import { possibleMends, putRight } from "./mend.js";
import { ask, askReason, formOf, key, panel, press } from "./parts.js";

/** @import { TableView } from "../types" */
/** @import { Send } from "./parts.js" */

/**
 * Void the round for one of the listed reasons.
 * @param {Send} send
 * @param {number} round
 */
async function voidRound(send, round) {
  /** @type {{void_reasons: string[]}} */
  const { void_reasons: reasons } = await api("GET", "/api/v1/floor");
  const choices = reasons.map((id) => /** @type {[string, string, string]} */ ([id, inWords(id), "warn"]));
  const body = el("p", {}, "All wagers go back, and the cards are out. Why?");
  const reason = await ask(`Void round ${round}?`, { body, choices, cancel: "Do not void" });
  if (reason) await send("void", { reason, round });
}

/** @param {Send} send */
async function newShoe(send) {
  const body = el("p", {}, "All cards are in it again, and the scoreboard begins anew.");
  const options = { body, cancel: "Keep this shoe" };
  if (await ask("Begin a new shoe?", { ...options, choices: [["yes", "New shoe", "warn"]] })) await send("new-shoe");
}

/** A shoe cannot be opened any more: two record it, and only then another one follows. @param {Send} send */
async function lostShoe(send) {
  const form = formOf([
    { id: "witness", label: "The second supervisor, who has seen it too" },
    { id: "reason", label: "What happened, for the journal", suggestions: ["its seal cannot be opened"] },
  ]);
  const about = el("p", {}, "Its order can never be shown, and everybody at the table is told so.");
  const options = { body: [about, ...form.rows.flat()], cancel: "Keep this shoe" };
  const isSure = await ask("Is the shoe lost?", { ...options, choices: [["yes", "Record that it is lost", "warn"]] });
  if (isSure) await send("lost-shoe", form.given());
}

/** @param {Send} send @param {number} round */
async function freeze(send, round) {
  const suggestions = ["dispute", "wrong card keyed", "irregularity"];
  const reason = await askReason(`Freeze round ${round} and call the floor?`, "Freeze the round", suggestions);
  if (reason) await send("dispute", { reason, round });
}

/** @param {Send} send */
async function resolve(send) {
  const suggestions = ["checked on camera", "settled with the guest"];
  const reason = await askReason("Resolve: the round goes on where it stood", "Resolve", suggestions);
  if (reason) await send("resolve", { reason });
}

/** @param {string} words @param {string} kind @param {string} id @param {() => Promise<unknown>} action */
const actionKey = (words, kind, id, action) => key(words, { kind, "data-key": id, onclick: press(action) });

/** The keys at the foot of the page, as the role and the phase allow. */
export class FloorPanel {
  /** @param {Send} send @param {boolean} isSupervisor @param {string} person */
  constructor(send, isSupervisor, person) {
    this.send = send;
    this.isSupervisor = isSupervisor;
    this.person = person;
    this.keys = el("div", { class: "floor-keys" });
    this.panel = panel(isSupervisor ? "Supervisor" : "Floor", "floor-actions", this.keys);
  }

  /** @param {TableView} view */
  show(view) {
    const { send } = this;
    const isBetting = view.phase === "betting";
    const isFrozen = view.phase === "frozen";
    const keys = [];
    if (isBetting && view.source !== "virtual-shoe" && view.face.has_shoe) {
      keys.push(actionKey("New shoe", "plain", "new-shoe", () => newShoe(send)));
    }
    if (isBetting && view.source === "virtual-shoe" && this.isSupervisor) {
      keys.push(actionKey("The shoe is lost", "plain", "lost-shoe", () => lostShoe(send)));
    }
    if (!isFrozen) keys.push(actionKey("Freeze: call the floor", "plain", "freeze", () => freeze(send, view.round)));
    if (this.mayVoid(view)) keys.push(actionKey("Void the round", "danger", "void", () => voidRound(send, view.round)));
    if (possibleMends(view).length) {
      keys.push(actionKey("Put something right", "plain", "put-right", () => putRight(send, view)));
    }
    const about = "A supervisor voids a round, changes a wager or corrects a settlement: freeze the round and call one.";
    const first = [...this.signing(view), ...slipLines(view)];
    this.keys.replaceChildren(...first, ...keys, this.isSupervisor ? "" : el("p", { class: "small" }, about));
  }

  /** Who is on the table, where that matters, and the key to sign on or off. @param {TableView} view */
  signing({ on_table: on, is_open: isOpen }) {
    if (!on || !isOpen || !(on.is_needed || on.dealer)) return [];
    const isHere = on.dealer === this.person;
    const who = isHere ? "You are on this table." : `${on.dealer || "Nobody"} is on this table.`;
    const words = isHere || !on.is_needed ? who : `${who} Sign on to deal here.`;
    const signOn = actionKey("Sign on", "enter", "sign-on", () => this.send("sign-on"));
    const signOff = actionKey("Sign off", "plain", "sign-off", () => this.send("sign-off"));
    const mayOn = !isHere && (!on.dealer || this.isSupervisor);
    const mayOff = isHere || (on.dealer && this.isSupervisor);
    return [el("p", { class: "on-table" }, words), ...(mayOn ? [signOn] : []), ...(mayOff ? [signOff] : [])];
  }

  /** @param {TableView} view */
  mayVoid(view) {
    const isPlayed = view.phase !== "betting" || view.seats.some((seat) => seat.held_cents);
    return this.isSupervisor && view.phase !== "frozen" && isPlayed;
  }
}

/** Where chips are pieces: what the tray and the slips of the table want, and the way to them. @param {TableView} view */
function slipLines({ on_table: on }) {
  if (!on?.wants) return [];
  const lines = on.wants.map((words) => el("p", { class: "small wants" }, words));
  return [...lines, el("a", { class: "button quiet", href: "/slips" }, "Slips and counts")];
}

/**
 * What a frozen round shows.
 * @param {Send} send
 * @param {TableView} view
 * @param {boolean} isSupervisor
 */
export function frozenStage(send, view, isSupervisor) {
  const title = el("h2", {}, `Round ${view.round} is frozen`);
  if (!isSupervisor) {
    const words = "Nothing moves until a supervisor resolves the dispute or voids the round. Call one.";
    return [title, el("p", { class: "notice" }, words)];
  }
  const keys = [
    actionKey("Resolve", "enter", "resolve", () => resolve(send)),
    actionKey("Void the round", "danger", "void-frozen", () => voidRound(send, view.round)),
  ];
  const words = "Nothing moves until you resolve the dispute or void the round.";
  return [title, el("p", { class: "notice" }, words), el("div", { class: "two-keys" }, keys)];
}
