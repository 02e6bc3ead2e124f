// A table at the dealer's hands: betting, cards or results, decisions, the question "is this right?", payouts.
import { byId, dollars, el, toast } from "./dom.js";
import { watch } from "./watch.js";
import { cardPad, keyedCards, nextCardFor, wantedNow } from "./dealer-cards.js";
import { floorPanel, frozenStage } from "./dealer-floor.js";
import { key, press, sender } from "./dealer-parts.js";
import { asResult, listenToKeys, resultPad } from "./dealer-results.js";
import { cameTo, deciding, due, hands, payouts, steps, voided } from "./dealer-round.js";
import { feltTotals, seatsPanel } from "./dealer-seats.js";

const PHASES = { betting: "Bets are open", dealing: "Dealing", deciding: "Decisions", ready: "Is this right?", frozen: "Frozen", verify: "A supervisor verifies" };
const POSITIONS = 7;

/** Where a round stands, by what is waited for. */
function stageOf(view) {
  if (!view.is_open) return "closed";
  if (view.phase === "frozen" || view.phase === "betting" || view.phase === "ready") return view.phase;
  if (view.phase === "dealing") return view.card_for ? "dealing" : "verify";
  return view.to_act.length ? "deciding" : "dealing";
}

/** How many numbers the dice or the marker have at this table, 0 for none. */
function diceSides(view) {
  if (view.settings.R12 === "from-marker") return view.seats.length;
  return view.edition.game === "ez_pai_gow" && view.source !== "virtual-shoe" ? POSITIONS : 0;
}

