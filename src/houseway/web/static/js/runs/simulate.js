// Simulations: whole shoes dealt by the rules, held against the exact odds.
import { dollars, el, inWords, signedDollars } from "../shared/dom.js";
import { chosen, part, settingParts, settingsIn, ticked, valuesIn, written } from "./fields.js";
import { fileButtons } from "./frame.js";
import { drawing, panel, percent, readout, signed, table } from "./parts.js";
import { barsPlot, errorsPlot } from "./plots.js";
import { start } from "./run.js";
import { whole } from "./stream.js";

/** @import { LabEdition, RunAnswer } from "../types" */

const FIRST_ROUNDS = "1000000";
const NUMBERS = ["rounds", "shoes", "seats", "cut", "extra", "seed", "session"];
const TEXTS = ["player", "burn", "bankroll", "bank"];
const EACH = "bet-";

// ---- the question -----------------------------------------------------------------------------------------------------

/** The bets of the seats: one set for all, or one for each. @param {any} choices @param {number} seats */
function betRows(choices, seats) {
  const usual = new Map(choices.bets.split(",").map((/** @type {string} */ bet) => bet.split("=")));
  return Array.from({ length: seats }, (_, seat) => {
    const boxes = choices.wagers.map((/** @type {{id: string, name: string}} */ wager) => {
      const id = `ask-${EACH}${seat}-${wager.id}`;
      const value = seat === 0 ? (usual.get(wager.id) ?? "") : "";
      const box = { id, name: `${EACH}${seat}-${wager.id}`, type: "text", inputmode: "decimal", autocomplete: "off", value };
      return el("div", { class: "bet" }, el("label", { for: id }, wager.name), el("input", { ...box, placeholder: "0" }));
    });
    const title = seats === 1 ? "Bets in dollars, of every seat" : `Bets in dollars, seat ${seat + 1}`;
    return el("div", { class: "bets", role: "group", "aria-label": title }, el("p", { class: "small" }, title), boxes);
  });
}

/** @param {any} choices */
function betFields(choices) {
  const place = el("div", {});
  const words = (/** @type {number} */ seats) =>
    seats === 1 ? "the same at every seat" : `seats 1 to ${seats} each have their own`;
  const counts = Array.from({ length: choices.seats }, (_, at) => at + 1);
  const options = counts.map((seats) => /** @type {[string, string]} */ ([String(seats), words(seats)]));
  const field = chosen("bets-of", "Bets", options, "1");
  const show = () => {
    const seats = Number(/** @type {HTMLSelectElement} */ (field.querySelector("select")).value);
    place.replaceChildren(...betRows(choices, seats));
  };
  field.addEventListener("change", show);
  show();
  return [field, place];
}

/** @param {any} choices */
function shoeFields(choices) {
  if (choices.fresh) return [el("p", { class: "small" }, "Every round has a deck of its own: no cut card, nothing burned.")];
  const burn = Array.from({ length: 6 }, (_, at) => /** @type {[string, string]} */ ([String(at), String(at)]));
  if (choices.burn_by_value) burn.push(["value", "one, and as many as it is worth"]);
  return [
    written("cut", "Cards behind the cut card", { placeholder: "a quarter", hint: `the shoe has ${choices.cards}` }),
    chosen("burn", "Cards burned", burn, String(choices.burn)),
    written("extra", "Rounds after the cut card's", { placeholder: "0" }),
    ticked("shuffler", "Continuous shuffler: every round from a whole shoe"),
  ];
}

/** @param {any} choices @param {LabEdition} edition @param {URLSearchParams} address */
function form(choices, edition, address) {
  const asked = (/** @type {string} */ name, usual = "") => address.get(name) ?? usual;
  const rounds = asked("rounds", address.has("shoes") ? "" : FIRST_ROUNDS);
  const players = choices.players.map((/** @type {string} */ name) => [name, inWords(name)]);
  const who = [written("seats", "Seats", { placeholder: "1", hint: `1 to ${choices.seats}`, value: asked("seats") })];
  if (players.length > 1) who.push(chosen("player", "The players decide", players, asked("player", choices.players[0])));
  return [
    part("How much", [
      written("rounds", "Rounds, at least", { value: rounds, hint: "1e6 is a million" }),
      written("shoes", "or shoes", { value: asked("shoes") }),
      written("seed", "Seed", { value: asked("seed", "1"), hint: "the same seed, the same cards" }),
    ]),
    part("Table", who),
    part("Shoe", shoeFields(choices)),
    part("Sessions", [
      written("session", "Rounds in a session", { placeholder: "none", value: asked("session") }),
      written("bankroll", "Bankroll in dollars", { placeholder: "none", mode: "decimal", value: asked("bankroll") }),
      written("bank", "Bank in dollars", { placeholder: "none", mode: "decimal", value: asked("bank") }),
      betFields(choices),
    ]),
    ...settingParts(edition, Object.fromEntries(address)),
  ];
}

