// The odds of a settled round as it went, for the guest who bet in it: a line for each wager and a table of every moment.
import { api, codeOf, el, messageOf, scrollRegion, signedDollars, svg } from "../shared/dom.js";

/** @import { CourseView, CourseWager, KnownOddsView, RoundView } from "../types" */

const WIDTH = 320;
const HEIGHT = 96;
const EDGE = 8;

/** @param {number} share */
const percent = (share) => {
  if (share === 0 || share === 1) return `${share * 100} %`;
  return `${(share * 100).toFixed(share < 0.0995 ? 2 : 1)} %`;
};

/** @param {KnownOddsView} odds @param {(chance: number) => boolean} fits by its net */
function chanceOf(odds, fits) {
  const fitting = (odds.endings ?? []).filter((ending) => fits(netOf(ending.net)));
  const chance = fitting.reduce((sum, ending) => sum + ending.chance, 0);
  const deals = Number(odds.deals);
  const error = !odds.sampled ? 0 : Math.sqrt(Math.max(chance * (1 - chance), 1 / deals) / deals);
  return { chance, error };
}

/** @param {string} net a fraction */
function netOf(net) {
  const [over, under = "1"] = net.split("/");
  return Number(over) / Number(under);
}

/** @param {{chance: number, error: number}} figure */
const chanceWords = ({ chance, error }) => (error ? `${percent(chance)} ± ${(error * 100).toFixed(2)}` : percent(chance));

/** @param {KnownOddsView} odds @param {number} stake in cents */
function expectedWords(odds, stake) {
  const money = signedDollars(Math.round((odds.expected ?? 0) * stake));
  return !odds.sampled ? money : `${money} ± ${((stake * (odds.expected_error ?? 0)) / 100).toFixed(2)}`;
}

/** What came at a moment, in words. @param {CourseView} course @param {number} place */
function momentWords(course, place) {
  const { what } = course.moments[place];
  if (!what.length) return "Before the deal";
  return what.map(({ label, cards }) => (cards.length ? `${label}: ${cards.join(" ")}` : label)).join(", ");
}

/** The expected result, moment by moment, as a line. @param {CourseWager} wager */
function line(wager) {
  const points = wager.odds.flatMap((odds, place) => (odds.why_not ? [] : [{ place, worth: odds.expected ?? 0 }]));
  const worths = [0, ...points.map(({ worth }) => worth)];
  const [low, high] = [Math.min(...worths), Math.max(...worths)];
  const last = Math.max(wager.odds.length - 1, 1);
  /** @type {(worth: number) => number} */
  const y = (worth) => EDGE + ((high - worth) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  /** @type {(place: number) => number} */
  const x = (place) => EDGE + (place / last) * (WIDTH - 2 * EDGE);
  const path = points.map(({ place, worth }) => `${x(place).toFixed(1)},${y(worth).toFixed(1)}`).join(" ");
  const look = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "odds-line", "aria-hidden": "true" };
  return svg("svg", look, [
    svg("line", { x1: EDGE, x2: WIDTH - EDGE, y1: y(0), y2: y(0), class: "zero" }),
    svg("polyline", { points: path, fill: "none" }),
    ...points.map(({ place, worth }) => svg("circle", { cx: x(place), cy: y(worth), r: 3 })),
  ]);
}

/** @param {CourseView} course @param {CourseWager} wager @param {number} place */
function row(course, wager, place) {
  const odds = wager.odds[place];
  const head = el("th", { scope: "row" }, momentWords(course, place));
  if (odds.why_not) return el("tr", {}, head, el("td", { colspan: 4, class: "faint" }, odds.why_not));
  const chances = [chanceOf(odds, (net) => net > 0), chanceOf(odds, (net) => net === 0), chanceOf(odds, (net) => net < 0)];
  const cells = chances.map((figure) => el("td", { class: "number" }, chanceWords(figure)));
  return el("tr", {}, head, cells, el("td", { class: "number" }, expectedWords(odds, wager.stake_cents)));
}

