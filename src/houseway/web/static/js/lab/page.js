// The odds lab: choose an edition, a wager and settings; edit pays in place; compare; plot by decks.
import { Solving } from "../runs/solving.js";
import { api, byId, codeOf, countOf, el, messageOf, present, toast } from "../shared/dom.js";
import { drawn } from "../shared/drawing.js";
import { differsLine, nameAmong, standingClass } from "../shared/edition.js";
import { showSettings, showWagers } from "./choices.js";
import { compareTable, keepable } from "./compare.js";
import { loadDecks } from "./decks.js";
import { returnBar, shareBars } from "./plot.js";
import { VOLATILITY, VOLATILITY_WORDS, rangesTable, standardMoment } from "./ranges.js";
import { float, parsePay, percent, reckon } from "./reckon.js";
import { showSheet } from "./sheet.js";
import { FIRST_BET_CENTS, MOST_KEPT, SAMPLED, address, ask, changedPays, forget, lab, ownWagers, query } from "./state.js";
import { setting, value } from "./state.js";
import { signed } from "./tables.js";

/** @import { Reckoning, Sheet } from "../types" */
/** @import { Column } from "./compare.js" */

const READOUTS = ["House edge", "Hit rate", "Standard deviation", "Volatility index"];
const BUSY_MS = 250;

// ---- the edition ----------------------------------------------------------------------------------------------------

/** @param {string | null} id @param {URLSearchParams} [address] what the page's address asks for */
function chooseEdition(id, address = new URLSearchParams()) {
  lab.edition = lab.editions.find((edition) => edition.id === id) ?? lab.editions[0];
  lab.players = Number(address.get("players") ?? 1);
  lab.betCents = Number(address.get("bet_cents") ?? FIRST_BET_CENTS);
  Object.assign(lab, { chosen: {}, pays: {}, kept: [], anyway: address.has("what_if"), player: "" });
  for (const setting of lab.edition.settings) {
    const wanted = address.get(setting.name);
    if (wanted !== null && setting.values.map(String).includes(wanted)) lab.chosen[setting.name] = wanted;
  }
  const wagers = ownWagers();
  const wanted = wagers.find((wager) => wager.id === address.get("wager"));
  lab.wager = wanted ?? wagers.find((wager) => wager.exact) ?? wagers[0];
  const player = address.get("player") ?? "";
  if (lab.wager.players.includes(player)) lab.player = player;
  for (const [outcome, text] of address.getAll("pay").map((item) => item.split("="))) {
    const pay = parsePay(text ?? "");
    if (pay) lab.pays[outcome] = pay;
  }
  byId("edition", HTMLSelectElement).value = lab.edition.id;
  showStanding();
  load();
}

function showStanding() {
  const { short, approval, maker, digest, differences } = lab.edition;
  const parts = [
    el("span", { class: `badge ${standingClass(lab.edition)}`, title: differences.join("; ") }, short),
    el("span", { class: "small" }, [short.startsWith(approval) ? "" : approval, maker].filter(Boolean).join(" · ")),
    el("span", { class: "small mono", title: `digest ${digest}` }, digest.slice(0, 12)),
    differsLine(lab.edition),
  ];
  byId("standing").replaceChildren(...present(parts));
  for (const tab of ["hand", "strategy", "simulate", "protect", "design", "reports"]) {
    document.querySelector(`[data-tab=${tab}]`)?.setAttribute("href", `/lab/${lab.edition.id}/${tab}`);
  }
}

// ---- the par sheet --------------------------------------------------------------------------------------------------

async function load() {
  lab.turn += 1;
  const { turn } = lab;
  Object.assign(lab, { sheet: null, result: null });
  showSettings(load);
  showWagers(load);
  showWaiting();
  if (!lab.wager.exact && !lab.player) showEdgeFirst(turn);
  try {
    /** @type {Sheet | null} */
    const sheet = await sheetAsked();
    if (turn !== lab.turn || !sheet) return;
    const known = freePays(sheet);
    lab.pays = Object.fromEntries(Object.entries(lab.pays).filter(([outcome]) => known.has(outcome)));
    lab.sheet = sheet;
    offerExact(sheet);
    showSheet(sheet, () => update(sheet));
    update(sheet, 0);
  } catch (refused) {
    if (turn === lab.turn) showRefusal(refused);
  }
}

