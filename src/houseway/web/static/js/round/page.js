// A round, told again: step through it, see each clause, its place in the chain and the proof of its shoe.
import { card } from "../shared/cards.js";
import { api, byId, countOf, dollars, el, messageOf, present, scrollRegion, signedDollars, svg } from "../shared/dom.js";
import { differsLine, editionBadge } from "../shared/edition.js";
import { cardTimes, momentsOf, named } from "./moments.js";
import { oddsPanel } from "./odds.js";
import { chain, copier, shoeProof } from "./proof.js";

/** @import { Cents, HandView, Payment, RoundView, SeatView } from "../types" */
/** @import { CardTime, Moment } from "./moments.js" */

/** @typedef {{slot: HTMLElement, worth: HTMLElement, key: string}} Slot a place for a card */

/** @type {Record<string, string>} */
const SIGNS = {
  first: "M4 4v16M20 4 8 12l12 8Z",
  back: "M18 4 6 12l12 8Z",
  next: "M6 4l12 8-12 8Z",
  last: "M20 4v16M4 4l12 8-12 8Z",
};

/** @param {string} at */
const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** @param {RoundView} round @param {string} wager */
const wagerName = (round, wager) => round.names[wager]?.name ?? named(wager);

/** @param {Cents} cents */
const toneOf = (cents) => (cents > 0 ? "good" : cents < 0 ? "bad" : "");

/** @param {Cents} cents */
const wonWords = (cents) => (cents ? signedDollars(cents) : "push");

/**
 * A clause leads to the rulebook; what is no clause of it ("house rules") is only named.
 * @param {RoundView} round
 * @param {string} clause
 */
function clauseLink(round, clause) {
  if (!clause) return null;
  if (clause.includes(" ")) return el("span", { class: "clause plain" }, clause);
  const href = `/editions/${round.edition.id}#${clause}`;
  return el("a", { class: "clause mono", href, title: "read the clause" }, clause);
}

/** @param {RoundView} round */
function head(round) {
  /** @type {(seq: number | null, words: string, id: string) => HTMLElement} */
  const step = (seq, words, id) =>
    seq
      ? el("a", { class: "button quiet", id, href: `/rounds/${seq}` }, words)
      : el("span", { class: "button quiet off", "aria-disabled": "true" }, words);
  const { before, after } = round.neighbours;
  const about = `${named(round.how)} ${when(round.at)} · gaming day ${round.day} · entry ${round.seq}`;
  return el("header", { class: "round-head" }, [
    el("div", {}, [
      el("h1", {}, `Round ${round.round} · ${round.table}`),
      el("p", { class: "about" }, round.edition.name, " ", editionBadge(round.edition)),
      differsLine(round.edition),
      el("p", { class: "small" }, about),
      round.corrections.map((entry) => el("p", { class: "notice" }, `Corrected ${when(entry.at)}: ${entry.words.join(". ")}`)),
    ]),
    el("div", { class: "tools no-print" }, [
      step(before, "← Round before", "before"),
      step(after, "Round after →", "after"),
      copier(location.href, "Copy the link"),
      el("button", { type: "button", class: "quiet", onclick: () => print() }, "Print"),
    ]),
  ]);
}

// ---- the felt -------------------------------------------------------------------------------------------------------

/** The felt of a round; its cards are kept to be turned. */
class RoundFelt {
  /** @param {RoundView} round */
  constructor(round) {
    this.round = round;
    /** @type {Slot[]} */
    this.slots = [];
    this.parts = present(round.how === "voided" ? [this.voided()] : this.hands());
  }

  voided() {
    const words = "The round was voided: no hand counts, and every wager went back to its owner.";
    return el("p", { class: "empty on-felt" }, `${words} The steps show what happened.`);
  }

  hands() {
    const { seats, dealer, face } = this.round;
    const house = dealer.map((hand, which) => this.hand(hand, which, ""));
    const played = seats.filter((seat) => Object.keys(seat.bets).length);
    const idle = seats.filter((seat) => !Object.keys(seat.bets).length && seat.hands.length);
    const summary = el("summary", {}, `${countOf(idle.length, "position")} without a bet`);
    return [
      el("div", { class: face.common ? "hands house common" : "hands house" }, house),
      el("div", { class: "seats" }, played.map((seat) => this.seat(seat))),
      idle.length
        ? el("details", { class: "idle" }, summary, el("div", { class: "seats" }, idle.map((seat) => this.seat(seat))))
        : null,
    ];
  }

  /**
   * One hand.
   * @param {HandView} hand
   * @param {number} which
   * @param {string} seat "" for the house
   */
  hand(hand, which, seat) {
    const { face } = this.round;
    const worth = el("span", { class: "worth" }, hand.worth);
    const slots = hand.cards.map((_, place) => {
      const slot = el("span", { class: "slot" });
      this.slots.push({ slot, worth, key: `${seat}/${which}/${place}` });
      return slot;
    });
    const owner = seat === "" ? face.hands.find((box) => box.owner === hand.owner) : undefined;
    const part = hand.part ? named(hand.part) : "";
    const name = [owner?.name, part].filter(Boolean).join(" · ");
    const mark = owner?.mark ? el("span", { class: "hand-mark", "aria-hidden": "true" }, owner.mark) : null;
    const title = el("div", { class: "hand-title" }, el("b", {}, mark, name), worth);
    return el("div", { class: `shown-hand tone-${owner?.tone ?? "plain"}` }, title, el("div", { class: "slots" }, slots));
  }

