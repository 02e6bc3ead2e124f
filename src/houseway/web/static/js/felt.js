// The felt of each game: the printed cloth, the dealer's area, the seats on the arc and their betting spots.
// What a wager pays is the edition's business: pass `pays` from the API; no pay is written here.
import { card, dealt, fan, hand, reveal } from "./cards.js";
import { stack } from "./chips.js";
import { dollars, el, svg } from "./dom.js";

const spotKind = (id, name, mark, tone = "plain", more = {}) => ({ id, name, mark, tone, ...more });

/** How each game's layout is printed. A `rare` spot shows only when it is offered or bet. */
export const LAYOUTS = {
  ez_baccarat: {
    name: "EZ Baccarat", seats: 7, cloth: "green", common: true,
    spots: [spotKind("panda-8", "Panda 8", "8", "panda"), spotKind("tie", "Tie", "T", "tie"), spotKind("dragon-7", "Dragon 7", "7", "dragon"), spotKind("player", "Player", "P", "player", { main: true }), spotKind("banker", "Banker", "B", "banker", { main: true })],
  },
  ez_pai_gow: {
    name: "EZ Pai Gow", seats: 6, cloth: "blue",
    spots: [spotKind("dynasty", "Dynasty", "D"), spotKind("protection", "Protection", "Pr"), spotKind("red-black", "Red/Black", "R/B"), spotKind("base", "Base", "Base", "plain", { main: true })],
  },
  blackjack: {
    name: "Blackjack", seats: 7, cloth: "green", insurance: true,
    spots: [spotKind("lucky-lucky", "Lucky Lucky", "LL", "clover"), spotKind("blackjack", "Blackjack", "BJ", "plain", { main: true, shape: "circle" }), spotKind("insurance", "Insurance", "Ins", "plain", { rare: true })],
  },
  duki_4_poker: {
    name: "Duki 4 Poker", seats: 7, cloth: "blue",
    spots: [spotKind("duki-bonus", "Bonus", "Bo", "clover"), spotKind("ante", "Ante", "A", "plain", { main: true }), spotKind("play", "Play", "Pl", "plain", { main: true })],
  },
};

const WIDE = 1600, TALL = 820, OWN_WIDTH = 490;

// ---- betting spots ---------------------------------------------------------------------------------------------------

const spotProperties = new WeakMap();
const OUTCOMES = { true: "wins", false: "loses", push: "push" };

/**
 * A betting spot. `winner`: true wins (gold), false loses (dim), "push"; undefined while open. `paid` cents are printed when
 * it wins. With `onplace` it is a button: onplace(id, event). `disabled` is closed. `small` leaves out the words.
 */
export function spot(properties) {
  const made = properties.onplace
    ? el("button", { type: "button", class: "spot", onclick: (event) => { const now = spotProperties.get(made); now.onplace(now.id, event); } })
    : el("div", { class: "spot", role: "img" });
  return updateSpot(made, properties);
}

/** Change some of a spot's properties; focus stays where it is. Returns the spot. */
export function updateSpot(made, changes) {
  const now = { tone: "plain", shape: "box", cents: 0, ...spotProperties.get(made), ...changes };
  const before = spotProperties.get(made);
  spotProperties.set(made, now);
  if (before && Object.keys(changes).every((name) => before[name] === changes[name])) return made;
  const outcome = OUTCOMES[now.winner];
  made.className = ["spot", `tone-${now.tone}`, `shape-${now.shape}`, now.small && "small", now.main && "main", now.cents && "has-bet", now.selected && "selected", outcome, now.disabled && "closed"].filter(Boolean).join(" ");
  made.dataset.wager = now.id;
  if (made.tagName === "BUTTON") {
    made.disabled = Boolean(now.disabled);
    made.setAttribute("aria-pressed", String(Boolean(now.selected)));
  }
  const paid = now.winner === true && now.paid ? `, paid ${dollars(now.paid)}` : "";
  made.setAttribute("aria-label", [now.name, now.pays && `pays ${now.pays}`, now.cents ? `bet ${dollars(now.cents)}` : "no bet", outcome && outcome + paid, now.disabled && !outcome && "closed"].filter(Boolean).join(", "));
  const badge = { wins: now.paid ? `✓ +${dollars(now.paid)}` : now.small ? "✓" : "✓ Wins", push: now.small ? "=" : "= Push", loses: now.small ? "✕" : "✕ Loses" }[outcome];
  const chips = now.cents ? stack(now.cents, { most: now.small ? 3 : 12 }) : null;
  chips?.setAttribute("aria-hidden", "true");
  made.replaceChildren(...[
    el("span", { class: "spot-words" }, now.mark ? el("span", { class: "spot-mark" }, now.mark) : null, now.small ? null : el("span", { class: "spot-name" }, now.name), now.small || !now.pays ? null : el("span", { class: "spot-pays" }, now.pays)),
    chips, badge && now.cents ? el("span", { class: "spot-badge" }, badge) : null,
  ].filter(Boolean));
  return made;
}

