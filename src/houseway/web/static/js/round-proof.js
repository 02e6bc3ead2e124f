// A round's place in the chain, and the proof of its shoe, recomputed in the reader's own browser.
import { el } from "./dom.js";
import { named } from "./round-steps.js";

const SUIT = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** A long hash in short; the whole one is its title. */
export const short = (hash) => el("span", { class: "mono hash", title: hash }, `${hash.slice(0, 10)}…${hash.slice(-6)}`);

/** A button that copies a text. */
export function copier(text, words) {
  const made = el("button", { type: "button", class: "quiet no-print" }, words);
  made.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      made.textContent = "Copied";
    } catch {
      made.textContent = "Copy it from the address bar";
    }
    setTimeout(() => { made.textContent = words; }, 2500);
  });
  return made;
}

/** SHA-256 as hex, or nothing where the browser gives no cryptography to a page without https. */
async function sha256(text) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Say whether this browser, too, gets every hash from its entry. */
async function recompute(round, words) {
  const found = await Promise.all(round.entries.map((entry) => sha256(JSON.stringify(entry.hashed))));
  if (found.includes(null)) return;
  const wrong = round.entries.filter((entry, place) => found[place] !== entry.hash);
  words.textContent = wrong.length
    ? `✗ This browser gets another hash for entry ${wrong[0].seq}: it is not what was written. Have the journal audited.`
    : `✓ All ${round.entries.length} hashes hold: the house and this browser computed each again from its entry and the hash before it.`;
  words.className = wrong.length ? "verdict bad" : "verdict good";
}

/** The entries with their hashes. */
export function chain(round) {
  const rows = round.entries.map((entry, place) => {
    const before = round.entries[place - 1];
    const follows = before?.seq === entry.seq - 1;
    const link = !follows ? "entries of other tables before" : entry.previous === before.hash ? "✓ follows" : "✗ broken";
    return el("tr", { id: `entry-${entry.seq}` },
      el("th", { scope: "row", class: "number" }, String(entry.seq)),
      el("td", {}, named(entry.kind), el("small", { class: "link" }, `${entry.actor}, ${entry.role}`)),
      el("td", {}, short(entry.previous), el("small", { class: link.startsWith("✗") ? "bad link" : "link" }, place ? link : "")),
      el("td", {}, short(entry.hash)));
  });
  const words = round.verified
    ? `✓ All ${round.entries.length} hashes hold: each was computed again from its entry and the hash before it.`
    : "✗ A hash does not hold: an entry is not what was written. Have the journal audited.";
  const verdict = el("p", { id: "chain-words", class: round.verified ? "verdict good" : "verdict bad" }, words);
  if (round.verified) recompute(round, verdict);
  return el("section", { class: "panel", "aria-labelledby": "chain-title" },
    el("h2", { id: "chain-title" }, "Its place in the chain"),
    verdict,
    el("div", { class: "scroll" }, el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "number" }, "Entry"), el("th", { scope: "col" }, "What, and by whom"), el("th", { scope: "col" }, "Hash before it"), el("th", { scope: "col" }, "Its hash"))),
      el("tbody", {}, rows))),
    el("dl", { class: "facts ends" }, el("dt", {}, "Hash of the round"), el("dd", { class: "mono" }, round.hash)));
}

const pip = (code) => (code === "Jk" ? "Jk" : `${code.slice(0, -1)}${SUIT[code.slice(-1)]}`);

/** The whole order; the cards of this round are marked. */
function order(shoe, from, to) {
  return el("ol", { class: "order", tabindex: 0, "aria-label": "The order of the shoe, from the first card" }, shoe.order.map((code, place) => {
    const here = place >= from && place < to;
    const burned = place < shoe.burned;
    return el("li", { class: `pip suit-${code.slice(-1)}${here ? " here" : ""}${burned ? " burned" : ""}`, title: `card ${place + 1}${here ? ", of this round" : burned ? ", burned" : ""}` }, pip(code));
  }));
}

