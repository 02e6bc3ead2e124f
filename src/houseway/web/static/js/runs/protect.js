// Protection: what somebody who counts or sees cards can win from a wager, and which cut card stops it.
import { capital, dollars, el, inWords } from "../shared/dom.js";
import { chosen, part, settingParts, settingsIn, ticked, valuesIn, written } from "./fields.js";
import { fileButtons } from "./frame.js";
import { anHour, drawing, panel, percent, readout, signed, table } from "./parts.js";
import { cutPlot } from "./plots.js";
import { start } from "./run.js";
import { whole } from "./stream.js";

/** @import { LabEdition, RunAnswer } from "../types" */
/** @import { Asked } from "./fields.js" */

const NUMBERS = ["cut", "extra", "players", "shoes", "exact_shoes", "seed", "hour"];
const TEXTS = "play wager trigger start spread burn divisor bet tolerate".split(" ");
/** How hands are decided; the wagers of a game may have such a name too, and are never named here. */
const [DECIDED] = TEXTS;
const MAIN = ["main_count", "main_spread"];
const TAG = "tag-";
const FIND = "find";
const GIVEN = "given";
const SEEN = "seen-";
const PUBLISHED = "published";
/** Counts rarer than that are left out of what people read. */
const LEAST_SHARE = 0.001;

// ---- the question -----------------------------------------------------------------------------------------------------

/** Ten tags, a trigger and a start; published ones can be put in. @param {any} choices @param {HTMLSelectElement} wagers */
function countFields(choices, wagers) {
  const boxes = choices.cards.map((/** @type {string} */ card) => {
    const id = `ask-${TAG}${card}`;
    const box = { id, name: `${TAG}${card}`, type: "text", placeholder: "0", autocomplete: "off" };
    return el("div", { class: "tag" }, el("label", { for: id }, card), el("input", box));
  });
  const tags = el("div", { class: "tags", role: "group", "aria-label": "Tags" }, boxes);
  const trigger = written("trigger", "Bet from this count on", { placeholder: "the best", mode: "text" });
  const begins = written("start", "Running count starts at", { placeholder: "a true count", mode: "text" });
  const known = el("div", { class: "tools" });
  const fill = (/** @type {any} */ count) => {
    const values = count.tags.split(",");
    boxes.forEach((/** @type {HTMLElement} */ box, /** @type {number} */ at) => {
      /** @type {HTMLInputElement} */ (box.querySelector("input")).value = values[at];
    });
    const put = (/** @type {HTMLElement} */ field, /** @type {string} */ value) => {
      /** @type {HTMLInputElement} */ (field.querySelector("input")).value = value;
    };
    put(trigger, count.trigger);
    put(begins, count.start);
    wagers.form?.dispatchEvent(new Event("change"));
  };
  const offer = () => {
    const counts = choices.counts[wagers.value] ?? [];
    const button = (/** @type {any} */ count) =>
      el("button", { type: "button", class: "quiet", onclick: () => fill(count) }, `Put in ${count.name}`);
    known.replaceChildren(...counts.map(button));
  };
  wagers.addEventListener("change", offer);
  offer();
  return [tags, known, trigger, begins];
}

/** What is asked: the best count, one's own, or cards seen. @param {any} choices */
function ways(choices) {
  /** @type {[string, string][]} */
  const found = [];
  if (!choices.why_no_count) found.push([FIND, "the best count, found by the program"], [GIVEN, "this count"]);
  if (Object.keys(choices.counts).length) found.push([PUBLISHED, "published figures to try"]);
  found.push(...choices.seen.map((/** @type {string} */ name) => [`${SEEN}${name}`, `sees: ${inWords(name)}`]));
  return found;
}

/** @param {any} choices */
function shoeFields(choices) {
  const burn = Array.from({ length: 6 }, (_, at) => /** @type {[string, string]} */ ([String(at), String(at)]));
  if (choices.burn_by_value) burn.push(["value", "one, and as many as it is worth"]);
  const players = choices.seats.map((/** @type {number} */ seats) => [String(seats), String(seats)]);
  return part("Shoe and conventions", [
    written("cut", "Cards behind the cut card", { placeholder: "a quarter", hint: `the shoe has ${choices.shoe_cards}` }),
    chosen("burn", "Cards burned", burn, String(choices.burn)),
    written("extra", "Rounds after the cut card's", { placeholder: "0" }),
    chosen("players", "Players", players, String(choices.seats[0])),
    chosen("divisor", "True count by", Object.entries(choices.divisors), Object.keys(choices.divisors)[0]),
    ticked("burn_shown", "The burn card is shown, and so counted"),
  ]);
}

