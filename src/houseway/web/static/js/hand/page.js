// The hand explorer: cards are clicked or typed, and every choice with them has its worth; or every wager, with cards gone.
import { TypedCard, cardKeys } from "../shared/card-keys.js";
import { card, cardName, fan } from "../shared/cards.js";
import { api, byId, capital, el, messageOf } from "../shared/dom.js";
import { settingParts, settingsIn } from "../runs/fields.js";
import { showEditions, showOutside, showStanding } from "../runs/frame.js";
import { Solving } from "../runs/solving.js";
import { choicesPanel, gonePanel } from "./answers.js";

/** @import { LabEdition } from "../types" */

/**
 * Cards of somebody: as many as are wanted.
 * @typedef {object} Place
 * @property {string} whose
 * @property {string} about
 * @property {number} least
 * @property {number} most
 */

const GONE_MOST = 40;
const SLOTS_MOST = 7;
/** So many keys stand in the upper half on a phone. */
const HALF = 28;
/** @type {Place} */
const GONE = { whose: "gone", about: "Cards that are gone", least: 0, most: GONE_MOST };
/** @type {{places: Place[], copies: Record<string, number>, gone: boolean, why_not: string, is_ready: boolean}} */
const NO_CARDS = { places: [], copies: {}, gone: false, why_not: "", is_ready: true };

/** The page. */
class Explorer {
  /** @param {LabEdition} edition @param {URLSearchParams} address */
  constructor(edition, address) {
    this.edition = edition;
    this.address = address;
    this.path = `/api/v1/editions/${edition.id}`;
    this.form = byId("asked", HTMLFormElement);
    this.choices = NO_CARDS;
    this.isGone = address.has("gone");
    /** Cards by whose they are. @type {Record<string, string[]>} */
    this.cards = {};
    this.chosen = "";
    this.turn = 0;
    this.solving = new Solving("Counting the dealer's hands, which is done once for these settings.");
    this.byKeyboard = new TypedCard();
    this.keys = cardKeys((code) => this.put(code));
  }

  async begin() {
    this.form.replaceChildren(...settingParts(this.edition, Object.fromEntries(this.address)));
    this.form.addEventListener("change", () => this.settle());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    byId("undo").addEventListener("click", () => this.takeBack());
    byId("clear").addEventListener("click", () => this.clear());
    document.addEventListener("keydown", (event) => this.pressed(event));
    for (const whose of ["hand", "dealer", "other", "gone"]) {
      const codes = (this.address.get(whose) ?? "").split(" ").filter((code) => this.keys.has(code));
      if (codes.length) this.cards[whose] = codes;
    }
    await this.settle();
  }

  /** The settings that are not as usual, as a query. */
  query() {
    const { settings, what_if: whatIf } = settingsIn(this.form, this.edition);
    return new URLSearchParams({ ...settings, ...(whatIf ? { what_if: "true" } : {}) });
  }

  /** Settings were chosen: which cards there are follows from them. */
  async settle() {
    try {
      this.choices = await api("GET", `${this.path}/hand?${this.query()}`);
    } catch {
      return;
    }
    if (!this.choices.places.length) this.isGone = true;
    this.showModes();
    this.chosen = this.chosen || this.places()[0]?.whose;
    const isNothing = !this.choices.places.length && !this.choices.gone;
    byId("clicked").hidden = isNothing;
    if (isNothing) byId("results").replaceChildren(el("p", { class: "empty" }, this.choices.why_not));
    else this.changed();
  }

  /** @returns {Place[]} */
  places() {
    return this.isGone && this.choices.gone ? [GONE] : this.choices.places;
  }

  showModes() {
    const both = this.choices.places.length > 0 && this.choices.gone;
    const mode = (/** @type {boolean} */ isGone, /** @type {string} */ words) =>
      el("button", {
        type: "button",
        role: "radio",
        class: "segment",
        "aria-checked": String(this.isGone === isGone),
        onclick: () => this.choose(isGone),
      }, words);
    byId("modes").hidden = !both;
    byId("modes").replaceChildren(mode(false, "A hand"), mode(true, "Cards gone from the shoe"));
  }

  /** @param {boolean} isGone */
  choose(isGone) {
    this.isGone = isGone;
    this.chosen = this.places()[0].whose;
    this.showModes();
    this.changed();
  }

  /** @param {string} whose */
  of(whose) {
    return this.cards[whose] ?? [];
  }

  /** Copies of a card that nobody has. @param {string} code */
  left(code) {
    const clicked = this.places().flatMap((place) => this.of(place.whose));
    return (this.choices.copies[code] ?? 0) - clicked.filter((other) => other === code).length;
  }

  /** The place that the next card goes to: the chosen one, or the first that wants some. */
  next() {
    const places = this.places();
    const here = places.find((place) => place.whose === this.chosen) ?? places[0];
    if (this.of(here.whose).length < here.most) return here;
    return places.find((place) => this.of(place.whose).length < place.least) ?? here;
  }

  /** @param {string} code */
  put(code) {
    const place = this.next();
    if (this.of(place.whose).length >= place.most || this.left(code) <= 0) return;
    this.cards[place.whose] = [...this.of(place.whose), code];
    this.chosen = place.whose;
    const wants = this.places().find((each) => this.of(each.whose).length < each.least);
    const has = this.of(place.whose).length; // two cards are a hand, so the next is the up-card, until the hand is chosen again
    if ((has === place.least || has >= place.most) && wants) this.chosen = wants.whose;
    this.changed();
  }

