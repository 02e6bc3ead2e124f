// What a guest's own screen adds to a new shoe before bets open, and what is said of shoes at the felt.

/** @import { TableView } from "../types" */

const SEED_BYTES = 32;
/** The shoe to which this screen has added last. */
let addedTo = "";

/** Random digits that nobody else knows: of the browser's own, never of the house's. */
function newSeed() {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Add to a shoe that waits for this guest, once.
 * @param {TableView} view
 * @param {(kind: string, fields: object) => Promise<unknown>} command
 */
export function addSeed({ you, mixing, shoe }, command) {
  if (!you || !shoe || !mixing?.is_open || !mixing.lacking.includes(you.guest) || addedTo === shoe.id) return;
  addedTo = shoe.id;
  command("seed", { seed: newSeed() });
}

/** @param {TableView} view */
function mixingWords({ mixing, you }) {
  if (!mixing) return "";
  const isMine = you && mixing.added.includes(you.guest);
  const mine = "Your screen has added its own random number to this shoe: nobody could know its order, the house included.";
  const others = mixing.added.length ? `Random numbers of ${mixing.added.join(", ")} are in this shoe.` : "";
  const wait = mixing.is_open ? `Bets open when ${mixing.lacking.join(", ") || "the dealer"} has added to the shoe.` : "";
  return [isMine ? mine : others, wait].filter(Boolean).join(" ");
}

/** All that there is to say of the table's shoes. @param {TableView} view */
export const shoeWords = (view) => [...view.lost_shoes.map((lost) => lost.text), mixingWords(view)].filter(Boolean);
