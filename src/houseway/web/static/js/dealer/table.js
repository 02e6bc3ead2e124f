// A table at the dealer's hands: betting, cards or results, decisions, the question "is this right?", payouts.
import { asResult } from "../board/hands.js";
import { API, byId, codeOf, dollars, el, findById, inWords, messageOf, present, toast } from "../shared/dom.js";
import { watch } from "../shared/watch.js";
import { CardPad, keyedCards } from "./card-pad.js";
import { FloorPanel, frozenStage } from "./floor-keys.js";
import { key, listenToKeys, press, quietButton, sender } from "./parts.js";
import { ResultPad } from "./result-pad.js";
import { cameTo, deciding, due, hands, houseHands, payouts, steps, voided } from "./round.js";
import { SeatsPanel, feltTotals } from "./seats.js";

/** @import { Child, FaceResults, SeatView, TableView } from "../types" */

/** @typedef {"closed" | "frozen" | "betting" | "dealing" | "deciding" | "verify" | "ready"} Stage */

/** @type {Record<Stage, string>} */
const STAGES = {
  closed: "Closed",
  frozen: "Frozen",
  betting: "Bets are open",
  dealing: "Dealing",
  deciding: "Decisions",
  verify: "A supervisor verifies",
  ready: "Is this right?",
};
const FEW_CARDS = 12;

/**
 * Where a round stands, by what is waited for.
 * @param {TableView} view
 * @returns {Stage}
 */
function stageOf(view) {
  if (!view.is_open) return "closed";
  if (view.phase === "frozen" || view.phase === "betting" || view.phase === "ready") return view.phase;
  if (view.phase === "dealing") return view.card_for && !view.to_verify ? "dealing" : "verify";
  return view.to_act.length ? "deciding" : "dealing";
}

/** Who draws the cards, where players do. @param {TableView} view */
function drawerWords(view) {
  const guest = view.seats.find(({ seat }) => seat === view.drawer)?.guest;
  return guest ? el("p", { class: "drawer" }, `${guest}, seat ${view.drawer}, draws the cards.`) : null;
}

/** What belongs to one round, and is forgotten with it. */
const freshRound = () => ({
  /** The number that the dice show, 0 until it is keyed. */
  dice: 0,
  placeToCorrect: 0,
  /** Why a supervisor must verify the payouts, or "". */
  mustVerify: "",
  /** Whether the result is being keyed again. */
  isRekeying: false,
  /** Cards picked to set hands, by seat. @type {Map<number, number[]>} */
  picks: new Map(),
  /** Cards that the house has refused. @type {Set<string>} */
  refused: new Set(),
});

