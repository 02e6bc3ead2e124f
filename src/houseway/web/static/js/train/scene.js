// What lies on the table in an exercise, drawn as on the felt: hands, seats with their bets, and what was said.
import { fan, hand } from "../shared/cards.js";
import { stack } from "../shared/chips.js";
import { el } from "../shared/dom.js";

/** @import { Scene, SceneHand, SceneSeat, TrainEdition } from "./types" */

const FACE_DOWN = "?";
const FAN_FROM = 4;

/** @param {SceneHand} laid @param {string} back */
function handOf(laid, back) {
  const codes = laid.cards.map((code) => (code === FACE_DOWN ? null : code));
  const cards = (codes.length < FAN_FROM ? hand : fan)(codes, { label: laid.owner, back });
  const worth = laid.worth ? el("span", { class: "laid-worth" }, laid.worth) : null;
  return el("div", { class: "laid" }, el("p", { class: "laid-owner" }, laid.owner, worth), cards);
}

/** @param {SceneSeat} seat @param {TrainEdition} edition @param {boolean} isAlone */
function seatOf({ seat, bets, hands, says }, { seat_word: word, back }, isAlone) {
  const name = `${word} ${seat}`;
  const lying = bets.map(([wager, cents]) =>
    el("li", {}, el("span", { class: "bet-name" }, wager), stack(cents, { most: 10 })));
  return el("section", { class: isAlone ? "drill-seat alone" : "drill-seat", "aria-label": name },
    hands.length ? el("div", { class: "drill-hands" }, hands.map((laid) => handOf(laid, back))) : null,
    lying.length ? el("ul", { class: "bets", "aria-label": "Bets" }, lying) : null,
    says.length ? el("p", { class: "says" }, says.join(", then ")) : null,
    el("p", { class: "drill-plate" }, name));
}

/**
 * A table with all that lies on it.
 * @param {Scene} scene
 * @param {TrainEdition} edition
 */
export function sceneOf(scene, edition) {
  const house = scene.hands.map((laid) => handOf(laid, edition.back));
  const seats = scene.seats.map((seat) => seatOf(seat, edition, scene.seats.length === 1));
  const facts = scene.facts.map(([name, value]) => el("li", {}, `${name}: `, el("b", {}, value)));
  const many = scene.seats.length > 3 ? " full" : "";
  return el("div", { class: `drill-felt cloth-${edition.cloth}${many}`, role: "group", "aria-label": "On the table" },
    house.length ? el("div", { class: "drill-house" }, house) : null,
    facts.length ? el("ul", { class: "drill-facts", "aria-label": "At this table" }, facts) : null,
    seats.length ? el("div", { class: "drill-seats" }, seats) : null);
}
