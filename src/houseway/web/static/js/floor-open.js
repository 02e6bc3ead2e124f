// Opening a table, or a scoreboard that is fed by a keypad alone.
import { api, el } from "./dom.js";
import { ask, centsOf, field } from "./floor-ask.js";
import { sourceWords } from "./floor-tables.js";

const SOURCES = ["virtual-shoe", "hand-keyed", "manual-keypad", "shuffler"];
let known = null;

async function editions() {
  known ??= await api("GET", "/api/v1/editions");
  const { editions: own } = await api("GET", "/api/v1/own-editions");
  return [...known, ...own.filter(({ edition }) => edition).map(({ edition }) => edition)];
}

const optionsOf = (all) => all.map((edition) => [edition.id, `${edition.name}${edition.status === "approved" ? "" : ` (${edition.status})`}`]);

function settingField(setting) {
  const options = setting.approved.map((value, place) => [place, setting.meanings[value] ? `${value}: ${setting.meanings[value]}` : String(value).replaceAll("-", " ")]);
  return field({ name: `setting-${setting.name}`, label: `${setting.about} (${setting.clause})`, kind: "select", options });
}

function limitRow(wager) {
  const box = (end, words) => el("input", { name: `${end}-${wager.id}`, inputmode: "decimal", autocomplete: "off", "aria-label": `${wager.name}: ${words} in dollars`, placeholder: words });
  return el("tr", {}, el("th", { scope: "row" }, wager.name), el("td", {}, box("least", "least")), el("td", {}, box("most", "most")));
}

/** The wagers that are bet by themselves. */
const bets = (edition) => edition.wagers.filter((wager) => !wager.follows);

function offeredBox(wager) {
  const words = wager.needs ? ` ${wager.name} (with ${wager.needs})` : ` ${wager.name}`;
  return el("label", { class: "inline" }, el("input", { type: "checkbox", name: "offered", value: wager.id, checked: true }), words);
}

function offeredPart(edition) {
  const hint = el("p", { class: "small" }, "A bonus may be left out; what another wager needs stays.");
  return el("details", {}, el("summary", {}, "Wagers of this table"), hint, el("div", { class: "pair" }, bets(edition).map(offeredBox)));
}

/** What depends on the edition: sources, opener or fees, settings with a choice, limits. */
function parts(edition) {
  const banked = edition.banked_by === "player";
  const sources = edition.sources ?? SOURCES;
  const choices = edition.settings.filter((setting) => setting.approved.length > 1);
  const group = (words, fields) => (fields.length ? el("details", {}, el("summary", {}, words), el("div", { class: "pair" }, fields)) : null);
  return [
    el("div", { class: "pair" },
      field({ name: "source", label: "Where the cards come from", kind: "select", options: sources.map((source) => [source, sourceWords(source)]) }),
      field({ name: "seats", label: "Seats", kind: "number", value: edition.game === "EZ Baccarat" ? 7 : 6, min: 1, max: 14, required: false }),
      banked
        ? [field({ name: "player_fee", label: "Collection from each player, in dollars", kind: "money", value: "1" }), field({ name: "bank_fee", label: "Collection from the bank, in dollars", kind: "money", value: "2" })]
        : field({ name: "opener", label: "Opener: chips from the cage, in dollars", kind: "money", value: "50,000" })),
    group("Settings that the approval allows", choices.filter((setting) => setting.kind !== "reading").map(settingField)),
    group("Readings of what the document leaves open", choices.filter((setting) => setting.kind === "reading").map(settingField)),
    offeredPart(edition),
    el("details", {}, el("summary", {}, "Limits of this table"), el("p", { class: "small" }, "Empty: the edition's own. A table may only narrow them."), el("table", { class: "limits" }, el("tbody", {}, edition.wagers.map(limitRow)))),
    el("details", {}, el("summary", {}, "Big payouts and the clock"), el("div", { class: "pair" },
      field({ name: "watch", label: "A big payout", kind: "select", options: [["record", "is recorded for surveillance"], ["acknowledge", "waits for a supervisor"]] }),
      field({ name: "watch_dollars", label: "Big is more than, in dollars", kind: "money", value: "3,000" }),
      field({ name: "decision_seconds", label: "Seconds to decide (0: no clock)", kind: "number", value: 0, min: 0, max: 3600 }))),
  ];
}

