// How an exercise is answered: options, dollars, cards, chips of the tray, an order; by mouse, touch and keyboard.
import { fan } from "../shared/cards.js";
import { chipFace, pile } from "../shared/chips.js";
import { byId, countOf, el } from "../shared/dom.js";

/** @import { Answer, Ask, Control, Exercise } from "./types" */

const KEYS = 9;
const COUNT_MOST = 400;

/** The place that a digit names, or -1. @param {KeyboardEvent} event */
const digitOf = ({ key }) => (/^[1-9]$/.test(key) ? Number(key) - 1 : -1);

/** @param {number} place */
const keyCap = (place) => (place < KEYS ? el("kbd", { "aria-hidden": "true" }, String(place + 1)) : null);

/** Say something to a screen reader. @param {string} words */
function say(words) {
  byId("said").textContent = words;
}

/** One of several options. @param {Ask} ask @param {() => void} changed @returns {Control} */
function pickControl({ id, options, label }, changed) {
  const inputs = options.map(({ value }) =>
    el("input", { type: "radio", name: id, value, class: "visually-hidden", onchange: changed }));
  const labels = options.map(({ words }, place) =>
    el("label", { class: "option" }, inputs[place], keyCap(place), el("span", {}, words)));
  return {
    element: el("fieldset", { class: "ask" }, el("legend", {}, label), el("div", { class: "options" }, labels)),
    value: () => inputs.find((input) => input.checked)?.value ?? "",
    put(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
    pressed(event) {
      const chosen = inputs[digitOf(event)];
      if (!chosen) return false;
      chosen.checked = true;
      chosen.focus();
      changed();
      return true;
    },
  };
}

/** Dollars. @param {Ask} ask @param {() => void} changed @returns {Control} */
function amountControl({ id, label }, changed) {
  const name = `ask-${id}`;
  const typed = { inputmode: "decimal", autocomplete: "off", maxlength: 20, placeholder: "0.00", oninput: changed };
  const input = el("input", { id: name, ...typed });
  const field = el("span", { class: "dollars" }, el("span", { "aria-hidden": "true" }, "$"), input);
  return {
    element: el("div", { class: "ask amount" }, el("label", { for: name }, label), field),
    value: () => input.value.trim(),
    put(value) {
      input.value = value;
    },
    focus: () => input.focus(),
    pressed: () => false,
  };
}

/** So many of the cards shown. @param {Ask} ask @param {() => void} changed @returns {Control} */
function cardsControl({ options, label, many }, changed) {
  const codes = options.map(({ value }) => value);
  /** @type {number[]} */
  let picked = [];
  const place = el("div", { class: "cards-to-pick" });
  const status = el("p", { class: "small", "aria-live": "polite" });
  const show = () => {
    const focused = [...place.querySelectorAll("button")].indexOf(/** @type {any} */ (document.activeElement));
    place.replaceChildren(fan(codes, { label, picked, onpick: toggle }));
    if (focused >= 0) place.querySelectorAll("button")[focused].focus();
    status.textContent = `${picked.length} of ${countOf(many, "card")} chosen`;
  };
  /** @param {number} at */
  const toggle = (at) => {
    if (picked.includes(at)) picked = picked.filter((one) => one !== at);
    else picked = [...picked, at].slice(-many);
    show();
    changed();
  };
  show();
  return {
    element: el("fieldset", { class: "ask" }, el("legend", {}, label), place, status),
    value: () => (picked.length === many ? picked.map((at) => codes[at]).join(" ") : ""),
    put(value) {
      picked = value.split(" ").map((code) => codes.indexOf(code)).filter((at) => at >= 0);
      show();
    },
    focus: () => place.querySelector("button")?.focus(),
    pressed(event) {
      const at = digitOf(event);
      if (at < 0 || at >= codes.length) return false;
      toggle(at);
      return true;
    },
  };
}

/** Chips that are put on a stack, one by one. @param {Ask} ask @param {() => void} changed @returns {Control} */
function piecesControl({ options, label }, changed) {
  /** The chips in the order in which they were put down, by their place in the tray. @type {number[]} */
  let put = [];
  const cents = options.map(({ value }) => Math.round(Number(value) * 100));
  const count = (/** @type {number} */ at) => put.filter((one) => one === at).length;
  const counts = options.map(() => el("span", { class: "tray-count", "aria-hidden": "true" }));
  const chips = options.map(({ words }, at) => {
    const button = el("button", { type: "button", class: "tray-chip", onclick: () => add(at) });
    button.append(chipFace(cents[at]), el("span", { class: "tray-words", "aria-hidden": "true" }, words));
    button.append(counts[at], el("kbd", { "aria-hidden": "true" }, String(at + 1)));
    return button;
  });
  const laid = el("div", { class: "laid-chips" });
  const undo = el("button", { type: "button", class: "quiet", onclick: () => back() }, "Take back");
  const clear = el("button", { type: "button", class: "quiet", onclick: () => change([]) }, "Clear");
  const status = el("p", { class: "small", "aria-live": "polite" });
  /** @param {number[]} chosen */
  const change = (chosen) => {
    put = chosen.slice(0, COUNT_MOST);
    show();
    changed();
  };
  const add = (/** @type {number} */ at) => change([...put, at]);
  const back = () => change(put.slice(0, -1));
  const show = () => {
    options.forEach(({ words }, at) => {
      counts[at].textContent = count(at) ? `×${count(at)}` : "";
      chips[at].setAttribute("aria-label", `${words} chip, ${count(at)} put down`);
    });
    const lying = options.map((_, at) => at).filter(count);
    laid.replaceChildren(...lying.map((at) => pile(cents[at], count(at), `${count(at)} of ${options[at].words}`)));
    for (const button of [undo, clear]) button.disabled = !put.length;
    const words = lying.map((at) => `${count(at)} of ${options[at].words}`).join(", ");
    status.textContent = put.length ? `${countOf(put.length, "chip")}: ${words}` : "No chips put down yet";
  };
  show();
  return {
    element: el("fieldset", { class: "ask pieces" }, el("legend", {}, label), laid, status,
      el("div", { class: "chip-tray", role: "group", "aria-label": "Chips of the tray" }, chips),
      el("div", { class: "tools" }, undo, clear)),
    value: () => options.map((option, at) => (count(at) ? `${option.value}x${count(at)}` : "")).filter(Boolean).join(" "),
    put(value) {
      const named = value.split(" ").filter(Boolean).map((word) => word.split("x"));
      change(named.flatMap(([worth, many]) => Array(Number(many)).fill(options.findIndex((one) => one.value === worth))));
    },
    focus: () => chips[0].focus(),
    pressed(event) {
      const at = digitOf(event);
      if (event.key === "Backspace" && put.length) back();
      else if (at >= 0 && at < options.length) add(at);
      else return false;
      return true;
    },
  };
}

/**
 * Everything in a row: dragged, or moved by buttons and arrow keys.
 * @param {Ask} ask
 * @param {() => void} changed
 * @returns {Control}
 */
function orderControl({ options, label }, changed) {
  const list = el("ol", { class: "to-order" });
  const orderNow = () => [...list.children].map((item) => /** @type {HTMLElement} */ (item).dataset.value ?? "");
  const words = new Map(options.map((option) => [option.value, option.words]));
  const items = new Map(options.map(({ value }) => [value, itemOf(value)]));

  /** @param {string} value */
  function itemOf(value) {
    const name = words.get(value) ?? value;
    const button = (/** @type {string} */ words, /** @type {string} */ mark, /** @type {number} */ step) =>
      el("button", { type: "button", class: "quiet", "aria-label": `${name}: ${words}`, onclick: () => move(value, step) },
        mark);
    const up = button("up", "↑", -1);
    const down = button("down", "↓", 1);
    const handle = el("button", { type: "button", class: "handle", "data-enter": "answers" }, name);
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      move(value, step);
    });
    handle.addEventListener("pointerdown", (event) => drag(event, value));
    return el("li", { dataset: { value } }, handle, up, down);
  }

  /** @param {PointerEvent} event @param {string} value */
  function drag(event, value) {
    const handle = /** @type {HTMLElement} */ (event.currentTarget);
    const item = /** @type {HTMLElement} */ (items.get(value));
    handle.setPointerCapture(event.pointerId);
    item.classList.add("dragged");
    const follow = (/** @type {PointerEvent} */ moved) => {
      const over = [...list.children].findIndex((other) => moved.clientY < other.getBoundingClientRect().bottom);
      place(value, over < 0 ? options.length - 1 : over);
    };
    handle.addEventListener("pointermove", follow);
    const end = () => {
      handle.removeEventListener("pointermove", follow);
      item.classList.remove("dragged");
    };
    for (const ending of ["pointerup", "pointercancel"]) handle.addEventListener(ending, end, { once: true });
  }

  /** The others make way, so that what is dragged or focused stays so. @param {string} value @param {number} at */
  function place(value, at) {
    const item = /** @type {HTMLElement} */ (items.get(value));
    const lying = [...list.children];
    const from = lying.indexOf(item);
    if (from === at) return;
    if (at > from) item.before(...lying.slice(from + 1, at + 1));
    else item.after(...lying.slice(at, from));
    changed();
  }

  /** @param {string} value @param {number} step */
  function move(value, step) {
    const from = orderNow().indexOf(value);
    const at = Math.min(Math.max(from + step, 0), options.length - 1);
    place(value, at);
    say(`${words.get(value)}: ${at + 1} of ${options.length}`);
  }

  list.append(...items.values());
  const hint = "Drag them, or move them with the arrows.";
  return {
    element: el("fieldset", { class: "ask" }, el("legend", {}, label), el("p", { class: "small" }, hint), list),
    value: () => orderNow().join(" "),
    put(value) {
      const wanted = value.split(" ").filter((one) => items.has(one));
      list.append(...wanted.map((one) => /** @type {HTMLElement} */ (items.get(one))));
    },
    focus: () => list.querySelector("button")?.focus(),
    pressed: () => false,
  };
}

