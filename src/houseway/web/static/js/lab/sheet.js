// The par sheet: every outcome with its pay, to be edited in place, its probability and what it returns.
import { byId, el, toast } from "../shared/dom.js";
import { fraction, parsePay, printedPay, stepPay } from "./reckon.js";
import { lab } from "./state.js";
import { numberCell, signed, tableHead, thousands } from "./tables.js";

/** @import { Pay, Sheet, SheetRow } from "../types" */

/** A slider goes at least so far. */
const SLIDER_LEAST = 10;

/** @param {Sheet} sheet */
function methodWords(sheet) {
  const counted = `all ${thousands(sheet.total)} deals, counted exactly`;
  const words = {
    enumerated: counted,
    simulated: `${thousands(sheet.total)} simulated rounds`,
    solved: "every result of a round, solved in 64-bit floats",
  };
  const method = words[sheet.method];
  const player = sheet.player ? sheet.strategy : sheet.strategy && `strategy: ${sheet.strategy}`;
  return [`${sheet.name}: ${method}`, player].filter(Boolean).join(" · ");
}

/** @param {Sheet} sheet */
function envyRow({ envy }) {
  if (!envy || envy.players === 1) return null;
  const tooSmall = envy.bet_cents < envy.min_bet_cents;
  const prizes = `Envy prizes for the hands of ${envy.players - 1} other ${envy.players === 2 ? "player" : "players"}`;
  const words = tooSmall ? "Envy prizes: none for a bet this small" : prizes;
  const worth = signed(fraction(envy.worth.exact), 8);
  return el("tr", { class: "envy-row" }, el("th", { scope: "row", colspan: 5 }, words), numberCell("Return", worth));
}

/** @param {Sheet} sheet */
function envyNote({ envy }) {
  if (!envy) return null;
  const edges = envy.house_edge_by_players.map((edge, place) => {
    const name = place + 1 === lab.players ? "here" : "";
    return el("li", { class: name }, el("span", {}, `${place + 1}`), `${(edge.value * 100).toFixed(3)} %`);
  });
  const about = "House edge by players, envy prizes included, at the approved pays";
  return el("div", { class: "envy" }, el("p", { class: "small" }, about), el("ol", {}, edges));
}

/** Where a slider stands for a pay, in units of one to so many. @param {Pay} pay @param {bigint} under */
const slidTo = (pay, under) => Math.max(0, Math.round((Number(pay.net.over) * Number(under)) / Number(pay.net.under)));

/** The field of an outcome's pay. */
class PayField {
  /** @param {SheetRow} row @param {() => void} changed */
  constructor(row, changed) {
    this.row = row;
    this.changed = changed;
    const shown = { value: lab.pays[row.outcome]?.text ?? row.pays, autocomplete: "off", spellcheck: "false" };
    this.box = el("input", { id: `pay-${row.outcome}`, class: "pay", "aria-label": `${row.name} pays`, ...shown });
    this.box.addEventListener("input", () => this.edit());
    this.box.addEventListener("change", () => this.tidy());
    this.box.addEventListener("keydown", (event) => this.stepByKey(event));
    const stepper = el("span", { class: "stepper" }, this.stepButton(false), this.box, this.stepButton(true));
    this.slider = this.sliderOf(printedPay(row.approved_pays));
    this.element = el("span", { class: "pay-field" }, stepper, this.slider);
  }

  /** A slider from "push" to twice what is approved, for what pays at all. @param {Pay} approved */
  sliderOf(approved) {
    const { over, under } = approved.net;
    if (over < 0n) return null;
    const max = Math.max(SLIDER_LEAST, 2 * Number(over));
    const now = lab.pays[this.row.outcome] ?? printedPay(this.row.pays);
    const looks = { type: "range", class: "pay-slider", min: 0, max, value: slidTo(now, under), step: 1 };
    const slider = el("input", { ...looks, "aria-label": `${this.row.name}: slide the pay`, "aria-valuetext": now.text });
    slider.addEventListener("input", () => {
      this.box.value = slider.value === "0" ? "push" : (parsePay(`${slider.value} to ${under}`)?.text ?? this.box.value);
      this.edit();
    });
    return slider;
  }

