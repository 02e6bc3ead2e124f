// What is on the bench of the odds lab: the edition, the wager, the settings and the pays, and the questions they make.
import { api } from "../shared/dom.js";

/** @import { LabEdition, LabSetting, LabWager, Pay, Reckoning, Sheet } from "../types" */
/** @import { Column } from "./compare.js" */

export const MOST_KEPT = 3;
export const FIRST_BET_CENTS = 500;
/** The player whom a simulated wager means, asked for although another is solved. */
export const SAMPLED = "sampled";

export const lab = {
  /** @type {LabEdition[]} */
  editions: [],
  edition: /** @type {LabEdition} */ (/** @type {unknown} */ (null)),
  wager: /** @type {LabWager} */ (/** @type {unknown} */ (null)),
  /** Settings that were chosen, as text. @type {Record<string, string>} */
  chosen: {},
  players: 1,
  betCents: FIRST_BET_CENTS,
  /** How the player decides, where a solver is asked; "" as the wager's own par sheet says. */
  player: "",
  /** Pays that were edited. @type {Record<string, Pay>} */
  pays: {},
  /** Whether a wager that is not offered is to be computed all the same. */
  anyway: false,
  /** @type {Sheet | null} */
  sheet: null,
  /** @type {Reckoning | null} */
  result: null,
  /** @type {Column[]} */
  kept: [],
  /** Counts the questions, so that a late answer to an old one is left aside. */
  turn: 0,
};

/** @type {Map<string, Promise<any>>} */
const answers = new Map();

/**
 * An answer of the API, asked for once.
 * @param {string} path
 */
export function ask(path) {
  const known = answers.get(path);
  if (known) return known;
  const coming = api("GET", path, undefined, { quiet: true });
  coming.catch(() => answers.delete(path));
  answers.set(path, coming);
  return coming;
}

/** What was answered before is asked for again: more is known now. */
export const forget = () => answers.clear();

/** @param {string} name @returns {LabSetting | undefined} */
export const setting = (name) => lab.edition.settings.find((setting) => setting.name === name);

/** The value that a setting has now, as text. @param {string} name */
export const value = (name) => lab.chosen[name] ?? String(setting(name)?.approved[0]);

/** @param {LabSetting} setting */
export const isOutside = (setting) => !setting.approved.map(String).includes(value(setting.name));

/** The pays that differ from the approved ones, as [outcome, pay]. */
export function changedPays() {
  const approved = new Map(lab.sheet?.outcomes.map((row) => [row.outcome, row.approved_pays]));
  return Object.entries(lab.pays).filter(([outcome, pay]) => pay.text !== approved.get(outcome));
}

/** Wagers that have a par sheet of their own. */
export const ownWagers = () => lab.edition.wagers.filter((wager) => !wager.part_of);

/**
 * Whether a reading's answer may change the odds of this wager as it is set up now.
 * @param {LabSetting} reading
 */
export function bears(reading) {
  const tables = reading.pay_tables;
  const arises = Object.entries(reading.when).every(([name, when]) => value(name) === when);
  const isOfTable = !tables.length || tables.includes(value("pay-table"));
  return reading.values.length > 1 && reading.wagers.includes(lab.wager.id) && arises && isOfTable;
}

/**
 * The query of the present question, for another wager or with other settings if given.
 * @param {{wager?: string, changes?: Record<string, string>, pays?: boolean}} [options]
 */
export function query({ wager = lab.wager.id, changes = {}, pays = true } = {}) {
  const asked = new URLSearchParams({ wager });
  let isOutsideApproval = lab.anyway;
  for (const setting of lab.edition.settings) {
    const chosen = changes[setting.name] ?? value(setting.name);
    const table = changes["pay-table"] ?? value("pay-table");
    const isLimited = setting.pay_tables.length > 0 && !setting.pay_tables.includes(table);
    if (chosen === String(setting.approved[0]) || isLimited) continue;
    asked.set(setting.name, chosen);
    isOutsideApproval ||= !setting.approved.map(String).includes(chosen);
  }
  if (lab.edition.wagers.find((terms) => terms.id === wager)?.envy) {
    if (lab.players !== 1) asked.set("players", String(lab.players));
    if (lab.betCents !== FIRST_BET_CENTS) asked.set("bet_cents", String(lab.betCents));
  }
  if (lab.player && wager === lab.wager.id) asked.set("player", lab.player);
  if (pays) for (const [outcome, pay] of changedPays()) asked.append("pay", `${outcome}=${pay.text}`);
  if (isOutsideApproval || asked.has("pay")) asked.set("what_if", "true");
  return asked;
}

/** @param {string} answer what is asked for: "odds", "odds.csv" or "decks" @param {URLSearchParams} asked */
export const address = (answer, asked) => `/api/v1/editions/${lab.edition.id}/${answer}?${asked}`;