/**
 * How much is bet by the count, how hands are decided by it, and by what count main bets are made: where there is such a thing.
 * @param {any} choices
 * @param {HTMLSelectElement} wagers
 */
function betFields(choices, wagers) {
  const hint = "1,2:2,3:4 is 1 unit, 2 from a count of 2 on, 4 from 3 on";
  const spread = written("spread", "Units by count", { mode: "text", hint });
  const words = /** @type {Record<string, string>} */ ({ indices: "as is best at every count", chart: "by the usual chart" });
  const options = choices.plays.map((/** @type {string} */ name) => [name, words[name] ?? inWords(name)]);
  const play = chosen(DECIDED, "Hands are decided", options, choices.plays[0]);
  const main = [
    written("main_count", "Main bets: tags A,2,…,9,T", { mode: "text", placeholder: "as large as the side bet" }),
    written("main_spread", "Main bets: units by count", { mode: "text" }),
  ];
  const show = () => {
    const beside = choices.beside[wagers.value] ?? [];
    const isDecided = [wagers.value, ...beside].some((name) => choices.decided.includes(name));
    const box = /** @type {HTMLInputElement} */ (spread.querySelector("input"));
    box.placeholder = choices.decided.includes(wagers.value) ? "1 to 8" : "one, from the count on";
    play.hidden = !isDecided;
    for (const each of main) each.hidden = !beside.length;
  };
  wagers.addEventListener("change", show);
  show();
  return part("Bets and play", [spread, play, ...main]);
}

/** @param {any} choices @param {LabEdition} edition @param {URLSearchParams} address */
function form(choices, edition, address) {
  const asked = (/** @type {string} */ name, usual = "") => address.get(name) ?? usual;
  const options = choices.wagers.map((/** @type {any} */ wager) => [wager.id, wager.name]);
  const first = choices.wagers.find((/** @type {any} */ wager) => wager.id in choices.counts) ?? choices.wagers[0];
  const wagers = chosen("wager", "Wager", options, asked("wager", first.id));
  const way = chosen("way", "Somebody has", ways(choices), "");
  const wagerBox = /** @type {HTMLSelectElement} */ (wagers.querySelector("select"));
  const counts = el("div", { class: "fields count" }, countFields(choices, wagerBox));
  const bets = betFields(choices, wagerBox);
  const shoe = shoeFields(choices);
  const shoes = written("shoes", "Shoes");
  const exact = written("exact_shoes", "Shoes valued exactly", { placeholder: whole(choices.exact_shoes) });
  const much = part("How much", [shoes, exact, written("seed", "Seed", { value: asked("seed", "1") })]);
  const stakes = part("At stake", [
    written("bet", "Bet in dollars", { placeholder: "the limit", mode: "decimal" }),
    written("hour", "Rounds an hour", { placeholder: String(choices.hour) }),
    written("tolerate", "The floor bears, dollars an hour", { value: asked("tolerate", choices.tolerate), mode: "decimal" }),
  ]);
  const select = /** @type {HTMLSelectElement} */ (way.querySelector("select"));
  const show = () => {
    const isKnown = Boolean(choices.counts[wagerBox.value]?.length);
    for (const option of select.options) option.disabled = option.value === PUBLISHED && !isKnown;
    if (select.selectedOptions[0]?.disabled) select.value = FIND;
    const isPublished = select.value === PUBLISHED;
    const isSeen = select.value.startsWith(SEEN);
    counts.hidden = select.value !== GIVEN;
    for (const each of [bets, shoe]) each.hidden = isSeen || isPublished;
    much.hidden = isSeen;
    exact.hidden = isPublished;
    stakes.hidden = isPublished;
    const usual = whole(isPublished ? choices.published_shoes : choices.shoes);
    /** @type {HTMLInputElement} */ (shoes.querySelector("input")).placeholder = usual;
  };
  for (const each of [way, wagers]) each.addEventListener("change", show);
  show();
  return [
    part("Who takes what", wagers, way, counts),
    bets,
    stakes,
    shoe,
    much,
    ...settingParts(edition, Object.fromEntries(address)),
  ];
}

/** @param {HTMLFormElement} given @param {any} choices */
function tagsIn(given, choices) {
  const values = new FormData(given);
  return choices.cards.map((/** @type {string} */ card) => String(values.get(`${TAG}${card}`) ?? "").trim() || "0").join(",");
}

