// One's own bets: placed, undone, cleared, repeated and doubled. What is on its way shows at once; the house's view is the truth.
import { api, dollars, toast } from "./dom.js";
import { nameOf, wagerOf } from "./table-view.js";

/** A key that makes a command happen once (randomUUID is missing on pages that are not served securely). */
export const newKey = () => crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bets of one seat. `shown()` is called when something on its way changes. */
export class Bets {
  constructor(table, shown) {
    Object.assign(this, { table, shown, view: null, seat: 0, pending: {}, heard: {}, queue: Promise.resolve(), past: [], round: 0, before: {}, colourBefore: "" });
  }

  /** Take a new view in: the house's truth replaces what it has heard of. */
  take(view, seat) {
    const mine = view.seats.find((one) => one.seat === seat);
    if (view.round !== this.round || seat !== this.seat) this.past = [];
    if (view.phase === "betting" && mine && Object.keys(mine.bets).length) Object.assign(this, { before: { ...mine.bets }, beforeRound: view.round, colourBefore: mine.choices[0] ?? "" });
    Object.assign(this, { view, seat, round: view.round });
    for (const [wager, one] of Object.entries(this.pending)) if (one.seq && one.seq <= view.seq) delete this.pending[wager];
    for (const [wager, one] of Object.entries(this.heard)) if (one.seq <= view.seq) delete this.heard[wager];
    if (view.phase !== "betting") this.pending = {};
  }

  /** Bets as they will be when all that is on its way has arrived. */
  get now() {
    const mine = this.view?.seats.find((one) => one.seat === this.seat);
    const bets = { ...mine?.bets };
    for (const [wager, { cents }] of Object.entries(this.pending)) bets[wager] = cents;
    return Object.fromEntries(Object.entries(bets).filter(([, cents]) => cents > 0));
  }

  get onTheWay() { return Object.fromEntries(Object.entries(this.pending).map(([wager, { cents }]) => [wager, cents])); }
  get total() { return Object.values(this.now).reduce((sum, cents) => sum + cents, 0); }

  /** What the purse will hold when all that is on its way has arrived. */
  get purse() {
    const mine = this.view?.seats.find((one) => one.seat === this.seat);
    const known = Object.values(mine?.bets ?? {}).reduce((sum, cents) => sum + cents, 0);
    return (this.view?.you?.balance_cents ?? 0) + (this.view?.phase === "betting" ? known - this.total : 0);
  }

  /** How much more a wager takes: its limit, or the purse. */
  room(id) {
    const wager = wagerOf(this.view, id);
    return Math.max(0, Math.min(wager.max_cents - (this.now[id] ?? 0), this.purse));
  }

  /** Why these bets would be refused, or "". */
  flaw(bets) {
    const more = Object.values(bets).reduce((sum, cents) => sum + cents, 0) - this.total;
    if (more > this.purse) return `You have ${dollars(this.purse)} left.`;
    for (const [id, cents] of Object.entries(bets)) {
      const { name, min_cents: least, max_cents: most } = wagerOf(this.view, id);
      if (cents && (cents < least || cents > most)) return `${name} takes ${dollars(least)} to ${dollars(most)}; this would be ${dollars(cents)}.`;
    }
    return "";
  }

  /** A side wager that lacks the wager it needs beside it, in words; "" if all is well. */
  get lacking() {
    if (this.view?.settings.R6b === "yes") return "";
    const alone = Object.keys(this.now).map((id) => wagerOf(this.view, id)).find((wager) => wager?.needs && !this.now[wager.needs]);
    return alone ? `${alone.name} needs a ${nameOf(this.view, alone.needs)} bet beside it` : "";
  }

  /** Put a chip on a wager; where that would be under the minimum, the minimum is placed. */
  add(id, cents) {
    const wager = wagerOf(this.view, id);
    const wanted = Math.max((this.now[id] ?? 0) + cents, wager.min_cents);
    return this.change({ [id]: wanted });
  }

  /** Change some wagers, refused here where the house would refuse it: nothing is lost. */
  change(changes, isUndo = false) {
    const flaw = this.flaw({ ...this.now, ...changes });
    if (flaw) {
      toast(flaw, true);
      return false;
    }
    if (!isUndo) this.past.push(Object.fromEntries(Object.keys(changes).map((id) => [id, this.now[id] ?? 0])));
    for (const [id, cents] of Object.entries(changes)) if ((this.now[id] ?? 0) !== cents) this.send(id, cents);
    this.shown();
    return true;
  }

  undo() {
    const step = this.past.pop();
    return step ? this.change(step, true) : false;
  }

  clear() { return this.total > 0 && this.change(Object.fromEntries(Object.keys(this.now).map((id) => [id, 0]))); }

  /** The bets of the last round one played here, late and following ones left out. */
  get remembered() {
    const last = this.view?.last?.seats?.find((one) => one.seat === this.seat && one.guest === this.view.you?.guest);
    const bets = last && Object.keys(last.bets).length ? last.bets : this.beforeRound < this.round ? this.before : {};
    return Object.fromEntries(Object.entries(bets).filter(([id]) => !wagerOf(this.view, id)?.late && !wagerOf(this.view, id)?.follows));
  }

  get rememberedColour() {
    const last = this.view?.last?.seats?.find((one) => one.seat === this.seat && one.guest === this.view.you?.guest);
    return Object.values(this.view?.with_bet ?? {}).flat().find((part) => (last?.choices ?? []).includes(part)) ?? "";
  }

  repeat(times = 1) {
    const bets = this.remembered;
    if (!Object.keys(bets).length) return false;
    const colour = this.rememberedColour;
    const placed = this.change(Object.fromEntries(Object.entries(bets).map(([id, cents]) => [id, cents * times])));
    if (placed && colour) this.choose(colour);
    return placed;
  }

  /** Double what lies there; with nothing there, twice the last round's bets. */
  double() {
    if (!this.total) return this.repeat(2);
    return this.change(Object.fromEntries(Object.entries(this.now).map(([id, cents]) => [id, cents * 2])));
  }

  /** One command after the other; the newest wish for a wager is the one that counts. */
  send(id, cents) {
    const wish = { cents, seq: 0 };
    this.pending[id] = wish;
    this.queue = this.queue.then(async () => {
      if (this.pending[id] !== wish) return;
      const had = this.heard[id]?.cents ?? this.view.seats.find((one) => one.seat === this.seat)?.bets[id] ?? 0;
      try {
        const done = cents ? await this.command("bet", { wager: id, cents }) : had ? await this.command("withdraw", { wager: id }) : { seq: 0 };
        wish.seq = done.seq;
        if (done.seq > this.view.seq) this.heard[id] = { cents, seq: done.seq };
        if (wish.seq <= this.view.seq && this.pending[id] === wish) delete this.pending[id];
      } catch {
        if (this.pending[id] === wish) delete this.pending[id];
      }
      this.shown();
    });
  }

  /** The colour of a Red/Black bet, after the bet itself has arrived. */
  choose(choice) {
    this.queue = this.queue.then(() => this.command("decide", { choice }).catch(() => {}));
    return this.queue;
  }

  command(kind, fields) {
    return api("POST", `/api/v1/tables/${encodeURIComponent(this.table)}/${kind}`, { seat: this.seat, ...fields }, { key: newKey() });
  }
}
