// What every page uses: building elements, talking to the API, telling the reader.

/** @import { Child, Properties, Refusal } from "../types" */

/** Where the page's house answers: a practice table has a house of its own. */
export const API = document.body?.dataset.api ?? "/api/v1";

/**
 * Give an element its properties.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function setProperty(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name === "class") element.className = value;
  else if (name === "style") {
    for (const [property, setting] of Object.entries(value)) element.style.setProperty(property, String(setting));
  } else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Make an element. Properties that start with "on" are listeners; "dataset" and "style" are merged; others are attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined && value !== null && value !== false) setProperty(element, name, value);
  }
  element.append(...present(children));
  return element;
}

/**
 * What is there of a list: nested lists are flattened, and what is nothing is left out.
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
export function present(children) {
  const flat = /** @type {any[]} */ (children).flat(Infinity);
  return flat.filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...present(children));
  return element;
}

/**
 * What a part is like that is wider than the screen and scrolls: a keyboard gets into it, and a screen reader says what it is.
 * @param {string} label
 * @param {string} [kind] its other classes
 */
export const scrollRegion = (label, kind = "") => {
  return { class: `${kind} scroll`.trim(), tabindex: 0, role: "region", "aria-label": label };
};

/**
 * The element of this page with an id, where the page may be without it.
 * @param {string} id
 */
export const findById = (id) => document.getElementById(id);

/**
 * The element of this page with an id.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind] what it is, such as HTMLInputElement
 * @returns {Kind}
 */
export function byId(id, kind) {
  const element = findById(id);
  if (!element || (kind && !(element instanceof kind))) throw new Error(`the page has no ${kind?.name ?? "element"} #${id}`);
  return /** @type {Kind} */ (element);
}

/**
 * Cents as dollars: 125000 is $1,250, 50 is $0.50.
 * @param {number} cents
 */
export function dollars(cents) {
  const size = Math.abs(cents);
  const digits = { minimumFractionDigits: size % 100 ? 2 : 0, maximumFractionDigits: 2 };
  return `${cents < 0 ? "−" : ""}$${(size / 100).toLocaleString("en-US", digits)}`;
}

/**
 * What was won or lost, with its sign.
 * @param {number} cents
 */
export const signedDollars = (cents) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/**
 * Words with a capital letter.
 * @param {string} words
 */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * An id as words: "wrong-number-of-cards".
 * @param {string} id
 */
export const inWords = (id) => id.replaceAll("-", " ");

/** Whether a payment is of a bet for the dealers, whose win is theirs. @param {{spot?: string}} payment */
export const isForDealer = ({ spot = "" }) => spot.endsWith("for the dealer");

/**
 * A number of things: "1 hand", "2 hands".
 * @param {number} count
 * @param {string} thing
 */
export const countOf = (count, thing) => `${count.toLocaleString("en-US")} ${thing}${count === 1 ? "" : "s"}`;

/**
 * Tell the reader something for a few seconds; refusals stay longer. On a phone two lines are shown: a tap shows all and keeps
 * it, another puts it away.
 * @param {string} message
 */
export function toast(message, refused = false) {
  const shown = el("div", { class: refused ? "toast refused" : "toast", role: refused ? "alert" : "status" }, message);
  const toasts = byId("toasts");
  toasts.append(shown);
  while (toasts.children.length > 4) toasts.firstChild?.remove();
  const gone = setTimeout(() => shown.remove(), refused ? 9000 : 4500);
  shown.addEventListener("click", () => {
    clearTimeout(gone);
    if (!shown.classList.toggle("whole")) shown.remove();
  });
}

/**
 * A refusal of the house, as an Error with its code.
 * @param {string} message
 * @param {string} code
 * @returns {Refusal}
 */
export const refusal = (message, code) => Object.assign(new Error(message), { code });

/** What is answered to what needs a second person: it is asked for, and not done. */
const WAITS_FOR_SECOND = 202;

/**
 * @param {string} method
 * @param {unknown} body
 * @param {string} [key]
 */
function headersOf(method, body, key) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  const csrf = document.querySelector("meta[name=csrf]")?.getAttribute("content");
  if (method !== "GET") headers["X-CSRF"] = csrf ?? "";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  return headers;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {string} [key]
 */
async function answerOf(method, path, body, key) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(path, { method, headers: headersOf(method, body, key), body: sent }).catch(() => null);
  if (!response) throw refusal("The house does not answer: check the connection.", "offline");
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok && response.status !== WAITS_FOR_SECOND) return answer;
  if (answer?.code === "screen-locked") dispatchEvent(new Event("houseway-locked"));
  throw refusal(answer?.message ?? `The house answered ${response.status}.`, answer?.code ?? "error");
}

/**
 * Call the API; a refusal is thrown as an Error with its code and, unless `quiet`, shown.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {{quiet?: boolean, key?: string}} [options] `key` makes a command that is sent twice happen once
 * @returns {Promise<any>}
 */
export async function api(method, path, body, { quiet = false, key } = {}) {
  try {
    return await answerOf(method, path, body, key);
  } catch (refused) {
    if (!quiet) toast(messageOf(refused), true);
    throw refused;
  }
}

/**
 * What a refusal says.
 * @param {unknown} refused
 */
export const messageOf = (refused) => (refused instanceof Error ? refused.message : String(refused));

/**
 * The code of a refusal, or "" of any other error.
 * @param {unknown} refused
 */
export const codeOf = (refused) => /** @type {Partial<Refusal>} */ (refused).code ?? "";

/** A key that makes a command happen once (randomUUID is missing on pages that are not served securely). */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
