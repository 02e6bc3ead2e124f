// The odds lab: choose an edition, a wager and settings; edit pays in place; compare; plot by decks.
import { api, byId, el, toast } from "./dom.js";
import { compareTable, keepable } from "./compare.js";
import { decksLegend, decksPlot, drawn, returnBar, shareBars } from "./plot.js";
import { decimals, float, fraction, parsePay, percent, reckon, stepPay } from "./reckon.js";

const MOST_KEPT = 3;
const lab = { editions: [], edition: null, wager: null, chosen: {}, players: 1, betCents: 500, pays: {}, anyway: false, sheet: null, result: null, kept: [], turn: 0, decksFor: "" };
const answers = new Map();

/** An answer of the API, asked for once. */
function ask(path) {
  if (!answers.has(path)) {
    const coming = api("GET", path, undefined, { quiet: true });
    coming.catch(() => answers.delete(path));
    answers.set(path, coming);
  }
  return answers.get(path);
}

const setting = (name) => lab.edition.settings.find((one) => one.name === name);
const value = (name) => lab.chosen[name] ?? String(setting(name).approved[0]);
const isOutside = (name) => !setting(name).approved.map(String).includes(value(name));
const changedPays = () => Object.entries(lab.pays).filter(([id, pay]) => pay.text !== lab.sheet?.outcomes.find((row) => row.outcome === id)?.approved_pays);
const thousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** Whether a reading's answer may change the odds of this wager as it is set up now. */
function bears(reading) {
  const tables = reading.pay_tables;
  const arises = Object.entries(reading.when).every(([name, when]) => value(name) === when);
  return reading.values.length > 1 && reading.wagers.includes(lab.wager.id) && arises && (!tables.length || tables.includes(value("pay-table")));
}

/** The query of the present question, for another wager or with other settings if given. */
function query({ wager = lab.wager.id, changes = {}, pays = true } = {}) {
  const asked = new URLSearchParams({ wager });
  const outside = [];
  for (const one of lab.edition.settings) {
    const chosen = changes[one.name] ?? value(one.name);
    const limited = one.pay_tables.length && !one.pay_tables.includes(changes["pay-table"] ?? value("pay-table"));
    if (chosen === String(one.approved[0]) || limited) continue;
    asked.set(one.name, chosen);
    if (!one.approved.map(String).includes(chosen)) outside.push(one.name);
  }
  if (lab.edition.wagers.find((one) => one.id === wager).envy) {
    if (lab.players !== 1) asked.set("players", lab.players);
    if (lab.betCents !== 500) asked.set("bet_cents", lab.betCents);
  }
  if (pays) for (const [id, pay] of changedPays()) asked.append("pay", `${id}=${pay.text}`);
  if (outside.length || lab.anyway || asked.has("pay")) asked.set("what_if", "true");
  return asked;
}

const address = (what, asked) => `/api/v1/editions/${lab.edition.id}/${what}?${asked}`;

// ---- choosing -------------------------------------------------------------------------------------------------------

function chooseEdition(id, kept = new URLSearchParams()) {
  lab.edition = lab.editions.find((one) => one.id === id) ?? lab.editions[0];
  const own = lab.edition.wagers.filter((one) => !one.part_of);
  Object.assign(lab, { chosen: {}, players: Number(kept.get("players") ?? 1), betCents: Number(kept.get("bet_cents") ?? 500), pays: {}, anyway: kept.has("what_if"), kept: [] });
  for (const one of lab.edition.settings) if (one.values.map(String).includes(kept.get(one.name))) lab.chosen[one.name] = kept.get(one.name);
  lab.wager = own.find((one) => one.id === kept.get("wager")) ?? own.find((one) => one.exact) ?? own[0];
  for (const [id_, pay] of kept.getAll("pay").map((item) => item.split("="))) if (parsePay(pay ?? "")) lab.pays[id_] = parsePay(pay);
  byId("edition").value = lab.edition.id;
  showStanding();
  load();
}

function showStanding() {
  const { status, badge, approval, maker, digest } = lab.edition;
  byId("standing").replaceChildren(
    el("span", { class: `badge ${status === "pinned" ? "" : status}`, title: badge }, badge),
    el("span", { class: "small" }, [approval, maker].filter(Boolean).join(" · ")),
    el("span", { class: "small mono", title: `digest ${digest}` }, digest.slice(0, 12)),
  );
}

function choose(name, chosen) {
  lab.chosen[name] = chosen;
  lab.anyway = false;
  if (name === "pay-table") lab.pays = {};
  load();
}

