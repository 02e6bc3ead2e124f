// What a screen that hangs on a wall for years needs: it stays on, shows no cursor, and burns nothing in.

const SHIFT_MS = 60_000;
/** The picture goes round in a small circle, a step a minute: nobody sees it move, and no edge stays where it was. */
const SHIFT_PX = 6;
const STEPS = 24;
/** After so long without anything new the house is closed, or nobody plays: the picture gets darker. */
const DIM_MS = 2 * 3_600_000;
const CURSOR_MS = 3000;

let newest = Date.now();
let step = 0;
let hiding = 0;

/** Something has happened at a table: the screen is bright again. */
export function somethingNew() {
  newest = Date.now();
  document.body.classList.remove("is-dim");
}

async function stayOn() {
  if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return; // only over TLS, or on this machine
  try {
    await navigator.wakeLock.request("screen");
    document.body.dataset.awake = "true";
  } catch {
    document.body.dataset.awake = "false"; // the battery is low, perhaps: it is asked again when the page is seen again
  }
}

function shift() {
  step = (step + 1) % STEPS;
  const angle = (2 * Math.PI * step) / STEPS;
  document.body.style.setProperty("--shift-x", `${Math.round(SHIFT_PX * Math.sin(angle))}px`);
  document.body.style.setProperty("--shift-y", `${Math.round(SHIFT_PX * (1 - Math.cos(angle)) - SHIFT_PX)}px`);
  document.body.classList.toggle("is-dim", Date.now() - newest > DIM_MS);
}

/** A cursor is there only while a mouse moves. */
function moved() {
  document.body.classList.remove("no-cursor");
  clearTimeout(hiding);
  hiding = setTimeout(() => document.body.classList.add("no-cursor"), CURSOR_MS);
}

/** From now on. */
export function careForScreen() {
  document.body.classList.add("no-cursor");
  addEventListener("mousemove", moved);
  addEventListener("keydown", moved);
  document.addEventListener("visibilitychange", stayOn);
  stayOn();
  setInterval(shift, SHIFT_MS);
}