  /** @param {string} whose @param {number} at */
  remove(whose, at) {
    this.cards[whose] = this.of(whose).filter((_, place) => place !== at);
    this.chosen = whose;
    this.changed();
    byId(`place-${whose}`).querySelector("button")?.focus();
  }

  takeBack() {
    const filled = this.places().filter((place) => this.of(place.whose).length);
    const place = filled.find((each) => each.whose === this.chosen) ?? filled.at(-1);
    if (!place) return;
    this.cards[place.whose] = this.of(place.whose).slice(0, -1);
    this.chosen = place.whose;
    this.changed();
  }

  clear() {
    for (const place of this.places()) delete this.cards[place.whose];
    this.chosen = this.places()[0].whose;
    this.changed();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const isElsewhere = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || byId("clicked").hidden) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      this.takeBack();
      return;
    }
    const code = this.byKeyboard.typed(event);
    if (code && this.keys.has(code)) this.put(code);
  }

  changed() {
    this.showPlaces();
    this.showKeys();
    const places = this.places();
    const asked = new URLSearchParams();
    for (const { whose } of places) if (this.of(whose).length) asked.set(whose, this.of(whose).join(" "));
    if (this.isGone && !asked.has("gone")) asked.set("gone", "");
    const shared = new URLSearchParams([...this.query(), ...asked]);
    history.replaceState(null, "", `/lab/${this.edition.id}/hand?${shared}`);
    this.answer(places.find(({ whose, least }) => this.of(whose).length < least), shared);
  }

  showPlaces() {
    const places = this.places().map((place) => {
      const codes = this.of(place.whose);
      const buttons = codes.map((code, at) => {
        const label = `${cardName(code)}: take it away`;
        const does = { type: "button", class: "card-pick", "aria-label": label, onclick: () => this.remove(place.whose, at) };
        return el("button", does, card(code));
      });
      const isHere = place.whose === this.chosen;
      const empty = Math.max(0, Math.min(place.most, Math.max(place.least, codes.length + 1), SLOTS_MOST) - codes.length);
      const slots = Array.from({ length: empty }, () => el("span", { class: "no-card" }));
      const count = place.least === place.most ? `${codes.length} of ${place.most}` : `${codes.length}, up to ${place.most}`;
      const choose = () => {
        this.chosen = place.whose;
        this.changed();
      };
      const name = { type: "button", class: "place-name", "aria-pressed": String(isHere), onclick: choose };
      return el("div", { id: `place-${place.whose}`, class: isHere ? "place here" : "place" }, [
        el("button", name, place.about, el("small", {}, count)),
        el("div", { class: "hand", role: "group", "aria-label": place.about }, buttons, slots),
      ]);
    });
    byId("places").replaceChildren(...places);
    const isEmpty = this.places().every((place) => !this.of(place.whose).length);
    for (const id of ["undo", "clear"]) byId(id, HTMLButtonElement).disabled = isEmpty;
  }

  showKeys() {
    const place = this.next();
    const isFull = this.of(place.whose).length >= place.most;
    const shown = [...this.keys].filter(([code]) => code in this.choices.copies);
    for (const [code, button] of shown) {
      button.disabled = isFull || this.left(code) <= 0;
      button.classList.toggle("taken", this.left(code) <= 0);
    }
    if (byId("keys").querySelectorAll("button").length === shown.length) return;
    const buttons = shown.map(([, button]) => button);
    const blocks = [buttons.slice(0, HALF), buttons.slice(HALF)];
    byId("keys").replaceChildren(...blocks.map((block) => el("div", { class: "key-block" }, block)));
  }

  /** @param {Place | undefined} lacking @param {URLSearchParams} asked */
  async answer(lacking, asked) {
    this.turn += 1;
    const { turn } = this;
    this.solving.clear();
    if (lacking) {
      showOutside([]);
      const more = lacking.least - this.of(lacking.whose).length;
      const words = `${capital(lacking.about)}: ${more} more to click.`;
      byId("results").replaceChildren(el("p", { class: "empty" }, words));
      return;
    }
    const question = this.isGone ? "gone" : "best";
    if (!this.isGone && !this.choices.is_ready) {
      this.solve(turn);
      return;
    }
    try {
      const answer = await api("GET", `${this.path}/${question}?${asked}`, undefined, { quiet: true });
      if (turn === this.turn) this.show(answer);
    } catch (refused) {
      if (turn !== this.turn) return;
      byId("results").replaceChildren(el("p", { class: "empty" }, messageOf(refused)));
    }
  }

  /** What takes long is done apart. @param {number} turn */
  async solve(turn) {
    const cards = Object.fromEntries(this.places().map(({ whose }) => [whose, this.of(whose).join(" ")]));
    byId("results").replaceChildren();
    const asked = { ...cards, ...settingsIn(this.form, this.edition) };
    const answer = await this.solving.ask(`${this.path}/best/stream`, asked, () => this.solve(turn));
    if (turn !== this.turn || !answer) return;
    this.choices.is_ready = true;
    this.show(answer.data);
  }

  /** @param {any} answer */
  show(answer) {
    showOutside(answer.what_if);
    const panel = this.isGone ? gonePanel(answer) : choicesPanel(answer, (codes, label) => fan(codes, { label }));
    byId("results").replaceChildren(panel);
  }
}

async function start() {
  const wanted = byId("edition", HTMLSelectElement).dataset.edition;
  const editions = await api("GET", "/api/v1/editions");
  const edition = editions.find((/** @type {LabEdition} */ each) => each.id === wanted);
  showEditions(editions, edition, "hand");
  showStanding(edition);
  byId("rules", HTMLDetailsElement).open = window.innerWidth > 1100;
  await new Explorer(edition, new URLSearchParams(location.search)).begin();
}

start();
