// The best play and its edge: every option that a game's solver declares, and what it finds.
import { el } from "../shared/dom.js";
import { optionField, optionsIn } from "../runs/options.js";
import { part, settingParts, settingsIn } from "../runs/fields.js";
import { fileButtons } from "../runs/frame.js";
import { panel } from "../runs/parts.js";
import { start } from "../runs/run.js";

/** @import { LabEdition, RunAnswer } from "../types" */

/** @param {any} choices @param {LabEdition} edition @param {URLSearchParams} address */
function form(choices, edition, address) {
  const options = choices.options.map((/** @type {any} */ option) => optionField(option));
  return [
    ...(options.length ? [part("What is asked", ...options)] : []),
    ...settingParts(edition, Object.fromEntries(address)),
  ];
}

/** @param {HTMLFormElement} given @param {LabEdition} edition @param {any} choices */
function asked(given, edition, choices) {
  const options = optionsIn(given, choices.options);
  return { ...(Object.keys(options).length ? { options } : {}), ...settingsIn(given, edition) };
}

/** @param {RunAnswer} answer */
function results(answer) {
  const told = el("pre", { class: "told", tabindex: 0, role: "region", "aria-label": "What the solver says" });
  told.textContent = answer.files[".txt"];
  return [panel("Solved", fileButtons(answer, `${answer.data.edition}-solved`), told)];
}

start({ kind: "solve", unit: "parts", form, asked, results, whyNot: (choices) => choices.why_not, goesOn: () => true });