const CONTROLS = { pick: pickControl, amount: amountControl, cards: cardsControl, pieces: piecesControl, order: orderControl };

/** All that an exercise asks, as one form. */
export class Asks {
  /**
   * @param {Pick<Exercise, "asks">} exercise
   * @param {() => void} changed
   */
  constructor({ asks }, changed = () => {}) {
    this.asks = asks;
    this.controls = asks.map((ask) => CONTROLS[ask.form](ask, changed));
    this.element = el("div", { class: "asks" }, this.controls.map(({ element }) => element));
  }

  /** The answer so far. @returns {Answer} */
  answer() {
    return Object.fromEntries(this.asks.map((ask, at) => [ask.id, this.controls[at].value()]));
  }

  /** What is not answered yet, or nothing. */
  missing() {
    const at = this.controls.findIndex((control) => !control.value());
    return at < 0 ? null : { ask: this.asks[at], control: this.controls[at] };
  }

  /** @param {Answer} answer */
  put(answer) {
    this.asks.forEach((ask, at) => answer[ask.id] && this.controls[at].put(answer[ask.id]));
  }

  focus() {
    this.controls[0]?.focus();
  }

  /** A key that was pressed outside a field: for the part that has the focus, else for the first that is not answered. */
  pressed(/** @type {KeyboardEvent} */ event) {
    const focused = this.controls.findIndex(({ element }) => element.contains(document.activeElement));
    const open = this.controls.findIndex((control) => !control.value());
    const at = focused >= 0 ? focused : Math.max(open, 0);
    if (!this.controls[at]?.pressed(event)) return false;
    if (this.asks[at].form === "pick") this.controls[at + 1]?.focus();
    return true;
  }

  close() {
    for (const field of this.element.querySelectorAll("input, button")) field.setAttribute("disabled", "");
  }
}
