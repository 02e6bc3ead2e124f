// What this browser keeps for somebody without an account: the progress in each edition, as the house wrote it.

/** @import { Progress } from "./types" */

const PREFIX = "houseway-train:";

/**
 * What is kept of an edition; nothing if nothing is, or it cannot be read.
 * @param {string} edition
 * @returns {Progress | null}
 */
export function kept(edition) {
  try {
    const progress = JSON.parse(localStorage.getItem(PREFIX + edition) ?? "null");
    return progress && typeof progress === "object" && !Array.isArray(progress) ? progress : null;
  } catch {
    return null;
  }
}

/** @param {string} edition @param {Progress | null} progress null forgets it */
export function keep(edition, progress) {
  try {
    if (progress) localStorage.setItem(PREFIX + edition, JSON.stringify(progress));
    else localStorage.removeItem(PREFIX + edition);
  } catch {
    // a browser that keeps nothing: what is learned lasts as long as the page
  }
}