/** What each seat bets, as the shell writes it; without sessions bets change little, and only those changed are sent. */
function betsIn(/** @type {HTMLFormElement} */ given, /** @type {any} */ choices) {
  const values = new FormData(given);
  const seats = Number(values.get("bets-of") ?? 1);
  const of = (/** @type {number} */ seat) =>
    choices.wagers
      .map((/** @type {{id: string}} */ wager) => [wager.id, String(values.get(`${EACH}${seat}-${wager.id}`) ?? "").trim()])
      .filter(([, amount]) => amount)
      .map((/** @type {string[]} */ bet) => bet.join("="))
      .join(",");
  const bets = Array.from({ length: seats }, (_, seat) => of(seat));
  return bets.length === 1 && (bets[0] === choices.bets || !bets[0]) ? [] : bets;
}

/** @param {HTMLFormElement} given @param {LabEdition} edition @param {any} choices */
function asked(given, edition, choices) {
  const values = valuesIn(given, { numbers: NUMBERS, texts: TEXTS, ticks: ["shuffler"] });
  if (values.burn === String(choices.burn)) delete values.burn;
  if (values.player === choices.players[0]) delete values.player;
  if (values.shuffler) for (const name of ["cut", "burn", "extra"]) delete values[name];
  const bets = betsIn(given, choices);
  return { ...values, ...settingsIn(given, edition), ...(bets.length ? { bets } : {}) };
}

// ---- the answer -------------------------------------------------------------------------------------------------------

/** @param {LabEdition} edition @param {string} wager */
const termsOf = (edition, wager) => edition.wagers.find((terms) => terms.id === wager);

/** @param {LabEdition} edition @param {string} wager @param {string} outcome */
const outcomeName = (edition, wager, outcome) =>
  termsOf(edition, wager)?.outcomes.find(({ id }) => id === outcome)?.name ?? inWords(outcome);

/** @param {any} wager @param {number} flagged */
function zWords({ z }, flagged) {
  if (z === null) return "—";
  return Math.abs(z) > flagged ? el("b", { class: "flag" }, `${signed(z, 2)} flagged`) : signed(z, 2);
}

/** @param {any} data @param {LabEdition} edition @param {number} flagged */
function returnsTable(data, edition, flagged) {
  const rows = data.wagers.map((/** @type {any} */ wager) => ({
    class: wager.z !== null && Math.abs(wager.z) > flagged ? "flagged" : "",
    cells: [
      termsOf(edition, wager.wager)?.name ?? wager.wager,
      percent(wager.return, 5),
      zWords(wager, flagged),
      `± ${(wager.standard_error * 100).toFixed(5)} %`,
      wager.exact === null ? "no exact odds" : percent(wager.exact, 5),
    ],
  }));
  return table("Returns", ["Wager", "#Return", "#z", "#Standard error", "#Exact"], rows);
}

/** @param {any} data @param {LabEdition} edition */
function hitsTables(data, edition) {
  return data.wagers.map((/** @type {any} */ wager) => {
    const name = termsOf(edition, wager.wager)?.name ?? wager.wager;
    const total = wager.outcomes.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.hits, 0);
    const rows = wager.outcomes.map((/** @type {any} */ row) => ({
      cells: [outcomeName(edition, wager.wager, row.outcome), whole(row.hits), total ? (row.hits / total).toFixed(8) : "—"],
    }));
    const shown = rows.length ? table(`Hits of ${name}`, ["Outcome", "#Hits", "#Share"], rows) : "never at stake";
    return el("div", { class: "hits" }, el("h3", {}, name), shown);
  });
}

/** @param {any} data @param {LabEdition} edition */
function jointTable(data, edition) {
  const words = (/** @type {string[][]} */ results) => {
    /** Wagers that ended alike are told together. @type {Map<string, string[]>} */
    const alike = new Map();
    for (const [wager, outcome, times] of results) {
      const ended = `${outcomeName(edition, wager, outcome)}${times === "1" ? "" : ` ×${times}`}`;
      alike.set(ended, [...(alike.get(ended) ?? []), termsOf(edition, wager)?.name ?? wager]);
    }
    if (alike.size === 1) return [...alike.keys()][0];
    return [...alike].map(([ended, wagers]) => `${wagers.join(", ")}: ${ended}`).join(" · ");
  };
  const total = data.rounds * data.seats.length;
  const rows = data.joint.map((/** @type {any} */ each) => ({
    cells: [words(each.results), whole(each.rounds), percent(each.rounds / total, 4)],
  }));
  return table("Joint results", ["All results of a seat in one round", "#Rounds", "#Share"], rows);
}

