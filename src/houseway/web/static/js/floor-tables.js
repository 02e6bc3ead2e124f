// The tables on the floor: their money, their win against theory, and what may be done with them.
import { dollars, el } from "./dom.js";
import { ask } from "./floor-ask.js";
import { holdPlot, holdWords } from "./floor-hold.js";
import { DEALER_PAGE, may, whoMay } from "./floor-may.js";

export const PHASES = { betting: "taking bets", dealing: "dealing", deciding: "guests decide", ready: "ready to settle", frozen: "frozen: a dispute" };
const WORDS = { "virtual-shoe": "virtual shoe", "manual-keypad": "keypad", "hand-keyed": "cards keyed by hand", shuffler: "shuffler", "smart-shoe": "smart shoe" };
export const sourceWords = (source) => WORDS[source] ?? source;
const path = (table, what) => `/api/v1/tables/${encodeURIComponent(table.name)}/${what}`;

/** Whether an edition is the approved one; the letter and the digest are one click away. */
export function badge({ status, badge: sentence, approval, id, digest }) {
  const kind = status === "approved" || status === "modified" ? status : "";
  return el("a", { class: `badge ${kind}`, href: `/editions/${id}`, title: `${sentence}\ndigest ${digest}` }, approval === status ? sentence.split(":")[0] : `${sentence.split(":")[0]} · ${approval}`);
}

const ACTS = {
  fill: { words: "Fill", title: "Fill", about: "Chips from the cage to the tray.", field: "Chips in dollars" },
  credit: { words: "Credit", title: "Credit", about: "Chips from the tray to the cage.", field: "Chips in dollars" },
  drop: { words: "Drop", title: "Pull the box", about: "Its cash goes to the cage and stays in the table's drop." },
  closer: { words: "Closer", title: "Closer: count the tray", about: "Nothing moves; a difference to the books is told.", field: "Counted in dollars" },
};

function moneyAct(kind, table) {
  const { title, about, field } = ACTS[kind];
  const fields = field ? [{ name: "cents", label: field, kind: "money" }] : [];
  ask({
    title: `${title} · ${table.name}`, about, fields, button: title,
    act: async (values, send) => {
      await send(path(table, kind), field ? values : undefined);
      if (kind === "drop") return `${table.name}: the box is pulled.`;
      if (kind !== "closer") return `${table.name}: ${kind} of ${dollars(values.cents)}.`;
      const off = values.cents - table.tray_cents;
      return off ? `${table.name}: ${dollars(Math.abs(off))} ${off > 0 ? "more" : "less"} than the books say. It is among the events.` : `${table.name}: the tray is what the books say.`;
    },
  });
}

function closeAct(table) {
  ask({
    title: `Close ${table.name}`, button: "Close and balance", warns: true,
    about: `Tray, box and collection go to the cage, and the win is balanced. The books say that ${dollars(table.tray_cents)} is in the tray.`,
    fields: [{ name: "closer_cents", label: "Tray as counted, in dollars (empty: as the books say)", kind: "money", required: false }],
    act: async (values, send) => {
      await send(path(table, "close"), values);
      return `${table.name} is closed; its balance is below.`;
    },
  });
}

function voidAct(table, reasons) {
  ask({
    title: `Void round ${table.round} · ${table.name}`, about: "All wagers go back, the cards go out. The void is recorded with its reason.", button: "Void the round", warns: true,
    fields: [{ name: "reason", label: "Reason", kind: "select", options: reasons.map((reason) => [reason, reason.replaceAll("-", " ")]) }],
    act: async (values, send) => {
      await send(path(table, "void"), { ...values, round: table.round });
      return `Round ${table.round} at ${table.name} is void.`;
    },
  });
}

function buttons(table, floor) {
  const { role } = floor.you;
  const make = (kind, words, act, off = "", name = "quiet") => {
    const allowed = may(role, kind);
    return el("button", { type: "button", class: name, disabled: !allowed || off !== "", title: allowed ? off || undefined : whoMay(kind), dataset: { act: kind }, "aria-label": `${words}: ${table.name}`, onclick: act }, words);
  };
  const banked = table.edition.banked_by === "player";
  const playing = table.phase !== "betting" || table.on_felt_cents > 0;
  const trays = banked ? ["drop"] : Object.keys(ACTS);
  return el("div", { class: "acts no-print" },
    trays.map((kind) => make(kind, ACTS[kind].words, () => moneyAct(kind, table))),
    make("void", "Void", () => voidAct(table, floor.void_reasons), playing ? "" : "no wager lies on the table"),
    make("close", "Close", () => closeAct(table), playing ? "settle or void the round first" : ""));
}

