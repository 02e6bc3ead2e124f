// A slip as it stands on paper: one copy on the screen, three on the printer; VOID on all of them if it is void.
import { api, byId, capital, dollars, el, messageOf, scrollRegion } from "../shared/dom.js";

/** @import { SlipOnPaper } from "../types" */

/** @param {string} at */
const moment = (at) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

/** @param {SlipOnPaper} slip */
function pieceTable(slip) {
  if (!slip.pieces) return el("p", { class: "small" }, "What is counted is shown when all have counted.");
  const rows = Object.entries(slip.pieces.pieces)
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([value, count]) => {
      const amount = dollars(Number(value) * count);
      const [name, ...cells] = value === "1" ? ["Coins", "", amount] : [dollars(Number(value)), String(count), amount];
      const numbers = cells.map((cell) => el("td", { class: "number" }, cell));
      return el("tr", {}, el("th", { scope: "row" }, name), numbers);
    });
  const head = ["Value", "Pieces", "Amount"].map((name, at) => el("th", { scope: "col", class: at ? "number" : "" }, name));
  const sum = el("td", { class: "number" }, dollars(slip.pieces.cents));
  const total = el("tr", { class: "total" }, el("th", { scope: "row" }, "Total"), el("td", {}), sum);
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows, total));
}

/** @param {SlipOnPaper} slip */
function signatures(slip) {
  const rows = slip.signed.map(({ name, role, about, at }) => {
    const cells = [name, role, about].map((words) => el("td", {}, words));
    return el("tr", {}, cells, el("td", { class: "at" }, moment(at)));
  });
  const head = ["Signed by", "As", "What", "At"].map((name) => el("th", { scope: "col" }, name));
  return el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
}

/** @param {SlipOnPaper} slip @param {string} copy */
function paper(slip, copy) {
  const owner = slip.owner ? `${slip.owner} answers for it.` : "";
  const off = slip.kind === "error" ? slip.cents : slip.difference_cents;
  const difference = off ? el("p", {}, `Difference to the books: ${dollars(off)}. ${owner}`) : null;
  const when = `Table ${slip.table}, gaming day ${slip.day}, opened ${moment(slip.at)}`;
  return el("article", { class: `paper ${slip.status}`, "aria-label": `${slip.id}, ${copy}` }, [
    el("header", {}, el("b", {}, slip.operator), el("span", {}, copy)),
    el("h1", {}, `${capital(slip.name)} slip No. ${slip.id.split("-").at(-1)}`),
    slip.status === "void" ? el("p", { class: "stamp" }, "VOID") : null,
    el("p", {}, [when, slip.purpose].filter(Boolean).join(", ")),
    slip.kind === "error" ? null : pieceTable(slip),
    difference,
    el("div", scrollRegion("Signatures"), signatures(slip)),
    slip.status === "void" ? el("p", {}, `Void, by ${slip.voided_by}: ${slip.reason}`) : null,
    slip.status === "open" ? el("p", { class: "small" }, "Not finished: signatures are missing.") : null,
  ]);
}

async function show() {
  const place = byId("slip");
  try {
    const path = `/api/v1/slips/${encodeURIComponent(place.dataset.slip ?? "")}`;
    const slip = /** @type {SlipOnPaper} */ (await api("GET", path, undefined, { quiet: true }));
    place.replaceChildren(...slip.copies.map((copy) => paper(slip, copy)));
  } catch (refused) {
    place.replaceChildren(el("p", { class: "empty", role: "alert" }, messageOf(refused)));
  }
  place.setAttribute("aria-busy", "false");
}

byId("print").addEventListener("click", () => print());
show();
