// One's own play below the felt: chips and bets while bets are open, decisions when one is asked, and what to do next.
import { Rack } from "../shared/chips.js";
import { dollars, el } from "../shared/dom.js";
import { decisions } from "./decisions.js";
import { isOpenBet, nameOf, seatOf, wagerOf } from "./felt-state.js";

/** @import { Cents, SeatView, TableView } from "../types" */
/** @import { Bets } from "./bets.js" */
/** @import { Setting } from "./decisions.js" */

/**
 * What the controls do.
 * @typedef {object} Actions
 * @property {(choice: string) => Promise<unknown>} act
 * @property {(wager: string, cents: Cents) => Promise<unknown>} placeLate
 * @property {() => void} deal
 * @property {(wager: string, cents: Cents) => Promise<unknown>} betForDealer 0 cents takes the bet back
 * @property {() => void} refill
 * @property {() => void} leave
 */

const CHIPS = [100, 500, 2_500, 10_000, 50_000];
const FIRST_CHIP = 500;
const LOW_CENTS = 10_000;

/** @param {string} words @param {() => void} does @param {Record<string, any>} properties */
function button(words, does, properties = {}) {
  const key = properties["aria-keyshortcuts"];
  const cap = key ? el("kbd", { "aria-hidden": "true" }, key) : null;
  return el("button", { type: "button", class: "quiet", onclick: does, ...properties }, words, cap);
}

/** The controls of a guest. */
export class Controls {
  /**
   * @param {HTMLElement} place
   * @param {{bets: Bets, setting: Setting, isDemo: boolean}} parts
   * @param {Actions} actions
   */
  constructor(place, { bets, setting, isDemo }, actions) {
    this.bets = bets;
    this.setting = setting;
    this.isDemo = isDemo;
    this.actions = actions;
    /** @type {Rack | null} */
    this.rack = null;
    /** @type {Cents[]} */
    this.denominations = [];
    /** The wager whose limits are told. */
    this.told = "";
    /** Whether the next chip is a bet for the dealer. */
    this.isTipping = false;
    /** What the decisions were drawn from, the question they ask, and the question that was answered last. */
    this.drawn = "";
    this.question = "";
    this.answered = "";
    this.undo = button("Undo", () => bets.undo(), { "aria-keyshortcuts": "U" });
    this.clear = button("Clear", () => bets.clear(), { "aria-keyshortcuts": "C" });
    this.repeat = button("Repeat", () => bets.repeat(), { "aria-keyshortcuts": "R" });
    this.double = button("Double", () => bets.double(), { "aria-keyshortcuts": "D" });
    this.deal = button("Deal", actions.deal, { class: "deal", id: "deal" });
    this.more = button("More chips", actions.refill, { id: "more-chips", hidden: true });
    this.leave = button("Leave seat", actions.leave, { id: "leave", hidden: true });
    this.tip = button("For the dealer", () => this.tipOn(!this.isTipping), { id: "for-dealer", hidden: true });
    /** What lies there for the dealers, to be taken back. */
    this.tips = el("p", { class: "tips-line small", id: "tips", hidden: true });
    this.rackPlace = el("div", { class: "rack-place" });
    this.parts = el("div", { class: "bet-parts", role: "radiogroup", hidden: true });
    this.limits = el("p", { class: "limit-line", id: "limits" });
    this.hint = el("p", { class: "hint" });
    const changes = el("div", { class: "bet-buttons" }, this.undo, this.clear, this.repeat, this.double, this.tip);
    this.betting = el("div", { class: "betting", hidden: true }, this.rackPlace, changes, this.deal);
    this.deciding = el("div", { class: "deciding", hidden: true });
    const foot = el("div", { class: "controls-foot" }, this.parts, this.tips, this.hint, this.limits, this.more, this.leave);
    place.replaceChildren(this.betting, this.deciding, foot);
  }

  /** The chip that is placed now. */
  get chip() {
    return this.rack?.cents ?? 0;
  }

  /** Chips no smaller than the smallest minimum and no larger than the largest maximum. @param {TableView} view */
  showRack(view) {
    const open = view.wagers.filter(isOpenBet);
    const least = Math.min(...open.map((wager) => wager.min_cents));
    const most = Math.max(...open.map((wager) => wager.max_cents));
    const denominations = CHIPS.filter((cents) => cents >= least && cents <= most);
    if (this.rack && denominations.join() === this.denominations.join()) return;
    this.denominations = denominations;
    const first = denominations.includes(FIRST_CHIP) ? FIRST_CHIP : denominations[0];
    this.rack = new Rack(denominations, first, () => this.tellLimits(this.told));
    this.rackPlace.replaceChildren(this.rack.element);
  }

  /** @param {number} place */
  chooseChip(place) {
    if (!this.rack || !this.denominations[place]) return false;
    this.rack.cents = this.denominations[place];
    this.tellLimits(this.told);
    return true;
  }