/** What a solver knows of a wager stands there while it is sampled. @param {number} turn the question that it belongs to */
async function showEdgeFirst(turn) {
  const known = await ask(address("edge", query({ pays: false }))).catch(() => null);
  const edge = known?.house_edge;
  if (!edge || turn !== lab.turn || lab.sheet || !byId("readouts").hasAttribute("aria-busy")) return;
  const first = readout(READOUTS[0], `${(edge.value * 100).toFixed(6)} %`, `${edge.player} play, solved`, true);
  byId("readouts").firstElementChild?.replaceWith(first);
}

/** Outcomes whose pay can be tried. @param {Sheet} sheet */
const freePays = (sheet) => new Set(sheet.outcomes.filter((row) => !row.is_fixed).map((row) => row.outcome));

/** The par sheet; where all deals must be counted first, that is done apart. @returns {Promise<Sheet | null>} */
async function sheetAsked() {
  solving.clear();
  if (lab.player && lab.player !== SAMPLED) {
    const known = await ask(address("edge", query({ pays: false })));
    if (!known.is_ready) return countExactly(lab.player);
  }
  return ask(address("odds", query({ pays: false })));
}

/** Count all deals for a player, apart from the tables. @param {string} player @returns {Promise<Sheet | null>} */
async function countExactly(player) {
  const { turn } = lab;
  const settings = Object.fromEntries([...query({ pays: false })].filter(([name]) => setting(name)));
  const whatIf = query({ pays: false }).has("what_if") ? { what_if: true } : {};
  const asked = { wager: lab.wager.id, player, settings, ...whatIf };
  const answer = await solving.ask(`/api/v1/editions/${lab.edition.id}/odds/stream`, asked, load);
  if (!answer || turn !== lab.turn) return null;
  forget();
  return answer.data;
}

/** Where a sheet is sampled and can be counted, that is offered. @param {Sheet} sheet */
function offerExact(sheet) {
  const count = async () => {
    const { turn } = lab;
    byId("exactly").replaceChildren();
    const counted = await countExactly(sheet.solvable);
    if (counted && turn === lab.turn) load();
  };
  const isOther = sheet.solvable === lab.wager.shown_for;
  const does = isOther ? `Solve every result of ${sheet.solvable} play` : "Count all deals exactly";
  const takes = isOther
    ? `The house edge of ${sheet.solvable} play is solved; these rows are sampled, for another player (${sheet.strategy}). ` +
      "Solving every result takes a minute or more, once for these settings."
    : "This is sampled. Counting all deals takes a minute, once for these settings.";
  const button = el("button", { type: "button", onclick: count }, does);
  const words = el("span", { class: "small" }, takes);
  byId("exactly").replaceChildren(...(sheet.solvable && !lab.player ? [button, words] : []));
}

function showWaiting() {
  const simulating = "Simulating millions of rounds: the first time takes a few seconds…";
  const isCounted = lab.wager.exact || (lab.player && lab.player !== SAMPLED);
  const words = isCounted ? "Counting every deal…" : simulating;
  byId("readouts").setAttribute("aria-busy", "true");
  byId("readouts").replaceChildren(...READOUTS.map((name) => readout(name, "—", "")));
  byId("sheet").replaceChildren(el("p", { class: "waiting" }, words));
  byId("method").textContent = "";
  byId("shape").hidden = true;
  for (const id of ["picture", "decks", "ranges"]) {
    byId(id).replaceChildren(el("p", { class: "waiting" }, "Waiting for the par sheet…"));
  }
  for (const id of ["reset", "keep"]) byId(id, HTMLButtonElement).disabled = true;
  byId("banner").hidden = true;
  byId("exactly").replaceChildren();
}

/** @param {unknown} refused */
function showRefusal(refused) {
  byId("readouts").removeAttribute("aria-busy");
  const computeAnyway = () => {
    lab.anyway = true;
    load();
  };
  const offer =
    codeOf(refused) === "not-offered"
      ? el("button", { type: "button", onclick: computeAnyway }, "Compute it as a what-if")
      : el("button", { type: "button", class: "quiet", onclick: load }, "Ask again");
  byId("sheet").replaceChildren(el("div", { class: "empty" }, el("p", {}, messageOf(refused)), offer));
  for (const id of ["picture", "decks", "ranges"]) {
    byId(id).replaceChildren(el("p", { class: "empty" }, "No par sheet, so nothing to draw."));
  }
  showCompare();
}