/** @param {any} sessions */
function sessionsTable(sessions) {
  const ranges = Object.keys(sessions.win_range_cents).map((share) => {
    const [low, high] = sessions.win_range_cents[share];
    const [least, most] = sessions.hold_range[share];
    return { cells: [`${share} %`, signedDollars(low), signedDollars(high), percent(least, 3), percent(most, 3)] };
  });
  return table("Ranges", ["Of the sessions", "#Players from", "#to", "#House holds from", "#to"], ranges);
}

/** @param {any} sessions */
function sessionFacts(sessions) {
  const fact = (/** @type {string} */ name, /** @type {string} */ words) => [el("dt", {}, name), el("dd", {}, words)];
  const { win_cents: win, longest_losing_run: run, drawdown_cents: fall } = sessions;
  const mean = `${signedDollars(Math.round(win.mean))}, standard deviation ${dollars(Math.round(win.standard_deviation))}`;
  const ruin = Object.entries(sessions.risk_of_ruin).map(([name, { cents, ruined, standard_error: error }]) => {
    const share = `lost in ${percent(ruined, 4)} ± ${(error * 100).toFixed(4)} % of the sessions`;
    return fact(`A ${name} of ${dollars(cents)}`, share);
  });
  return el("dl", { class: "facts" }, [
    fact("The players' win", mean),
    ruin,
    fact("Longest losing run", `${run.median} rounds in the middle, more than ${run["99"]} in 1 of 100 sessions`),
    fact("Largest fall from a height", `${dollars(fall.median)} in the middle, more than ${dollars(fall["99"])} in 1 of 100`),
  ]);
}

/** @param {any} sessions */
function sessionsPanel(sessions) {
  const counted = sessions.distribution.map((/** @type {any} */ each) => [each.win_cents, each.sessions]);
  const about = `The players' win after ${whole(sessions.rounds)} rounds, in ${whole(sessions.sessions)} sessions`;
  const plot = barsPlot(counted, (cents) => signedDollars(cents), { label: about, signed: true });
  const drawnBars = [el("p", { class: "small" }, about), drawing(plot)];
  return panel("Sessions", drawnBars, sessionsTable(sessions), sessionFacts(sessions));
}

/** @param {RunAnswer} answer @param {LabEdition} edition @param {any} choices */
function results(answer, edition, choices) {
  const { data } = answer;
  const held = data.wagers.filter((/** @type {any} */ wager) => wager.z !== null);
  const flagged = held.filter((/** @type {any} */ wager) => Math.abs(wager.z) > choices.flagged);
  const zRows = held.map((/** @type {any} */ w) => ({ name: termsOf(edition, w.wager)?.name ?? w.wager, z: w.z }));
  const lengths = Object.entries(data.rounds_per_shoe.shoes).map(([rounds, shoes]) => [Number(rounds), shoes]);
  /** @type {[string, string]} */
  const flags = held.length ? [String(flagged.length), `beyond ${choices.flagged} standard errors`] : ["—", "no exact odds"];
  const parts = [
    el("section", { class: "readouts", "aria-label": "What was dealt" }, [
      readout("Rounds", whole(data.rounds), answer.whole ? "" : "so far", true),
      readout("Shoes", whole(data.shoes), `seed ${data.seed}`),
      readout("Rounds a shoe", data.rounds_per_shoe.mean.toFixed(3)),
      readout("Flagged", ...flags),
    ]),
    el("section", { class: "panel", "aria-label": "Returns" }, [
      el("header", { class: "panel-head" }, [
        el("div", {}, el("h2", {}, "Returns against the exact odds"), el("p", { class: "small" }, data.notes.join("; "))),
        fileButtons(answer, `${data.edition}-simulated-${data.seed}`),
      ]),
      returnsTable(data, edition, choices.flagged),
      zRows.length ? el("p", { class: "small" }, "Standard errors from the exact return") : null,
      zRows.length ? drawing(errorsPlot(zRows, choices.flagged)) : null,
    ]),
  ];
  if (data.sessions) parts.push(sessionsPanel(data.sessions));
  parts.push(panel("Hits", el("div", { class: "hits-all" }, hitsTables(data, edition))));
  if (lengths.length > 1) {
    const plot = barsPlot(/** @type {any} */ (lengths), String, { label: "How many rounds a shoe had" });
    parts.push(panel("Rounds of a shoe", drawing(plot)));
  }
  parts.push(panel("Joint results, the most frequent", jointTable(data, edition)));
  return parts;
}

start({ kind: "simulate", unit: "rounds", form, asked, results, whyNot: () => "", goesOn: () => true });