  /** The slider follows what is typed. @param {Pay} pay */
  slide(pay) {
    if (!this.slider) return;
    const { under } = printedPay(this.row.approved_pays).net;
    if (document.activeElement !== this.slider) this.slider.value = String(slidTo(pay, under));
    this.slider.setAttribute("aria-valuetext", pay.text);
  }

  /** @param {boolean} up */
  stepButton(up) {
    const label = `${this.row.name}: pay ${up ? "more" : "less"}`;
    const button = { type: "button", class: "step", tabindex: -1, "aria-label": label, onclick: () => this.step(up) };
    return el("button", button, up ? "+" : "−");
  }

  edit() {
    const pay = parsePay(this.box.value);
    this.box.setAttribute("aria-invalid", String(!pay));
    if (!pay) return;
    lab.pays[this.row.outcome] = pay;
    this.slide(pay);
    this.changed();
  }

  tidy() {
    const typed = this.box.value;
    if (!parsePay(typed)) toast(`“${typed}” is not a pay: write 40 to 1, 3:2, push, lose or lose half.`, true);
    this.box.value = lab.pays[this.row.outcome]?.text ?? this.row.pays;
    this.box.setAttribute("aria-invalid", "false");
  }

  /** @param {boolean} up */
  step(up) {
    const now = lab.pays[this.row.outcome] ?? printedPay(this.row.pays);
    this.box.value = stepPay(now, up).text;
    this.edit();
  }

  /** @param {KeyboardEvent} event */
  stepByKey(event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    this.step(event.key === "ArrowUp");
  }
}

/** @param {number | null} oneIn */
function oneInWords(oneIn) {
  if (oneIn === null) return "never";
  return oneIn >= 1000 ? thousands(oneIn.toFixed(0)) : oneIn.toPrecision(4);
}

/** @param {SheetRow} row @param {() => void} changed */
function sheetRow(row, changed) {
  const rides = row.rides.map((ride) => `${ride.wager} ${ride.pays}`).join(", ");
  const pays = row.is_fixed ? el("span", { class: "fixed-pay" }, row.pays) : new PayField(row, changed).element;
  const isCounted = row.combinations !== "";
  return el("tr", { id: `row-${row.outcome}` }, [
    el("th", { scope: "row" }, row.name, rides ? el("small", {}, ` with ${rides}`) : null),
    el("td", { class: "pays" }, pays, el("small", { class: "was" })),
    isCounted ? numberCell("Combinations", thousands(row.combinations)) : null,
    numberCell("Probability", row.probability.value.toFixed(isCounted ? 8 : 10)),
    numberCell("1 in", oneInWords(row.one_in), { class: "number one-in" }),
    numberCell("Return", "", { class: "number return" }),
  ]);
}

/** @param {Sheet} sheet */
function totalRow(sheet) {
  return el("tr", {}, [
    el("th", { scope: "row", colspan: 2 }, "Total"),
    sheet.total === "" ? null : numberCell("Combinations", thousands(sheet.total)),
    numberCell("Probability", sheet.total === "" ? "1.0000000000" : "1.00000000"),
    el("td", { class: "number one-in" }),
    numberCell("Return", "", { id: "total-return" }),
  ]);
}

/**
 * Show a par sheet; what follows from its pays is shown by whoever is told that one has changed.
 * @param {Sheet} sheet
 * @param {() => void} changed
 */
export function showSheet(sheet, changed) {
  byId("readouts").removeAttribute("aria-busy");
  byId("method").textContent = methodWords(sheet);
  const pays = sheet.method === "solved" ? "Net" : "Pays";
  const counts = { enumerated: ["#Combinations"], simulated: ["#Rounds"], solved: [] }[sheet.method];
  const head = tableHead(["Outcome", pays, ...counts, "#Probability", "#1 in", "#Return"]);
  head.querySelectorAll("th")[1].className = "pays";
  const caption = el("caption", { class: "visually-hidden" }, `Par sheet of ${sheet.name}`);
  const body = el("tbody", {}, sheet.outcomes.map((row) => sheetRow(row, changed)));
  const foot = el("tfoot", {}, envyRow(sheet), totalRow(sheet));
  const note = envyNote(sheet);
  byId("sheet").replaceChildren(el("table", { class: "par" }, caption, head, body, foot), ...(note ? [note] : []));
}