function resetPays() {
  if (!lab.sheet) return;
  const { sheet } = lab;
  lab.pays = {};
  showSheet(sheet, () => update(sheet));
  update(sheet);
}

// ---- what follows from the pays -------------------------------------------------------------------------------------

let timer = 0;
const solving = new Solving("Working out all odds for this player.");

/**
 * Show what the pays come to.
 * @param {Sheet} sheet
 * @param {number} wait before the decks are asked for again
 */
function update(sheet, wait = BUSY_MS) {
  const result = reckon(sheet, lab.pays);
  lab.result = result;
  const changed = new Set(changedPays().map(([outcome]) => outcome));
  showReturns(sheet, result, changed);
  showReadouts(sheet, result, changed.size ? reckon(sheet, {}) : null);
  showBanner(sheet, changed.size > 0);
  byId("reset", HTMLButtonElement).disabled = changed.size === 0;
  byId("keep", HTMLButtonElement).disabled = lab.kept.length >= MOST_KEPT;
  showLinks();
  drawPicture(sheet, result);
  byId("ranges").replaceChildren(...rangesTable(result, sheet.staked === null ? "that is staked" : "first bets"));
  showCompare();
  clearTimeout(timer);
  timer = setTimeout(() => loadDecks(lab.turn), wait);
}

/** @param {Sheet} sheet @param {Reckoning} result @param {Set<string>} changed */
function showReturns(sheet, result, changed) {
  result.rows.forEach((row, place) => {
    const shown = byId(`row-${row.outcome}`);
    const isChanged = changed.has(row.outcome);
    const returned = /** @type {HTMLElement} */ (shown.querySelector(".return"));
    const was = /** @type {HTMLElement} */ (shown.querySelector(".was"));
    shown.classList.toggle("changed", isChanged);
    was.textContent = isChanged ? `approved: ${sheet.outcomes[place].approved_pays}` : "";
    returned.textContent = signed(row.share, 8);
    returned.classList.toggle("gain", row.share.over > 0n);
  });
  const sum = { over: -result.edge.over, under: result.edge.under };
  byId("total-return").textContent = signed(sum, 8);
  const figure = byId(`wager-${lab.wager.id}`).querySelector(".figure");
  const solved = changed.size ? null : sheet.solved_edge;
  const named = sheet.player ? ` · ${sheet.player}` : "";
  const words = solved ? `${(solved.value * 100).toFixed(3)} % · ${solved.player}` : `${percent(result.edge, 3)}${named}`;
  if (figure) figure.textContent = words;
}

/** @param {string} name @param {string} figure @param {string} note */
function readout(name, figure, note, isMain = false) {
  return el("div", { class: isMain ? "readout main" : "readout" }, [
    el("span", { class: "name" }, name),
    el("output", { class: "figure" }, figure),
    el("span", { class: "note" }, note),
  ]);
}

/** @param {number} now @param {number} before */
function difference(now, before, unit = "") {
  return `${now >= before ? "+" : "−"}${Math.abs(now - before).toFixed(4)}${unit} against the approved pays`;
}

/**
 * @param {Sheet} sheet
 * @param {Reckoning} result
 * @param {Reckoning | null} approved what the approved pays come to, if others are on the bench
 */
