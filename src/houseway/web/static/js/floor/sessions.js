// The sessions that are open, and a way to end each.
import { el } from "../shared/dom.js";

/** @import { SessionListed } from "../types" */

/** @param {number} seconds since 1970 */
const when = (seconds) => new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "short", timeStyle: "short" });

/**
 * @param {SessionListed[]} sessions
 * @param {(id: string) => void} end
 * @param {boolean} named whether it says whose they are
 */
export function sessionTable(sessions, end, named) {
  const heads = [...(named ? ["Who"] : []), "Since", "Last used", "From", ""];
  const rows = sessions.map((session) => {
    const whose = named ? [el("th", { scope: "row" }, session.name, el("small", {}, ` ${session.role}`))] : [];
    const label = `End the session of ${session.name} since ${when(session.began)}`;
    const button = { type: "button", class: "quiet slim", "aria-label": label, onclick: () => end(session.id) };
    const from = session.browser ? `${session.source} · ${session.browser}` : session.source;
    return el("tr", { dataset: { session: session.id } }, [
      ...whose,
      el("td", {}, when(session.began)),
      el("td", {}, when(session.seen), session.locked ? " · locked" : ""),
      el("td", { class: "small", title: from }, from.slice(0, 60)),
      el("td", {}, session.is_this ? el("span", { class: "small" }, "this one") : el("button", button, "End")),
    ]);
  });
  const head = el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)));
  return el("table", { class: "sessions" }, el("thead", {}, head), el("tbody", {}, rows));
}