function cents(given, name, words) {
  const found = centsOf(given.get(name));
  if (Number.isNaN(found)) throw new Error(`${words}: give dollars, such as 500 or 12.50`);
  return found;
}

function limitsOf(given, edition) {
  const limits = {};
  for (const wager of edition.wagers) {
    const typed = ["least", "most"].map((end) => String(given.get(`${end}-${wager.id}`) ?? "").trim());
    if (typed.every((text) => text === "")) continue;
    limits[wager.id] = ["least", "most"].map((end) => cents(given, `${end}-${wager.id}`, `${wager.name}, ${end}`));
  }
  return limits;
}

/** The command that the form describes. */
function commandOf(form, edition) {
  const given = new FormData(form);
  const made = { table: String(given.get("table")).trim(), edition: edition.id, source: given.get("source"), watch: given.get("watch"), watch_cents: cents(given, "watch_dollars", "Big payouts"), decision_seconds: Number(given.get("decision_seconds")) };
  if (given.get("seats")) made.seats = Number(given.get("seats"));
  if (edition.banked_by === "player") Object.assign(made, { player_fee_cents: cents(given, "player_fee", "Collection"), bank_fee_cents: cents(given, "bank_fee", "Collection") });
  else made.opener_cents = cents(given, "opener", "Opener");
  const chosen = edition.settings.filter((setting) => Number(given.get(`setting-${setting.name}`)) > 0);
  if (chosen.length) made.settings = Object.fromEntries(chosen.map((setting) => [setting.name, setting.approved[Number(given.get(`setting-${setting.name}`))]]));
  const offered = given.getAll("offered");
  if (offered.length < bets(edition).length) made.offered = offered;
  const limits = limitsOf(given, edition);
  if (Object.keys(limits).length) made.limits = limits;
  return made;
}

/** Ask for everything a table needs, and open it. */
export async function openTable(like = null) {
  const all = await editions();
  const depends = el("div", { class: "depends" });
  const find = (form) => all.find((edition) => edition.id === new FormData(form).get("edition"));
  const dialog = ask({
    title: "Open a table", button: "Open it", extra: depends,
    about: "The house refuses what the edition's approval does not allow, and says what it would accept.",
    fields: [
      { name: "table", label: "Name", value: like?.name ?? "", maxlength: 40, placeholder: "such as Baccarat 2" },
      { name: "edition", label: "Edition", kind: "select", options: optionsOf(all), value: like?.edition.id ?? "ez-baccarat-wa" },
    ],
    act: async (values, send, form) => {
      const command = commandOf(form, find(form));
      await send("/api/v1/tables", command);
      return `${command.table} is open.`;
    },
  });
  dialog.classList.add("wide");
  const form = dialog.querySelector("form");
  const change = () => depends.replaceChildren(...parts(find(form)).filter(Boolean));
  form.elements.edition.addEventListener("change", change);
  change();
}

/** Ask for a keyed scoreboard, and open it. */
export async function openBoard() {
  const all = (await editions()).filter((edition) => edition.wagers.some((wager) => wager.id === "banker"));
  ask({
    title: "Open a keyed scoreboard", button: "Open it", about: "For a baccarat table whose results a dealer keys in. Next-hand cells show only where the edition allows them.",
    fields: [
      { name: "board", label: "Name", maxlength: 40, placeholder: "such as Pit 2" },
      { name: "edition", label: "Edition", kind: "select", options: optionsOf(all) },
      { name: "next_hand", label: "What the roads would draw next", kind: "select", options: [["no", "is not shown"], ["yes", "is shown"]] },
    ],
    act: async (values, send) => {
      await send("/api/v1/boards", { board: values.board, edition: values.edition, ...(values.next_hand === "yes" ? { next_hand: true } : {}) });
      return `${values.board} is open.`;
    },
  });
}