  /** @param {SeatView} seat */
  seat(seat) {
    const { payments } = this.round;
    const bets = Object.entries(seat.bets).map(([wager, cents]) => {
      const own = payments.filter((paid) => paid.seat === seat.seat && paid.wager === wager);
      const won = own.reduce((sum, paid) => sum + paid.win_cents, 0);
      const bet = el("b", { class: "money" }, dollars(cents));
      const outcome = el("span", { class: `outcome ${toneOf(won)}` }, ` ${wonWords(won)}`);
      return el("li", {}, `${wagerName(this.round, wager)} `, bet, outcome);
    });
    const hands = seat.hands.map((hand, which) => this.hand(hand, which, String(seat.seat)));
    return el("div", { class: "seat-box" }, [
      el("h3", {}, `Seat ${seat.seat}`, seat.guest ? ` · ${seat.guest}` : ""),
      el("div", { class: "hands" }, hands),
      bets.length ? el("ul", { class: "bets" }, bets) : null,
    ]);
  }

  /**
   * Put the cards down as they lay at a moment.
   * @param {Map<string, CardTime>} times
   * @param {number} at
   */
  lay(times, at) {
    for (const { worth } of this.slots) worth.classList.remove("later");
    for (const { slot, worth, key } of this.slots) {
      const time = times.get(key);
      if (!time) continue;
      if (at < time.up) worth.classList.add("later");
      const state = at < time.dealt ? "none" : at < time.up ? "down" : "up";
      slot.classList.toggle("named", time.named.includes(at));
      if (slot.dataset.state === state) continue;
      slot.dataset.state = state;
      slot.replaceChildren(...(state === "none" ? [] : [card(state === "up" ? time.code : null)]));
    }
  }
}

// ---- payments -------------------------------------------------------------------------------------------------------

/** @param {RoundView} round @param {Payment} paid @param {number} place */
function paymentRow(round, paid, place) {
  const outcome = round.names[paid.wager]?.outcomes[paid.outcome] ?? named(paid.outcome);
  return el("tr", { dataset: { payment: place } }, [
    el("td", {}, String(paid.seat)),
    el("td", {}, paid.guest),
    el("td", {}, wagerName(round, paid.wager), paid.spot ? ` · ${paid.spot}` : ""),
    el("td", {}, outcome),
    el("td", { class: "number" }, dollars(paid.stake_cents)),
    el("td", { class: `number ${toneOf(paid.win_cents)}` }, wonWords(paid.win_cents)),
    el("td", {}, clauseLink(round, paid.clause)),
  ]);
}

/** @param {RoundView} round */
function payments(round) {
  const paid = round.payments.filter((payment) => payment.event === "paid");
  if (!paid.length) return null;
  const net = paid.reduce((sum, payment) => sum + payment.win_cents, 0);
  const names = ["Seat", "Guest", "Wager", "Outcome", "Stake", "Won or lost", "Clause"];
  const heads = names.map((name, at) => el("th", { scope: "col", class: at === 4 || at === 5 ? "number" : "" }, name));
  const sum = el("td", { class: "number" }, el("b", {}, signedDollars(net)));
  const total = el("tr", {}, el("th", { scope: "row", colspan: 5 }, "Together"), sum, el("td", {}));
  const table = el("table", {}, [
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, paid.map((payment, place) => paymentRow(round, payment, place))),
    el("tfoot", {}, total),
  ]);
  const title = el("h2", { id: "payments-title" }, "Payments");
  const section = { class: "panel payments", "aria-labelledby": "payments-title" };
  return el("section", section, title, el("div", scrollRegion("Payments"), table));
}

// ---- stepping through -----------------------------------------------------------------------------------------------

/** @param {RoundView} round @param {Moment} moment @param {number} place @param {(place: number) => void} go */
function momentRow(round, moment, place, go) {
  const seat = moment.seat && moment.isOneOfSeveral ? `Seat ${moment.seat}: ` : "";
  const mark = moment.kind === "entry" ? `entry ${moment.entry?.seq}` : moment.kind;
  const words = el("span", {}, seat + moment.words.join(". "));
  const button = { type: "button", class: "go", onclick: () => go(place) };
  const row = { class: `moment ${moment.kind}`, dataset: { place } };
  return el("li", row, el("button", button, el("span", { class: "mark" }, mark), words), clauseLink(round, moment.clause));
}

