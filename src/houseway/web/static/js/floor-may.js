// Who may do what on the floor, as the house itself decides; a button that one may not use says who may.

export const MAY = {
  "open": ["supervisor", "administrator"],
  "close": ["supervisor", "administrator"],
  "board-open": ["supervisor", "administrator"],
  "fund": ["administrator"],
  "buy-in": ["cashier", "supervisor"],
  "cash-out": ["cashier", "supervisor"],
  "fill": ["cashier", "supervisor"],
  "credit": ["cashier", "supervisor"],
  "drop": ["cashier", "supervisor"],
  "closer": ["dealer", "cashier", "supervisor"],
  "acknowledge": ["supervisor"],
  "void": ["supervisor"],
  "resolve": ["supervisor"],
};
export const DEALER_PAGE = ["dealer", "supervisor"];
export const JOURNAL = ["auditor", "supervisor", "administrator"];

/** Whether a role may give a command. */
export const may = (role, command) => MAY[command].includes(role);

/** What to say on a button that is not for this role. */
export const whoMay = (command) => `for ${MAY[command].map((role) => `${role}s`).join(" and ")}`;

/** The role's work on this page in one sentence. */
export const WORK = {
  dealer: "You count trays here; cards and payouts are on your table's tablet.",
  supervisor: "You open and close tables, move chips, void rounds and verify payouts.",
  cashier: "You sell and buy chips, fill and credit trays, and pull boxes.",
  auditor: "You see everything and change nothing.",
  administrator: "You open tables, fund the cage and give accounts.",
};

/** Switch off whatever in a part of the page is not for this role. */
export function fitToRole(part, role) {
  for (const found of part.querySelectorAll("[data-may]")) {
    const allowed = may(role, found.dataset.may);
    const controls = found.matches("form") ? found.querySelectorAll("input, select, button") : [found];
    for (const control of controls) {
      control.disabled = !allowed;
      if (!allowed) control.title = whoMay(found.dataset.may);
    }
    if (!allowed && found.matches("form")) Object.assign(found.querySelector(".said"), { className: "small said", textContent: `This is ${whoMay(found.dataset.may)}.` });
  }
}
