// A round, told again: step through it, see each clause, its place in the chain and the proof of its shoe.
import { card } from "./cards.js";
import { api, byId, dollars, el, svg } from "./dom.js";
import { chain, copier, shoe } from "./round-proof.js";
import { cardTimes, momentsOf, named, wagerName } from "./round-steps.js";

const SIDES = { player: "Player", banker: "Banker", dealer: "Dealer" };
const PARTS = { front: "Front", back: "Back" };
const SIGNS = { first: "M4 4v16M20 4 8 12l12 8Z", back: "M18 4 6 12l12 8Z", next: "M6 4l12 8-12 8Z", last: "M20 4v16M4 4l12 8-12 8Z" };
const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A clause leads to the rulebook; what is no clause of it ("house rules") is only named. */
function clauseLink(round, clause) {
  if (clause?.includes(" ")) return el("span", { class: "clause plain" }, clause);
  return clause ? el("a", { class: "clause mono", href: `/editions/${round.edition.id}#${clause}`, title: "read the clause" }, clause) : null;
}

function badge({ status, badge: sentence, approval, id, digest }) {
  const kind = status === "approved" || status === "modified" ? status : "";
  return el("a", { class: `badge ${kind}`, href: `/editions/${id}`, title: `${sentence}\ndigest ${digest}` }, approval === status ? sentence.split(":")[0] : `${sentence.split(":")[0]} · ${approval}`);
}

function head(round) {
  const { before, after } = round.neighbours;
  const step = (seq, words, id) => (seq ? el("a", { class: "button quiet", id, href: `/rounds/${seq}` }, words) : el("span", { class: "button quiet off", "aria-disabled": "true" }, words));
  return el("header", { class: "round-head" },
    el("div", {},
      el("h1", {}, `Round ${round.round} · ${round.table}`),
      el("p", { class: "about" }, round.edition.name, " ", badge(round.edition)),
      el("p", { class: "small" }, `${named(round.how)} ${when(round.at)} · gaming day ${round.day} · entry ${round.seq}`)),
    el("div", { class: "tools no-print" }, step(before, "← Round before", "before"), step(after, "Round after →", "after"),
      copier(location.href, "Copy the link"), el("button", { type: "button", class: "quiet", onclick: () => print() }, "Print")));
}

/** One hand on the felt; its cards are kept to be turned. */
function handOf(hand, which, seat, faces) {
  const worth = el("span", { class: "worth" }, hand.worth);
  const cards = hand.cards.map((code, place) => {
    const slot = el("span", { class: "slot" });
    faces.push({ slot, worth, key: `${seat}/${which}/${place}` });
    return slot;
  });
  const name = [SIDES[hand.owner], PARTS[hand.part]].filter((word, at) => word && (at || seat === "")).join(" · ");
  return el("div", { class: `shown-hand owner-${seat === "" ? hand.owner : "seat"}` },
    el("div", { class: "hand-title" }, el("b", {}, name), worth),
    el("div", { class: "slots" }, cards));
}

function seatBox(seat, faces, round) {
  const bets = Object.entries(seat.bets).map(([wager, cents]) => {
    const won = round.payments.filter((paid) => paid.seat === seat.seat && paid.wager === wager).reduce((sum, paid) => sum + paid.win_cents, 0);
    return el("li", {}, `${wagerName(wager)} `, el("b", { class: "money" }, dollars(cents)), el("span", { class: `outcome ${won > 0 ? "good" : won < 0 ? "bad" : ""}` }, won > 0 ? ` +${dollars(won)}` : won < 0 ? ` ${dollars(won)}` : " push"));
  });
  return el("div", { class: "seat-box" },
    el("h3", {}, `Seat ${seat.seat}`, seat.guest ? ` · ${seat.guest}` : ""),
    el("div", { class: "hands" }, seat.hands.map((hand, which) => handOf(hand, which, seat.seat, faces))),
    bets.length ? el("ul", { class: "bets" }, bets) : null);
}

function felt(round, faces) {
  if (round.how === "voided") return el("p", { class: "empty on-felt" }, "The round was voided: no hand counts, and every wager went back to its owner. The steps show what happened.");
  const played = round.seats.filter((seat) => Object.keys(seat.bets).length);
  const idle = round.seats.filter((seat) => !Object.keys(seat.bets).length && seat.hands.length);
  return [
    el("div", { class: "hands house" }, round.dealer.map((hand, which) => handOf(hand, which, "", faces))),
    el("div", { class: "seats" }, played.map((seat) => seatBox(seat, faces, round))),
    idle.length ? el("details", { class: "idle" }, el("summary", {}, `${idle.length} ${idle.length === 1 ? "position" : "positions"} without a bet`), el("div", { class: "seats" }, idle.map((seat) => seatBox(seat, faces, round)))) : null,
  ];
}

function payments(round) {
  const paid = round.payments.filter((one) => one.event === "paid");
  if (!paid.length) return null;
  const net = paid.reduce((sum, one) => sum + one.win_cents, 0);
  return el("section", { class: "panel payments", "aria-labelledby": "payments-title" }, el("h2", { id: "payments-title" }, "Payments"),
    el("div", { class: "scroll" }, el("table", {},
      el("thead", {}, el("tr", {}, ["Seat", "Guest", "Wager", "Outcome", "Stake", "Won or lost", "Clause"].map((name, at) => el("th", { scope: "col", class: at === 4 || at === 5 ? "number" : "" }, name)))),
      el("tbody", {}, paid.map((one, place) => el("tr", { dataset: { payment: place } },
        el("td", {}, String(one.seat)), el("td", {}, one.guest), el("td", {}, wagerName(one.wager)), el("td", {}, named(one.outcome)),
        el("td", { class: "number" }, dollars(one.stake_cents)),
        el("td", { class: `number ${one.win_cents > 0 ? "good" : one.win_cents < 0 ? "bad" : ""}` }, one.win_cents > 0 ? `+${dollars(one.win_cents)}` : one.win_cents < 0 ? dollars(one.win_cents) : "push"),
        el("td", {}, clauseLink(round, one.clause))))),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: 5 }, "Together"), el("td", { class: "number" }, el("b", {}, `${net > 0 ? "+" : ""}${dollars(net)}`)), el("td", {}))))));
}