function showReadouts(sheet, result, approved) {
  const { edge, hit, push, deviation, error } = result;
  const solved = lab.player ? null : sheet.solved_edge;
  const isSolved = sheet.method === "solved";
  const isExact = error === null;
  const often = hit.over ? `one round in ${(Number(hit.under) / Number(hit.over)).toPrecision(4)}` : "never";
  const notes = approved
    ? [
        difference(float(edge) * 100, float(approved.edge) * 100, " %"),
        difference(float(hit) * 100, float(approved.hit) * 100, " %"),
        difference(deviation, approved.deviation),
        difference(VOLATILITY * deviation, VOLATILITY * approved.deviation),
      ]
    : [
        isSolved
          ? `${sheet.player} play, solved in 64-bit floats`
          : isExact
            ? "exact"
            : `± ${(error * 100).toFixed(3)} % (one standard error)`,
        push.over ? `pushes ${percent(push, 3)}` : often,
        isSolved ? "of one unit of the first bet" : "of one unit staked",
        VOLATILITY_WORDS,
      ];
  const figures = [
    percent(edge, isExact ? 6 : 3),
    percent(hit, isExact ? 4 : 2),
    deviation.toFixed(5),
    (VOLATILITY * deviation).toFixed(4),
  ];
  if (solved && !approved) {
    notes[0] = `${solved.player} play, solved; ${lab.wager.strategy}, sampled: ${figures[0]} ${notes[0]}`;
    for (const place of [1, 2]) notes[place] = `${notes[place]}; ${lab.wager.strategy}, sampled`;
    figures[0] = `${(solved.value * 100).toFixed(6)} %`;
  }
  byId("readouts").replaceChildren(
    ...READOUTS.map((name, place) => readout(name, figures[place], notes[place], place === 0)),
  );
  byId("shape").hidden = !isSolved;
  byId("shape").replaceChildren(...(isSolved ? solvedReadouts(sheet, result) : []));
}

/** What else follows where every result of a player is solved. @param {Sheet} sheet @param {Reckoning} result */
function solvedReadouts({ staked }, result) {
  const shape = "of the net result, for a unit of the first bet";
  const parts = [
    readout("Skewness", standardMoment(result, 3).toFixed(4).replace("-", "−"), shape),
    readout("Excess kurtosis", (standardMoment(result, 4) - 3).toFixed(4).replace("-", "−"), shape),
  ];
  if (staked !== null) {
    const risk = `${((float(result.edge) / staked) * 100).toFixed(4)} %`;
    parts.push(readout("Element of risk", risk, `loss over all stakes: ${staked.toFixed(6)} for each unit, with raises`));
  }
  return parts;
}

/** @param {Sheet} sheet @param {boolean} isEdited */
function showBanner(sheet, isEdited) {
  const differences = lab.edition.differences.slice(0, 3).map((difference) => `not the approved rules: ${difference}`);
  const words = [isEdited ? "not the approved pay table" : "", ...sheet.what_if, ...differences].filter(Boolean);
  byId("banner").hidden = words.length === 0;
  byId("banner").replaceChildren(el("b", {}, "What-if"), el("span", {}, words.join("; ").replace(/^what-if, /, "")));
}

function showLinks() {
  const asked = query();
  const name = `${lab.edition.id}-${lab.wager.id}${asked.has("what_if") ? "-what-if" : ""}`;
  const links = { csv: address("odds.csv", asked), json: address("odds", asked) };
  for (const [kind, href] of Object.entries(links)) {
    Object.assign(byId(kind, HTMLAnchorElement), { href, download: `${name}.${kind}` });
  }
  asked.set("edition", lab.edition.id);
  history.replaceState(null, "", `/lab?${asked}`);
}

/** @param {Sheet} sheet @param {Reckoning} result */
function drawPicture(sheet, result) {
  const rows = result.rows.map((row) => {
    const share = float(row.share);
    return { name: row.name, share, back: share + float(row.chance) };
  });
  const parts = rows.filter((row) => row.back > 0).sort((a, b) => b.back - a.back);
  const isWhole = result.stakeOnly && sheet.staked === null && !(sheet.envy && lab.players > 1);
  const bar = el("div", { class: "drawing" });
  const bars = el("div", { class: "drawing" });
  const about = "Net win times probability: wins to the right, losses to the left, all together minus the house edge";
  byId("picture").replaceChildren(
    ...(isWhole ? [el("p", { class: "small" }, "Of each 100 staked"), bar] : []),
    el("p", { class: "small" }, about),
    bars,
  );
  if (isWhole) drawn(bar, (width) => returnBar(parts, float(result.edge), width))();
  drawn(bars, (width) => shareBars(rows, width))();
}

// ---- side by side ---------------------------------------------------------------------------------------------------

/**
 * What is on the bench, as a column.
 * @param {Sheet} sheet
 * @param {Reckoning} result
 */
