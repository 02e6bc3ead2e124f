// The lobby: every open table, live.
import { api, byId, dollars, el } from "./dom.js";
import { watch } from "./watch.js";

const BEAD = /^[BPT]/;

function results(table) {
  if (!table.last.length) return el("span", { class: "told" }, "No round yet: be the first");
  if (table.last.every((round) => BEAD.test(round.marks[0] ?? ""))) {
    return table.last.map((round) => {
      const mark = round.marks[0].replace("n", "");
      return el("span", { class: `bead ${mark[0]}`, title: round.headline }, mark.length > 1 ? mark[1] : mark[0]);
    });
  }
  return el("span", { class: "told" }, table.last.slice(-2).reverse().map((round) => round.headline).join(" · "));
}

function shoe(table) {
  if (!table.shoe) return el("span", { class: "small" }, "cards keyed in by the dealer");
  const { used, size, cut } = table.shoe;
  return el("div", { class: "shoe-bar", role: "img", "aria-label": `${used} of ${size} cards out, cut card at ${cut}` },
    el("i", { style: { width: `${(100 * used) / size}%` } }), cut < size && el("b", { style: { left: `${(100 * cut) / size}%` } }));
}

function card(table) {
  const { edition } = table;
  const kind = edition.status === "approved" ? "approved" : edition.status === "modified" ? "modified" : "";
  return el("article", { class: "table-card" },
    el("h2", {}, el("a", { href: `/tables/${encodeURIComponent(table.name)}` }, table.name)),
    el("p", { class: "game" }, edition.name),
    el("dl", { class: "facts" },
      el("dt", {}, "Limits"), el("dd", { class: "money" }, table.limits),
      el("dt", {}, "Seats"), el("dd", {}, `${table.seats_free} of ${table.seats} free`),
      el("dt", {}, "Round"), el("dd", {}, `${table.round}, ${table.phase}`)),
    shoe(table),
    el("div", { class: "last", "aria-label": "Last results" }, results(table)),
    el("div", { class: "foot" },
      el("a", { class: `badge ${kind}`, href: `/editions/${edition.id}`, title: `digest ${edition.digest}` }, `${edition.status} · ${edition.approval}`),
      el("a", { class: "small", href: `/board/${encodeURIComponent(table.name)}` }, "scoreboard")));
}

async function showBoards() {
  const { tables, keyed } = await api("GET", "/api/v1/boards");
  byId("boards").replaceChildren(...[...tables, ...keyed].map((name) => el("a", { class: "button quiet", href: `/board/${encodeURIComponent(name)}` }, name)));
}

watch("/api/v1/stream", (view) => {
  const list = byId("tables");
  list.setAttribute("aria-busy", "false");
  list.replaceChildren(...(view.tables.length ? view.tables.map(card) : [el("p", { class: "empty" }, "No table is open. A supervisor opens one on the Floor page.")]));
});
showBoards();
if (byId("purse")) api("GET", "/api/v1/session").then((me) => byId("purse").replaceChildren("Your chips ", el("b", { class: "money" }, dollars(me.balance_cents))));

byId("join")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await api("POST", "/api/v1/guests", { name: new FormData(event.target).get("name") });
  location.reload();
});