/** Put the cards down as they lay at a moment. */
function lay(faces, times, at) {
  for (const { worth } of faces) worth.classList.remove("later");
  for (const { slot, worth, key } of faces) {
    const time = times.get(key);
    if (at < time.up) worth.classList.add("later");
    const state = at < time.dealt ? "none" : at < time.up ? "down" : "up";
    slot.classList.toggle("named", time.named.includes(at));
    if (slot.dataset.state === state) continue;
    slot.dataset.state = state;
    slot.replaceChildren(...(state === "none" ? [] : [card(state === "up" ? time.code : null)]));
  }
}

function momentRow(round, moment, place, go) {
  const where = moment.kind === "rule" && moment.seat && moment.several ? `Seat ${moment.seat}: ` : "";
  const mark = { entry: `entry ${moment.entry?.seq}`, payment: "payment", rule: "rule" }[moment.kind];
  return el("li", { class: `moment ${moment.kind}`, dataset: { place } },
    el("button", { type: "button", class: "go", onclick: () => go(place) }, el("span", { class: "mark" }, mark), el("span", {}, where + moment.words.join(". "))),
    clauseLink(round, moment.clause));
}

/** The stepper: buttons, a slider, arrow keys; the list beside it is the same in words. */
function stepper(round, moments, faces) {
  const times = new Map(cardTimes(round, moments).map((time) => [`${time.seat}/${time.which}/${time.place}`, time]));
  const said = el("p", { id: "moment", class: "said", "aria-live": "polite" });
  const count = el("span", { id: "count", class: "count" });
  const slide = el("input", { type: "range", min: 1, max: moments.length, step: 1, "aria-label": "Step of the round" });
  let at = moments.length - 1;
  const go = (place) => {
    at = Math.max(0, Math.min(moments.length - 1, place));
    lay(faces, times, at);
    byId("round").classList.toggle("unpaid", at < moments.length - 1 && moments[at].kind !== "payment");
    slide.value = at + 1;
    count.textContent = `${at + 1} of ${moments.length}`;
    said.replaceChildren(moments[at].words.join(". "), " ", clauseLink(round, moments[at].clause) ?? "");
    for (const row of document.querySelectorAll(".moment, tr[data-payment]")) {
      const here = row.dataset.place === String(at) || (moments[at].payment !== undefined && row.dataset.payment === String(moments[at].payment));
      row.classList.toggle("here", here);
      if (row.dataset.place) row.toggleAttribute("aria-current", here);
    }
    [first.disabled, back.disabled, next.disabled, last.disabled] = [at === 0, at === 0, at === moments.length - 1, at === moments.length - 1];
    const list = byId("moments"), row = list?.querySelector(".here");
    if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  };
  const button = (id, words, by) => el("button", { type: "button", class: "quiet", id, "aria-label": words, title: words, onclick: () => go(by()) },
    svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: SIGNS[id], fill: "currentColor", stroke: "currentColor", "stroke-width": 2 })));
  const first = button("first", "First step", () => 0), back = button("back", "Step back (left arrow)", () => at - 1);
  const next = button("next", "Next step (right arrow)", () => at + 1), last = button("last", "Last step", () => moments.length - 1);
  slide.addEventListener("input", () => go(Number(slide.value) - 1));
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, summary")) return;
    const wanted = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moments.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    go(wanted);
  });
  const bar = el("div", { class: "stepper no-print", role: "group", "aria-label": "Step through the round" }, first, back, count, next, last, slide);
  return { bar, said, go };
}

function show(round) {
  const place = byId("round"), faces = [], moments = momentsOf(round);
  document.title = `Round ${round.round} · ${round.table} · Houseway`;
  const cloth = felt(round, faces);
  const { bar, said, go } = stepper(round, moments, faces);
  const list = el("ol", { id: "moments", class: "moments", tabindex: 0, "aria-label": "Every step" }, moments.map((moment, at) => momentRow(round, moment, at, go)));
  place.replaceChildren(head(round),
    el("div", { class: "replay" },
      el("div", { class: "stage" }, el("section", { class: "cloth-panel", "aria-label": "The cards" }, cloth), el("div", { class: "panel steps-panel" }, said, bar), payments(round) ?? ""),
      el("section", { class: "panel list-panel", "aria-labelledby": "steps-title" }, el("h2", { id: "steps-title" }, "Step by step"), list)),
    el("div", { class: "proofs" }, chain(round), shoe(round)));
  place.setAttribute("aria-busy", "false");
  go(moments.length - 1);
  const mine = document.querySelector(".order .here");
  if (mine) mine.parentElement.scrollTop = mine.offsetTop - 60;
}

function refuse(error) {
  byId("round").replaceChildren(el("div", { class: "panel narrow" }, el("h1", {}, "No such round"), el("p", {}, `${error.message}.`),
    el("p", { class: "small" }, "A round's number is the number of the journal entry that settled or voided it. The table page shows it with every finished round."),
    el("p", {}, el("a", { class: "button quiet", href: "/" }, "To the tables"))));
  byId("round").setAttribute("aria-busy", "false");
}

api("GET", `/api/v1/rounds/${byId("round").dataset.seq}`, undefined, { quiet: true }).then(show, refuse);
