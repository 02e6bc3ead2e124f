// The larger mistakes: all cards of a round keyed again, and a settled round corrected.
import { api, codeOf, el, inWords, messageOf, refusal } from "../shared/dom.js";
import { CardsField } from "./cards-field.js";
import { askUntil, formOf, quietButton } from "./parts.js";
import { SeatTruth, guestNames, truthOf } from "./seat-truth.js";

/** @import { FormField, Send } from "./parts.js" */
/** @import { SettledRound, SettledSeat, TableView } from "../types" */

const CARDS = "All cards, in the order they really came";

/** The number that was thrown, where that is keyed. @param {TableView} view @param {number} before */
function diceField({ face }, before) {
  if (!face.dice) return null;
  const faces = Array.from({ length: face.dice.sides }, (_, place) => place + 1);
  const options = faces.map((each) => el("option", { value: each, selected: each === before }, String(each)));
  return el("select", { id: "ask-dice" }, options);
}

/** @param {HTMLSelectElement | null} dice @param {string} words */
const diceRow = (dice, words) => (dice ? [el("label", { for: dice.id }, words), dice] : null);

/** @param {HTMLSelectElement | null} dice @param {number} before */
const diceTruth = (dice, before) => (dice && Number(dice.value) !== before ? { dice: Number(dice.value) } : {});

/** @param {object} truth */
function checkSomething(truth) {
  if (!Object.keys(truth).length) throw refusal("Nothing is changed yet: say what was wrong.", "nothing-changes");
}

/**
 * All cards of the round in play, with the decisions and the dice that belong to them.
 * @param {Send} send
 * @param {TableView} view
 * @param {FormField} why
 */
export function rekey(send, view, why) {
  const cards = new CardsField(view.drawn, { label: CARDS, joker: view.face.joker });
  const dice = view.face.dice?.is_marker ? null : diceField(view, view.dice);
  const seats = view.seats.filter((seat) => seat.held_cents || Object.keys(seat.bets).length).map((seat) => {
    return new SeatTruth(view, seat, { withBets: false });
  });
  const reason = formOf([why]);
  const rows = seats.map(({ element }) => element);
  const body = [
    el("p", {}, "The cards of this round were others. Bets stand, and so do decisions, unless others are given."),
    cards.element,
    diceRow(dice, view.face.dice?.words ?? ""),
    Object.keys(view.face.choices).length ? [el("h3", {}, "Decisions"), rows] : null,
    reason.rows,
  ];
  const does = () => {
    const truth = { ...diceTruth(dice, view.dice), ...truthOf(seats) };
    checkSomething({ ...truth, ...(cards.truth && { cards }) });
    return send("rekey", { cards: cards.input.value.trim(), ...truth, ...reason.given() }, { quiet: true });
  };
  return askUntil("Key all cards again", { body, words: "Put it right", does });
}

/** What a round's result can be, as words. @param {TableView} view @returns {[string, string][]} */
function resultsOf(view) {
  const known = view.face.results?.winners.map(({ result }) => result) ?? [];
  const outcomes = view.wagers.flatMap((wager) => wager.pays).filter(({ outcome }) => outcome !== "otherwise");
  return [...new Set([...known, ...outcomes.map(({ outcome }) => outcome)])].map((id) => [id, inWords(id)]);
}

/** A seat as a settled round had it; one without a wager is its guest's who sits there now. @returns {SettledSeat} */
function seatBefore(/** @type {SettledRound} */ round, /** @type {TableView["seats"][number]} */ { seat, guest }) {
  return round.seats.find((each) => each.seat === seat) ?? { seat, guest, bets: {}, for_dealer: {}, choices: [] };
}

/** A settled round, with all that can be corrected of it. */
class SettledForm {
  /** @param {TableView} view @param {SettledRound} round */
  constructor(view, round) {
    this.round = round;
    this.isKeyed = view.source !== "virtual-shoe";
    const changed = () => this.result && this.cards.input.value && (this.result.value = "");
    this.cards = new CardsField(round.cards, { label: CARDS, joker: view.face.joker, changed });
    this.result = this.isKeyed && view.face.results ? this.resultField(view) : null;
    this.dice = this.isKeyed ? diceField(view, round.dice) : null;
    this.seats = view.seats.map((seat) => new SeatTruth(view, seatBefore(round, seat), { withBets: true }));
    if (round.seats.length === 1) for (const seat of this.seats) seat.element.open = seat.hadWager;
    this.isVoid = el("input", { type: "checkbox", id: "ask-void", onchange: () => this.showVoid() });
    this.element = el("div", {}, this.parts(view));
  }

  /** @param {TableView} view */
  resultField(view) {
    const none = /** @type {[string, string]} */ (["", this.round.cards.length ? "By its cards" : "By the cards above"]);
    const options = [none, ...resultsOf(view)].map(([value, words]) => {
      return el("option", { value, selected: value === this.round.result }, words);
    });
    const result = el("select", { id: "ask-result" }, options);
    result.addEventListener("change", () => this.cards.set(result.value ? [] : this.round.cards));
    return result;
  }