  /** Put the chosen chip on a spot. @param {string} wager */
  place(wager) {
    if (this.isTipping) this.placeForDealer(wager);
    else this.bets.add(wager, this.chip);
    this.tellLimits(wager);
  }

  /** A bet for the dealer lies beside one's own; the house says what it takes. @param {string} wager */
  placeForDealer(wager) {
    const { view } = this.bets;
    const there = this.bets.mine?.for_dealer[wager] ?? 0;
    const least = (view && wagerOf(view, wager)?.min_cents) ?? 0;
    this.actions.betForDealer(wager, Math.max(there + this.chip, least));
    this.tipOn(false);
  }

  /** @param {boolean} isOn */
  tipOn(isOn) {
    this.isTipping = isOn;
    this.tip.setAttribute("aria-pressed", String(isOn));
  }

  /** @param {TableView} view @param {SeatView} seat */
  showTips(view, seat) {
    this.tip.hidden = !view.takes_dealer_bets;
    this.tip.disabled = !Object.keys(seat.bets).length;
    if (this.tip.hidden || this.tip.disabled) this.tipOn(false);
    const tips = Object.entries(seat.for_dealer);
    this.tips.hidden = !tips.length;
    const rows = tips.map(([wager, cents]) => {
      const name = nameOf(view, wager);
      const back = button("×", () => this.actions.betForDealer(wager, 0), {
        class: "take-back",
        "aria-label": `Take back ${name} for the dealer`,
      });
      return el("span", {}, ` ${name} ${dollars(cents)} `, back);
    });
    this.tips.replaceChildren("For the dealer:", ...rows);
  }

  /** The limits of a wager, before they are hit. @param {string} id */
  tellLimits(id) {
    this.told = id;
    const { view, now } = this.bets;
    const wager = view && wagerOf(view, id);
    if (!wager || wager.follows) return;
    const bet = now[id] ?? 0;
    const room = this.bets.room(id);
    const full = bet >= wager.max_cents ? "at its limit" : "your purse is empty";
    const words = [
      `${wager.name} ${dollars(wager.min_cents)} to ${dollars(wager.max_cents)}`,
      bet ? `bet ${dollars(bet)}` : "",
      room ? `room for ${dollars(room)} more` : full,
      wager.needs && !now[wager.needs] ? `needs a ${nameOf(view, wager.needs)} bet` : "",
    ];
    this.limits.textContent = words.filter(Boolean).join(" · ");
    this.limits.classList.toggle("full", room < this.chip);
  }

  get mayDeal() {
    return !this.betting.hidden && !this.deal.hidden && !this.deal.disabled;
  }

  /**
   * The parts of a bet, such as its colour, once the bet lies there.
   * @param {TableView} view
   * @param {SeatView} seat
   */
  showParts(view, seat) {
    const wager = Object.keys(view.with_bet).find((id) => this.bets.now[id]);
    this.parts.hidden = !wager;
    if (!wager) return;
    const parts = view.with_bet[wager];
    const usual = Object.values(view.settings).find((setting) => parts.includes(setting));
    const chosen = parts.find((part) => seat.choices.includes(part)) ?? usual;
    const key = `${wager} ${chosen}`;
    if (this.parts.dataset.key === key) return;
    this.parts.dataset.key = key;
    const radios = parts.map((part) => {
      const radio = { role: "radio", "aria-checked": String(part === chosen), onclick: () => this.bets.choose(part) };
      return el("button", { type: "button", class: "bet-part", style: { "--part": part }, ...radio }, part);
    });
    const name = nameOf(view, wager);
    this.parts.setAttribute("aria-label", `What the ${name} bet is on`);
    this.parts.replaceChildren(el("span", { class: "small" }, `${name}:`), ...radios);
  }

  /**
   * What to do next.
   * @param {TableView} view
   * @param {SeatView | undefined} seat
   * @param {boolean} isReady
   */
  hintWords(view, seat, isReady) {
    if (!view.is_open) return "This table is closed. Choose another one in the lobby.";
    if (!seat) {
      const isFree = view.seats.some((seat) => !seat.guest);
      return isFree ? "Press “Sit here” at a free seat to play." : "Every seat is taken: you can watch until one is free.";
    }
    if (view.bank?.holder === seat.seat) return "You bank this hand. The bank does not wager.";
    if (view.phase === "betting") return this.bettingHint(view, seat, isReady);
    if (seat.to_act.length) return view.clock ? "The house decides for you when the clock runs out." : "";
    return Object.keys(seat.bets).length ? "Your bets stand. Good luck." : "";
  }