function links(table, floor) {
  const name = encodeURIComponent(table.name);
  return el("nav", { class: "links no-print", "aria-label": `Pages of ${table.name}` },
    el("a", { href: `/tables/${name}` }, "Table"), el("a", { href: `/board/${name}` }, "Scoreboard"),
    DEALER_PAGE.includes(floor.you.role) ? el("a", { href: `/dealer/${name}` }, "Dealer's tablet") : null);
}

function moneyLine(table) {
  const cell = (name, cents, more = "") => el("div", { class: more }, el("dt", {}, name), el("dd", {}, dollars(cents)));
  if (table.edition.banked_by === "player") {
    return el("dl", { class: "money-line" }, cell("Collection", table.collection_cents, "win"), cell("Drop", table.drop_cents), cell("Tips", table.tips_cents), cell("On the felt", table.on_felt_cents));
  }
  return el("dl", { class: "money-line" }, cell("Opener", table.opener_cents), cell("Fills", table.fills_cents), cell("Credits", table.credits_cents),
    cell("Drop", table.drop_cents), cell("Tray", table.tray_cents), cell("Win", table.win_cents, table.win_cents < 0 ? "win loss" : "win"));
}

/** Whether tray, credits and drop less opener and fills are what the rounds say was won. */
function balance(table) {
  if (table.edition.banked_by === "player" || table.phase !== "betting") return null;
  const counted = table.tray_cents + table.credits_cents + table.drop_cents - table.opener_cents - table.fills_cents;
  const fits = counted === table.win_cents;
  return el("p", { class: `small balance ${fits ? "" : "bad"}` }, fits ? "✓ Tray + credits + drop − opener − fills is the win, to the cent." : `✗ Tray + credits + drop − opener − fills is ${dollars(counted)}, the rounds say ${dollars(table.win_cents)}.`);
}

/** Whether a table's theory is still being worked out. */
export const isPending = (table) => table.is_open && table.edition.banked_by !== "player" && !table.theory && table.round > 1;

function hold(table) {
  if (table.edition.banked_by === "player") return el("p", { class: "small quiet-note" }, "Players bank each other here: the house takes a collection and has no win to hold against theory.");
  if (isPending(table)) return el("p", { class: "small quiet-note" }, "The expected win is being worked out from the exact odds…");
  if (!table.theory) return el("p", { class: "small quiet-note" }, "No bet is settled yet: the win against theory appears with the first round.");
  return el("div", { class: "hold-box" }, holdPlot(table.win_cents, table.theory), holdWords(table));
}

/** One open table. */
export function tableCard(table, floor) {
  const free = table.seats - table.seats_taken;
  return el("article", { class: "floor-table panel", dataset: { table: table.name }, "aria-label": table.name },
    el("header", {}, el("h3", {}, table.name), el("span", { class: `phase phase-${table.phase}` }, PHASES[table.phase] ?? table.phase), badge(table.edition)),
    el("p", { class: "small about" }, `${table.edition.name} · ${sourceWords(table.source)} · round ${table.round} · ${table.seats_taken} of ${table.seats} seats taken${free ? "" : ", full"}${table.watch === "acknowledge" ? " · big payouts wait for a supervisor" : ""}`),
    moneyLine(table), balance(table), hold(table), el("footer", {}, buttons(table, floor), links(table, floor)));
}

/** The closed tables with the balance they were closed with. */
export function closedTable(tables, floor, reopen) {
  const rows = tables.map((table) => {
    const end = floor.events.find((event) => event.event === "table-closed" && event.table === table.name)?.details;
    const money = (cents) => el("td", { class: "number" }, cents === undefined ? "–" : dollars(cents));
    const fits = end === undefined ? "see the journal" : end.balanced ? "✓ balances to the cent" : "✗ does not balance";
    return el("tr", { dataset: { closed: table.name } }, el("th", { scope: "row" }, table.name), el("td", {}, table.edition.name), money(table.opener_cents), money(table.fills_cents), money(table.credits_cents), money(end?.drop_cents), money(end?.closer_cents),
      el("td", { class: `number ${table.win_cents < 0 ? "bad" : "money"}` }, dollars(table.win_cents)), el("td", { class: end?.balanced === false ? "bad" : "" }, fits),
      el("td", {}, may(floor.you.role, "open") ? el("button", { type: "button", class: "quiet slim no-print", onclick: () => reopen(table) }, "Open again") : ""));
  });
  const heads = ["Table", "Edition", "Opener", "Fills", "Credits", "Drop", "Closer", "Win", "Balance", ""];
  return el("table", {}, el("thead", {}, el("tr", {}, heads.map((name, at) => el("th", { scope: "col", class: at > 1 && at < 8 ? "number" : "" }, name)))), el("tbody", {}, rows));
}