class DealersTable {
  constructor(place) {
    this.place = place;
    this.supervisor = place.dataset.role === "supervisor";
    this.path = `/api/v1/tables/${encodeURIComponent(place.dataset.table)}`;
    this.send = sender(this.path);
    Object.assign(this, { view: null, mode: "", dice: 0, placeToCorrect: 0, mustVerify: "", picks: new Map(), gone: new Set(), rekey: false });
    this.stage = el("section", { class: "panel stage", id: "stage", "aria-label": "What to do now" });
    this.cards = cardPad((cards, at) => this.enterCards(cards, at));
    this.results = resultPad((hand) => this.enterResult(hand));
    this.seats = seatsPanel(this.send);
    this.floor = floorPanel(this.send, this.supervisor);
    place.replaceChildren(el("div", { class: "dealer-table" }, this.stage, el("div", { class: "beside" }, this.seats.panel, this.floor.panel)));
    listenToKeys(() => (this.cards.pad.isConnected ? this.cards.shortcuts : this.results.pad.isConnected ? this.results.shortcuts : {}));
    addEventListener("keydown", (event) => {
      if (this.cards.pad.isConnected && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, select, dialog")) this.cards.type(event);
    });
    setInterval(() => this.showClock(), 500);
  }

  /** Take a new view in; what was typed for another round is forgotten. */
  show(view) {
    const before = this.view;
    if (!before || before.round !== view.round) Object.assign(this, { dice: 0, placeToCorrect: 0, mustVerify: "", rekey: false, picks: new Map(), gone: new Set() });
    if (before && before.drawn.length !== view.drawn.length) this.placeToCorrect = 0;
    this.mode ||= view.source === "manual-keypad" && view.edition.game === "ez_baccarat" ? "results" : "cards";
    this.view = view;
    this.place.setAttribute("aria-busy", "false");
    byId("edition").textContent = view.edition.name;
    this.render();
  }

  render() {
    const { view } = this, active = document.activeElement, mark = active?.dataset?.key ?? active?.id;
    const stage = stageOf(view), parts = this[stage](view);
    this.stage.className = `panel stage ${stage}`;
    this.stage.dataset.stage = stage;
    this.stage.replaceChildren(...parts.flat(2).filter(Boolean));
    this.seats.show(view);
    this.floor.show(view);
    byId("where").replaceChildren(el("b", {}, `Round ${view.round}`), el("span", { class: `stage-name ${stage}` }, PHASES[stage] ?? "Closed"));
    this.showClock();
    if (active && active !== document.body && document.activeElement === document.body) (active.isConnected ? active : mark && (document.querySelector(`[data-key="${CSS.escape(mark)}"]`) ?? byId(mark)))?.focus?.();
  }

  /** The decision clock; when it has run out, the house may decide. */
  showClock() {
    const clock = byId("clock"), until = this.view?.clock?.until;
    clock.hidden = !until;
    if (!until) return;
    const left = Math.ceil((Date.parse(until) - Date.now()) / 1000);
    clock.textContent = left > 0 ? `${left} s` : "Time is up";
    clock.classList.toggle("out", left <= 0);
    for (const button of this.stage.querySelectorAll("[data-key=time-out]")) button.disabled = left > 0;
  }

  // The stages

  closed() {
    return [el("h2", {}, "This table is closed"), el("p", {}, "A supervisor opens tables on the Floor page.")];
  }

  frozen(view) {
    return frozenStage(this.send, view, this.supervisor);
  }

  betting(view) {
    const held = view.seats.reduce((sum, seat) => sum + seat.held_cents, 0), sides = diceSides(view), bets = held > 0;
    const last = view.last && (view.last.how === "settled" ? payouts(view.last, view.wagers, () => this.render()) : voided(view.last));
    const close = key("No more bets", { kind: "enter", note: !bets ? "nobody has bet yet" : sides && !this.dice ? "first key where the deal begins" : `${dollars(held)} on the felt`, "data-key": "no-more-bets", disabled: !bets || (sides > 0 && !this.dice), onclick: press(() => this.send("no-more-bets", sides ? { dice: this.dice } : undefined)) });
    return [last ?? el("div", { class: "first-round" }, el("h2", {}, "Bets are open"), el("p", {}, "Guests bet on their own screens; for a guest without one, enter the bet under Seats. Then close the betting.")), feltTotals(view), sides ? this.diceKeys(sides) : null, el("div", { class: "actions" }, close)];
  }

  diceKeys(sides) {
    const pick = (number) => () => {
      this.dice = number;
      this.render();
    };
    return el("div", { class: "dice", role: "group", "aria-label": "The dice" }, el("h3", {}, this.view.edition.game === "ez_pai_gow" ? "Where do the dice begin the deal?" : "Where does the marker stand?"),
      el("div", { class: "dice-keys" }, Array.from({ length: sides }, (_, place) => key(String(place + 1), { kind: "plain", "data-key": `dice-${place + 1}`, "aria-pressed": String(this.dice === place + 1), onclick: pick(place + 1) }))));
  }

  dealing(view) {
    if (view.source === "virtual-shoe") return [el("h2", {}, "No more bets"), hands(view) ?? el("p", {}, "The virtual shoe is shuffled and committed to. Deal."), el("div", { class: "actions" }, key("Deal", { kind: "enter", "data-key": "deal", onclick: press(() => this.send("deal")) }))];
    const baccarat = view.edition.game === "ez_baccarat", byResult = baccarat && this.mode === "results" && !view.drawn.length;
    const switcher = baccarat && !view.drawn.length && el("div", { class: "modes", role: "group", "aria-label": "What is keyed" }, this.modeKey("results", "Result"), this.modeKey("cards", "Cards"));
    if (byResult) return [el("div", { class: "stage-head" }, el("h2", {}, "Key the result"), switcher), this.results.pad];
    return [el("div", { class: "stage-head" }, el("h2", {}, this.correctingWords() ?? ["Next card: ", el("b", { class: "next-card" }, nextCardFor(view))]), switcher), this.baccaratHands(view), this.cardsParts()];
  }

  /** While cards of baccarat are keyed, both hands show; of other games the list of cards is enough. */
  baccaratHands(view) {
    return view.edition.game === "ez_baccarat" && view.dealer.length ? hands(view) : null;
  }

  modeKey(mode, words) {
    return el("button", { type: "button", class: "quiet", "data-key": `mode-${mode}`, "aria-pressed": String(this.mode === mode), onclick: () => {
      this.mode = mode;
      this.render();
    } }, words);
  }

  deciding(view) {
    const late = (seat) => (view.before_look ? view.wagers.filter((wager) => wager.late && !(wager.id in seat.bets)) : []).map((wager) => {
      const half = Math.floor(Object.values(seat.bets)[0] / 2);
      return key(`${wager.name} ${dollars(half)}`, { kind: "choice", "data-choice": wager.id, onclick: press(() => this.send("bet", { seat: seat.seat, guest: seat.guest, wager: wager.id, cents: half })) });
    });
    const timeOut = (seat) => view.clock && key("Time is up: the house decides", { kind: "plain", "data-key": "time-out", onclick: press(() => this.send("time-out", { seat: seat.seat })) });
    const dealer = view.dealer.length ? hands({ ...view, seats: [] }) : null;
    return [el("h2", {}, `Still to decide: ${view.to_act.map((seat) => `seat ${seat}`).join(", ")}`), dealer, deciding(view, { send: this.send, picks: this.picks, again: () => this.render(), extra: (seat) => [late(seat), timeOut(seat)].flat() }), this.correctable()];
  }

  /** A payout of the first deal waits for a supervisor. */
  verify(view) {
    return [el("h2", {}, "A high payout is to be verified"), hands(view), this.verifyKeys()];
  }

  /** A supervisor must verify a payout before the round goes on. */
  verifyKeys() {
    if (!this.supervisor) return el("p", { class: "notice warn-notice" }, "A supervisor must verify this payout: have one acknowledge it, here or at another screen.");
    return key("I have verified it: acknowledge", { kind: "enter", "data-key": "acknowledge", onclick: press(async () => {
      await this.send("acknowledge");
      this.set({ mustVerify: "" });
    }) });
  }

  ready(view) {
    if (this.rekey && view.result) return [el("div", { class: "stage-head" }, el("h2", {}, "Key the right result"), el("button", { type: "button", class: "quiet", onclick: () => this.set({ rekey: false }) }, "It was right")), this.results.pad];
    if (this.placeToCorrect) return [el("div", { class: "stage-head" }, el("h2", {}, this.correctingWords()), el("button", { type: "button", class: "quiet", onclick: () => this.set({ placeToCorrect: 0 }) }, "It was right")), this.cardsParts()];
    const settle = press(async () => {
      try {
        await this.send("settle", undefined, { quiet: true });
      } catch (refused) {
        if (refused.code === "acknowledge-first") this.set({ mustVerify: refused.message });
        else toast(refused.message, true);
      }
    });
    const correct = view.result && key("Correct: key it again", { kind: "plain", "data-key": "rekey", onclick: () => this.set({ rekey: true }) });
    return [el("h2", {}, "Is this right?"), hands(view), cameTo(view), steps(view), due(view), this.mustVerify && [el("p", { class: "notice warn-notice", role: "alert" }, this.mustVerify), this.verifyKeys()], this.correctable(),
      el("div", { class: "actions" }, correct, key("Yes: settle", { kind: "enter", note: "takes and pays every wager", "data-key": "settle", onclick: settle }))];
  }

  // What the stages are made of

  set(changes) {
    Object.assign(this, changes);
    this.render();
  }

  correctingWords() {
    return this.placeToCorrect ? `Card ${this.placeToCorrect} is ${this.view.drawn[this.placeToCorrect - 1]}: key the right one` : null;
  }

  /** The cards keyed so far, to be touched when one is wrong. */
  correctable() {
    const { view } = this;
    if (!view.drawn.length) return null;
    return el("details", { class: "correct", open: view.drawn.length <= 12 }, el("summary", {}, "Touch a card to correct it"), keyedCards(view.drawn, this.placeToCorrect, (place) => this.set({ placeToCorrect: this.placeToCorrect === place ? 0 : place })), this.placeToCorrect && stageOf(view) === "deciding" ? [el("h3", {}, this.correctingWords()), this.cardsParts(false)] : null);
  }

  /** The keypad for cards, and what has been keyed. */
  cardsParts(withKeyed = true) {
    const { view, placeToCorrect: at } = this, copies = view.settings.decks ?? 1, others = [...view.gone, ...view.drawn.filter((_, index) => index + 1 !== at)];
    this.cards.update({ round: view.round, place: at, most: at ? 1 : wantedNow(view), joker: view.edition.game === "ez_pai_gow", left: (code) => (this.gone.has(code) ? 0 : copies - others.filter((one) => one === code).length) });
    return [withKeyed && stageOf(view) !== "deciding" && view.drawn.length ? keyedCards(view.drawn, at, (place) => this.set({ placeToCorrect: at === place ? 0 : place })) : null, this.cards.pad];
  }

  async enterCards(cards, at) {
    try {
      if (at) await this.send("correct-card", { place: at, card: cards[0] });
      else await this.send("card", { cards: cards.join(" ") });
      this.placeToCorrect = 0;
    } catch (refused) {
      if (refused.code === "card-not-in-shoe" && cards.length === 1) this.gone.add(cards[0]);
      throw refused;
    } finally {
      this.render();
    }
  }

  async enterResult(hand) {
    await this.send("result", { result: asResult(hand) });
    this.set({ rekey: false });
  }
}

/** Run the dealer's side of a table. */
export function runTable(place) {
  const table = new DealersTable(place);
  watch(`${table.path}/stream`, (view) => table.show(view));
}