// ---- hands that know what changed ------------------------------------------------------------------------------------

/** A place for a hand: show(codes, options) deals only the new cards, from `start` on one every `beat` ms, and turns those that were face down. */
function handPlace(layOut, start = 0, beat = 70) {
  const place = el("div", { class: "hand-place" });
  let known = [], laid = "";
  const show = (codes = [], options = {}) => {
    const way = JSON.stringify([options.set, options.picked, Boolean(options.onpick), options.back, options.label]);
    const cards = () => [...place.querySelectorAll(".card")];
    const grows = way === laid && !options.set && !options.onpick && codes.length >= known.length && known.every((code, at) => code === codes[at] || code === null);
    if (grows && known.length) {
      codes.slice(known.length).forEach((code, extra) => place.firstChild.append(dealt(card(code, { ...options, turned: known.length + extra >= (options.turnedFrom ?? Infinity), label: undefined }), extra * 110)));
      known.forEach((code, at) => code !== codes[at] && reveal(cards()[at], codes[at], at * 60));
    } else if (way !== laid || codes.join() !== known.join() || codes.length !== known.length) {
      const fresh = known.length === 0;
      const focused = place.contains(document.activeElement) ? document.activeElement.dataset.place : undefined;
      place.replaceChildren(...(codes.length ? [layOut(codes, options)] : []));
      if (focused !== undefined) place.querySelector(`[data-place="${focused}"]`)?.focus();
      if (fresh) cards().forEach((one, at) => dealt(one, start + at * beat));
    }
    [known, laid] = [[...codes], way];
    place.hidden = codes.length === 0;
  };
  return { element: place, show };
}

const layFan = (codes, options) => (options.set ? hand(codes, options) : fan(codes, options));

// ---- the parts of a table --------------------------------------------------------------------------------------------

/** A hand with its name and its note: the dealer's, or Player's and Banker's of baccarat. */
function handBox(name, mark, tone, layOut, start, beat) {
  const cards = handPlace(layOut, start, beat), note = el("span", { class: "box-note" }), verdict = el("span", { class: "box-verdict" });
  const element = el("section", { class: `hand-box tone-${tone}`, "aria-label": `${name}'s hand` }, el("header", {}, mark ? el("span", { class: "box-mark", "aria-hidden": "true" }, mark) : null, el("span", { class: "box-name" }, name), verdict, note), cards.element);
  const show = ({ cards: codes = [], note: said, winner, back, set, label, turnedFrom } = {}) => {
    cards.show(codes, { back, set, turnedFrom, label: label ?? `${name}'s cards` });
    note.textContent = said ?? "";
    verdict.textContent = winner ? "✓ Wins" : "";
    element.classList.toggle("wins", winner === true);
    element.classList.toggle("loses", winner === false);
  };
  show();
  return { element, show };
}