class DealersTable {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.isSupervisor = place.dataset.role === "supervisor";
    this.path = `${API}/tables/${encodeURIComponent(place.dataset.table ?? "")}`;
    this.send = sender(this.path);
    /** @type {TableView | null} */
    this.view = null;
    this.round = freshRound();
    /** What is keyed where a game can be keyed by its results. @type {"" | "results" | "cards"} */
    this.mode = "";
    this.stage = el("section", { class: "panel stage", id: "stage", "aria-label": "What to do now" });
    this.cards = new CardPad((cards, at) => this.enterCards(cards, at));
    /** @type {ResultPad | null} */
    this.results = null;
    this.seats = new SeatsPanel(this.send);
    this.floor = new FloorPanel(this.send, this.isSupervisor, place.dataset.person ?? "");
    const beside = el("div", { class: "beside" }, this.seats.panel, this.floor.panel);
    place.replaceChildren(el("div", { class: "dealer-table" }, this.stage, beside));
    listenToKeys(() => this.shortcuts());
    addEventListener("keydown", (event) => this.type(event));
    setInterval(() => this.showClock(), 500);
  }

  /** @returns {Record<string, HTMLButtonElement>} */
  shortcuts() {
    if (this.cards.pad.isConnected) return this.cards.shortcuts;
    return this.results?.pad.isConnected ? this.results.shortcuts : {};
  }

  /** Cards by the keyboard. @param {KeyboardEvent} event */
  type(event) {
    const isInField = /** @type {Element} */ (event.target).closest?.("input, select, dialog");
    if (this.cards.pad.isConnected && !event.ctrlKey && !event.metaKey && !isInField) this.cards.type(event);
  }

  /** Take a new view in; what was typed for another round is forgotten. @param {TableView} view */
  show(view) {
    const before = this.view;
    if (!before || before.round !== view.round) this.round = freshRound();
    if (before && before.drawn.length !== view.drawn.length) this.round.placeToCorrect = 0;
    this.mode ||= view.source === "manual-keypad" && view.face.results ? "results" : "cards";
    this.view = view;
    this.place.setAttribute("aria-busy", "false");
    byId("edition").textContent = view.edition.name;
    this.render();
  }

  render() {
    const { view } = this;
    if (!view) return;
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const mark = active?.dataset.key ?? active?.id ?? "";
    const stage = stageOf(view);
    this.stage.className = `panel stage ${stage}`;
    this.stage.dataset.stage = stage;
    this.stage.replaceChildren(...present(this[stage](view)));
    this.seats.show(view);
    this.floor.show(view);
    const name = el("span", { class: `stage-name ${stage}` }, STAGES[stage]);
    byId("where").replaceChildren(el("b", {}, `Round ${view.round}`), name);
    this.showClock();
    if (active && active !== document.body && document.activeElement === document.body) this.giveFocus(active, mark);
  }

  /**
   * Whoever had the focus keeps it, or what took its place.
   * @param {HTMLElement} active
   * @param {string} mark
   */
  giveFocus(active, mark) {
    if (active.isConnected) return active.focus();
    if (!mark) return undefined;
    /** @type {HTMLElement | null} */
    const again = document.querySelector(`[data-key="${CSS.escape(mark)}"]`);
    return (again ?? findById(mark))?.focus();
  }

  /** The decision clock; when it has run out, the house may decide. */
  showClock() {
    const clock = byId("clock");
    const until = this.view?.clock?.until;
    clock.hidden = !until;
    if (!until) return;
    const left = Math.ceil((Date.parse(until) - Date.now()) / 1000);
    clock.textContent = left > 0 ? `${left} s` : "Time is up";
    clock.classList.toggle("out", left <= 0);
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = this.stage.querySelectorAll("[data-key=time-out]");
    for (const button of buttons) button.disabled = left > 0;
  }

  // ---- the stages -----------------------------------------------------------------------------------------------------

  /** @returns {Child[]} */
  closed() {
    return [el("h2", {}, "This table is closed"), el("p", {}, "A supervisor opens tables on the Floor page.")];
  }

  /** @param {TableView} view @returns {Child[]} */
  frozen(view) {
    return frozenStage(this.send, view, this.isSupervisor);
  }

  /** @param {TableView} view @returns {Child[]} */
  betting(view) {
    return [
      this.lastRound(view),
      view.check_cards ? this.checkCards(view.check_cards) : null,
      view.lost_shoes.map((lost) => el("p", { class: "notice warn-notice lost-shoe" }, lost.text)),
      this.mixing(view),
      this.cutCard(view),
      feltTotals(view),
      view.face.dice ? this.diceKeys(view, view.face.dice) : null,
      el("div", { class: "actions" }, this.closeKey(view)),
    ];
  }

  /** @param {TableView} view */
  lastRound(view) {
    const { last } = view;
    if (last?.how === "settled") return payouts(view, last, () => this.render());
    if (last) return voided(last);
    const about =
      "Guests bet on their own screens; for a guest without one, enter the bet under Seats. Then close the betting.";
    return el("div", { class: "first-round" }, el("h2", {}, "Bets are open"), el("p", {}, about));
  }

  /** Cards came out of a shuffler at fault: nothing is dealt before a supervisor has checked them. @param {string} fault */
  checkCards(fault) {
    const until = "nothing is dealt before a supervisor has checked the cards";
    const words = `After the ${inWords(fault)}: bets may be placed, but ${until}.`;
    const notice = el("p", { class: "notice warn-notice" }, words);
    if (!this.isSupervisor) return notice;
    const checked = press(() => this.send("check-cards"));
    return [notice, key("I have checked the cards", { kind: "plain", "data-key": "check-cards", onclick: checked })];
  }

  /** What guests' screens add to a new shoe, and going on without those that add nothing. @param {TableView} view */
  mixing({ mixing }) {
    if (!mixing?.is_open) return null;
    const added = mixing.added.length ? `${mixing.added.join(", ")} added to the new shoe. ` : "";
    const words = mixing.lacking.length ? `Waiting for the screens of ${mixing.lacking.join(", ")}.` : "Nobody is waited for.";
    const goOn = key("Go on without them", { kind: "plain", "data-key": "mix", onclick: press(() => this.send("mix")) });
    return [el("p", { class: "notice mixing" }, `${added}${words} Bets open when the shoe is in order.`), goOn];
  }

  /** That the cut card is out, where the dealer changes the shoe himself. @param {TableView} view */
  cutCard({ cut, shoe }) {
    if (!cut?.is_out || shoe) return null;
    return el("p", { class: "notice cut-card" }, `The cut card is out, at ${cut.cards} cards: begin a new shoe.`);
  }

  /** @param {TableView} view */
  closeKey(view) {
    const held = view.seats.reduce((sum, seat) => sum + seat.held_cents, 0);
    const { dice } = view.face;
    const lacksDice = dice !== null && !(dice.is_marker ? view.dice : this.round.dice);
    const first = dice?.is_marker ? "first key where the marker stands" : "first key where the deal begins";
    const ready = lacksDice ? first : `${dollars(held)} on the felt`;
    const open = held ? ready : "nobody has bet yet";
    const note = view.check_cards ? "the cards are not checked yet" : open;
    const body = dice && !dice.is_marker ? { dice: this.round.dice } : undefined;
    const isClosed = !held || lacksDice || view.check_cards !== "";
    const does = { disabled: isClosed, onclick: press(() => this.send("no-more-bets", body)) };
    return key("No more bets", { kind: "enter", note, "data-key": "no-more-bets", ...does });
  }

  /**
   * A number thrown is keyed with the close of the bets; a marker at once, so that all see it while they bet.
   * @param {TableView} view
   * @param {{sides: number, words: string, is_marker?: boolean}} dice
   */
  diceKeys(view, { sides, words, is_marker: isMarker }) {
    const now = isMarker ? view.dice : this.round.dice;
    const keys = Array.from({ length: sides }, (_, place) => {
      const dice = place + 1;
      const onclick = isMarker ? press(() => this.send("marker", { seat: dice })) : () => this.set({ dice });
      const look = { kind: "plain", "data-key": `dice-${dice}`, "aria-pressed": String(now === dice), onclick };
      return key(String(dice), look);
    });
    const group = { class: "dice", role: "group", "aria-label": isMarker ? "The marker" : "The dice" };
    return el("div", group, el("h3", {}, words), el("div", { class: "dice-keys" }, keys));
  }

  /** @param {TableView} view @returns {Child[]} */
  dealing(view) {
    if (view.source === "virtual-shoe") return this.dealingFromShoe(view);
    const { results } = view.face;
    const isOpen = results !== null && !view.drawn.length;
    const keys = [this.modeKey("results", "Result"), this.modeKey("cards", "Cards")];
    const modes = isOpen ? el("div", { class: "modes", role: "group", "aria-label": "What is keyed" }, keys) : null;
    if (isOpen && this.mode === "results") {
      const head = el("div", { class: "stage-head" }, el("h2", {}, "Key the result"), modes);
      return [head, drawerWords(view), this.resultPad(results).pad];
    }
    const next = ["Next card: ", el("b", { class: "next-card" }, view.next_card?.words ?? "")];
    const head = el("div", { class: "stage-head" }, el("h2", {}, this.correctingWords(view) || next), modes);
    const drawer = drawerWords(view);
    // hands that all bet on are shown while their cards are keyed; else the list of cards is enough
    return [head, drawer, view.face.common ? houseHands(view) : null, this.cardsParts(view)];
  }

  /** @param {TableView} view @returns {Child[]} */
  dealingFromShoe(view) {
    const about = el("p", {}, "The virtual shoe is shuffled and committed to. Deal.");
    const deal = key("Deal", { kind: "enter", "data-key": "deal", onclick: press(() => this.send("deal")) });
    const actions = el("div", { class: "actions" }, deal);
    return [el("h2", {}, "No more bets"), drawerWords(view), hands(view) ?? about, actions];
  }

  /** @param {"results" | "cards"} mode @param {string} words */
  modeKey(mode, words) {
    const choose = () => {
      this.mode = mode;
      this.render();
    };
    return quietButton(words, choose, { "data-key": `mode-${mode}`, "aria-pressed": String(this.mode === mode) });
  }

  /** @param {TableView} view @returns {Child[]} */
  deciding(view) {
    const { picks } = this.round;
    const extra = (/** @type {SeatView} */ seat) => [this.lateKeys(view, seat), this.timeOutKey(view, seat)];
    const options = { send: this.send, picks, again: () => this.render(), extra };
    const waiting = view.to_act.map((seat) => `seat ${seat}`).join(", ");
    return [
      el("h2", {}, `Still to decide: ${waiting}`),
      houseHands(view),
      deciding(view, options),
      this.correctable(view),
    ];
  }

  /**
   * The late bets of a guest without a screen, each as high as it may be.
   * @param {TableView} view
   * @param {SeatView} seat
   */
  lateKeys(view, seat) {
    const offered = view.wagers.filter((wager) => wager.id in seat.late && !(wager.id in seat.bets));
    return offered.map((wager) => {
      const cents = seat.late[wager.id];
      const bet = press(() => this.send("bet", { seat: seat.seat, guest: seat.guest, wager: wager.id, cents }));
      return key(`${wager.name} ${dollars(cents)}`, { kind: "choice", "data-choice": wager.id, onclick: bet });
    });
  }

  /** @param {TableView} view @param {SeatView} seat */
  timeOutKey(view, seat) {
    if (!view.clock) return null;
    const onclick = press(() => this.send("time-out", { seat: seat.seat }));
    return key("Time is up: the house decides", { kind: "plain", "data-key": "time-out", onclick });
  }

  /**
   * A payout of the first deal waits for a supervisor.
   * @param {TableView} view
   * @returns {Child[]}
   */
  verify(view) {
    return [el("h2", {}, "A high payout is to be verified"), hands(view), this.verifyKey()];
  }

  /** A supervisor must verify a payout before the round goes on. */
  verifyKey() {
    if (!this.isSupervisor) {
      const words = "A supervisor must verify this payout: have one acknowledge it, here or at another screen.";
      return el("p", { class: "notice warn-notice" }, words);
    }
    const acknowledge = press(async () => {
      await this.send("acknowledge");
      this.set({ mustVerify: "" });
    });
    return key("I have verified it: acknowledge", { kind: "enter", "data-key": "acknowledge", onclick: acknowledge });
  }

  /** @param {TableView} view @returns {Child[]} */
  ready(view) {
    const { results } = view.face;
    if (this.round.isRekeying && view.result && results) {
      return [this.correctingHead("Key the right result", { isRekeying: false }), this.resultPad(results).pad];
    }
    if (this.round.placeToCorrect) {
      return [this.correctingHead(this.correctingWords(view), { placeToCorrect: 0 }), this.cardsParts(view)];
    }
    const { mustVerify } = this.round;
    const warning = [el("p", { class: "notice warn-notice", role: "alert" }, mustVerify), this.verifyKey()];
    const rekey = { kind: "plain", "data-key": "rekey", onclick: () => this.set({ isRekeying: true }) };
    const settle = { kind: "enter", "data-key": "settle", onclick: press(() => this.settle()) };
    return [
      el("h2", {}, "Is this right?"),
      hands(view),
      cameTo(view),
      steps(view),
      due(view),
      mustVerify ? warning : null,
      this.correctable(view),
      el("div", { class: "actions" }, [
        view.result ? key("Correct: key it again", rekey) : null,
        key("Yes: settle", { note: "takes and pays every wager", ...settle }),
      ]),
    ];
  }

  async settle() {
    try {
      await this.send("settle", undefined, { quiet: true });
    } catch (refused) {
      if (codeOf(refused) === "acknowledge-first") this.set({ mustVerify: messageOf(refused) });
      else toast(messageOf(refused), true);
    }
  }

  // ---- what the stages are made of ------------------------------------------------------------------------------------

  /** @param {Partial<ReturnType<typeof freshRound>>} changes */
  set(changes) {
    Object.assign(this.round, changes);
    this.render();
  }

  /**
   * The head of a correction, which can be let be.
   * @param {string} words
   * @param {Partial<ReturnType<typeof freshRound>>} back
   */
  correctingHead(words, back) {
    return el("div", { class: "stage-head" }, el("h2", {}, words), quietButton("It was right", () => this.set(back)));
  }

  /** @param {TableView} view */
  correctingWords(view) {
    const { placeToCorrect: place } = this.round;
    return place ? `Card ${place} is ${view.drawn[place - 1]}: key the right one` : "";
  }

  /** @param {number} place */
  toggleCorrection(place) {
    this.set({ placeToCorrect: this.round.placeToCorrect === place ? 0 : place });
  }

  /** The cards keyed so far, to be touched when one is wrong. @param {TableView} view */
  correctable(view) {
    if (!view.drawn.length) return null;
    const { placeToCorrect: place } = this.round;
    const isHere = place > 0 && stageOf(view) === "deciding";
    const correction = isHere ? [el("h3", {}, this.correctingWords(view)), this.cardsParts(view, false)] : null;
    const cards = keyedCards(view.drawn, place, (at) => this.toggleCorrection(at));
    const summary = el("summary", {}, "Touch a card to correct it");
    return el("details", { class: "correct", open: view.drawn.length <= FEW_CARDS }, summary, cards, correction);
  }

  /**
   * The keypad for cards, and what has been keyed.
   * @param {TableView} view
   * @returns {Child[]}
   */
  cardsParts(view, withKeyed = true) {
    const { placeToCorrect: place, refused } = this.round;
    const copies = Number(view.settings.decks ?? 1);
    const others = [...view.gone, ...view.drawn.filter((_, index) => index + 1 !== place)];
    const left = (/** @type {string} */ code) => {
      return refused.has(code) ? 0 : copies - others.filter((other) => other === code).length;
    };
    const most = place ? 1 : view.next_card?.most ?? 1;
    this.cards.update({ round: view.round, place, most, joker: view.face.joker, left });
    const isShown = withKeyed && stageOf(view) !== "deciding" && view.drawn.length > 0;
    return [isShown ? keyedCards(view.drawn, place, (at) => this.toggleCorrection(at)) : null, this.cards.pad];
  }

  /** @param {FaceResults} results */
  resultPad(results) {
    this.results ??= new ResultPad(results, (hand) => this.enterResult(results, hand));
    return this.results;
  }

  /** @param {string[]} cards @param {number} place */
  async enterCards(cards, place) {
    try {
      if (place) await this.send("correct-card", { place, card: cards[0], reason: "keyed wrongly" });
      else await this.send("card", { cards: cards.join(" ") });
      this.round.placeToCorrect = 0;
    } catch (refused) {
      if (codeOf(refused) === "card-not-in-shoe" && cards.length === 1) this.round.refused.add(cards[0]);
      throw refused;
    } finally {
      this.render();
    }
  }

  /** @param {FaceResults} results @param {string} hand */
  async enterResult(results, hand) {
    const why = this.view?.result ? { reason: "keyed wrongly" } : {};
    await this.send("result", { result: asResult(results, hand), ...why });
    this.set({ isRekeying: false });
  }
}

/** Run the dealer's side of a table. @param {HTMLElement} place */
export function runTable(place) {
  const table = new DealersTable(place);
  watch(`${table.path}/stream`, (view) => table.show(view));
}
