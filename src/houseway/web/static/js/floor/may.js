// Buttons that are not for everybody: the house says who may give which command, and a button that is not for one says so.
import { mayGive } from "../shared/who.js";

/** @import { FloorView } from "../types" */

/**
 * What to say on a button that is not for whoever looks.
 * @param {FloorView} floor
 * @param {string} command
 */
export function whoMay(floor, command) {
  const roles = floor.commands[command]?.roles ?? [];
  return `for ${roles.map((role) => `${role}s`).join(" and ")}`;
}

/** Switch off whatever on the page is not for whoever looks. @param {FloorView} floor */
export function fitToRole(floor) {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll("[data-may]");
  for (const part of parts) {
    const command = part.dataset.may ?? "";
    if (!mayGive(command)) switchOff(part, whoMay(floor, command));
  }
}

/** @param {HTMLElement} part @param {string} who */
function switchOff(part, who) {
  const isForm = part instanceof HTMLFormElement;
  /** @type {Iterable<HTMLElement>} */
  const controls = isForm ? part.querySelectorAll(/** @type {"input"} */ ("input, select, button")) : [part];
  for (const control of controls) {
    control.setAttribute("disabled", "");
    control.title = who;
  }
  const said = part.querySelector(".said");
  if (said) Object.assign(said, { className: "small said", textContent: `This is ${who}.` });
}
