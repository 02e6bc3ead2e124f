// Who looks, as the house says: the commands that he may give and the parts of the house that are open to him.

const given = (/** @type {string | undefined} */ words) => new Set((words ?? "").split(" ").filter(Boolean));
const commands = given(document.body.dataset.commands);
const parts = given(document.body.dataset.sees);

/** Whether whoever looks may give a command. @param {string} command */
export const mayGive = (command) => commands.has(command);

/** Whether a part of the house ("dealer", "journal", "people") is open to whoever looks. @param {string} part */
export const sees = (part) => parts.has(part);