/** A seat: its number and guest, cards, and the spots of the game. */
function seatPlace(number, { layout, own, pays, onplace, back }) {
  const name = el("span", { class: "seat-name" }), note = el("span", { class: "seat-note" }), total = el("span", { class: "seat-total" });
  const hands = el("div", { class: "seat-hands" });
  const handPlaces = [];
  const spots = new Map(layout.spots.map((kind) => {
    const made = spot({ ...kind, pays: pays[kind.id], small: !own, onplace: own && onplace ? (id, event) => onplace(number, id, event) : undefined });
    made.style.setProperty("grid-area", kind.id);
    return [kind.id, made];
  }));
  const element = el("section", { class: own ? "seat own" : "seat", "aria-label": own ? `Your seat, ${number}` : `Seat ${number}` },
    hands, el("div", { class: "spots" }, ...spots.values()),
    el("footer", { class: "seat-plate" }, el("span", { class: "seat-number", "aria-hidden": "true" }, String(number)), name, note, total));

  function showHands(list, options) {
    while (handPlaces.length < list.length) {
      const cards = handPlace(layFan, 0, 130), said = el("span", { class: "hand-note" });
      const box = el("div", { class: "seat-hand" }, cards.element, said);
      handPlaces.push({ box, cards, said });
      hands.append(box);
    }
    while (handPlaces.length > list.length) handPlaces.pop().box.remove();
    list.forEach(({ cards = [], note: words = "", active }, place) => {
      handPlaces[place].cards.show(cards, { ...options, label: `Seat ${number}${list.length > 1 ? `, hand ${place + 1}` : ""}` });
      handPlaces[place].said.textContent = words;
      handPlaces[place].box.classList.toggle("active", Boolean(active));
    });
  }

  /** Show the seat as it now is; what is left out is empty. */
  function show({ name: guest = "", note: words = "", bets = {}, results = {}, paid = {}, cards, hands: several, set, picked, onpick, turn = false, closed = false, offered = [], selected = [], pays: printed = {} } = {}) {
    name.textContent = guest || (own ? "Your seat" : "Open");
    note.textContent = words;
    const sum = Object.values(bets).reduce((all, cents) => all + cents, 0);
    total.textContent = sum ? dollars(sum) : "";
    element.classList.toggle("vacant", !guest && !own);
    element.classList.toggle("turn", turn);
    if (turn) element.setAttribute("aria-current", "true");
    else element.removeAttribute("aria-current");
    showHands(several ?? (cards?.length ? [{ cards }] : []), { set, picked, onpick, back });
    for (const kind of layout.spots) {
      const made = spots.get(kind.id);
      made.hidden = Boolean(kind.rare) && !bets[kind.id] && !offered.includes(kind.id);
      updateSpot(made, { pays: printed[kind.id] ?? pays[kind.id], cents: bets[kind.id] ?? 0, winner: results[kind.id], paid: paid[kind.id], disabled: closed === true || (Array.isArray(closed) && closed.includes(kind.id)), selected: selected.includes(kind.id) });
    }
  }
  show();
  return { element, show, spots, number };
}

/** Where the seats lie: seat 1 at the dealer's left (the right of the screen), then clockwise; one's own seat takes more room. */
function placesOnTheArc(count, own) {
  const others = own ? count - 1 : count, room = 1476 - (own ? OWN_WIDTH : 0);
  const width = Math.min(own ? 208 : 232, room / Math.max(1, others));
  let right = (WIDE + others * width + (own ? OWN_WIDTH : 0)) / 2;
  return Array.from({ length: count }, (_, at) => {
    const wide = at + 1 === own ? OWN_WIDTH : width, x = right - wide / 2;
    right -= wide;
    const edge = (reach) => 537 + 228 * Math.sqrt(1 - Math.min(1, (Math.abs(x - WIDE / 2) + reach) / 775) ** 2);
    return { x, wide: wide - 10, bottom: TALL - Math.min(edge(wide * 0.15), edge(wide * 0.46) + 27) };
  });
}