function showSettings() {
  const open = lab.edition.settings.filter((one) => one.kind !== "reading" && one.values.length > 1);
  const tables = open.filter((one) => one.kind === "pay-table" && lab.wager.pay_tables.length > 1);
  const fields = [...tables, ...open.filter((one) => one.kind === "setting")].map(field);
  const readings = lab.edition.settings.filter((one) => one.kind === "reading" && bears(one)).map(field);
  if (lab.wager.envy) fields.push(playersField(), betField());
  const focused = document.activeElement?.id;
  byId("settings").replaceChildren(
    ...fields,
    ...(readings.length ? [el("h3", {}, "Readings"), el("p", { class: "small" }, "Questions that the documents leave open, and the answer in use."), ...readings] : []),
  );
  if (focused?.startsWith("set-")) byId(focused)?.focus();
}

function field(one) {
  const id = `set-${one.name}`;
  const option = (chosen) => el("option", { value: chosen, selected: value(one.name) === String(chosen) }, one.kind === "reading" ? `${chosen}: ${one.meanings[chosen] ?? ""}` : String(chosen));
  const outside = one.values.filter((chosen) => !one.approved.includes(chosen));
  const box = el("select", { id, onchange: (event) => choose(one.name, event.target.value) }, ...one.values.filter((chosen) => one.approved.includes(chosen)).map(option));
  if (outside.length) box.append(el("optgroup", { label: "What-if: outside the approval" }, ...outside.map(option)));
  const words = one.kind === "reading" ? `${one.name} · ${one.about}` : one.about;
  return el("div", { class: isOutside(one.name) ? "field outside" : "field" }, el("label", { for: id }, el("span", {}, words), el("span", { class: "clause" }, one.clause)), box);
}

function playersField() {
  const box = el("select", { id: "set-players", onchange: (event) => ((lab.players = Number(event.target.value)), load()) });
  for (let n = 1; n <= 6; n += 1) box.append(el("option", { value: n, selected: n === lab.players }, String(n)));
  return el("div", { class: "field" }, el("label", { for: "set-players" }, "Players who may win envy for one another"), box);
}

function betField() {
  const change = (event) => {
    const cents = Math.round(Number(event.target.value) * 100);
    if (!(cents >= 1 && cents <= 100_000_000)) return void (event.target.value = lab.betCents / 100);
    lab.betCents = cents;
    return load();
  };
  const box = el("input", { id: "set-bet", type: "number", min: "0.01", step: "any", value: lab.betCents / 100, inputmode: "decimal", onchange: change });
  return el("div", { class: "field" }, el("label", { for: "set-bet" }, "Bet in dollars, against the fixed envy prizes"), box);
}

// ---- wagers ---------------------------------------------------------------------------------------------------------

function showWagers() {
  const own = lab.edition.wagers.filter((one) => !one.part_of);
  byId("wagers").replaceChildren(
    ...own.map((one) => {
      const here = one.id === lab.wager.id;
      const figure = el("b", { class: "figure" }, one.exact ? "…" : "sampled");
      if (!here && (one.exact || answers.has(address("odds", query({ wager: one.id, pays: false }))))) showEdge(one, figure);
      return el(
        "button",
        { type: "button", role: "radio", "aria-checked": String(here), tabindex: here ? 0 : -1, id: `wager-${one.id}`, class: "wager", onclick: () => chooseWager(one), onkeydown: (event) => moveWager(event, own) },
        el("span", {}, one.name),
        figure,
      );
    }),
  );
}

function showEdge(one, place) {
  ask(address("odds", query({ wager: one.id, pays: false })))
    .then((sheet) => (place.textContent = `${(sheet.house_edge.value * 100).toFixed(3)} %`))
    .catch((refused) => (place.textContent = refused.code === "not-offered" ? "not offered" : "—"));
}

function chooseWager(one) {
  if (one.id === lab.wager.id) return;
  Object.assign(lab, { wager: one, pays: {}, kept: [], anyway: false });
  load();
}

function moveWager(event, own) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const next = own[(own.indexOf(lab.wager) + by + own.length) % own.length];
  chooseWager(next);
  byId(`wager-${next.id}`).focus();
}

// ---- the par sheet --------------------------------------------------------------------------------------------------

