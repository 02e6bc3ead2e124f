// A question to a solver that takes long: where it stands in the queue, how far it is, stopping it, going on.
import { byId, codeOf, findById, messageOf } from "../shared/dom.js";
import { events, progressWords, queueWords } from "./stream.js";

/** @import { RunAnswer } from "../types" */
/** @import { Asked } from "./fields.js" */

const QUIET_MS = 400;

/** At most one question at a time; its state is shown in the page's section "run". */
export class Solving {
  /** @param {string} words what is done, for the reader */
  constructor(words) {
    this.words = words;
    /** @type {AbortController | null} */
    this.running = null;
    /** What goes on where a question ended before its answer. */
    this.again = () => {};
    byId("stop").addEventListener("click", () => this.running?.abort());
    byId("start").addEventListener("click", () => this.again());
    addEventListener("pagehide", () => this.running?.abort());
  }

  /** @param {string} words */
  state(words) {
    byId("state").textContent = words;
  }

  /** @param {boolean} isRunning */
  busy(isRunning) {
    byId("stop", HTMLButtonElement).disabled = !isRunning;
    byId("stop").hidden = !isRunning;
    byId("start").hidden = isRunning;
    byId("progress").hidden = !isRunning;
    findById("results")?.setAttribute("aria-busy", String(isRunning));
  }

  /** @param {string} words */
  refuse(words) {
    byId("refused").textContent = words;
    byId("refused").hidden = !words;
  }

  /** Nothing is asked any more. */
  clear() {
    this.running?.abort();
    this.running = null;
    byId("run").hidden = true;
  }

  /**
   * The whole answer; nothing where it was stopped, refused or took too long, which is said then.
   * @param {string} path
   * @param {Asked} asked
   * @param {() => void} again asks the same once more
   * @returns {Promise<RunAnswer | null>}
   */
  async ask(path, asked, again) {
    this.running?.abort();
    const running = new AbortController();
    Object.assign(this, { running, again });
    this.refuse("");
    this.busy(true);
    byId("progress", HTMLProgressElement).removeAttribute("value");
    this.state(this.words);
    const shown = setTimeout(() => (byId("run").hidden = false), QUIET_MS);
    try {
      return await this.follow(path, asked, running);
    } catch (refused) {
      if (this.running === running) this.broke(refused, running.signal.aborted);
      return null;
    } finally {
      clearTimeout(shown);
      if (this.running === running) this.running = null;
    }
  }

  /** @param {string} path @param {Asked} asked @param {AbortController} running */
  async follow(path, asked, running) {
    /** @type {RunAnswer | null} */
    let answer = null;
    let ended = "";
    for await (const { kind, content } of events(path, asked, running.signal)) {
      if (this.running !== running) return null;
      if (kind === "queue") this.state(queueWords(content.place));
      else if (kind === "progress") this.progress(content);
      else if (kind === "answer") answer = content;
      else ended = content.words;
    }
    this.busy(false);
    byId("run").hidden = answer !== null;
    if (!answer) {
      this.state("What was done is kept: going on takes it up from there.");
      this.refuse(ended);
    }
    return answer;
  }

  /** @param {import("../types").RunProgress} progress */
  progress(progress) {
    byId("progress", HTMLProgressElement).value = progress.total ? progress.done / progress.total : 0;
    this.state(`${this.words} ${progressWords(progress, "parts")}`);
  }

  /** @param {unknown} refused @param {boolean} isStopped */
  broke(refused, isStopped) {
    this.busy(false);
    byId("run").hidden = false;
    this.state(isStopped ? "Stopped. What was done is kept: going on takes it up from there." : "");
    if (isStopped) return;
    this.refuse(codeOf(refused) === "" ? "The house does not answer: check the connection." : messageOf(refused));
  }
}