/** The cloth as SVG: rail, felt, gold line, the dealer's tray and shoe, and the words printed along the arc. */
function cloth(layout, lines) {
  const id = `felt-${Math.random().toString(36).slice(2)}`;
  const table = (inset, drop) => `M${30 + inset} ${8 + inset / 2}H${WIDE - 30 - inset}Q${WIDE - 8 - inset} ${8 + inset / 2} ${WIDE - 8 - inset} ${34 + inset / 2}V${560 - drop}A${792 - inset} ${246 - inset * 0.7} 0 0 1 ${8 + inset} ${560 - drop}V${34 + inset / 2}Q${8 + inset} ${8 + inset / 2} ${30 + inset} ${8 + inset / 2}Z`;
  const arc = (y, reach, deep) => `M${WIDE / 2 - reach} ${y}Q${WIDE / 2} ${y + deep} ${WIDE / 2 + reach} ${y}`;
  const tray = ["white", "red", "red", "green", "green", "black", "black", "purple", "yellow"].map((name, tube) => svg("path", { class: `tube tube-${name}`, d: `M${WIDE / 2 - 168 + tube * 42} 30V74`, "stroke-dasharray": "4.4 .9", "stroke-width": 34 }));
  const words = lines.map((text, at) => [
    svg("path", { id: `${id}-${at}`, d: arc(layout.insurance ? [302, 332, 366][at] : 330 + at * 38, 620, 118), fill: "none" }),
    svg("text", { class: at === 0 ? "print print-title" : "print", "text-anchor": "middle" }, svg("textPath", { href: `#${id}-${at}`, startOffset: "50%" }, text)),
  ]).flat();
  return svg("svg", { class: "cloth", viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" },
    svg("defs", {}, svg("radialGradient", { id: `${id}-light`, cx: "50%", cy: "34%", r: "75%" }, svg("stop", { class: "light-in", offset: "0" }), svg("stop", { class: "light-mid", offset: ".55" }), svg("stop", { class: "light-out", offset: "1" })),
      svg("linearGradient", { id: `${id}-rail`, x1: 0, y1: 0, x2: 0, y2: 1 }, svg("stop", { offset: "0", "stop-color": "#201713" }), svg("stop", { offset: ".6", "stop-color": "#3a281f" }), svg("stop", { offset: ".93", "stop-color": "#5a3d2c" }), svg("stop", { offset: "1", "stop-color": "#1d130e" }))),
    svg("path", { d: table(0, 0), fill: `url(#${id}-rail)`, class: "rail" }), svg("path", { d: table(22, 10), class: "rail-lip" }), svg("path", { d: table(26, 12), fill: `url(#${id}-light)` }), svg("path", { d: table(36, 16), class: "gold-line" }),
    svg("rect", { x: WIDE / 2 - 196, y: 22, width: 392, height: 60, rx: 8, class: "tray" }), tray,
    svg("g", { class: "shoe", transform: "translate(1440 88) scale(.86) rotate(30)" }, svg("rect", { class: "back", x: -27, y: 18, width: 54, height: 66, rx: 4 }), svg("rect", { x: -38, y: -58, width: 76, height: 104, rx: 7 }), svg("path", { class: "shoe-line", d: "M-26 -44H26M-26 -34H26M-26 -24H26M-38 18H38M-14 46Q0 30 14 46" })),
    svg("g", { class: "discard", transform: "rotate(-14 150 80)" }, svg("rect", { x: 116, y: 34, width: 70, height: 92, rx: 7 }), svg("rect", { x: 124, y: 42, width: 54, height: 76, rx: 4, class: "back" }), svg("rect", { x: 127.5, y: 45.5, width: 47, height: 69, rx: 2, class: "shoe-line" })),
    layout.insurance ? svg("g", { class: "insurance-arc" }, svg("path", { d: `${arc(343, 560, 120)}L${WIDE / 2 + 568} 373Q${WIDE / 2} 497 ${WIDE / 2 - 568} 373Z` })) : [], words);
}

/**
 * A table. `seats`: how many; `own`: one's seat number, or null for an onlooker; `pays`: {wager id: "40 to 1"} from the edition;
 * `lines`: what is printed on the arc under the game's name; `onplace(seat, wager, event)` when one's own spot is pressed.
 * Returns {element, show(state), seats: Map of number to {element, show, spots}}.
 */
export function felt(game, { seats: count, own = null, pays = {}, lines = [], back = "red", onplace, limits = "" } = {}) {
  const layout = LAYOUTS[game];
  if (!layout) throw new RangeError(`no layout for "${game}": there are ${Object.keys(LAYOUTS).join(", ")}`);
  const seatCount = count ?? layout.seats;
  const dealer = layout.common ? null : handBox("Dealer", "", "dealer", layFan, 60, 130);
  const player = layout.common ? handBox("Player", "P", "player", hand, 0, 260) : null;
  const banker = layout.common ? handBox("Banker", "B", "banker", hand, 130, 260) : null;
  const message = el("p", { class: "felt-message", role: "status" });
  const sign = el("p", { class: "felt-sign" }, limits);
  const seats = new Map(Array.from({ length: seatCount }, (_, at) => [at + 1, seatPlace(at + 1, { layout, own: at + 1 === own, pays, onplace, back })]));
  placesOnTheArc(seatCount, own).forEach(({ x, wide, bottom }, at) => {
    const { style } = seats.get(at + 1).element;
    style.setProperty("--x", `${((x / WIDE) * 100).toFixed(2)}%`);
    style.setProperty("--bottom", `${((bottom / TALL) * 100).toFixed(2)}%`);
    style.setProperty("--wide", wide.toFixed(0));
  });
  const element = el("div", { class: `felt felt-${game} cloth-${layout.cloth} back-${back}${seatCount > 9 ? " many" : ""}` }, el("div", { class: own ? "felt-table" : "felt-table onlooker", style: { "--others": own ? seatCount - 1 : seatCount } },
    cloth(layout, [layout.name, ...lines]),
    el("div", { class: "felt-house" }, dealer?.element ?? el("div", { class: "felt-common" }, player.element, banker.element)),
    el("div", { class: "felt-print", "aria-hidden": "true" }, el("b", {}, layout.name), ...lines.map((text) => el("span", {}, text))),
    limits ? sign : null, message,
    el("div", { class: "felt-seats" }, [...seats.values()].map((one) => one.element))));

  /** Show the table as it is now; only what changed moves. */
  function show(state = {}) {
    dealer?.show({ back, ...state.dealer });
    player?.show({ back, turnedFrom: 2, ...state.player });
    banker?.show({ back, turnedFrom: 2, ...state.banker });
    for (const [number, seat] of seats) seat.show(state.seats?.[number]);
    const said = state.message ?? "";
    if (message.textContent !== said) message.textContent = said;
  }
  return { element, show, seats };
}
