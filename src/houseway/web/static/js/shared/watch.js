// A live view: server-sent events whose ids are journal numbers; the browser reconnects and names the last one it saw.
import { byId, codeOf, el, messageOf, toast } from "./dom.js";

/** Lists of which each part is told by itself, and what a part is known by. */
const PARTS = { tables: "name", seats: "seat" };

/**
 * A view put over the one before: everything is told once, and again when it is not as it was.
 * @param {any} before
 * @param {any} view
 * @returns {any} the whole view
 */
export function completed(before, view) {
  const whole = { ...before, ...view };
  for (const [list, name] of Object.entries(PARTS)) {
    if (!view[list]) continue;
    const known = new Map((before[list] ?? []).map((/** @type {any} */ part) => [part[name], part]));
    whole[list] = view[list].map((/** @type {any} */ part) => ({ ...known.get(part[name]), ...part }));
  }
  return whole;
}

/** What a page is told when its screen locks, and when it is open again. */
export const LOCKED = "houseway-locked";
export const OPENED = "houseway-opened";

/**
 * Call `show` with every new view; say when the house does not answer. While the screen is locked nothing is watched.
 * @param {string} path
 * @param {(view: any) => void} show
 */
export function watch(path, show) {
  /** @type {EventSource} */
  let source;
  let whole = {};
  const lost = el("div", { class: "toast refused", role: "alert" }, "The house does not answer. Trying again…");
  const open = () => {
    source = new EventSource(path);
    source.addEventListener("open", () => (whole = {}));
    source.addEventListener("view", (event) => {
      lost.remove();
      whole = completed(whole, JSON.parse(event.data));
      show(whole);
    });
    source.addEventListener("error", () => {
      if (!lost.isConnected) byId("toasts").append(lost);
      if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
    });
  };
  open();
  addEventListener("pagehide", () => source.close());
  addEventListener(LOCKED, () => source.close());
  addEventListener(OPENED, () => {
    source.close();
    lost.remove();
    open();
  });
}

/**
 * What reads and draws a page, once at a time: asked meanwhile, it reads again when it is done. Whoever is logged out logs in.
 * @param {() => Promise<void>} readAndDraw
 * @returns {() => Promise<void>}
 */
export function onceAtATime(readAndDraw) {
  let isReading = false;
  let again = false;
  return async () => {
    again = true;
    if (isReading) return;
    isReading = true;
    try {
      while (again) {
        again = false;
        await readAndDraw();
      }
    } catch (refused) {
      if (codeOf(refused) === "not-logged-in") location.assign(`/login?next=${location.pathname}`);
      else if (codeOf(refused) !== "offline") toast(messageOf(refused), true);
    } finally {
      isReading = false;
    }
  };
}
