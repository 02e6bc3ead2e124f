// A round's place in the chain, and the proof of its shoe, recomputed in the reader's own browser.
import { countOf, el, scrollRegion } from "../shared/dom.js";
import { named } from "./moments.js";

/** @import { EntryView, RoundShoe, RoundView } from "../types" */

/** @type {Record<string, string>} */
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const COPIED_MS = 2500;

/** A long hash in short; the whole one is its title. @param {string} hash */
const shortHash = (hash) =>
  el("span", { class: "mono hash", title: hash }, `${hash.slice(0, 10)}…${hash.slice(-6)}`);

/**
 * A button that copies a text.
 * @param {string} text
 * @param {string} words
 */
export function copier(text, words) {
  const button = el("button", { type: "button", class: "quiet no-print" }, words);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copy it from the address bar";
    }
    setTimeout(() => (button.textContent = words), COPIED_MS);
  });
  return button;
}

/** SHA-256 as hex, or nothing where the browser gives no cryptography to a page without https. @param {string} text */
async function sha256(text) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {HTMLElement} place @param {boolean} holds @param {string} words */
function tell(place, holds, words) {
  place.textContent = words;
  place.className = holds ? "verdict good" : "verdict bad";
}

// ---- the chain ------------------------------------------------------------------------------------------------------

/**
 * Say whether this browser, too, gets every hash from its entry.
 * @param {RoundView} round
 * @param {HTMLElement} place
 */
async function recompute(round, place) {
  const open = round.entries.filter((entry) => entry.hashed);
  const hashes = await Promise.all(open.map((entry) => sha256(JSON.stringify(entry.hashed))));
  if (hashes.includes(null)) return;
  const wrong = open.find((entry, at) => hashes[at] !== entry.hash);
  if (wrong) {
    const words = `✗ This browser gets another hash for entry ${wrong.seq}: it is not what was written.`;
    tell(place, false, `${words} Have the journal audited.`);
    return;
  }
  const all = `✓ All ${round.entries.length} hashes hold`;
  const own = open.length === round.entries.length ? "each" : `${open.length} of them`;
  const rest = open.length < round.entries.length ? " The others name staff: only the house and auditors compute them." : "";
  tell(place, true, `${all}: the house and this browser computed ${own} again from its entry and the hash before it.${rest}`);
}

/**
 * How an entry is linked to the one before it.
 * @param {EntryView} entry
 * @param {EntryView | undefined} before
 */
function linkWords(entry, before) {
  if (!before) return "";
  if (before.seq !== entry.seq - 1) return "entries of other tables before";
  return entry.previous === before.hash ? "✓ follows" : "✗ broken";
}

/** @param {EntryView} entry @param {EntryView | undefined} before */
function chainRow(entry, before) {
  const link = linkWords(entry, before);
  const words = entry.actor === entry.role ? entry.role : `${entry.actor}, ${entry.role}`;
  const actor = el("small", { class: "link" }, words);
  return el("tr", { id: `entry-${entry.seq}` }, [
    el("th", { scope: "row", class: "number" }, String(entry.seq)),
    el("td", {}, named(entry.kind), actor),
    el("td", {}, shortHash(entry.previous), el("small", { class: link.startsWith("✗") ? "bad link" : "link" }, link)),
    el("td", {}, shortHash(entry.hash)),
  ]);
}

/** The entries with their hashes. @param {RoundView} round */
export function chain(round) {
  const holds = `✓ All ${round.entries.length} hashes hold: each was computed again from its entry and the hash before it.`;
  const fails = "✗ A hash does not hold: an entry is not what was written. Have the journal audited.";
  const verdict = el("p", { id: "chain-words" });
  tell(verdict, round.verified, round.verified ? holds : fails);
  if (round.verified) recompute(round, verdict);
  const names = ["What, and by whom", "Hash before it", "Its hash"].map((name) => el("th", { scope: "col" }, name));
  const head = el("tr", {}, el("th", { scope: "col", class: "number" }, "Entry"), names);
  const rows = round.entries.map((entry, place) => chainRow(entry, round.entries[place - 1]));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, rows));
  return el("section", { class: "panel", "aria-labelledby": "chain-title" }, [
    el("h2", { id: "chain-title" }, "Its place in the chain"),
    verdict,
    el("div", scrollRegion("Entries of the round"), table),
    el("dl", { class: "facts ends" }, el("dt", {}, "Hash of the round"), el("dd", { class: "mono" }, round.hash)),
  ]);
}

