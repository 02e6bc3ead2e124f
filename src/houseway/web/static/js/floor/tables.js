// The tables on the floor: their money, their win against theory, and what may be done with them.
import { dollars, el, inWords } from "../shared/dom.js";
import { differsLine, editionBadge } from "../shared/edition.js";
import { mayGive, sees } from "../shared/who.js";
import { ask } from "./ask.js";
import { holdPlot, holdWords } from "./hold.js";
import { whoMay } from "./may.js";

/** @import { Cents, FloorTable, FloorView } from "../types" */

const PHASES = {
  betting: "taking bets",
  dealing: "dealing",
  deciding: "guests decide",
  ready: "ready to settle",
  frozen: "frozen: a dispute",
};
/** @type {Record<string, string>} */
const SOURCES = {
  "virtual-shoe": "virtual shoe",
  "manual-keypad": "keypad",
  "hand-keyed": "cards keyed by hand",
  "smart-shoe": "smart shoe",
};

/** @param {string} source */
export const sourceWords = (source) => SOURCES[source] ?? inWords(source);

/** @param {FloorTable} table @param {string} command */
const path = (table, command) => `/api/v1/tables/${encodeURIComponent(table.name)}/${command}`;

/** @param {FloorTable} table */
const isBankedByPlayers = (table) => table.edition.banked_by === "player";

// ---- what may be done -----------------------------------------------------------------------------------------------

/** @type {Record<string, {words: string, title: string, about: string, field?: string}>} */
const MONEY_ACTS = {
  fill: { words: "Fill", title: "Fill", about: "Chips from the cage to the tray.", field: "Chips in dollars" },
  credit: { words: "Credit", title: "Credit", about: "Chips from the tray to the cage.", field: "Chips in dollars" },
  drop: { words: "Drop", title: "Pull the box", about: "Its cash goes to the cage and stays in the table's drop." },
  closer: {
    words: "Closer",
    title: "Closer: count the tray",
    about: "Nothing moves; a difference to the books is told.",
    field: "Counted in dollars",
  },
};

/**
 * What was done.
 * @param {string} kind
 * @param {FloorTable} table
 * @param {Cents} cents
 */
function doneWords(kind, table, cents) {
  if (kind === "drop") return `${table.name}: the box is pulled.`;
  if (kind !== "closer") return `${table.name}: ${kind} of ${dollars(cents)}.`;
  const off = cents - (table.tray_cents ?? cents);
  if (!off) return `${table.name}: the tray is what the books say.`;
  const difference = `${dollars(Math.abs(off))} ${off > 0 ? "more" : "less"}`;
  return `${table.name}: ${difference} than the books say. It is among the events.`;
}

/** @param {string} kind @param {FloorTable} table */
function moneyAct(kind, table) {
  const { title, about, field } = MONEY_ACTS[kind];
  ask({
    title: `${title} · ${table.name}`,
    about,
    fields: field ? [{ name: "cents", label: field, kind: "money" }] : [],
    button: title,
    act: async (values, send) => {
      await send(path(table, kind), field ? values : undefined);
      return doneWords(kind, table, values.cents);
    },
  });
}

/** With chips the tray was counted before, and stays locked at the table. @param {FloorTable} table */
function closeBySlip(table) {
  ask({
    title: `Close ${table.name}`,
    button: "Close and lock",
    warns: true,
    about: "The tray stays locked with what the dealer and a supervisor have counted; the box stays until security pulls it.",
    act: async (_, send) => {
      await send(path(table, "close"), {});
      return `${table.name} is closed; its balance is below.`;
    },
  });
}

/** @param {FloorTable} table */
function closeAct(table) {
  const books = `The books say that ${dollars(table.tray_cents ?? 0)} is in the tray.`;
  const label = "Tray as counted, in dollars (empty: as the books say)";
  ask({
    title: `Close ${table.name}`,
    button: "Close and balance",
    warns: true,
    about: `Tray, box and collection go to the cage, and the win is balanced. ${books}`,
    fields: [{ name: "closer_cents", label, kind: "money", required: false }],
    act: async (values, send) => {
      await send(path(table, "close"), values);
      return `${table.name} is closed; its balance is below.`;
    },
  });
}

/** @param {FloorTable} table @param {string[]} reasons */
function voidAct(table, reasons) {
  const options = reasons.map((reason) => /** @type {[string, string]} */ ([reason, inWords(reason)]));
  ask({
    title: `Void round ${table.round} · ${table.name}`,
    about: "All wagers go back, the cards go out. The void is recorded with its reason.",
    button: "Void the round",
    warns: true,
    fields: [{ name: "reason", label: "Reason", kind: "select", options }],
    act: async (values, send) => {
      await send(path(table, "void"), { ...values, round: table.round });
      return `Round ${table.round} at ${table.name} is void.`;
    },
  });
}