async function load() {
  const turn = (lab.turn += 1);
  Object.assign(lab, { sheet: null, result: null, decksFor: "" });
  showSettings();
  showWagers();
  showWaiting();
  try {
    const sheet = await ask(address("odds", query({ pays: false })));
    if (turn !== lab.turn) return;
    const known = new Set(sheet.outcomes.map((row) => row.outcome));
    lab.pays = Object.fromEntries(Object.entries(lab.pays).filter(([id]) => known.has(id)));
    lab.sheet = sheet;
    showSheet();
    update(0);
  } catch (refused) {
    if (turn === lab.turn) showRefusal(refused);
  }
}

function showWaiting() {
  const words = lab.wager.exact ? "Counting every deal…" : "Simulating millions of rounds: the first time takes a few seconds…";
  byId("readouts").setAttribute("aria-busy", "true");
  byId("readouts").replaceChildren(...["House edge", "Hit rate", "Standard deviation", "Volatility index"].map((name) => readout(name, "—", "")));
  byId("sheet").replaceChildren(el("p", { class: "waiting" }, words));
  byId("method").textContent = "";
  for (const id of ["picture", "decks"]) byId(id).replaceChildren(el("p", { class: "waiting" }, "Waiting for the par sheet…"));
  for (const id of ["reset", "keep"]) byId(id).disabled = true;
  byId("banner").hidden = true;
}

function showRefusal(refused) {
  byId("readouts").removeAttribute("aria-busy");
  const anyway = () => ((lab.anyway = true), load());
  const offer = refused.code === "not-offered" ? el("button", { type: "button", onclick: anyway }, "Compute it as a what-if") : el("button", { type: "button", class: "quiet", onclick: load }, "Ask again");
  byId("sheet").replaceChildren(el("div", { class: "empty" }, el("p", {}, refused.message), offer));
  for (const id of ["picture", "decks"]) byId(id).replaceChildren(el("p", { class: "empty" }, "No par sheet, so nothing to draw."));
  showCompare();
}

function showSheet() {
  const { sheet } = lab;
  byId("readouts").removeAttribute("aria-busy");
  const deals = lab.edition.game.includes("Baccarat") ? "ordered six-card draws" : "deals";
  byId("method").textContent = [
    `${sheet.name}: ${sheet.exact ? `all ${thousands(sheet.total)} ${deals}, counted exactly` : `${thousands(sheet.total)} simulated rounds`}`,
    sheet.strategy && `strategy: ${sheet.strategy}`,
  ].filter(Boolean).join(" · ");
  const head = ["Outcome", "Pays", sheet.exact ? "Combinations" : "Rounds", "Probability", "1 in", "Return"];
  const body = el("tbody", {}, ...sheet.outcomes.map(sheetRow));
  byId("sheet").replaceChildren(
    el("table", { class: "par" },
      el("caption", { class: "visually-hidden" }, `Par sheet of ${sheet.name}`),
      el("thead", {}, el("tr", {}, ...head.map((name, place) => el("th", { scope: "col", class: place === 1 ? "pays" : place > 1 ? "number" : "" }, name)))),
      body,
      el("tfoot", {}, ...envyRow(), el("tr", {}, el("th", { scope: "row", colspan: 2 }, "Total"), el("td", { class: "number", "data-name": "Combinations" }, thousands(sheet.total)), el("td", { class: "number", "data-name": "Probability" }, "1.00000000"), el("td", { class: "number one-in" }), el("td", { class: "number", id: "total-return", "data-name": "Return" }))),
    ),
    ...envyNote(),
  );
}

function envyRow() {
  const { envy } = lab.sheet;
  if (!envy || envy.players === 1) return [];
  const words = envy.bet_cents < envy.min_bet_cents ? "Envy prizes: none for a bet this small" : `Envy prizes for the hands of ${envy.players - 1} other ${envy.players === 2 ? "player" : "players"}`;
  return [el("tr", { class: "envy-row" }, el("th", { scope: "row", colspan: 5 }, words), el("td", { class: "number", "data-name": "Return" }, signed(fraction(envy.worth.exact), 8)))];
}

function envyNote() {
  if (!lab.sheet.envy) return [];
  const edges = lab.sheet.envy.house_edge_by_players.map((edge, place) => el("li", { class: place + 1 === lab.players ? "here" : "" }, el("span", {}, `${place + 1}`), `${(edge.value * 100).toFixed(3)} %`));
  return [el("div", { class: "envy" }, el("p", { class: "small" }, "House edge by players, envy prizes included, at the approved pays"), el("ol", {}, ...edges))];
}