// ---- the order of a shoe to which guests have added -------------------------------------------------------------------

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const WORDS = 2 ** 32;
/** From the two of clubs to the ace of spades, jokers last. @param {string} code */
const placeInDeck = (code) => (code === "Jk" ? 52 : 4 * RANKS.indexOf(code.slice(0, -1)) + "cdhs".indexOf(code.slice(-1)));
/** @param {string[]} order */
const inDeckOrder = (order) => [...order].sort((one, other) => placeInDeck(one) - placeInDeck(other));

/**
 * The order that follows from the house's seed and the guests': Fisher and Yates, by numbers that SHA-256 gives.
 * @param {RoundShoe} shoe
 */
async function mixedOrder({ order, salt, seeds }) {
  const key = await sha256(`houseway-mix-1|${salt}|${[...(seeds ?? [])].sort().join(" ")}`);
  const cards = inDeckOrder(order);
  /** @type {number[]} */
  let words = [];
  let block = 0;
  for (let last = cards.length - 1; last > 0; last -= 1) {
    let word = WORDS;
    while (word >= WORDS - (WORDS % (last + 1))) {
      if (!words.length) {
        const digest = (await sha256(`${key}|${block}`)) ?? "";
        words = (digest.match(/.{8}/g) ?? []).map((hex) => parseInt(hex, 16));
        block += 1;
      }
      word = /** @type {number} */ (words.shift());
    }
    const chosen = word % (last + 1);
    [cards[last], cards[chosen]] = [cards[chosen], cards[last]];
  }
  return cards;
}

/** Whether this browser, too, gets the order from all seeds. @param {RoundShoe} shoe */
function ownMix(shoe) {
  const place = el("p", { id: "own-mix", class: "verdict", role: "status" }, "Your browser is mixing the cards again…");
  if (!globalThis.crypto?.subtle) {
    place.textContent = "Check with “houseway shoe verify” that the order follows from the seeds.";
    return place;
  }
  mixedOrder(shoe).then((order) => {
    const holds = order.join(" ") === shoe.order.join(" ");
    const added = countOf(shoe.seeds?.length ?? 0, "seed");
    const words = holds ? "✓ Your browser gets this order from" : "✗ Your browser gets another order from";
    tell(place, holds, `${words} the house's seed and ${added} of guests.`);
  });
  return place;
}

// ---- the shoe -------------------------------------------------------------------------------------------------------

/** @param {string} code */
const pip = (code) => (code === "Jk" ? code : `${code.slice(0, -1)}${SUITS[code.slice(-1)]}`);

/**
 * The whole order; the cards of this round are marked.
 * @param {RoundShoe} shoe
 * @param {number} to
 */
function order(shoe, to) {
  const pips = shoe.order.map((code, place) => {
    const isHere = place >= shoe.first && place < to;
    const isBurned = place < shoe.burned;
    const classes = ["pip", `suit-${code.slice(-1)}`, isHere && "here", isBurned && "burned"];
    const about = isHere ? ", of this round" : isBurned ? ", burned" : "";
    const look = { class: classes.filter(Boolean).join(" "), title: `card ${place + 1}${about}` };
    return el("li", look, pip(code));
  });
  return el("ol", { class: "order", tabindex: 0, "aria-label": "The order of the shoe, from the first card" }, pips);
}

/**
 * How many of the round's cards came out of this shoe, one after the other; -1 if they did not.
 * @param {RoundShoe} shoe
 * @param {string[]} cards
 */
function drawnFrom(shoe, cards) {
  const rest = shoe.order.slice(shoe.first, shoe.first + cards.length);
  return rest.every((code, place) => code === cards[place]) ? rest.length : -1;
}

/** @param {RoundShoe} shoe @param {number} count @param {number} cards in the round */
function placeWords(shoe, count, cards) {
  if (count < 0) return "✗ The cards of this round are not those of the order.";
  if (count === 0) return "No card of it was dealt in this round.";
  const places = `cards ${shoe.first + 1} to ${shoe.first + count} of the order`;
  const more = count < cards ? "; the round went on from a second shuffle" : "";
  return `✓ The ${count} cards of this round are ${places}${more}.`;
}

/**
 * Whether this browser gets the commitment from salt and order.
 * @param {string} text
 * @param {string} commitment
 */