/** Record that the cards out of a shuffler at fault are checked. @param {FloorTable} table */
function checkAct(table) {
  ask({
    title: `The cards of ${table.name}`,
    about: `After the ${inWords(table.check_cards)} the cards were taken out: count them, and have them reshuffled.`,
    button: "I have checked them",
    fields: [],
    act: async (_, send) => {
      await send(path(table, "check-cards"), {});
      return `The cards of ${table.name} are checked.`;
    },
  });
}

/** @param {FloorTable} table @param {FloorView} floor */
function buttons(table, floor) {
  /** @type {(kind: string, words: string, act: () => void, off?: string) => HTMLElement} */
  const button = (kind, words, act, off = "") => {
    const isMine = mayGive(kind);
    const title = isMine ? off || undefined : whoMay(floor, kind);
    const state = { disabled: !isMine || off !== "", title, dataset: { act: kind } };
    const names = { type: "button", class: "quiet", "aria-label": `${words}: ${table.name}` };
    return el("button", { ...names, ...state, onclick: act }, words);
  };
  const isPlaying = table.phase !== "betting" || table.on_felt_cents > 0;
  const oneStep = isBankedByPlayers(table) ? ["drop"] : Object.keys(MONEY_ACTS);
  const kinds = floor.by_slips ? [] : oneStep;
  const close = () => (floor.by_slips ? closeBySlip(table) : closeAct(table));
  const noRound = isPlaying ? "" : "no wager lies on the table";
  const inPlay = isPlaying ? "settle or void the round first" : "";
  return el("div", { class: "acts no-print" }, [
    kinds.map((kind) => button(kind, MONEY_ACTS[kind].words, () => moneyAct(kind, table))),
    button("void", "Void", () => voidAct(table, floor.void_reasons), noRound),
    table.check_cards ? button("check-cards", "Cards are checked", () => checkAct(table)) : null,
    button("close", "Close", close, inPlay),
    floor.by_slips ? el("a", { class: "button quiet", href: "/slips" }, "Slips and counts") : null,
  ]);
}

/** @param {FloorTable} table */
function links(table) {
  const name = encodeURIComponent(table.name);
  return el("nav", { class: "links no-print", "aria-label": `Pages of ${table.name}` }, [
    el("a", { href: `/tables/${name}` }, "Table"),
    el("a", { href: `/board/${name}` }, "Scoreboard"),
    sees("dealer") ? el("a", { href: `/dealer/${name}` }, "Dealer's tablet") : null,
  ]);
}

// ---- its money ------------------------------------------------------------------------------------------------------

/** What whoever may count it is not shown is a dash. @param {string} name @param {Cents | null} cents */
const moneyCell = (name, cents, more = "") =>
  el("div", { class: more }, el("dt", {}, name), el("dd", {}, cents === null ? "–" : dollars(cents)));

/** @param {FloorTable} table */
function moneyLine(table) {
  const cells = isBankedByPlayers(table)
    ? [
        moneyCell("Collection", table.collection_cents, "win"),
        moneyCell("Drop", table.drop_cents),
        moneyCell("Tips", table.tips_cents),
        moneyCell("On the felt", table.on_felt_cents),
      ]
    : [
        moneyCell("Opener", table.opener_cents),
        moneyCell("Fills", table.fills_cents),
        moneyCell("Credits", table.credits_cents),
        moneyCell("Drop", table.drop_cents),
        moneyCell("Tray", table.tray_cents),
        moneyCell("Win", table.win_cents, (table.win_cents ?? 0) < 0 ? "win loss" : "win"),
      ];
  return el("dl", { class: "money-line" }, cells);
}

/** Whether tray, credits and drop less opener and fills are what the rounds say was won. @param {FloorTable} table */
function balance(table) {
  if (isBankedByPlayers(table) || table.phase !== "betting") return null;
  if (table.tray_cents === null || table.drop_cents === null || table.win_cents === null) return null;
  const income = table.tray_cents + table.credits_cents + table.drop_cents;
  const counted = income - table.opener_cents - table.fills_cents;
  const sum = "Tray + credits + drop − opener − fills is";
  const isRight = counted === table.win_cents;
  const differs = `✗ ${sum} ${dollars(counted)}, the rounds say ${dollars(table.win_cents)}.`;
  return el("p", { class: `small balance ${isRight ? "" : "bad"}` }, isRight ? `✓ ${sum} the win, to the cent.` : differs);
}