function benchColumn(sheet, result) {
  const settings = lab.edition.settings.filter((setting) => {
    const isChosen = lab.chosen[setting.name] && value(setting.name) !== String(setting.approved[0]);
    return isChosen && setting.kind !== "pay-table";
  });
  const changed = changedPays().length;
  const notes = [
    lab.wager.pay_tables.length > 1 ? `pay table ${value("pay-table")}` : "",
    ...settings.map((setting) => `${setting.name} ${value(setting.name)}`),
    changed ? `${countOf(changed, "pay")} changed` : "",
  ];
  return keepable(sheet, result, notes.filter(Boolean), changed > 0 || sheet.what_if.length > 0);
}

function keep() {
  if (lab.kept.length >= MOST_KEPT || !lab.sheet || !lab.result) return;
  lab.kept.push(benchColumn(lab.sheet, lab.result));
  byId("keep", HTMLButtonElement).disabled = lab.kept.length >= MOST_KEPT;
  showCompare();
  toast("Kept: it stays beside the next table you make.");
}

/** @param {string} id of a pay table */
async function addTable(id) {
  try {
    const sheet = await ask(address("odds", query({ changes: { "pay-table": id }, pays: false })));
    if (sheet.wager !== lab.wager.id || lab.kept.length >= MOST_KEPT) return;
    lab.kept.push(keepable(sheet, reckon(sheet, {}), [`pay table ${id}`], sheet.what_if.length > 0));
    showCompare();
  } catch (refused) {
    toast(messageOf(refused), true);
  }
}

function showAlternatives() {
  const tables = lab.wager.pay_tables.map((table) => table.id);
  const others = tables.length > 1 ? tables.filter((id) => id !== value("pay-table")) : [];
  const disabled = lab.kept.length >= MOST_KEPT;
  const buttons = others.map((id) =>
    el("button", { type: "button", class: "quiet small-button", disabled, onclick: () => addTable(id) }, id),
  );
  const label = el("span", { class: "small" }, "Beside it, pay table");
  byId("alternatives").replaceChildren(...(buttons.length ? [label, ...buttons] : []));
}

/** Put a kept table's pays on the bench; what lies there is kept instead. @param {Column} column */
function swapColumn(column) {
  const { sheet, result } = lab;
  if (!sheet || !result) return;
  lab.kept = lab.kept.map((kept) => (kept === column ? benchColumn(sheet, result) : kept));
  const pays = [...column.pays].map(([outcome, row]) => /** @type {const} */ ([outcome, parsePay(row.pays)]));
  const known = freePays(sheet);
  lab.pays = Object.fromEntries(pays.flatMap(([outcome, pay]) => (pay && known.has(outcome) ? [[outcome, pay]] : [])));
  showSheet(sheet, () => update(sheet));
  update(sheet);
}

/** @param {Column} column */
function dropColumn(column) {
  lab.kept = lab.kept.filter((kept) => kept !== column);
  if (lab.sheet) update(lab.sheet);
  else showCompare();
}

function showCompare() {
  showAlternatives();
  const bench = lab.sheet && lab.result ? [{ ...benchColumn(lab.sheet, lab.result), title: "On the bench" }] : [];
  const about = "Press “Keep to compare”, then change pays or settings: the kept table stays beside the new one.";
  const empty = el("p", { class: "empty" }, `${about} Up to ${MOST_KEPT}.`);
  byId("compare").replaceChildren(lab.kept.length ? compareTable([...bench, ...lab.kept], dropColumn, swapColumn) : empty);
}

async function start() {
  const editions = byId("edition", HTMLSelectElement);
  byId("reset").addEventListener("click", resetPays);
  byId("keep").addEventListener("click", keep);
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  lab.editions = await api("GET", "/api/v1/editions");
  const options = lab.editions.map((edition) => el("option", { value: edition.id }, nameAmong(edition, lab.editions)));
  editions.replaceChildren(...options);
  editions.addEventListener("change", () => chooseEdition(editions.value));
  byId("rules", HTMLDetailsElement).open = window.innerWidth > 700;
  const asked = new URLSearchParams(location.search);
  chooseEdition(asked.get("edition"), asked);
}

start();
