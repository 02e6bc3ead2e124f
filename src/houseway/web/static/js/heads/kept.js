// The signed heads that this browser saw. A chain that is rewritten later as a whole holds in itself, but not with these.

/** @import { SignedHead } from "../types" */

const PLACE = "houseway.heads";
const MOST = 400;

/** All that are kept, the oldest first. @returns {SignedHead[]} */
export function keptHeads() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** Of many, every second of the older half goes: what was long ago is told less closely. @param {SignedHead[]} heads */
function thinned(heads) {
  if (heads.length <= MOST) return heads;
  return heads.filter((_, place) => place >= heads.length / 2 || place % 2 === 0);
}

/** @param {SignedHead} head */
export function keep(head) {
  const kept = keptHeads();
  if (kept.some((other) => other.seq === head.seq && other.hash === head.hash)) return;
  try {
    localStorage.setItem(PLACE, JSON.stringify(thinned([...kept, head])));
  } catch {
    // a browser that keeps nothing, or has no room
  }
}