/** Whether a table's theory is still being worked out. @param {FloorTable} table */
export const isPending = (table) =>
  table.is_open && !table.unreadable && !isBankedByPlayers(table) && !table.theory && table.round > 1;

/** @param {FloorTable} table */
function hold(table) {
  const note = (/** @type {string} */ words) => el("p", { class: "small quiet-note" }, words);
  if (isBankedByPlayers(table)) {
    return note("Players bank each other here: the house takes a collection and has no win to hold against theory.");
  }
  if (table.win_cents === null) return note("Whoever may be asked to count boxes is not shown the win.");
  if (isPending(table)) return note("The expected win is being worked out from the exact odds…");
  if (!table.theory) return note("No bet is settled yet: the win against theory appears with the first round.");
  const { win_cents: win, drop_cents: drop, theory } = table;
  return el("div", { class: "hold-box" }, holdPlot(win, theory), holdWords(win, drop, theory));
}

/** @param {FloorTable} table */
function aboutWords(table) {
  const taken = `${table.seats_taken} of ${table.seats} seats taken`;
  const isFull = table.seats_taken === table.seats;
  const words = [
    table.edition.name,
    sourceWords(table.source),
    `round ${table.round}`,
    isFull ? `${taken}, full` : taken,
    table.watch === "acknowledge" ? "big payouts wait for a supervisor" : "",
    table.dealer ? `${table.dealer} is on the table` : "",
  ];
  return words.filter(Boolean).join(" · ");
}

/**
 * One open table.
 * @param {FloorTable} table
 * @param {FloorView} floor
 */
export function tableCard(table, floor) {
  if (table.unreadable) return spoiledCard(table);
  const phase = el("span", { class: `phase phase-${table.phase}` }, PHASES[table.phase] ?? table.phase);
  return el("article", cardOf(table), [
    el("header", {}, el("h3", {}, table.name), phase, editionBadge(table.edition)),
    el("p", { class: "small about" }, aboutWords(table)),
    differsLine(table.edition),
    moneyLine(table),
    balance(table),
    hold(table),
    el("footer", {}, buttons(table, floor), links(table)),
  ]);
}

/** @param {FloorTable} table */
const cardOf = ({ name }) => ({ class: "floor-table panel", dataset: { table: name }, "aria-label": name });

/** A table whose edition or game cannot be read: its money and the reason. @param {FloorTable} table */
function spoiledCard(table) {
  const phase = el("span", { class: "phase phase-frozen" }, "stands still");
  const head = el("header", {}, el("h3", {}, table.name), phase);
  return el("article", cardOf(table), head, el("p", { class: "bad unreadable" }, table.unreadable), moneyLine(table));
}

// ---- closed tables --------------------------------------------------------------------------------------------------

/** @param {Cents | null | undefined} cents */
const moneyColumn = (cents, tone = "") =>
  el("td", { class: `number ${tone}` }, typeof cents === "number" ? dollars(cents) : "–");

/** @param {FloorTable} table @param {FloorView} floor @param {(table: FloorTable) => void} reopen */
function closedRow(table, floor, reopen) {
  const closed = floor.events.find((event) => event.event === "table-closed" && event.table === table.name)?.details;
  const verdict = closed?.balanced ? "✓ balances to the cent" : "✗ does not balance";
  const again = { type: "button", class: "quiet slim no-print", onclick: () => reopen(table) };
  return el("tr", { dataset: { closed: table.name } }, [
    el("th", { scope: "row" }, table.name),
    el("td", {}, table.edition.name),
    moneyColumn(table.opener_cents),
    moneyColumn(table.fills_cents),
    moneyColumn(table.credits_cents),
    moneyColumn(closed?.drop_cents),
    moneyColumn(closed?.closer_cents),
    moneyColumn(table.win_cents, (table.win_cents ?? 0) < 0 ? "bad" : "money"),
    el("td", { class: closed?.balanced === false ? "bad" : "" }, closed ? verdict : "see the journal"),
    el("td", {}, mayGive("open") ? el("button", again, "Open again") : ""),
  ]);
}

/**
 * The closed tables with the balance they were closed with.
 * @param {FloorTable[]} tables
 * @param {FloorView} floor
 * @param {(table: FloorTable) => void} reopen
 */
export function closedTable(tables, floor, reopen) {
  const names = ["Table", "Edition", "Opener", "Fills", "Credits", "Drop", "Closer", "Win", "Balance", ""];
  const heads = names.map((name, at) => el("th", { scope: "col", class: at > 1 && at < 8 ? "number" : "" }, name));
  const rows = tables.map((table) => closedRow(table, floor, reopen));
  return el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
}