/** @param {HTMLFormElement} given @param {LabEdition} edition @param {any} choices */
function asked(given, edition, choices) {
  const values = valuesIn(given, { numbers: NUMBERS, texts: [...TEXTS, ...MAIN], ticks: ["burn_shown"] });
  const way = String(new FormData(given).get("way"));
  if (values.burn === String(choices.burn)) delete values.burn;
  if (way !== GIVEN) for (const name of ["trigger", "start"]) delete values[name];
  if (way.startsWith(SEEN)) {
    const { wager, bet, hour } = values;
    const stakes = { ...(bet ? { bet } : {}), ...(hour ? { hour } : {}) };
    return { wager, ...stakes, seen: way.slice(SEEN.length), ...settingsIn(given, edition) };
  }
  if (way === PUBLISHED) {
    const { wager, shoes, seed } = values;
    return { wager, ...(shoes ? { shoes } : {}), seed, published: true, ...settingsIn(given, edition) };
  }
  const { [values.wager]: beside = [] } = choices.beside;
  if (!beside.length) for (const name of MAIN) delete values[name];
  const decides = [values.wager, ...(MAIN.some((name) => name in values) ? beside : [])];
  const isDecided = decides.some((/** @type {string} */ name) => choices.decided.includes(name));
  if (!isDecided || values.play === choices.plays[0]) delete values.play;
  return { ...values, ...(way === GIVEN ? { count: tagsIn(given, choices) } : {}), ...settingsIn(given, edition) };
}

// ---- the answer -------------------------------------------------------------------------------------------------------

/** @param {RunAnswer} answer @param {string} name */
function verdictPanel(answer, name) {
  const lines = answer.data.verdict.map((/** @type {string} */ line) => el("li", {}, line));
  return el("section", { class: "panel verdict-panel", "aria-label": "Verdict" }, [
    el("header", { class: "panel-head" }, el("h2", {}, "Verdict"), fileButtons(answer, name)),
    el("ul", {}, lines),
  ]);
}

/** @param {any} data */
function figuresTable(data) {
  const errors = data.standard_errors;
  /** @param {string} name @param {string} figure @param {number | null | undefined} error */
  const row = (name, figure, error, scale = 1, places = 4) => ({
    cells: [name, figure, (error ?? null) === null ? "" : `± ${(Number(error) * scale).toFixed(places)}`],
  });
  const rows = [
    row("Betting correlation", data.betting_correlation?.toFixed(4) ?? "—", null),
    row("Rounds a shoe", data.rounds_per_shoe.toFixed(3), errors.rounds_per_shoe, 1, 3),
    row("Bets in", `${(data.bets_share * 100).toFixed(3)} % of the rounds`, errors.bets_share, 100, 3),
    ...(data.count.spread ? [row("Average bet", `${data.average_bet.toFixed(3)} units`, null)] : []),
    row("Edge when it bets", percent(data.edge_when_bet, 3), errors.edge_when_bet, 100, 3),
    row("Units a shoe", signed(data.units_per_shoe, 4), errors.units_per_shoe),
    row("Units in 100 rounds", signed(data.units_per_100_rounds, 4), errors.units_per_100_rounds),
    row("Standard deviation of a round", data.standard_deviation_per_round.toFixed(4), errors.standard_deviation_per_round),
    row("Desirability index", signed(data.desirability_index, 2), errors.desirability_index, 1, 2),
  ];
  for (const [name, bets] of [["By exact odds, units a shoe", data.by_exact_odds], ["Ceiling, units a shoe", data.ceiling]]) {
    if (bets) rows.push(row(name, signed(bets.units_per_shoe, 4), bets.standard_errors.units_per_shoe));
  }
  return table("Figures", ["Figure", "#Value", "#Standard error"], rows);
}

/** @param {any} data */
function cutPanel(data) {
  const points = data.by_cut.map((/** @type {any} */ row) => ({
    cut: row.cut,
    units: row.units_per_100_rounds,
    error: row.standard_errors.units_per_100_rounds,
  }));
  const rows = data.by_cut.map((/** @type {any} */ row) => ({
    class: row.cut === data.conventions.cut ? "here" : "",
    cells: [
      String(row.cut),
      row.rounds_per_shoe.toFixed(1),
      percent(row.bets_share, 2),
      percent(row.edge_when_bet, 2),
      signed(row.units_per_shoe, 4),
      signed(row.units_per_100_rounds, 4),
      signed(row.desirability_index, 2),
      anHour(row.dollars_an_hour),
    ],
  }));
  const head = ["#Cut card", "#Rounds a shoe", "#Bets", "#Edge", "#Units a shoe", "#In 100 rounds", "#Index", "#An hour"];
  return panel("By cut card", drawing(cutPlot(points, data.conventions.cut)), table("By cut card", head, rows));
}