  /** @param {TableView} view */
  parts(view) {
    const { corrected, is_void: wasVoid } = this.round;
    const words = [wasVoid ? "It is void: what you give settles it after all." : "", ...corrected].filter(Boolean);
    const before = words.length ? el("ul", { class: "notice corrected" }, words.map((each) => el("li", {}, each))) : null;
    this.rest = el("div", { class: "truths" }, [
      this.isKeyed ? this.cards.element : null,
      this.result ? [el("label", { for: "ask-result" }, "or the result"), this.result] : null,
      diceRow(this.dice, view.face.dice?.words ?? ""),
      el("h3", {}, "Seats"),
      this.seatRows(),
      guestNames(view),
    ]);
    const label = el("label", { class: "inline", for: "ask-void" }, this.isVoid, " Void the round: all wagers go back");
    return [before, this.rest, wasVoid ? null : label];
  }

  /** The seats that had a wager; the others are folded away. */
  seatRows() {
    const [had, others] = [true, false].map((is) => this.seats.filter((seat) => seat.hadWager === is));
    const rows = others.map(({ element }) => element);
    const rest = el("details", { class: "other-seats" }, el("summary", {}, "Seats that had no wager"), rows);
    return [had.map(({ element }) => element), others.length ? rest : null];
  }

  showVoid() {
    if (this.rest) this.rest.hidden = this.isVoid.checked;
  }

  /** What was otherwise, as the fields of the command. */
  get truth() {
    if (this.isVoid.checked) return { void: true };
    const result = this.result?.value ?? "";
    const cards = result ? "" : this.cards.truth;
    return {
      ...(cards && { cards }),
      ...(result && result !== this.round.result && { result }),
      ...diceTruth(this.dice, this.round.dice),
      ...truthOf(this.seats),
    };
  }
}

/** Which round is corrected, and the form of that. */
class Correction {
  /** @param {TableView} view */
  constructor(view) {
    this.view = view;
    /** @type {SettledForm | null} */
    this.form = null;
    const most = view.round - 1;
    this.number = el("input", { id: "ask-round", type: "number", min: 1, max: most, value: view.last?.round ?? most });
    this.number.addEventListener("change", () => this.load());
    this.place = el("div", { "aria-live": "polite" });
    const step = (/** @type {string} */ words, /** @type {number} */ by) =>
      quietButton(words, () => this.go(by), { "aria-label": by < 0 ? "The round before" : "The round after" });
    const picker = el("div", { class: "round-picker" }, step("◀", -1), this.number, step("▶", 1));
    this.element = el("div", {}, el("label", { for: "ask-round" }, "Round"), picker, this.place);
  }

  /** @param {number} by */
  go(by) {
    const to = Number(this.number.value) + by;
    if (to < 1 || to >= this.view.round) return;
    this.number.value = String(to);
    this.load();
  }

  /** Read the round as it stands. */
  async load() {
    this.form = null;
    this.place.replaceChildren(); // nothing is typed into the form of another round
    const number = Number(this.number.value);
    const path = `/api/v1/tables/${encodeURIComponent(this.view.name)}/rounds/${number}`;
    /** @type {SettledRound | Error} */
    const round = await api("GET", path, undefined, { quiet: true }).catch((refused) => refused);
    if (Number(this.number.value) !== number) return;
    this.form = round instanceof Error ? null : new SettledForm(this.view, round);
    this.place.replaceChildren(this.form?.element ?? el("p", { class: "notice warn-notice" }, messageOf(round)));
  }

  /** The command's fields. @param {Record<string, string>} reason */
  body(reason) {
    const truth = this.form?.truth ?? {};
    checkSomething(truth);
    return { round: this.form?.round.round, ...truth, ...reason };
  }
}

/** How many corrections of the round there are, as a refusal says at its end. @param {unknown} refused */
const seenIn = (refused) => Number(/again:? (\d+)\D*$/u.exec(messageOf(refused))?.[1] ?? 0);

/**
 * Correct a settled round; one that was corrected already, only if that is meant.
 * @param {Send} send
 * @param {TableView} view
 * @param {FormField} why
 */
export async function correct(send, view, why) {
  const correction = new Correction(view);
  await correction.load();
  const reason = formOf([why]);
  const about = "Change what was wrong, and only that. The round is settled again, and everybody gets or owes the difference.";
  const give = async (/** @type {object} */ seen) => {
    await send("correct", { ...correction.body(reason.given()), ...seen }, { quiet: true });
  };
  return askUntil("Correct a settled round", {
    body: [el("p", {}, about), correction.element, reason.rows],
    words: "Put it right",
    does: () => give({}),
    instead: (refused) => {
      if (codeOf(refused) !== "corrected-meanwhile") return null;
      return { words: "Correct it again", does: () => give({ again: seenIn(refused) }) };
    },
  });
}