function sheetRow(row) {
  const id = `pay-${row.outcome}`;
  const box = el("input", { id, class: "pay", value: (lab.pays[row.outcome]?.text ?? row.pays), autocomplete: "off", spellcheck: "false", "aria-label": `${row.name} pays`,
    oninput: (event) => editPay(row, event.target), onchange: (event) => tidyPay(row, event.target), onkeydown: (event) => stepKey(row, event) });
  const step = (up) => el("button", { type: "button", class: "step", tabindex: -1, "aria-label": `${row.name}: pay ${up ? "more" : "less"}`, onclick: () => stepRow(row, box, up) }, up ? "+" : "−");
  const rides = row.rides.map((ride) => `${ride.wager} ${ride.pays}`).join(", ");
  const chance = row.probability.value;
  return el("tr", { id: `row-${row.outcome}` },
    el("th", { scope: "row" }, row.name, rides ? el("small", {}, ` with ${rides}`) : null),
    el("td", { class: "pays" }, el("span", { class: "stepper" }, step(false), box, step(true)), el("small", { class: "was" })),
    el("td", { class: "number", "data-name": "Combinations" }, thousands(row.combinations)),
    el("td", { class: "number", "data-name": "Probability" }, chance.toFixed(8)),
    el("td", { class: "number one-in", "data-name": "1 in" }, row.one_in === null ? "never" : row.one_in >= 1000 ? thousands(row.one_in.toFixed(0)) : row.one_in.toPrecision(4)),
    el("td", { class: "number return", "data-name": "Return" }),
  );
}

function editPay(row, box) {
  const pay = parsePay(box.value);
  box.setAttribute("aria-invalid", String(!pay));
  if (!pay) return;
  lab.pays[row.outcome] = pay;
  update();
}

function tidyPay(row, box) {
  if (!parsePay(box.value)) toast(`“${box.value}” is not a pay: write 40 to 1, 3:2, push, lose or lose half.`, true);
  box.value = lab.pays[row.outcome]?.text ?? row.pays;
  box.setAttribute("aria-invalid", "false");
}

function stepRow(row, box, up) {
  box.value = stepPay(lab.pays[row.outcome] ?? parsePay(row.pays), up).text;
  editPay(row, box);
}

function stepKey(row, event) {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  event.preventDefault();
  stepRow(row, event.target, event.key === "ArrowUp");
}

function resetPays() {
  lab.pays = {};
  for (const row of lab.sheet.outcomes) byId(`pay-${row.outcome}`).value = row.pays;
  update();
}

// ---- what follows from the pays -------------------------------------------------------------------------------------

function update(wait = 250) {
  lab.result = reckon(lab.sheet, lab.pays);
  const approved = reckon(lab.sheet, {});
  const changed = new Set(changedPays().map(([id]) => id));
  for (const [place, row] of lab.result.rows.entries()) {
    const shown = byId(`row-${row.outcome}`);
    shown.classList.toggle("changed", changed.has(row.outcome));
    shown.querySelector(".was").textContent = changed.has(row.outcome) ? `approved: ${lab.sheet.outcomes[place].approved_pays}` : "";
    shown.querySelector(".return").textContent = signed(row.share, 8);
    shown.querySelector(".return").classList.toggle("gain", row.share.over > 0n);
  }
  const sum = { over: -lab.result.edge.over, under: lab.result.edge.under };
  byId("total-return").textContent = signed(sum, 8);
  byId(`wager-${lab.wager.id}`).querySelector(".figure").textContent = percent(lab.result.edge, 3);
  showReadouts(approved, changed.size > 0);
  showBanner(changed.size);
  byId("reset").disabled = changed.size === 0;
  byId("keep").disabled = lab.kept.length >= MOST_KEPT;
  showLinks();
  drawPicture();
  showCompare();
  later(() => loadDecks(lab.turn), wait);
}

const signed = (share, places) => `${share.over > 0n ? "+" : ""}${decimals(share, places)}`;

let timer;
function later(what, wait) {
  clearTimeout(timer);
  timer = setTimeout(what, wait);
}

function readout(name, figure, note, main = false) {
  return el("div", { class: main ? "readout main" : "readout" }, el("span", { class: "name" }, name), el("output", { class: "figure" }, figure), el("span", { class: "note" }, note));
}

