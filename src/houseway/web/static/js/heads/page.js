// On every page: ask for the newest signed head now and then, keep it, and tell whoever shows it.
import { keep } from "./kept.js";

/** @import { SignedHead } from "../types" */

const EVERY_MS = 60_000;

/** @type {SignedHead | null} */
let newest = null;
/** @type {((head: SignedHead) => void)[]} */
const readers = [];

/**
 * Tell a reader every head from now on, and the newest one at once: it may have come before the reader was ready.
 * @param {(head: SignedHead) => void} reader
 */
export function onHead(reader) {
  readers.push(reader);
  if (newest) reader(newest);
}

async function look() {
  try {
    const answer = await fetch("/api/v1/heads/latest");
    if (!answer.ok) return;
    const head = /** @type {SignedHead} */ (await answer.json());
    newest = head;
    keep(head);
    for (const reader of readers) reader(head);
  } catch {
    // the house is away: the next look finds it
  }
}

look();
setInterval(look, EVERY_MS);
