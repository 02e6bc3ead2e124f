// Opening a table, or a scoreboard that is fed by a keypad alone.
import { api, el, inWords, present } from "../shared/dom.js";
import { differsLine, nameAmong } from "../shared/edition.js";
import { ask, field, moneyOf } from "./ask.js";
import { sourceWords } from "./tables.js";

/** @import { FloorTable, LabEdition, LabSetting, LabWager } from "../types" */
/** @import { Field } from "./ask.js" */

/** Every edition that a table can be opened with. @returns {Promise<LabEdition[]>} */
const editions = () => api("GET", "/api/v1/editions");

/** @param {LabEdition[]} all @returns {[string, string][]} */
const optionsOf = (all) =>
  all.map((edition) => {
    const name = nameAmong(edition, all);
    return [edition.id, edition.status === "approved" ? name : `${name} (${edition.status})`];
  });

/**
 * The value that a table with cards of a source has if nothing is said, by its place.
 * @param {LabSetting} setting
 * @param {string} source
 */
const defaultPlace = ({ approved, defaults }, source) => Math.max(0, approved.indexOf(defaults[source] ?? approved[0]));

/** Choose again what depends on where the cards come from. @param {HTMLElement} form @param {LabEdition} edition */
function followSource(form, edition) {
  const source = /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=source]"))?.value ?? "";
  for (const setting of edition.settings.filter(({ defaults }) => Object.keys(defaults).length)) {
    /** @type {HTMLSelectElement | null} */
    const field = form.querySelector(`[name="setting-${setting.name}"]`);
    if (field) field.value = String(defaultPlace(setting, source));
  }
}

/** @param {LabSetting} setting */
function settingField(setting) {
  const options = setting.approved.map((value, place) => {
    const meaning = setting.meanings[value];
    return /** @type {[number, string]} */ ([place, meaning ? `${value}: ${meaning}` : inWords(String(value))]);
  });
  const label = `${setting.about} (${setting.clause})`;
  return field({ name: `setting-${setting.name}`, label, kind: "select", options });
}

/** @param {LabWager} wager */
function limitRow(wager) {
  const cells = ["least", "most"].map((end) => {
    const label = `${wager.name}: ${end} in dollars`;
    const typing = { inputmode: "decimal", autocomplete: "off", placeholder: end };
    return el("td", {}, el("input", { name: `${end}-${wager.id}`, "aria-label": label, ...typing }));
  });
  return el("tr", {}, el("th", { scope: "row" }, wager.name), cells);
}

/** The wagers that are bet by themselves. @param {LabEdition} edition */
const betsOf = (edition) => edition.wagers.filter((wager) => !wager.follows);

/** Which wagers the table offers. @param {LabEdition} edition */
function offeredPart(edition) {
  const boxes = betsOf(edition).map((wager) => {
    const words = wager.needs ? ` ${wager.name} (with ${wager.needs})` : ` ${wager.name}`;
    const box = el("input", { type: "checkbox", name: "offered", value: wager.id, checked: true });
    return el("label", { class: "inline" }, box, words);
  });
  const hint = el("p", { class: "small" }, "A bonus may be left out; what another wager needs stays.");
  const summary = el("summary", {}, "Wagers of this table");
  return el("details", {}, summary, hint, el("div", { class: "pair" }, boxes));
}

/** @param {string} words @param {Node[]} fields */
const group = (words, fields) =>
  fields.length ? el("details", {}, el("summary", {}, words), el("div", { class: "pair" }, fields)) : null;

/** Where chips are pieces a tray opens with what is locked in it. @param {LabEdition} edition */
const opensWithLockedTray = (edition) => edition.banked_by !== "player" && document.body.dataset.chips !== undefined;

/**
 * The money that a table opens with.
 * @param {LabEdition} edition
 * @returns {Field[]}
 */
