// A run in the lab: the question, the stream of its answers, progress, stopping, the files and the command.
import { api, byId, codeOf, el, messageOf, toast } from "../shared/dom.js";
import { entriesOf, fillIn, isOther } from "./fields.js";
import { showEditions, showOutside, showStanding } from "./frame.js";
import { events, progressWords, queueWords, whole } from "./stream.js";

/** @import { LabEdition, RunAnswer, RunProgress } from "../types" */
/** @import { Asked, Entry } from "./fields.js" */

const ASK_MS = 250;

/**
 * What a page does with a run.
 * @typedef {object} Page
 * @property {"simulate" | "protect" | "design" | "solve"} kind
 * @property {string} unit what is counted on the way
 * @property {(choices: any, edition: LabEdition, address: URLSearchParams) => Node[]} form
 * @property {(form: HTMLFormElement, edition: LabEdition, choices: any) => Asked} asked
 * @property {(answer: RunAnswer, edition: LabEdition, choices: any) => Node[]} results
 * @property {(choices: any) => string} whyNot why nothing can be asked; else ""
 * @property {(data: any) => string} [shown] what a part of an answer shows; without it, how much is done
 * @property {boolean} [asksFromLink] whether a link that asks something is answered at once
 * @property {(asked: Asked) => boolean} [goesOn] whether the house keeps what is done, so that the same question goes on
 */

// ---- the page ---------------------------------------------------------------------------------------------------------

/** One page with its question and at most one run. */
class Runner {
  /** @param {Page} page @param {LabEdition} edition @param {any} choices */
  constructor(page, edition, choices) {
    this.page = page;
    this.edition = edition;
    this.choices = choices;
    this.form = byId("asked", HTMLFormElement);
    this.path = `/api/v1/editions/${edition.id}/${page.kind}`;
    /** @type {AbortController | null} */
    this.running = null;
    /** @type {RunAnswer | null} */
    this.answer = null;
    this.timer = 0;
    this.unit = page.unit;
    this.turn = 0;
    this.isBegun = false;
    /** What the form says where nothing is asked otherwise. @type {Entry[]} */
    this.first = [];
    this.startWords = byId("start").textContent ?? "";
  }

  /** @param {URLSearchParams} address */
  begin(address) {
    this.form.replaceChildren(...this.page.form(this.choices, this.edition, new URLSearchParams()));
    this.first = entriesOf(this.form);
    this.form.replaceChildren(...this.page.form(this.choices, this.edition, address));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    fillIn(this.form, address);
    for (const kind of ["input", "change"]) this.form.addEventListener(kind, () => this.changed());
    byId("stop").addEventListener("click", () => this.stop());
    byId("copy").addEventListener("click", () => this.copy(byId("command")));
    byId("link").addEventListener("click", () => this.copy(byId("address")));
    byId("bounds").textContent = this.choices.bounds.words;
    byId("start", HTMLButtonElement).disabled = false;
    byId("link", HTMLButtonElement).disabled = false;
    addEventListener("pagehide", () => this.running?.abort());
    this.showCommand();
    if (this.page.asksFromLink && address.size) this.run();
  }

  asked() {
    return this.page.asked(this.form, this.edition, this.choices);
  }

