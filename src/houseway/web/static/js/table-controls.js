// One's own play below the felt: chips and bets while bets are open, decisions when one is asked, and what to do next.
import { dollars, el } from "./dom.js";
import { rack } from "./chips.js";
import { decisions } from "./table-decide.js";
import { nameOf, wagerOf } from "./table-view.js";

const CHIPS = [100, 500, 2_500, 10_000, 50_000];
const LOW_CENTS = 10_000;

/** The controls of a guest. */
export class Controls {
  constructor(place, { bets, setting, page, act, insure, command, deal, refill, leave }) {
    Object.assign(this, { bets, setting, page, act, insure, command, deal, key: "", chips: null });
    const button = (words, does, properties = {}) => el("button", { type: "button", class: "quiet", onclick: does, ...properties }, words, properties["aria-keyshortcuts"] ? el("kbd", { "aria-hidden": "true" }, properties["aria-keyshortcuts"]) : null);
    this.undo = button("Undo", () => bets.undo(), { "aria-keyshortcuts": "U" });
    this.clear = button("Clear", () => bets.clear(), { "aria-keyshortcuts": "C" });
    this.repeat = button("Repeat", () => bets.repeat(), { "aria-keyshortcuts": "R" });
    this.double = button("Double", () => bets.double(), { "aria-keyshortcuts": "D" });
    this.dealButton = button("Deal", deal, { class: "deal", id: "deal" });
    this.rackPlace = el("div", { class: "rack-place" });
    this.colours = el("div", { class: "colours", role: "radiogroup", "aria-label": "Colour of the Red/Black bet", hidden: true });
    this.limits = el("p", { class: "limit-line", id: "limits" });
    this.betting = el("div", { class: "betting", hidden: true }, this.rackPlace, el("div", { class: "bet-buttons" }, this.undo, this.clear, this.repeat, this.double), this.dealButton);
    this.deciding = el("div", { class: "deciding", hidden: true });
    this.hint = el("p", { class: "hint" });
    this.more = button("More chips", refill, { id: "more-chips", hidden: true });
    this.leaveButton = button("Leave seat", leave, { id: "leave", hidden: true });
    place.replaceChildren(this.betting, this.deciding, el("div", { class: "controls-foot" }, this.colours, this.hint, this.limits, this.more, this.leaveButton));
  }

  /** The chip that is placed now. */
  get chip() { return this.chips?.value ?? 0; }

  /** Chips no smaller than the smallest minimum and no larger than the largest maximum. */
  makeRack(view) {
    const open = view.wagers.filter((wager) => !wager.follows && !wager.late);
    const least = Math.min(...open.map((wager) => wager.min_cents)), most = Math.max(...open.map((wager) => wager.max_cents));
    const denominations = CHIPS.filter((cents) => cents >= least && cents <= most);
    const key = denominations.join();
    if (key === this.rackKey) return;
    this.rackKey = key;
    this.denominations = denominations;
    this.chips = rack({ denominations, selected: denominations.includes(500) ? 500 : denominations[0], onpick: () => this.tellLimits(this.told) });
    this.rackPlace.replaceChildren(this.chips);
  }

  chooseChip(place) {
    if (!this.denominations?.[place]) return false;
    this.chips.value = this.denominations[place];
    this.tellLimits(this.told);
    return true;
  }

  /** Put the chosen chip on a spot. */
  place(wager) {
    this.bets.add(wager, this.chip);
    this.tellLimits(wager);
  }

  /** The limits of a wager, before they are hit. */
  tellLimits(id) {
    this.told = id ?? this.told;
    const { view } = this.bets;
    const wager = view && wagerOf(view, this.told);
    if (!wager || wager.follows) return;
    const bet = this.bets.now[wager.id] ?? 0, room = this.bets.room(wager.id);
    const full = room < this.chip;
    const words = [`${wager.name} ${dollars(wager.min_cents)} to ${dollars(wager.max_cents)}`, bet ? `bet ${dollars(bet)}` : "", room ? `room for ${dollars(room)} more` : bet >= wager.max_cents ? "at its limit" : "your purse is empty", wager.needs && !this.bets.now[wager.needs] && view.settings.R6b !== "yes" ? `needs a ${nameOf(view, wager.needs)} bet` : ""];
    this.limits.replaceChildren(words.filter(Boolean).join(" · "));
    this.limits.classList.toggle("full", full);
  }

  get mayDeal() { return !this.betting.hidden && !this.dealButton.hidden && !this.dealButton.disabled; }

  /** Red or black, once the bet lies there. */
  showColours(view, seat) {
    const wager = Object.keys(view.with_bet).find((id) => this.bets.now[id]);
    this.colours.hidden = !wager;
    if (!wager) return;
    const chosen = view.with_bet[wager].find((part) => seat.choices.includes(part)) ?? view.settings.colour;
    const key = `${wager} ${chosen}`;
    if (this.colours.dataset.key === key) return;
    this.colours.dataset.key = key;
    this.colours.replaceChildren(el("span", { class: "small" }, `${nameOf(view, wager)}:`), ...view.with_bet[wager].map((part) => el("button", { type: "button", role: "radio", class: `colour ${part}`, "aria-checked": String(part === chosen), onclick: () => this.bets.choose(part) }, part)));
  }