/** @param {any} data */
function foundPanel(data) {
  const rows = data.counts_found.map((/** @type {any} */ found) => {
    const bets = found.exact ?? found.estimated;
    return {
      cells: [
        String(found.level),
        found.tags.map((/** @type {number} */ tag) => String(tag).replace("-", "−")).join(" "),
        found.start === null ? "true count" : String(found.start).replace("-", "−"),
        String(found.trigger).replace("-", "−"),
        found.betting_correlation.toFixed(4),
        bets ? signed(bets.units_per_shoe, 4) : "—",
      ],
    };
  });
  const head = ["Level", "Tags A 2 … 9 T", "Start", "#Trigger", "#Correlation", "#Units a shoe"];
  return panel("Counts found", table("Counts found", head, rows));
}

/** @param {any} data @param {string[]} cards */
function effectsPanel(data, cards) {
  const effects = cards.map((card) => {
    const [over, under] = data.effects_of_removal[card].split("/").map(Number);
    return signed((over / under) * 100, 4);
  });
  const rows = [{ cells: ["Effect", ...effects] }];
  const about = el("p", { class: "small" }, "Percentage points of the player's edge, for one card of each gone");
  return panel("Effects of removal", about, table("Effects of removal", ["Card", ...cards.map((card) => `#${card}`)], rows));
}

/** What a game's own solver adds, row by row. @param {any[]} rows */
function seenRows(rows) {
  const names = Object.keys(rows[0]);
  const shown = (/** @type {any} */ value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value));
  const cells = rows.map((row) => ({ cells: names.map((name) => shown(row[name])) }));
  return panel("In detail", table("In detail", names.map((name) => `#${name.replaceAll("_", " ")}`), cells));
}

/** @param {RunAnswer} answer */
function seenResults(answer) {
  const { data } = answer;
  const { how = "exact", rows = [] } = data;
  return [
    el("section", { class: "readouts", "aria-label": "What it is worth" }, [
      readout("House edge, seen", `${data.house_edge_seen.percent.toFixed(4)} %`, how, true),
      readout("House edge", `${data.house_edge.percent.toFixed(4)} %`),
      readout("Gain", `${data.gain.percent.toFixed(4)} %`),
      readout("An hour", anHour(data.dollars_an_hour), `at ${dollars(data.bet_cents)}`),
    ]),
    verdictPanel(answer, `${data.edition}-${data.wager}-seen`),
    ...(rows.length ? [seenRows(rows)] : []),
  ];
}

/** @param {any[]} tags */
const tagWords = (tags) => tags.map((/** @type {number} */ tag) => String(tag).replace("-", "−")).join(" ");

/** @param {{count: number | null, units: number}[]} spread */
function spreadWords(spread) {
  const from = (/** @type {number | null} */ count) =>
    count === null ? "at lower counts" : `from ${String(count).replace("-", "−")} on`;
  return spread.map(({ count, units }) => `${units} ${from(count)}`).join(", ");
}

/** @param {any} count */
function countWords({ tags, trigger, start: begins, spread }) {
  const kind = begins === null ? "true count" : `running count, from ${begins},`;
  if (spread) return `Tags A … T: ${tagWords(tags)}; units bet by the ${kind}: ${spreadWords(spread)}`;
  return `Tags A … T: ${tagWords(tags)}; bet at a ${kind} of ${trigger} or more`;
}

/** Edges and bets by count; the rarest counts are left out. @param {any} data */
function byCountPanel(data) {
  const rows = data.by_true_count
    .filter((/** @type {any} */ row) => row.share >= LEAST_SHARE)
    .map((/** @type {any} */ row) => ({
      cells: [
        String(row.count).replace("-", "−"),
        percent(row.share, 2),
        percent(row.edge, 3),
        `± ${(row.standard_error * 100).toFixed(3)}`,
        String(Number(row.units.toPrecision(3))),
      ],
    }));
  return panel("By count", table("By count", ["#Count", "#Rounds", "#Edge", "#Standard error", "#Units"], rows));
}

/** What a count decides. @param {any} data */
function playsPanel(data) {
  const about = el("p", { class: "small" }, `Played ${data.play}; from this count on, those that gain most first`);
  const rows = data.index_plays.map((/** @type {any} */ each) => ({
    cells: [each.hand, each.up, signed(each.index, 1), each.play, each.below],
  }));
  return panel("Index plays", about, table("Index plays", ["Hand", "Against", "#Count", "Play", "Below it"], rows));
}