function showReadouts(approved, edited) {
  const { edge, hit, push, deviation, error } = lab.result;
  const delta = (now, was, unit) => (edited ? `${now >= was ? "+" : "−"}${Math.abs(now - was).toFixed(4)}${unit} against the approved pays` : null);
  const sampled = error === null ? "exact" : `± ${(error * 100).toFixed(3)} % (one standard error)`;
  const often = hit.over ? `one round in ${(Number(hit.under) / Number(hit.over)).toPrecision(4)}` : "never";
  byId("readouts").replaceChildren(
    readout("House edge", percent(edge, error === null ? 6 : 3), delta(float(edge) * 100, float(approved.edge) * 100, " %") ?? sampled, true),
    readout("Hit rate", percent(hit, error === null ? 4 : 2), delta(float(hit) * 100, float(approved.hit) * 100, " %") ?? (push.over ? `pushes ${percent(push, 3)}` : often)),
    readout("Standard deviation", deviation.toFixed(5), delta(deviation, approved.deviation, "") ?? "of one unit staked"),
    readout("Volatility index", (1.645 * deviation).toFixed(4), delta(1.645 * deviation, 1.645 * approved.deviation, "") ?? "1.645 standard deviations"),
  );
}

function showBanner(edited) {
  const outside = lab.sheet.what_if;
  const words = [...(edited ? ["what-if, not the approved pay table"] : []), ...outside, ...lab.edition.differences.slice(0, 3).map((what) => `not the approved rules: ${what}`)];
  byId("banner").hidden = words.length === 0;
  byId("banner").replaceChildren(el("b", {}, "What-if"), el("span", {}, words.join("; ").replace(/^what-if, /, "")));
}

function showLinks() {
  const asked = query();
  const name = `${lab.edition.id}-${lab.wager.id}${asked.has("what_if") ? "-what-if" : ""}`;
  byId("csv").href = address("odds.csv", asked);
  byId("csv").download = `${name}.csv`;
  byId("json").href = address("odds", asked);
  byId("json").download = `${name}.json`;
  asked.set("edition", lab.edition.id);
  history.replaceState(null, "", `/lab?${asked}`);
}

function drawPicture() {
  const rows = lab.result.rows.map((row) => ({ name: row.name, share: float(row.share), back: float(row.share) + float(row.chance) }));
  const parts = rows.filter((row) => row.back > 0).sort((a, b) => b.back - a.back);
  const edge = float(lab.result.edge);
  const bar = el("div", { class: "drawing" });
  const bars = el("div", { class: "drawing" });
  const whole = lab.result.stakeOnly && !(lab.sheet.envy && lab.players > 1);
  byId("picture").replaceChildren(
    ...(whole ? [el("p", { class: "small" }, "Of each 100 staked"), bar] : []),
    el("p", { class: "small" }, "Net win times probability: wins to the right, losses to the left, all together minus the house edge"),
    bars,
  );
  if (whole) drawn(bar, (width) => returnBar(parts, edge, width))();
  drawn(bars, (width) => shareBars(rows, width))();
}

// ---- decks ----------------------------------------------------------------------------------------------------------

const point = (decks, approved, odds) => ({ decks, approved, edge: odds.house_edge.value * 100, hit: odds.hit_rate.value, error: (odds.standard_error ?? 0) * 100 });

async function loadDecks(turn) {
  const numbers = setting("decks")?.values ?? [];
  byId("pair").classList.toggle("solo", numbers.length < 2);
  if (numbers.length < 2) return byId("decks").replaceChildren(el("p", { class: "empty" }, `${lab.edition.game} is dealt from one deck each round: there is nothing to choose, and nothing to plot.`));
  if (!lab.wager.exact) return offerDecks(numbers);
  const asked = query();
  asked.delete("decks");
  try {
    const answer = await ask(address("decks", asked));
    if (turn === lab.turn && asked.toString() === withoutDecks()) showDecks(answer.points.map((one) => point(one.decks, one.approved, one)));
  } catch (refused) {
    if (turn === lab.turn) byId("decks").replaceChildren(el("p", { class: "empty" }, refused.message));
  }
  return undefined;
}

function withoutDecks() {
  const asked = query();
  asked.delete("decks");
  return asked.toString();
}

function offerDecks(numbers) {
  const question = () => `${lab.turn} ${withoutDecks()}`;
  const begun = question();
  if (lab.decksFor === begun) return;
  lab.decksFor = begun;
  const go = async (event) => {
    event.target.disabled = true;
    event.target.textContent = "Simulating, one shoe after the other…";
    const points = [];
    for (const decks of numbers) {
      const odds = await ask(address("odds", query({ changes: { decks: String(decks) } }))).catch((refused) => toast(refused.message, true));
      if (question() !== begun) return;
      if (odds) points.push(point(decks, setting("decks").approved.includes(decks), odds));
      if (points.length > 1) showDecks(points);
    }
  };
  byId("decks").replaceChildren(el("div", { class: "empty" }, el("p", {}, `${lab.wager.name} is simulated: ${numbers.length} shoes take some seconds.`), el("button", { type: "button", class: "quiet", onclick: go }, `Simulate ${numbers[0]} to ${numbers.at(-1)} decks`)));
}

