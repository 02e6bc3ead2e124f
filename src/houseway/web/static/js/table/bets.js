// One's own bets: placed, undone, cleared, repeated and doubled. What is on its way shows at once; the house's view is the
// truth.
import { api, dollars, newKey, toast } from "../shared/dom.js";
import { nameOf, seatOf, sumOf, wagerOf } from "./felt-state.js";

/** @import { Cents, TableView } from "../types" */

/** @typedef {{cents: Cents, seq: number}} Wish a bet on its way; `seq` is the entry that took it, once that is known */

/** Bets of one seat. */
export class Bets {
  /** @param {string} table @param {() => void} shown is called when something on its way changes */
  constructor(table, shown) {
    this.table = table;
    this.shown = shown;
    /** @type {TableView | null} */
    this.view = null;
    this.seat = 0;
    this.round = 0;
    /** @type {Record<string, Wish>} */
    this.pending = {};
    /** What the house has taken, though its view does not show it yet. @type {Record<string, Wish>} */
    this.taken = {};
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    /** What each change replaced, to be undone. @type {Record<string, Cents>[]} */
    this.past = [];
    /** @type {Record<string, Cents>} */
    this.before = {};
    this.beforeRound = 0;
  }

  /**
   * Take a new view in: the house's truth replaces what it has heard of.
   * @param {TableView} view
   * @param {number} seat
   */
  take(view, seat) {
    const mine = seatOf(view, seat);
    if (view.round !== this.round || seat !== this.seat) this.past = [];
    if (view.phase === "betting" && mine && Object.keys(mine.bets).length) {
      this.before = { ...mine.bets };
      this.beforeRound = view.round;
    }
    Object.assign(this, { view, seat, round: view.round });
    for (const wishes of [this.pending, this.taken]) {
      for (const [wager, { seq }] of Object.entries(wishes)) if (seq && seq <= view.seq) delete wishes[wager];
    }
    if (view.phase !== "betting") this.pending = {};
  }

  get mine() {
    return this.view ? seatOf(this.view, this.seat) : undefined;
  }

  /** Bets as they will be when all that is on its way has arrived. */
  get now() {
    const bets = { ...this.mine?.bets, ...this.onTheWay };
    return Object.fromEntries(Object.entries(bets).filter(([, cents]) => cents > 0));
  }

  get onTheWay() {
    return Object.fromEntries(Object.entries(this.pending).map(([wager, { cents }]) => [wager, cents]));
  }

  get total() {
    return sumOf(this.now);
  }

  /** What the purse will hold when all that is on its way has arrived. */
  get purse() {
    const change = this.view?.phase === "betting" ? sumOf(this.mine?.bets ?? {}) - this.total : 0;
    return (this.view?.you?.balance_cents ?? 0) + change;
  }

  /** How much more a wager takes: its limit, or the purse. @param {string} id */
  room(id) {
    const most = (this.view && wagerOf(this.view, id)?.max_cents) ?? 0;
    return Math.max(0, Math.min(most - (this.now[id] ?? 0), this.purse));
  }

  /** Why these bets would be refused, or "". @param {Record<string, Cents>} bets */
  flaw(bets) {
    if (sumOf(bets) - this.total > this.purse) return `You have ${dollars(this.purse)} left.`;
    for (const [id, cents] of Object.entries(bets)) {
      const wager = this.view && wagerOf(this.view, id);
      if (!wager || !cents || (cents >= wager.min_cents && cents <= wager.max_cents)) continue;
      const limits = `${dollars(wager.min_cents)} to ${dollars(wager.max_cents)}`;
      return `${wager.name} takes ${limits}; this would be ${dollars(cents)}.`;
    }
    return "";
  }

  /** A side wager that lacks the wager it needs beside it, in words; "" if all is well. */
  get lacking() {
    const { view, now } = this;
    if (!view) return "";
    const alone = view.wagers.find((wager) => now[wager.id] && wager.needs && !now[wager.needs]);
    return alone ? `${alone.name} needs a ${nameOf(view, alone.needs)} bet beside it` : "";
  }