/** How many of the round's cards came out of this shoe, one after the other; -1 if they did not. */
function drawnFrom(shoe, cards) {
  let count = 0;
  while (count < cards.length && shoe.first + count < shoe.order.length) {
    if (shoe.order[shoe.first + count] !== cards[count]) return -1;
    count += 1;
  }
  return count;
}

function revealed(round, shoe) {
  const cards = round.entries.flatMap((entry) => entry.cards);
  const count = drawnFrom(shoe, cards);
  const text = `houseway-shoe-1|${shoe.salt}|${shoe.order.join(" ")}`;
  const own = el("p", { id: "own-proof", class: "verdict", role: "status" }, "Your browser is computing the commitment again…");
  sha256(text).then((digest) => {
    const holds = digest === shoe.commitment;
    own.className = digest === null ? "verdict" : holds ? "verdict good" : "verdict bad";
    own.textContent = digest === null
      ? "Your browser computes hashes only on https or on this machine itself: copy the text below and compute its SHA-256 with any tool."
      : holds ? "✓ Your browser computed the SHA-256 of salt and order again: it is the commitment." : "✗ Your browser's SHA-256 of salt and order is not the commitment.";
  });
  const last = shoe.first + count;
  const place = count < 0 ? "✗ The cards of this round are not those of the order."
    : count === 0 ? "No card of it was dealt in this round."
      : `✓ The ${count} cards of this round are cards ${shoe.first + 1} to ${last} of the order${count < cards.length ? "; the round went on from a second shuffle" : ""}.`;
  return [
    el("p", { id: "house-proof", class: shoe.holds ? "verdict good" : "verdict bad" }, shoe.holds ? `✓ The house opened it in entry ${shoe.revealed_at}: salt and order give the commitment.` : "✗ Salt and order do not give the commitment."),
    own,
    el("p", { id: "order-proof", class: count < 0 ? "verdict bad" : "verdict good" }, place),
    el("dl", { class: "facts ends" }, el("dt", {}, "Salt"), el("dd", { class: "mono" }, shoe.salt)),
    order(shoe, shoe.first, last),
    el("p", { class: "small legend" }, el("span", { class: "pip here" }, "A♠"), " this round ", shoe.burned ? [el("span", { class: "pip burned" }, "A♠"), " burned"] : null),
    el("details", { class: "by-hand no-print" }, el("summary", {}, "Compute it yourself"), el("p", { class: "small" }, "The SHA-256 of this text, in ASCII, is the commitment:"), el("textarea", { readonly: true, rows: 5, "aria-label": "Text to hash", class: "mono" }, text), copier(text, "Copy the text")),
  ];
}

/** The shoe: what was committed to, and whether it holds. */
export function shoe(round) {
  const { shoe: found } = round;
  const firstBet = round.entries.find((entry) => entry.kind === "bet");
  const parts = [el("h2", { id: "shoe-title" }, "The shoe")];
  if (!found) parts.push(el("p", {}, "The cards came from a real shoe and were keyed in at the table: there is nothing to commit to. The chain above shows that no key was changed afterwards."));
  else {
    parts.push(el("dl", { class: "facts" },
      el("dt", {}, "Shoe"), el("dd", {}, `${found.id}${found.size ? ` · ${found.size} cards` : ""}${found.burned ? `, ${found.burned} burned` : ""}`),
      el("dt", {}, "Commitment"), el("dd", { class: "mono", id: "commitment" }, found.commitment),
      el("dt", {}, "Published"), el("dd", {}, found.committed_at ? `in entry ${found.committed_at}${firstBet ? `, before this round's first bet in entry ${firstBet.seq}` : ""}` : "before the first bet")));
    if (found.revealed) parts.push(...revealed(round, found));
    else parts.push(el("p", { id: "house-proof", class: "verdict" }, "The shoe is still in play, so its order is secret. When it is done, its order and salt appear here and your browser checks them against the commitment."));
  }
  return el("section", { class: "panel", "aria-labelledby": "shoe-title" }, parts);
}
