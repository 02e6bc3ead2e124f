// What does not belong to the ordinary course of a round: new shoe, freeze, resolve, void, reverse.
import { api, el, toast } from "./dom.js";
import { ask, askReason, inWords, key, panel, press } from "./dealer-parts.js";

const SHOES = ["ez_baccarat", "blackjack"];

/** Void the round for one of the listed reasons. */
async function voidRound(send, round) {
  const { void_reasons: reasons } = await api("GET", "/api/v1/floor");
  const reason = await ask(`Void round ${round}?`, { body: el("p", {}, "All wagers go back, and the cards are out. Why?"), choices: reasons.map((id) => [id, inWords(id), "warn"]), cancel: "Do not void" });
  if (reason) await send("void", { reason });
}

/** Reverse the last settlement. */
async function reverseLast(send, last) {
  const reason = await askReason(`Reverse the settlement of round ${last.round}?`, "Reverse it", ["paid by mistake", "wrong result keyed"]);
  if (!reason) return false;
  await send("reverse", { round: last.round, reason });
  toast(`Round ${last.round} is reversed: what was won and lost goes back.`);
  return true;
}

async function newShoe(send) {
  const yes = await ask("Begin a new shoe?", { body: el("p", {}, "All cards are in it again, and the scoreboard begins anew."), choices: [["yes", "New shoe", "warn"]], cancel: "Keep this shoe" });
  if (yes) await send("new-shoe");
}

async function freeze(send, round) {
  const reason = await askReason(`Freeze round ${round} and call the floor?`, "Freeze the round", ["dispute", "wrong card keyed", "irregularity"]);
  if (reason) await send("dispute", { reason });
}

/** The keys at the foot of the page, as the role and the phase allow. */
export function floorPanel(send, supervisor) {
  let reversed = 0, shown = null;
  const keys = el("div", { class: "floor-keys" });
  const reverse = (last) => press(async () => {
    if (!(await reverseLast(send, last))) return;
    reversed = last.round;
    show(shown);
  });
  const made = panel(supervisor ? "Supervisor" : "Floor", "floor-actions", keys);
  const show = (view) => {
    shown = view;
    const betting = view.phase === "betting", frozen = view.phase === "frozen", bets = view.seats.some((seat) => seat.held_cents);
    const list = [
      betting && view.source !== "virtual-shoe" && SHOES.includes(view.edition.game) && key("New shoe", { kind: "plain", "data-key": "new-shoe", onclick: press(() => newShoe(send)) }),
      !frozen && key("Freeze: call the floor", { kind: "plain", "data-key": "freeze", onclick: press(() => freeze(send, view.round)) }),
      supervisor && !frozen && (!betting || bets) && key("Void the round", { kind: "danger", "data-key": "void", onclick: press(() => voidRound(send, view.round)) }),
      supervisor && betting && view.last?.how === "settled" && !view.bank && reversed !== view.last.round && key(`Reverse round ${view.last.round}`, { kind: "danger", "data-key": "reverse", onclick: reverse(view.last) }),
    ].filter(Boolean);
    keys.replaceChildren(...list, supervisor ? "" : el("p", { class: "small" }, "A round is voided, or a settlement reversed, by a supervisor: freeze the round and call one."));
  };
  return { panel: made, show };
}

/** What a frozen round shows. */
export function frozenStage(send, view, supervisor) {
  const resolve = press(async () => {
    const reason = await askReason("Resolve: the round goes on where it stood", "Resolve", ["checked on camera", "settled with the guest"]);
    if (reason) await send("resolve", { reason });
  });
  return [el("h2", {}, `Round ${view.round} is frozen`), el("p", { class: "notice" }, supervisor ? "Nothing moves until you resolve the dispute or void the round." : "Nothing moves until a supervisor resolves the dispute or voids the round. Call one."),
    supervisor && el("div", { class: "two-keys" }, key("Resolve", { kind: "enter", "data-key": "resolve", onclick: resolve }), key("Void the round", { kind: "danger", "data-key": "void-frozen", onclick: press(() => voidRound(send, view.round)) }))].filter(Boolean);
}