/** The side bet with main bets by a count of their own. @param {any} both */
function togetherPanel(both) {
  const { tags, spread } = both.count;
  const words = `Main bets on ${both.main}: tags A … T ${tagWords(tags)}; units by count: ${spreadWords(spread)}`;
  const rows = [
    { cells: ["Units in 100 rounds", signed(both.units_per_100_rounds, 4), `± ${both.standard_error.toFixed(4)}`] },
    { cells: ["Standard deviation of a round", both.standard_deviation_per_round.toFixed(4), ""] },
    { cells: ["Desirability index", signed(both.desirability_index, 2), ""] },
    { cells: ["An hour", anHour(both.dollars_an_hour), ""] },
  ];
  const figures = table("With the main bets", ["Figure", "#Value", "#Standard error"], rows);
  return panel("With the main bets", el("p", { class: "small" }, words), figures);
}

/** Published figures, each under every convention. @param {RunAnswer} answer */
function publishedResults(answer) {
  const { data } = answer;
  const tried = /** @type {any[]} */ (data.conventions_tried);
  const fit = tried.filter((row) => row.reproduced);
  const burned = (/** @type {any} */ row) => {
    if (!row.burn) return "none";
    const more = row.burn_by_value ? ", and as many as it is worth" : "";
    return `${row.burn} ${row.burn_shown ? "shown" : "face down"}${more}`;
  };
  const counts = [...new Set(tried.map((row) => row.count))].map((name) => {
    const rows = tried.filter((row) => row.count === name);
    const cells = rows.map((row) => ({
      class: row.reproduced ? "here" : "",
      cells: [
        row.units_per_shoe.toFixed(4),
        `± ${row.standard_error.toFixed(4)}`,
        signed(row.standard_errors_away, 1),
        burned(row),
        String(row.extra),
        row.divisor,
      ],
    }));
    const head = ["#Units a shoe", "#Standard error", "#Errors away", "Burned", "#Extra rounds", "Divided by"];
    const about = `Published: ${rows[0].published} units a shoe, cut card ${rows[0].cut}. The nearest conventions stand first.`;
    return panel(capital(name), el("p", { class: "small" }, about), table(name, head, cells));
  });
  return [
    el("section", { class: "readouts", "aria-label": "What was tried" }, [
      readout("Conventions that fit", `${fit.length} of ${tried.length}`, "within the errors", true),
      readout("Shoes for each", whole(data.shoes), answer.whole ? "" : "so far"),
    ]),
    el("section", { class: "panel", "aria-label": "Files" }, [
      el("header", { class: "panel-head" }, [
        el("h2", {}, "Published figures"),
        fileButtons(answer, `${data.edition}-${data.wager}-published`),
      ]),
    ]),
    ...counts,
  ];
}

/** @param {RunAnswer} answer @param {LabEdition} _ @param {any} choices */
function results(answer, _, choices) {
  const { data } = answer;
  if (data.conventions_tried) return publishedResults(answer);
  if (!data.by_cut) return seenResults(answer);
  const stakes = `at ${dollars(data.bet_cents)}, ${data.decisions_an_hour} rounds`;
  const error = `± ${data.standard_errors.units_per_100_rounds.toFixed(4)}`;
  const parts = [
    el("section", { class: "readouts", "aria-label": "What a counter wins" }, [
      readout("An hour", anHour(data.dollars_an_hour), stakes, true),
      readout("Units in 100 rounds", signed(data.units_per_100_rounds, 4), error),
      readout("Bets in", `${(data.bets_share * 100).toFixed(2)} %`, "of the rounds"),
      readout("Shoes", whole(data.shoes), answer.whole ? "" : "so far"),
    ]),
    verdictPanel(answer, `${data.edition}-${data.wager}-counted-${data.conventions.seed}`),
    cutPanel(data),
    panel("The count", el("p", { class: "small" }, countWords(data.count)), figuresTable(data)),
  ];
  if (data.together) parts.push(togetherPanel(data.together));
  if (data.by_true_count) parts.push(byCountPanel(data));
  if (data.index_plays?.length) parts.push(playsPanel(data));
  if (data.counts_found.length) parts.push(foundPanel(data));
  if (Object.keys(data.effects_of_removal).length) parts.push(effectsPanel(data, choices.cards));
  return parts;
}

/** Shoes that were watched are kept; what else is asked takes seconds. @param {Asked} question */
const goesOn = ({ seen, published }) => !seen && !published;

start({ kind: "protect", unit: "shoes", form, asked, results, whyNot: (choices) => choices.why_not, goesOn });
