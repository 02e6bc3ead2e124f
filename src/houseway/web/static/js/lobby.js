// The lobby: every open table, live.
import { api, byId, dollars, el } from "./dom.js";
import { watch } from "./watch.js";

const BEAD = /^[BPT]/;
const PHASES = { betting: "taking bets", dealing: "cards are out", deciding: "guests decide", ready: "about to pay", frozen: "stopped by a dispute" };
const role = byId("tables").dataset.role;
const path = (kind, name) => `/${kind}/${encodeURIComponent(name)}`;

function results(table) {
  if (!table.last.length) return el("span", { class: "told" }, "No round yet: be the first");
  if (table.last.every((round) => BEAD.test(round.marks[0] ?? ""))) {
    return table.last.map((round) => {
      const mark = round.marks[0].replace("n", "");
      return el("span", { class: `bead ${mark[0]}`, role: "img", "aria-label": round.headline, title: round.headline }, mark.length > 1 ? mark[1] : mark[0]);
    });
  }
  return el("span", { class: "told" }, "Dealer: ", table.last.slice(-3).reverse().map((round) => round.headline).join(" · "));
}

function shoe(table) {
  if (!table.shoe) return el("p", { class: "small shoe" }, "Cards from a real shoe, keyed in by the dealer");
  const { used, size, cut } = table.shoe;
  const words = cut < size ? `${used} of ${size} cards out · cut card at ${cut}` : `${size} cards, shuffled anew for every round`;
  return el("div", { class: "shoe" },
    el("div", { class: "shoe-bar", "aria-hidden": "true" }, el("i", { style: { width: `${(100 * used) / size}%` } }), cut < size && el("b", { style: { left: `${(100 * cut) / size}%` } })),
    el("span", { class: "small" }, words));
}

/** What differs, the first two by name: the edition's page lists all. */
function differs(differences) {
  const more = differences.length > 2 ? `; and ${differences.length - 2} more` : "";
  return el("span", { class: "small bad differs" }, `${differences.slice(0, 2).join("; ")}${more}`);
}

/** Whether the rules are the approved ones, on the program as released. */
function badge({ status, badge: sentence, approval, id, digest, differences, system_changes: changes }) {
  const kind = status === "approved" || status === "modified" ? status : "";
  const [words] = sentence.split(":"), named = status === "modified" ? differences : changes;
  return el("a", { class: "standing", href: `/editions/${id}`, title: `${sentence}\nRules, letter and digest ${digest}` },
    el("span", { class: `badge ${kind}` }, approval === status ? words : `${words} · ${approval}`), el("span", { class: "small mono" }, digest.slice(0, 8)),
    named.length ? differs(named) : null);
}

function card(table) {
  const { edition } = table, free = table.seats_free;
  return el("article", { class: "table-card", dataset: { table: table.name } },
    el("header", {}, el("h2", {}, el("a", { href: path("tables", table.name) }, table.name)), el("span", { class: free ? "seats" : "seats full" }, free ? `${free} of ${table.seats} seats free` : "full")),
    el("p", { class: "game" }, edition.name),
    el("dl", { class: "facts" },
      el("dt", {}, "Limits"), el("dd", { class: "money" }, table.limits),
      el("dt", {}, "Round"), el("dd", {}, `${table.round}, ${PHASES[table.phase] ?? table.phase}`)),
    el("div", { class: "last", role: "group", "aria-label": "Last results" }, results(table)),
    shoe(table),
    el("div", { class: "foot" }, badge(edition),
      el("span", { class: "ways" }, ["dealer", "supervisor"].includes(role) ? el("a", { href: path("dealer", table.name) }, "Dealer's tablet") : null, el("a", { href: path("board", table.name) }, "Scoreboard"))));
}

const shown = new Map();

/** Draw again what has changed; whoever had the focus keeps it. */
function show({ tables }) {
  const list = byId("tables");
  list.setAttribute("aria-busy", "false");
  const names = tables.map((table) => table.name).join("\n");
  if (list.dataset.names !== names) {
    list.dataset.names = names;
    shown.clear();
    list.replaceChildren(...(tables.length ? tables.map((table) => el("div", { class: "place", dataset: { place: table.name } })) : [el("p", { class: "empty" }, "No table is open. A supervisor opens one on the Floor page.")]));
    showBoards();
  }
  for (const [at, table] of tables.entries()) {
    const now = JSON.stringify(table), place = list.children[at];
    if (shown.get(table.name) === now) continue;
    shown.set(table.name, now);
    const focused = [...place.querySelectorAll("a")].indexOf(document.activeElement);
    place.replaceChildren(card(table));
    if (focused >= 0) place.querySelectorAll("a")[focused]?.focus();
  }
  showPurse();
}

async function showBoards() {
  const { tables, keyed } = await api("GET", "/api/v1/boards");
  const link = (name, about) => el("a", { class: "button quiet", href: path("board", name) }, name, about ? el("small", {}, about) : null);
  byId("boards").replaceChildren(...keyed.map((name) => link(name, "keyed")), ...tables.map((name) => link(name)));
  if (!byId("boards").children.length) byId("boards").append(el("p", { class: "empty" }, "A scoreboard appears here with the first table."));
}

async function showPurse() {
  if (!byId("purse")) return;
  const { balance_cents: cents } = await api("GET", "/api/v1/session", undefined, { quiet: true });
  byId("purse").replaceChildren("Your chips ", el("b", { class: "money" }, dollars(cents)));
}

byId("join")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("join-said").textContent = "";
  try {
    await api("POST", "/api/v1/guests", { name: new FormData(event.target).get("name") }, { quiet: true });
    location.reload();
  } catch (refused) {
    byId("join-said").textContent = `${refused.message.charAt(0).toUpperCase()}${refused.message.slice(1)}.`;
  }
});

watch("/api/v1/stream", show);