/** Every outcome of a wager at every moment, for whoever wants it all. @param {CourseView} course @param {CourseWager} wager */
function allOutcomes(course, wager) {
  const names = new Map(wager.odds.flatMap((odds) => (odds.endings ?? []).map((ending) => [ending.id, ending.name])));
  const heads = [...names.values()].map((name) => el("th", { scope: "col", class: "number" }, name));
  const rows = wager.odds.map((odds, place) => {
    const cells = [...names.keys()].map((id) => {
      const ending = (odds.endings ?? []).find((each) => each.id === id);
      const words = ending ? chanceWords({ chance: ending.chance, error: ending.chance_error }) : odds.sampled ? "–" : "0";
      const title = ending?.chance_exact ? { title: ending.chance_exact } : {};
      return el("td", { class: "number", ...title }, words);
    });
    return el("tr", {}, el("th", { scope: "row" }, momentWords(course, place)), cells);
  });
  const table = el("table", {}, [
    el("caption", { class: "visually-hidden" }, `${wager.name}: every outcome`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Moment"), heads)),
    el("tbody", {}, rows),
  ]);
  const region = scrollRegion(`${wager.name}: every outcome`);
  return el("details", {}, el("summary", {}, "Every outcome"), el("div", region, table));
}

/** @param {CourseView} course @param {CourseWager} wager */
function wagerPart(course, wager) {
  const heads = ["Wins", "Pushes", "Loses", "Expected"].map((name) => el("th", { scope: "col", class: "number" }, name));
  const players = [...new Set(wager.odds.map((odds) => odds.player).filter(Boolean))];
  const sampled = wager.odds.some((odds) => odds.sampled);
  const others = wager.odds.some((odds) => odds.exact === false && !odds.sampled) ? "exact or solved in floats" : "exact";
  const notes = [
    players.length ? `Decisions to come are taken as those of a player who ${players.join("; ")}.` : "",
    sampled ? `Figures with ± are sampled, one standard error; all others are ${others}.` : `All figures are ${others}.`,
  ];
  const table = el("table", { class: "odds-table" }, [
    el("caption", { class: "visually-hidden" }, `${wager.name}: the odds, moment by moment`),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Moment"), heads)),
    el("tbody", {}, course.moments.map((_, place) => row(course, wager, place))),
  ]);
  const region = scrollRegion(`Odds of ${wager.name}`);
  return el("div", { class: "odds-wager" }, [
    el("h3", {}, wager.name),
    line(wager),
    el("div", region, table),
    el("p", { class: "small" }, notes.filter(Boolean).join(" ")),
    allOutcomes(course, wager),
  ]);
}

/** @param {CourseView} course */
const shown = (course) => [
  el("p", { class: "small" }, `Seat ${course.seat}. The shoe is taken as ${course.assumed}. Envy prizes are left out.`),
  ...course.wagers.map((wager) => wagerPart(course, wager)),
];

/**
 * The panel: it asks when somebody wants to know, for the house works some seconds for it.
 * @param {RoundView} round
 */
export function oddsPanel(round) {
  if (round.how !== "settled") return null;
  const place = el("div", { id: "odds", "aria-live": "polite" });
  const address = `/api/v1/rounds/${round.seq}/odds`;
  /** @param {number} seat */
  const ask = (seat) => {
    place.setAttribute("aria-busy", "true");
    place.replaceChildren(el("p", { class: "empty" }, "Working the odds out, card by card: some seconds…"));
    api("GET", `${address}?seat=${seat}`, undefined, { quiet: true })
      .then((/** @type {CourseView} */ course) => {
        const others = course.seats.filter((each) => each !== course.seat);
        const buttons = others.map((each) =>
          el("button", { type: "button", class: "quiet", onclick: () => ask(each) }, `Seat ${each}`),
        );
        place.replaceChildren(...shown(course), el("div", { class: "tools no-print" }, buttons));
      })
      .catch((/** @type {unknown} */ refused) => {
        const isStranger = codeOf(refused) === "not-logged-in";
        const words = isStranger ? "The odds are for whoever bet in this round: log in first" : messageOf(refused);
        place.replaceChildren(el("p", { class: "empty" }, `${words}.`));
      })
      .finally(() => place.setAttribute("aria-busy", "false"));
  };
  const button = { type: "button", class: "no-print", id: "ask-odds", onclick: () => ask(0) };
  place.replaceChildren(el("button", button, "Show the odds as it went"));
  return el("section", { class: "panel odds-panel", "aria-labelledby": "odds-title" }, [
    el("h2", { id: "odds-title" }, "The odds as it went"),
    el("p", { class: "small" }, "What your wagers were worth before the deal and after each card that you saw."),
    place,
  ]);
}