function showDecks(points) {
  const present = Number(value("decks"));
  const place = el("div", { class: "drawing" });
  const row = (one) =>
    el("tr", { class: one.decks === present ? "here" : "" }, el("th", { scope: "row" }, `${one.decks} ${one.decks === 1 ? "deck" : "decks"}`), el("td", { class: "number" }, `${one.edge.toFixed(one.error ? 3 : 5)} %`), el("td", { class: "number" }, `${(one.hit * 100).toFixed(3)} %`), el("td", {}, one.approved ? "approved" : el("span", { class: "what-if-word" }, "what-if")));
  byId("decks").replaceChildren(
    place,
    decksLegend(true),
    el("table", { class: "decks" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Shoe"), el("th", { scope: "col", class: "number" }, "House edge"), el("th", { scope: "col", class: "number" }, "Hit rate"), el("th", { scope: "col" }, "Standing"))), el("tbody", {}, ...points.map(row))),
  );
  drawn(place, (width) => decksPlot(points, present, width))();
}

// ---- side by side ---------------------------------------------------------------------------------------------------

function present() {
  const settings = lab.edition.settings.filter((one) => lab.chosen[one.name] && value(one.name) !== String(one.approved[0]) && one.kind !== "pay-table");
  const table = lab.wager.pay_tables.length > 1 ? [`pay table ${value("pay-table")}`] : [];
  const changed = changedPays().length;
  const notes = [...table, ...settings.map((one) => `${one.name} ${value(one.name)}`), ...(changed ? [`${changed} ${changed === 1 ? "pay" : "pays"} changed`] : [])];
  return keepable(lab.sheet, lab.result, notes, changed > 0 || lab.sheet.what_if.length > 0);
}

function keep() {
  if (lab.kept.length >= MOST_KEPT) return;
  lab.kept.push(present());
  byId("keep").disabled = lab.kept.length >= MOST_KEPT;
  showCompare();
  toast("Kept: it stays beside the next table you make.");
}

async function addTable(id) {
  try {
    const sheet = await ask(address("odds", query({ changes: { "pay-table": id }, pays: false })));
    if (sheet.wager !== lab.wager.id || lab.kept.length >= MOST_KEPT) return;
    lab.kept.push(keepable(sheet, reckon(sheet, {}), [`pay table ${id}`], sheet.what_if.length > 0));
    showCompare();
  } catch (refused) {
    toast(refused.message, true);
  }
}

function showCompare() {
  const others = lab.wager.pay_tables.length > 1 ? lab.wager.pay_tables.map((one) => one.id).filter((id) => id !== value("pay-table")) : [];
  const full = lab.kept.length >= MOST_KEPT;
  byId("alternatives").replaceChildren(
    ...(others.length ? [el("span", { class: "small" }, "Beside it, pay table"), ...others.map((id) => el("button", { type: "button", class: "quiet small-button", disabled: full, onclick: () => addTable(id) }, id))] : []),
  );
  const columns = [...(lab.result ? [{ ...present(), title: "On the bench" }] : []), ...lab.kept];
  const drop = (column) => ((lab.kept = lab.kept.filter((one) => one !== column)), lab.sheet ? update() : showCompare());
  byId("compare").replaceChildren(
    lab.kept.length ? compareTable(columns, drop) : el("p", { class: "empty" }, `Press “Keep to compare”, then change pays or settings: the kept table stays beside the new one. Up to ${MOST_KEPT}.`),
  );
}

async function start() {
  byId("reset").addEventListener("click", resetPays);
  byId("keep").addEventListener("click", keep);
  byId("settings").addEventListener("submit", (event) => event.preventDefault());
  lab.editions = await api("GET", "/api/v1/editions");
  byId("edition").replaceChildren(...lab.editions.map((one) => el("option", { value: one.id }, one.name)));
  byId("edition").addEventListener("change", (event) => chooseEdition(event.target.value));
  const kept = new URLSearchParams(location.search);
  byId("rules").open = window.innerWidth > 700;
  chooseEdition(kept.get("edition"), kept);
}

start();