  /** @param {TableView} view @param {SeatView} seat @param {boolean} isReady */
  bettingHint(view, seat, isReady) {
    if (view.bank && !view.bank.holder) {
      const isOffered = view.bank.offered === seat.seat;
      return isOffered ? "Take the bank or pass it on." : "Bets can be placed; the hand is dealt when somebody banks.";
    }
    if (this.bets.lacking) return `${this.bets.lacking}.`;
    if (!this.bets.total) return "Choose a chip, then press a spot on the felt.";
    if (this.isTipping) return "Press the spot on which the chip is for the dealer; what it wins is theirs.";
    if (isReady) return "Ready. The croupier deals when the others are, or their time is up.";
    return this.isDealtByDemo(view) ? "Press Deal when all your bets are placed." : "The dealer closes the betting.";
  }

  /** @param {TableView} view */
  isDealtByDemo(view) {
    return this.isDemo && view.source === "virtual-shoe";
  }

  /** @param {TableView} view @param {SeatView | undefined} seat @param {boolean} isReady */
  showBetting(view, seat, isReady) {
    const isOpen = view.is_open && view.phase === "betting" && view.bank?.holder !== seat?.seat;
    this.betting.hidden = this.limits.hidden = !seat || !isOpen;
    if (!seat || !isOpen) {
      this.parts.hidden = this.tips.hidden = true;
      return;
    }
    this.showRack(view);
    this.showBetButtons(view, isReady);
    this.showTips(view, seat);
    this.showParts(view, seat);
    const first = view.wagers.find(isOpenBet)?.id ?? "";
    this.tellLimits(wagerOf(view, this.told) ? this.told : first);
  }

  /** @param {TableView} view @param {boolean} isReady */
  showBetButtons(view, isReady) {
    const { bets } = this;
    const mayRepeat = Object.keys(bets.remembered).length > 0;
    const hasNoBank = Boolean(view.bank && !view.bank.holder);
    this.undo.disabled = !bets.past.length;
    this.clear.disabled = !bets.total;
    this.repeat.disabled = !mayRepeat;
    this.double.disabled = !bets.total && !mayRepeat;
    this.deal.hidden = !this.isDealtByDemo(view);
    this.deal.disabled = !bets.total || bets.lacking !== "" || isReady || hasNoBank;
    const total = bets.total ? `Deal · ${dollars(bets.total)}` : "Deal";
    const words = isReady ? "Waiting…" : total;
    if (this.deal.textContent !== words) this.deal.textContent = words;
  }

  /** @param {TableView} view @param {SeatView | undefined} seat */
  showDeciding(view, seat) {
    const { picked, advice, houseWay } = this.setting;
    const asked = [view.round, seat?.to_act, seat?.hands, seat?.bets, view.before_look];
    const drawn = JSON.stringify([...asked, picked, advice, houseWay, view.you?.balance_cents]);
    this.deciding.hidden = !seat?.to_act.length;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.question = seat ? JSON.stringify([view.round, seat.seat, seat.choices, seat.to_act, seat.bets]) : "";
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active && this.deciding.contains(active) ? active.dataset.choice : undefined;
    const bar = decisions(view, seat, {
      setting: this.setting,
      act: (choice) => this.answer(() => this.actions.act(choice)),
      placeLate: (wager, cents) => this.answer(() => this.actions.placeLate(wager, cents)),
    });
    this.deciding.replaceChildren(...(bar ? [bar] : []));
    if (this.answered === this.question) this.rest();
    if (focused) this.choiceButton(focused)?.focus();
  }

  /**
   * The button of a choice, if it can be pressed.
   * @param {string} choice
   * @returns {HTMLButtonElement | null}
   */
  choiceButton(choice) {
    return this.deciding.querySelector(`[data-choice="${choice}"]:not(:disabled)`);
  }

  /** The buttons rest while the house has not answered. */
  rest() {
    for (const button of this.deciding.querySelectorAll("button")) button.disabled = true;
  }

  /**
   * A question is answered once, however often its buttons are drawn again; after a refusal it is open again.
   * @param {() => Promise<unknown>} send
   */
  async answer(send) {
    if (this.answered === this.question) return;
    this.answered = this.question;
    this.rest();
    if (await send()) return;
    this.answered = "";
    this.drawn = "";
    const { view, seat } = this.bets;
    if (view) this.showDeciding(view, seatOf(view, seat));
  }

  /**
   * Show what can be done now.
   * @param {TableView} view
   * @param {number} own
   * @param {boolean} isReady
   */
  show(view, own, isReady) {
    const seat = seatOf(view, own);
    this.showBetting(view, seat, isReady);
    this.showDeciding(view, seat);
    const hint = this.hintWords(view, seat, isReady);
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    this.leave.hidden = !seat || Object.keys(seat.bets).length > 0 || view.bank?.holder === own;
    const isLow = view.you && view.you.balance_cents < LOW_CENTS && view.phase === "betting" && !this.bets.total;
    this.more.hidden = !(this.isDemo && isLow);
  }
}