function moneyFields(edition) {
  if (opensWithLockedTray(edition)) return [];
  if (edition.banked_by !== "player") {
    return [{ name: "opener", label: "Opener: chips from the cage, in dollars", kind: "money", value: "50,000" }];
  }
  return [
    { name: "player_fee", label: "Collection from each player, in dollars", kind: "money", value: "1" },
    { name: "bank_fee", label: "Collection from the bank, in dollars", kind: "money", value: "2" },
  ];
}

/** @type {Field[]} */
const WATCH_FIELDS = [
  {
    name: "watch",
    label: "A big payout",
    kind: "select",
    options: [["record", "is recorded for surveillance"], ["acknowledge", "waits for a supervisor"]],
  },
  { name: "watch_dollars", label: "Big is more than, in dollars", kind: "money", value: "3,000" },
  { name: "decision_seconds", label: "Seconds to decide (0: no clock)", kind: "number", value: 0, min: 0, max: 3600 },
];

/** @type {Field} */
const CUT_FIELD = {
  name: "cut_percent",
  label: "Cut card at, in percent of the shoe (empty: 75)",
  kind: "number",
  min: 10,
  max: 100,
  required: false,
};

/** @type {Field} */
const SEEDS_FIELD = {
  name: "guest_seeds",
  label: "Virtual shoe: seconds for guests' screens to add randomness (0: none)",
  kind: "number",
  value: 0,
  min: 0,
  max: 600,
};

/** What depends on the edition: sources, opener or fees, settings with a choice, limits. @param {LabEdition} edition */
function editionParts(edition) {
  const sources = edition.sources.map((source) => /** @type {[string, string]} */ ([source, sourceWords(source)]));
  const choices = edition.settings.filter((setting) => setting.approved.length > 1);
  const { table_seats: possible } = edition;
  const seats = possible.length
    ? { kind: "select", value: Math.max(...possible), options: possible.map((number) => [number, String(number)]) }
    : { kind: "number", value: edition.seats, min: 1, max: 14, required: false };
  /** @type {Field[]} */
  const fields = [
    { name: "source", label: "Where the cards come from", kind: "select", options: sources },
    /** @type {Field} */ ({ name: "seats", label: "Seats", ...seats }),
    ...(edition.has_shoe ? [CUT_FIELD] : []),
    ...(edition.sources.includes("virtual-shoe") ? [SEEDS_FIELD] : []),
    ...moneyFields(edition),
  ];
  const settings = choices.filter((setting) => setting.kind !== "reading").map(settingField);
  const readings = choices.filter((setting) => setting.kind === "reading").map(settingField);
  const about = el("p", { class: "small" }, "Empty: the edition's own. A table may only narrow them.");
  const limits = el("table", { class: "limits" }, el("tbody", {}, edition.wagers.map(limitRow)));
  return present([
    differsLine(edition),
    el("div", { class: "pair" }, fields.map(field)),
    group("Settings that the approval allows", settings),
    group("Readings of what the document leaves open", readings),
    offeredPart(edition),
    el("details", {}, el("summary", {}, "Limits of this table"), about, limits),
    group("Big payouts and the clock", WATCH_FIELDS.map(field)),
  ]);
}

/** @param {FormData} given @param {LabEdition} edition */
function limitsOf(given, edition) {
  /** @type {Record<string, number[]>} */
  const limits = {};
  for (const wager of edition.wagers) {
    const ends = ["least", "most"].map((end) => ({ name: `${end}-${wager.id}`, label: `${wager.name}, ${end}` }));
    if (ends.every(({ name }) => !String(given.get(name) ?? "").trim())) continue;
    limits[wager.id] = ends.map(({ name, label }) => moneyOf(given, name, label));
  }
  return limits;
}

/** @param {FormData} given @param {LabEdition} edition */
function settingsOf(given, edition) {
  const place = (/** @type {LabSetting} */ setting) => Number(given.get(`setting-${setting.name}`));
  const usual = (/** @type {LabSetting} */ setting) => defaultPlace(setting, String(given.get("source")));
  const isAsked = (/** @type {LabSetting} */ setting) => given.has(`setting-${setting.name}`);
  const chosen = edition.settings.filter((setting) => isAsked(setting) && place(setting) !== usual(setting));
  return Object.fromEntries(chosen.map((setting) => [setting.name, setting.approved[place(setting)]]));
}