  /**
   * Put a chip on a wager; where that would be under the minimum, the minimum is placed.
   * @param {string} id
   * @param {Cents} cents
   */
  add(id, cents) {
    const least = (this.view && wagerOf(this.view, id)?.min_cents) ?? 0;
    return this.change({ [id]: Math.max((this.now[id] ?? 0) + cents, least) });
  }

  /**
   * Change some wagers, refused here where the house would refuse it: nothing is lost.
   * @param {Record<string, Cents>} changes
   */
  change(changes, isUndo = false) {
    const flaw = this.flaw({ ...this.now, ...changes });
    if (flaw) {
      toast(flaw, true);
      return false;
    }
    const { now } = this;
    if (!isUndo) this.past.push(Object.fromEntries(Object.keys(changes).map((id) => [id, now[id] ?? 0])));
    for (const [id, cents] of Object.entries(changes)) if ((now[id] ?? 0) !== cents) this.send(id, cents);
    this.shown();
    return true;
  }

  undo() {
    const step = this.past.pop();
    return step ? this.change(step, true) : false;
  }

  clear() {
    return this.total > 0 && this.change(Object.fromEntries(Object.keys(this.now).map((id) => [id, 0])));
  }

  /** One's seat in the round before. */
  get lastSeat() {
    const { view } = this;
    return view?.last?.seats.find((seat) => seat.seat === this.seat && seat.guest === view.you?.guest);
  }

  /** The bets of the last round one played here, late and following ones left out. */
  get remembered() {
    const last = this.lastSeat?.bets ?? {};
    const known = this.beforeRound < this.round ? this.before : {};
    const bets = Object.keys(last).length ? last : known;
    const isOwnBet = (/** @type {string} */ id) => {
      const wager = this.view && wagerOf(this.view, id);
      return wager && !wager.late && !wager.follows;
    };
    return Object.fromEntries(Object.entries(bets).filter(([id]) => isOwnBet(id)));
  }

  /** The part that was chosen with a bet of the last round, such as its colour; "" if none. */
  get rememberedPart() {
    const chosen = this.lastSeat?.choices ?? [];
    return Object.values(this.view?.with_bet ?? {}).flat().find((part) => chosen.includes(part)) ?? "";
  }

  repeat(times = 1) {
    const bets = Object.entries(this.remembered);
    if (!bets.length) return false;
    const part = this.rememberedPart;
    const isPlaced = this.change(Object.fromEntries(bets.map(([id, cents]) => [id, cents * times])));
    if (isPlaced && part) this.choose(part);
    return isPlaced;
  }

  /** Double what lies there; with nothing there, twice the last round's bets. */
  double() {
    if (!this.total) return this.repeat(2);
    return this.change(Object.fromEntries(Object.entries(this.now).map(([id, cents]) => [id, cents * 2])));
  }

  /**
   * One command after the other; the newest wish for a wager is the one that counts.
   * @param {string} id
   * @param {Cents} cents
   */
  send(id, cents) {
    const wish = { cents, seq: 0 };
    this.pending[id] = wish;
    this.queue = this.queue.then(async () => {
      if (this.pending[id] !== wish) return;
      try {
        await this.place(id, wish);
      } catch {
        if (this.pending[id] === wish) delete this.pending[id];
      }
      this.shown();
    });
  }

  /** @param {string} id @param {Wish} wish */
  async place(id, wish) {
    const there = this.taken[id]?.cents ?? this.mine?.bets[id] ?? 0;
    const { seq } = wish.cents
      ? await this.command("bet", { wager: id, cents: wish.cents })
      : there
        ? await this.command("withdraw", { wager: id })
        : { seq: 0 };
    const seen = this.view?.seq ?? 0;
    wish.seq = seq;
    if (seq > seen) this.taken[id] = { cents: wish.cents, seq };
    else if (this.pending[id] === wish) delete this.pending[id];
  }

  /** Choose a part of a bet, after the bet itself has arrived. @param {string} choice */
  choose(choice) {
    this.queue = this.queue.then(() => this.command("decide", { choice }).catch(() => {}));
    return this.queue;
  }

  /** @param {string} kind @param {object} fields */
  command(kind, fields) {
    const path = `/api/v1/tables/${encodeURIComponent(this.table)}/${kind}`;
    return api("POST", path, { seat: this.seat, ...fields }, { key: newKey() });
  }
}
