// What is chosen in the odds lab: the edition's settings and readings, and the wager.
import { byId, capital, codeOf, el, inWords } from "../shared/dom.js";
import { SAMPLED, address, ask, bears, isOutside, lab, ownWagers, query, value } from "./state.js";

/** @import { LabSetting, LabWager } from "../types" */

const MOST_PLAYERS = 6;
const MOST_BET_CENTS = 100_000_000;

/** @param {LabSetting} setting @param {any} choice */
function option(setting, choice) {
  const words = setting.kind === "reading" ? `${choice}: ${setting.meanings[choice] ?? ""}` : String(choice);
  return el("option", { value: choice, selected: value(setting.name) === String(choice) }, words);
}

/**
 * A labelled control.
 * @param {string} id
 * @param {Node | string | Node[]} words
 * @param {HTMLElement} control
 */
const labelled = (id, words, control, name = "field") =>
  el("div", { class: name }, el("label", { for: id }, words), control);

/** @param {LabSetting} setting @param {() => void} load */
function settingField(setting, load) {
  const id = `set-${setting.name}`;
  const approved = setting.values.filter((choice) => setting.approved.includes(choice));
  const outside = setting.values.filter((choice) => !setting.approved.includes(choice));
  const box = el("select", { id }, approved.map((choice) => option(setting, choice)));
  if (outside.length) {
    const options = outside.map((choice) => option(setting, choice));
    box.append(el("optgroup", { label: "What-if: outside the approval" }, options));
  }
  box.addEventListener("change", () => choose(setting.name, box.value, load));
  const words = setting.kind === "reading" ? `${setting.name} · ${setting.about}` : setting.about;
  const label = [el("span", {}, words), el("span", { class: "clause" }, setting.clause)];
  return labelled(id, label, box, isOutside(setting) ? "field outside" : "field");
}

/** @param {string} name @param {string} chosen @param {() => void} load */
function choose(name, chosen, load) {
  lab.chosen[name] = chosen;
  lab.anyway = false;
  if (name === "pay-table") lab.pays = {};
  load();
}

/** @param {() => void} load */
function playersField(load) {
  const box = el("select", { id: "set-players" });
  for (let n = 1; n <= MOST_PLAYERS; n += 1) box.append(el("option", { value: n, selected: n === lab.players }, String(n)));
  box.addEventListener("change", () => {
    lab.players = Number(box.value);
    load();
  });
  return labelled("set-players", "Players who may win envy for one another", box);
}

/** @param {() => void} load */
function betField(load) {
  const shown = { value: lab.betCents / 100, inputmode: "decimal" };
  const box = el("input", { id: "set-bet", type: "number", min: "0.01", step: "any", ...shown });
  box.addEventListener("change", () => {
    const cents = Math.round(Number(box.value) * 100);
    if (!(cents >= 1 && cents <= MOST_BET_CENTS)) {
      box.value = String(lab.betCents / 100);
      return;
    }
    lab.betCents = cents;
    load();
  });
  return labelled("set-bet", "Bet in dollars, against the fixed envy prizes", box);
}

/** How the player decides, where a solver has the odds. @param {() => void} load */
function playerField(load) {
  const { players, strategy, shown_for: shownFor } = lab.wager;
  const option = (/** @type {string} */ id, /** @type {string} */ words) =>
    el("option", { value: id, selected: id === lab.player }, words);
  const words = (/** @type {string} */ id) => capital(id === SAMPLED ? `${strategy}, sampled` : inWords(id));
  const named = players.filter((id) => id !== shownFor).map((id) => option(id, words(id)));
  const box = el("select", { id: "set-player" }, option("", words(shownFor || strategy)), named);
  box.addEventListener("change", () => {
    lab.player = box.value;
    load();
  });
  return labelled("set-player", "How the player decides", box);
}

/** The settings that bear on the wager. @param {() => void} load */
export function showSettings(load) {
  const open = lab.edition.settings.filter((setting) => setting.kind !== "reading" && setting.values.length > 1);
  const tables = open.filter((setting) => setting.kind === "pay-table" && lab.wager.pay_tables.length > 1);
  const others = open.filter((setting) => setting.kind === "setting");
  const fields = [...tables, ...others].map((setting) => settingField(setting, load));
  if (lab.wager.players.length) fields.unshift(playerField(load));
  if (lab.wager.envy) fields.push(playersField(load), betField(load));
  const readings = lab.edition.settings.filter((setting) => setting.kind === "reading" && bears(setting));
  if (readings.length) {
    const about = "Questions that the documents leave open, and the answer in use.";
    fields.push(el("h3", {}, "Readings"), el("p", { class: "small" }, about));
    fields.push(...readings.map((setting) => settingField(setting, load)));
  }
  const focused = document.activeElement?.id;
  byId("settings").replaceChildren(...fields);
  if (focused?.startsWith("set-")) byId(focused).focus();
}

/** @param {LabWager} wager @param {HTMLElement} place */
function showEdge(wager, place) {
  const coming = ask(address("odds", query({ wager: wager.id, pays: false })));
  coming.then(
    (sheet) => (place.textContent = `${(sheet.house_edge.value * 100).toFixed(3)} %`),
    (refused) => (place.textContent = codeOf(refused) === "not-offered" ? "not offered" : "—"),
  );
}

/** What a solver knows of a wager that is only sampled. @param {LabWager} wager @param {HTMLElement} place */
async function showSolved(wager, place) {
  const known = await ask(address("edge", query({ wager: wager.id, pays: false }))).catch(() => null);
  const edge = known?.house_edge;
  place.textContent = edge ? `${(edge.value * 100).toFixed(3)} % · ${edge.player}` : "sampled";
}

/** @param {LabWager} wager @param {() => void} load */
function chooseWager(wager, load) {
  if (wager.id === lab.wager.id) return;
  Object.assign(lab, { wager, pays: {}, kept: [], anyway: false, player: "" });
  load();
}

/** @param {KeyboardEvent} event @param {() => void} load */
function moveWager(event, load) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const wagers = ownWagers();
  const next = wagers[(wagers.indexOf(lab.wager) + by + wagers.length) % wagers.length];
  chooseWager(next, load);
  byId(`wager-${next.id}`).focus();
}

/** @param {LabWager} wager @param {() => void} load */
function wagerButton(wager, load) {
  const isHere = wager.id === lab.wager.id;
  const figure = el("b", { class: "figure" }, "…");
  if (!isHere) (wager.exact ? showEdge : showSolved)(wager, figure);
  const radio = { role: "radio", "aria-checked": String(isHere), tabindex: isHere ? 0 : -1 };
  const does = {
    onclick: () => chooseWager(wager, load),
    onkeydown: (/** @type {KeyboardEvent} */ event) => moveWager(event, load),
  };
  const button = { type: "button", id: `wager-${wager.id}`, class: "wager", ...radio, ...does };
  return el("button", button, el("span", {}, wager.name), figure);
}

/** The wagers, each with its house edge. @param {() => void} load */
export function showWagers(load) {
  byId("wagers").replaceChildren(...ownWagers().map((wager) => wagerButton(wager, load)));
}