/**
 * The command that the form describes.
 * @param {HTMLFormElement} form
 * @param {LabEdition} edition
 */
function commandOf(form, edition) {
  const given = new FormData(form);
  const limits = limitsOf(given, edition);
  const settings = settingsOf(given, edition);
  const offered = given.getAll("offered");
  const money =
    edition.banked_by === "player"
      ? {
          player_fee_cents: moneyOf(given, "player_fee", "Collection"),
          bank_fee_cents: moneyOf(given, "bank_fee", "Collection"),
        }
      : opensWithLockedTray(edition)
        ? {}
        : { opener_cents: moneyOf(given, "opener", "Opener") };
  return {
    table: String(given.get("table")).trim(),
    edition: edition.id,
    source: given.get("source"),
    watch: given.get("watch"),
    watch_cents: moneyOf(given, "watch_dollars", "Big payouts"),
    decision_seconds: Number(given.get("decision_seconds")),
    ...money,
    ...(given.get("seats") ? { seats: Number(given.get("seats")) } : {}),
    ...(given.get("cut_percent") ? { cut_percent: Number(given.get("cut_percent")) } : {}),
    ...(Number(given.get("guest_seeds")) ? { guest_seeds: Number(given.get("guest_seeds")) } : {}),
    ...(Object.keys(settings).length ? { settings } : {}),
    ...(offered.length < betsOf(edition).length ? { offered } : {}),
    ...(Object.keys(limits).length ? { limits } : {}),
  };
}

/** Ask for everything a table needs, and open it. @param {FloorTable | null} like a table to begin with */
export async function openTable(like = null) {
  const all = await editions();
  const depends = el("div", { class: "depends" });
  const chosen = (/** @type {HTMLFormElement} */ form) => {
    const id = new FormData(form).get("edition");
    return all.find((edition) => edition.id === id) ?? all[0];
  };
  const dialog = ask({
    title: "Open a table",
    button: "Open it",
    extra: depends,
    about: "The house refuses what the edition's approval does not allow, and says what it would accept.",
    fields: [
      { name: "table", label: "Name", value: like?.name ?? "", maxlength: 40, placeholder: "such as Table 2" },
      { name: "edition", label: "Edition", kind: "select", options: optionsOf(all), value: like?.edition.id ?? all[0].id },
    ],
    act: async (values, send, form) => {
      const command = commandOf(form, chosen(form));
      await send("/api/v1/tables", command);
      return `${command.table} is open.`;
    },
  });
  dialog.classList.add("wide");
  const form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
  const change = () => {
    depends.replaceChildren(...editionParts(chosen(form)));
    const follow = () => followSource(form, chosen(form));
    depends.querySelector("[name=source]")?.addEventListener("change", follow);
    follow();
  };
  form.querySelector("[name=edition]")?.addEventListener("change", change);
  change();
}

/** Ask for a keyed scoreboard, and open it. */
export async function openBoard() {
  const keyed = (await editions()).filter((edition) => edition.keys_board);
  ask({
    title: "Open a keyed scoreboard",
    button: "Open it",
    about: "For a table whose rounds a dealer keys in. Next-hand cells show only where the edition allows them.",
    fields: [
      { name: "board", label: "Name", maxlength: 40, placeholder: "such as Pit 2" },
      { name: "edition", label: "Edition", kind: "select", options: optionsOf(keyed) },
      {
        name: "next_hand",
        label: "What the roads would draw next",
        kind: "select",
        options: [["no", "is not shown"], ["yes", "is shown"]],
      },
    ],
    act: async (values, send) => {
      const next = values.next_hand === "yes" ? { next_hand: true } : {};
      await send("/api/v1/boards", { board: values.board, edition: values.edition, ...next });
      return `${values.board} is open.`;
    },
  });
}