/** The stepper: buttons, a slider, arrow keys; the list beside it is the same in words. */
class Stepper {
  /** @param {RoundView} round @param {RoundFelt} felt */
  constructor(round, felt) {
    this.round = round;
    this.felt = felt;
    this.moments = momentsOf(round);
    const times = cardTimes(round, this.moments);
    this.times = new Map(times.map((time) => [`${time.seat}/${time.which}/${time.place}`, time]));
    this.at = this.end;
    this.said = el("p", { id: "moment", class: "said", "aria-live": "polite" });
    this.count = el("span", { id: "count", class: "count" });
    const range = { min: 1, max: this.moments.length, step: 1 };
    this.slide = el("input", { type: "range", ...range, "aria-label": "Step of the round" });
    this.slide.addEventListener("input", () => this.go(Number(this.slide.value) - 1));
    this.first = this.button("first", "First step", () => 0);
    this.back = this.button("back", "Step back (left arrow)", () => this.at - 1);
    this.next = this.button("next", "Next step (right arrow)", () => this.at + 1);
    this.last = this.button("last", "Last step", () => this.end);
    const rows = this.moments.map((moment, place) => momentRow(round, moment, place, (to) => this.go(to)));
    this.list = el("ol", { id: "moments", class: "moments", tabindex: 0, "aria-label": "Every step" }, rows);
    const parts = [this.first, this.back, this.count, this.next, this.last, this.slide];
    const group = { class: "stepper no-print", role: "group", "aria-label": "Step through the round" };
    this.bar = el("div", group, parts);
    addEventListener("keydown", (event) => this.press(event));
  }

  get end() {
    return this.moments.length - 1;
  }

  /** @param {string} id @param {string} words @param {() => number} to */
  button(id, words, to) {
    const path = svg("path", { d: SIGNS[id], fill: "currentColor", stroke: "currentColor", "stroke-width": 2 });
    const sign = svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, path);
    const names = { class: "quiet", id, "aria-label": words, title: words };
    return el("button", { type: "button", ...names, onclick: () => this.go(to()) }, sign);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const isTyping = /** @type {Element} */ (event.target).closest("input, textarea, select, summary");
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.end }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  /** Go to a moment. @param {number} place */
  go(place) {
    this.at = Math.max(0, Math.min(this.end, place));
    const moment = this.moments[this.at];
    this.felt.lay(this.times, this.at);
    byId("round").classList.toggle("unpaid", this.at < this.end && moment.kind !== "payment");
    this.slide.value = String(this.at + 1);
    this.count.textContent = `${this.at + 1} of ${this.moments.length}`;
    this.said.replaceChildren(moment.words.join(". "), " ", clauseLink(this.round, moment.clause) ?? "");
    this.first.disabled = this.back.disabled = this.at === 0;
    this.next.disabled = this.last.disabled = this.at === this.end;
    this.mark(moment);
  }

  /** Mark the moment in the list, and its payment. @param {Moment} moment */
  mark({ payment }) {
    /** @type {NodeListOf<HTMLElement>} */
    const rows = document.querySelectorAll(".moment, tr[data-payment]");
    for (const row of rows) {
      const isPaid = payment !== undefined && row.dataset.payment === String(payment);
      const isHere = row.dataset.place === String(this.at) || isPaid;
      row.classList.toggle("here", isHere);
      if (row.dataset.place) row.toggleAttribute("aria-current", isHere);
    }
    /** @type {HTMLElement | null} */
    const here = this.list.querySelector(".here");
    if (here) this.list.scrollTop = here.offsetTop - this.list.clientHeight / 2;
  }
}

/** @param {RoundView} round */
function show(round) {
  const place = byId("round");
  const felt = new RoundFelt(round);
  const stepper = new Stepper(round, felt);
  document.title = `Round ${round.round} · ${round.table} · Houseway`;
  const stage = [
    el("section", { class: "cloth-panel", "aria-label": "The cards" }, felt.parts),
    el("div", { class: "panel steps-panel" }, stepper.said, stepper.bar),
    payments(round),
  ];
  const title = el("h2", { id: "steps-title" }, "Step by step");
  const list = el("section", { class: "panel list-panel", "aria-labelledby": "steps-title" }, title, stepper.list);
  place.replaceChildren(
    head(round),
    el("div", { class: "replay" }, el("div", { class: "stage" }, stage), list),
    ...present([oddsPanel(round)]),
    el("div", { class: "proofs" }, chain(round), shoeProof(round)),
  );
  place.setAttribute("aria-busy", "false");
  stepper.go(stepper.end);
  /** @type {HTMLElement | null} */
  const own = document.querySelector(".order .here");
  if (own?.parentElement) own.parentElement.scrollTop = own.offsetTop - 60;
}

/** @param {unknown} refused */
function refuse(refused) {
  const about = "A round's number is the number of the journal entry that settled or voided it.";
  const panel = el("div", { class: "panel narrow" }, [
    el("h1", {}, "No such round"),
    el("p", {}, `${messageOf(refused)}.`),
    el("p", { class: "small" }, `${about} The table page shows it with every finished round.`),
    el("p", {}, el("a", { class: "button quiet", href: "/" }, "To the tables")),
  ]);
  byId("round").replaceChildren(panel);
  byId("round").setAttribute("aria-busy", "false");
}

api("GET", `/api/v1/rounds/${byId("round").dataset.seq}`, undefined, { quiet: true }).then(show, refuse);