  changed() {
    byId("start").textContent = this.startWords;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showCommand(), ASK_MS);
  }

  /** The address of the page says all that is asked, so that a link asks the same. */
  showAddress() {
    const asked = new URLSearchParams(entriesOf(this.form).filter(([name, value]) => isOther(this.first, name, value)));
    for (const [name] of this.first) if (!new FormData(this.form).has(name)) asked.set(name, "");
    history.replaceState(null, "", asked.size ? `${location.pathname}?${asked}` : location.pathname);
    byId("address").textContent = location.href;
  }

  async showCommand() {
    this.showAddress();
    this.turn += 1;
    const { turn } = this;
    const answer = await api("POST", `${this.path}/command`, this.asked(), { quiet: true }).catch(() => null);
    if (turn === this.turn && !this.running) this.command(answer?.command ?? "");
  }

  /** @param {string} command */
  command(command) {
    const words = command.split(" ").map((word) => el("span", {}, word));
    byId("command").replaceChildren(...words.flatMap((word, at) => (at ? [" ", word] : [word])));
    byId("copy", HTMLButtonElement).disabled = !command;
  }

  /** @param {HTMLElement} shown */
  async copy(shown) {
    try {
      await navigator.clipboard.writeText(shown.textContent ?? "");
      toast(shown.id === "command" ? "Copied: it gives the same in the shell." : "Copied: whoever opens it asks the same.");
    } catch {
      shown.hidden = false;
      getSelection()?.selectAllChildren(shown);
      toast("Selected: copy it with your keyboard.");
    }
  }

  /** @param {string} words */
  state(words) {
    byId("state").textContent = words;
  }

  /** @param {boolean} isRunning */
  busy(isRunning) {
    byId("start", HTMLButtonElement).disabled = isRunning;
    byId("stop", HTMLButtonElement).disabled = !isRunning;
    byId("progress").hidden = !isRunning;
    byId("results").setAttribute("aria-busy", String(isRunning));
  }

  /** @param {string} words */
  refuse(words) {
    byId("refused").textContent = words;
    byId("refused").hidden = !words;
  }

  async run() {
    if (this.running) return;
    const running = new AbortController();
    const asked = this.asked();
    this.unit = asked.seen ? "steps" : this.page.unit;
    this.running = running;
    if (byId("start").textContent === this.startWords) this.answer = null; // else it goes on with what is shown
    this.isBegun = false;
    this.refuse("");
    this.busy(true);
    byId("start").textContent = this.startWords;
    byId("progress", HTMLProgressElement).removeAttribute("value");
    this.state("Waiting for its turn, and for the rules to be prepared…");
    let ended = "";
    try {
      for await (const { kind, content } of events(`${this.path}/stream`, asked, running.signal)) {
        if (kind === "queue") this.state(queueWords(content.place));
        else if (kind === "progress") this.progress(content);
        else if (kind === "answer") this.show(content);
        else ended = content.words;
      }
      this.state(this.doneWords());
      this.refuse(ended);
      if (!this.isWhole()) this.offerToGoOn(asked);
    } catch (refused) {
      this.broke(refused, running.signal.aborted);
      if (running.signal.aborted) this.offerToGoOn(asked);
    } finally {
      this.running = null;
      this.busy(false);
      if (!this.answer) this.showCommand();
    }
  }

  isWhole() {
    return this.answer?.whole ?? false;
  }

  /** What ended before its time is kept by the house, under the question: asking it again goes on. @param {Asked} asked */
  offerToGoOn(asked) {
    if (!(this.answer || this.isBegun) || !this.page.goesOn?.(asked)) return;
    byId("start").textContent = "Go on";
    this.state(`${byId("state").textContent} What is done is kept: “Go on” takes it up from there, and so does this link.`);
  }

  /** @param {RunProgress} progress */
  progress(progress) {
    this.isBegun = true;
    byId("progress", HTMLProgressElement).value = progress.total ? progress.done / progress.total : 0;
    this.state(progressWords(progress, this.unit));
  }

  /** @param {unknown} refused @param {boolean} isStopped */
  broke(refused, isStopped) {
    if (!isStopped) {
      this.state("");
      const isOut = codeOf(refused) === "";
      this.refuse(isOut ? "The house does not answer: check the connection." : messageOf(refused));
    } else if (this.answer) this.state(`Stopped. ${this.doneWords()}`);
    else this.state("Stopped, before there was anything to show.");
  }

  doneWords() {
    if (!this.answer) return "";
    const { data } = this.answer;
    if (this.isWhole()) return "Done.";
    return `What is done is shown: ${this.page.shown?.(data) ?? `${whole(data[this.page.unit])} ${this.page.unit}`}.`;
  }

  stop() {
    this.running?.abort();
  }

  /** @param {RunAnswer} answer */
  show(answer) {
    this.answer = answer;
    this.command(answer.command);
    showOutside(answer.what_if);
    this.showResults(this.page.results(answer, this.edition, this.choices));
  }

  /** Whoever reads meanwhile is not moved: the place keeps its height until the plots are drawn. @param {Node[]} parts */
  showResults(parts) {
    const place = byId("results");
    place.style.setProperty("min-height", `${place.offsetHeight}px`);
    place.replaceChildren(...parts);
    requestAnimationFrame(() => requestAnimationFrame(() => place.style.removeProperty("min-height")));
  }
}

/** Make a page run. @param {Page} page */
export async function start(page) {
  const wanted = byId("edition", HTMLSelectElement).dataset.edition;
  const path = `/api/v1/editions/${wanted}/${page.kind}`;
  const [editions, choices] = await Promise.all([api("GET", "/api/v1/editions"), api("GET", path)]);
  const edition = editions.find((/** @type {LabEdition} */ each) => each.id === wanted);
  showEditions(editions, edition, page.kind);
  showStanding(edition);
  byId("rules", HTMLDetailsElement).open = window.innerWidth > 700;
  const whyNot = page.whyNot(choices);
  if (whyNot) {
    byId("results").replaceChildren(el("p", { class: "empty" }, whyNot));
    byId("asked").replaceChildren(el("p", { class: "small" }, "Nothing can be asked of this edition."));
    byId("run").hidden = true;
    return;
  }
  new Runner(page, edition, choices).begin(new URLSearchParams(location.search));
}
