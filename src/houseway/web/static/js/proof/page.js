// The proof page: the heads that this browser kept, compared with the chain as the house has it now.
import { keptHeads } from "../heads/kept.js";
import { onHead } from "../heads/page.js";
import { api, byId, countOf, el, messageOf } from "../shared/dom.js";

/** @import { SignedHead } from "../types" */

const AT_ONCE = 100;

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * Whether a head's signature is genuine; null where the browser cannot say.
 * @param {SignedHead} head
 * @returns {Promise<boolean | null>}
 */
async function isGenuine(head) {
  try {
    const key = await crypto.subtle.importKey("raw", bytes(head.public_key), "Ed25519", false, ["verify"]);
    const signed = new TextEncoder().encode(JSON.stringify(["houseway-head-1", head.seq, head.hash, head.at]));
    return await crypto.subtle.verify("Ed25519", key, bytes(head.signature), signed);
  } catch {
    return null;
  }
}

/** The hashes that the chain has now, by entry. @param {SignedHead[]} heads */
async function hashesNow(heads) {
  /** @type {Record<string, string>} */
  let hashes = {};
  for (let from = 0; from < heads.length; from += AT_ONCE) {
    const asked = heads.slice(from, from + AT_ONCE).map((head) => `seq=${head.seq}`);
    hashes = { ...hashes, ...(await api("GET", `/api/v1/heads?${asked.join("&")}`)).hashes };
  }
  return hashes;
}

/** @param {SignedHead} head @param {string | undefined} now @param {boolean | null} genuine */
function row(head, now, genuine) {
  const holds = now === head.hash;
  const chain = holds ? "✓ in the chain" : now ? "✗ another entry stands there now" : "✗ the chain ends before it";
  const signature = genuine === null ? "not checked by this browser" : genuine ? "✓ genuine" : "✗ not genuine";
  return el("tr", {}, [
    el("th", { scope: "row", class: "number" }, String(head.seq)),
    el("td", {}, new Date(head.at).toLocaleString()),
    el("td", { class: "mono", title: head.hash }, head.hash.slice(0, 16)),
    el("td", { class: holds ? "good" : "bad" }, chain),
    el("td", { class: genuine === false ? "bad" : "" }, signature),
  ]);
}

/** @param {string} words @param {boolean} holds */
function conclude(words, holds) {
  const verdict = byId("verdict");
  verdict.textContent = words;
  verdict.className = holds ? "good" : "bad";
}

async function show() {
  const heads = keptHeads().toSorted((one, other) => one.seq - other.seq);
  if (!heads.length) {
    byId("verdict").textContent = "This browser has kept no head yet: it keeps one a minute while a page of the house is open.";
    return;
  }
  const hashes = await hashesNow(heads);
  const genuine = await Promise.all(heads.map(isGenuine));
  const rows = heads.map((head, place) => row(head, hashes[head.seq], genuine[place]));
  byId("heads").replaceChildren(...rows.reverse());
  byId("table").hidden = false;
  const wrong = heads.find((head, place) => hashes[head.seq] !== head.hash || genuine[place] === false);
  const all = countOf(heads.length, "head");
  const changed = "cannot be as it was when this browser saw it: ask for an audit with these heads.";
  if (wrong) conclude(`✗ Entry ${wrong.seq} ${changed}`, false);
  else conclude(`✓ The chain of now contains every one of the ${all} that this browser kept.`, true);
  const save = byId("save", HTMLAnchorElement);
  save.href = URL.createObjectURL(new Blob([JSON.stringify(heads)], { type: "application/json" }));
  save.hidden = false;
}

let shown = keptHeads().length > 0;
onHead(() => {
  if (!shown) show().catch((error) => conclude(messageOf(error), false));
  shown = true;
});
show().catch((error) => conclude(messageOf(error), false));