  hintWords(view, seat, isReady) {
    if (!view.is_open) return "This table is closed. Choose another one in the lobby.";
    if (!seat) return view.seats.some((one) => !one.guest) ? "Press “Sit here” at a free seat to play." : "Every seat is taken: you can watch until one is free.";
    if (view.bank?.holder === seat.seat) return "You bank this hand. The bank does not wager.";
    if (seat.to_act.length && view.clock) return "The house decides for you when the clock runs out.";
    if (view.phase !== "betting") return seat.to_act.length || !Object.keys(seat.bets).length ? "" : "Your bets stand. Good luck.";
    if (view.bank && !view.bank.holder) return view.bank.offered === seat.seat ? "Take the bank or pass it on." : "Bets can be placed; the hand is dealt when somebody banks.";
    if (this.bets.lacking) return `${this.bets.lacking}.`;
    if (!this.bets.total) return "Choose a chip, then press a spot on the felt.";
    if (isReady) return "Ready. The croupier deals when the others are, or their time is up.";
    return this.page.demo === "yes" && view.source === "virtual-shoe" ? "Press Deal when all your bets are placed." : "The dealer closes the betting.";
  }

  showBetting(view, seat, isReady) {
    const open = Boolean(seat) && view.is_open && view.phase === "betting" && view.bank?.holder !== seat?.seat;
    this.betting.hidden = this.limits.hidden = !open;
    if (!open) {
      this.colours.hidden = true;
      return;
    }
    this.makeRack(view);
    const { bets } = this;
    this.undo.disabled = !bets.past.length;
    this.clear.disabled = !bets.total;
    this.repeat.disabled = !Object.keys(bets.remembered).length;
    this.double.disabled = !bets.total && this.repeat.disabled;
    this.dealButton.hidden = this.page.demo !== "yes" || view.source !== "virtual-shoe";
    this.dealButton.disabled = !bets.total || Boolean(bets.lacking) || isReady || Boolean(view.bank && !view.bank.holder);
    const words = isReady ? "Waiting…" : bets.total ? `Deal · ${dollars(bets.total)}` : "Deal";
    if (this.dealButton.textContent !== words) this.dealButton.textContent = words;
    this.showColours(view, seat);
    const first = view.wagers.find((wager) => !wager.follows && !wager.late)?.id;
    this.tellLimits(this.told && wagerOf(view, this.told) ? this.told : first);
  }

  showDeciding(view, seat) {
    const key = JSON.stringify([view.round, seat?.to_act, seat?.hands, seat?.bets, view.before_look, this.setting.picked, this.setting.told, this.setting.houseWay, (view.you?.balance_cents ?? 0)]);
    this.deciding.hidden = !seat?.to_act.length;
    if (key === this.key) return;
    this.key = key;
    this.question = seat ? JSON.stringify([view.round, seat.seat, seat.choices, seat.to_act, seat.bets]) : "";
    const focused = this.deciding.contains(document.activeElement) ? document.activeElement.dataset.choice : undefined;
    const made = decisions(view, seat, { setting: this.setting, act: (choice) => this.answer(() => this.act(choice)), insure: (wager, cents) => this.answer(() => this.insure(wager, cents)) });
    this.deciding.replaceChildren(...(made ? [made] : []));
    if (this.answered === this.question) this.rest();
    if (focused) this.deciding.querySelector(`[data-choice="${focused}"]:not(:disabled)`)?.focus();
  }

  /** The buttons rest while the house has not answered. */
  rest() { for (const one of this.deciding.querySelectorAll("button")) one.disabled = true; }

  /** A question is answered once, however often its buttons are drawn again; after a refusal it is open again. */
  async answer(send) {
    if (this.answered === this.question) return;
    this.answered = this.question;
    this.rest();
    if (await send()) return;
    this.answered = this.key = "";
    this.showDeciding(this.bets.view, this.bets.view.seats.find((one) => one.seat === this.bets.seat));
  }

  /** Show what can be done now. */
  show(view, own, isReady) {
    const seat = view.seats.find((one) => one.seat === own);
    this.showBetting(view, seat, isReady);
    this.showDeciding(view, seat);
    const hint = this.hintWords(view, seat, isReady);
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    this.leaveButton.hidden = !seat || Object.keys(seat.bets).length > 0 || view.bank?.holder === own;
    const low = view.you && view.you.balance_cents < LOW_CENTS && view.phase === "betting" && !this.bets.total;
    this.more.hidden = !(this.page.demo === "yes" && low);
  }
}