function ownProof(text, commitment) {
  const waiting = "Your browser is computing the commitment again…";
  const place = el("p", { id: "own-proof", class: "verdict", role: "status" }, waiting);
  sha256(text).then((digest) => {
    if (digest === null) {
      const words = "Your browser computes hashes only on https or on this machine itself";
      place.textContent = `${words}: copy the text below and compute its SHA-256 with any tool.`;
    } else if (digest === commitment) {
      tell(place, true, "✓ Your browser computed the SHA-256 of salt and order again: it is the commitment.");
    } else tell(place, false, "✗ Your browser's SHA-256 of salt and order is not the commitment.");
  });
  return place;
}

/** @param {string} text */
function byHand(text) {
  const area = { readonly: true, rows: 5, "aria-label": "Text to hash", class: "mono" };
  return el("details", { class: "by-hand no-print" }, [
    el("summary", {}, "Compute it yourself"),
    el("p", { class: "small" }, "The SHA-256 of this text, in ASCII, is the commitment:"),
    el("textarea", area, text),
    copier(text, "Copy the text"),
  ]);
}

/** @param {RoundView} round @param {RoundShoe} shoe */
function revealed(round, shoe) {
  const cards = round.entries.flatMap((entry) => entry.cards);
  const count = drawnFrom(shoe, cards);
  const { salt, seeds } = shoe;
  const committed = seeds ? inDeckOrder(shoe.order) : shoe.order;
  const text = `houseway-${seeds ? "seed" : "shoe"}-1|${salt}|${committed.join(" ")}`;
  const opened = `✓ The house opened it in entry ${shoe.revealed_at}: salt and order give the commitment.`;
  const house = el("p", { id: "house-proof" });
  const places = el("p", { id: "order-proof" });
  tell(house, shoe.holds, shoe.holds ? opened : "✗ Salt and order do not give the commitment.");
  tell(places, count >= 0, placeWords(shoe, count, cards.length));
  const burned = shoe.burned ? [el("span", { class: "pip burned" }, "A♠"), " burned"] : null;
  return [
    house,
    ownProof(text, shoe.commitment),
    seeds ? ownMix(shoe) : null,
    places,
    el("dl", { class: "facts ends" }, el("dt", {}, seeds ? "The house's seed" : "Salt"), el("dd", { class: "mono" }, salt)),
    seeds?.map((seed) => el("p", { class: "mono small seed" }, `A guest's seed: ${seed}`)) ?? null,
    order(shoe, shoe.first + Math.max(count, 0)),
    el("p", { class: "small legend" }, el("span", { class: "pip here" }, "A♠"), " this round ", burned),
    byHand(text),
  ];
}

/**
 * What was committed to.
 * @param {RoundView} round
 * @param {RoundShoe} shoe
 */
function commitment(round, shoe) {
  const firstBet = round.entries.find((entry) => entry.kind === "bet");
  const before = firstBet ? `, before this round's first bet in entry ${firstBet.seq}` : "";
  const published = shoe.committed_at ? `in entry ${shoe.committed_at}${before}` : "before the first bet";
  const size = [shoe.size ? `${shoe.id} · ${countOf(shoe.size, "card")}` : shoe.id, shoe.burned && `${shoe.burned} burned`];
  return el("dl", { class: "facts" }, [
    el("dt", {}, "Shoe"),
    el("dd", {}, size.filter(Boolean).join(", ")),
    el("dt", {}, "Commitment"),
    el("dd", { class: "mono", id: "commitment" }, shoe.commitment),
    el("dt", {}, "Published"),
    el("dd", {}, published),
  ]);
}

/** @param {RoundView} round */
function shoeParts(round) {
  const { shoe } = round;
  if (!shoe) {
    const about = "The cards came from a real shoe and were keyed in at the table: there is nothing to commit to.";
    return [el("p", {}, `${about} The chain above shows that no key was changed afterwards.`)];
  }
  if (shoe.revealed) return [commitment(round, shoe), revealed(round, shoe)];
  const secret = "The shoe is still in play, so its order is secret.";
  const later = "When it is done, its order and salt appear here and your browser checks them against the commitment.";
  return [commitment(round, shoe), el("p", { id: "house-proof", class: "verdict" }, `${secret} ${later}`)];
}

/** The shoe: what was committed to, and whether it holds. @param {RoundView} round */
export function shoeProof(round) {
  const title = el("h2", { id: "shoe-title" }, "The shoe");
  return el("section", { class: "panel", "aria-labelledby": "shoe-title" }, title, shoeParts(round));
}
