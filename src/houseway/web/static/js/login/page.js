// Logging in, and going where one wanted to go.
import { api, byId, capital, messageOf } from "../shared/dom.js";

/** Where to go now: only to a page of this house. @param {string} role */
function destination(role) {
  const wanted = new URLSearchParams(location.search).get("next") ?? "";
  const own = /^\/(?!\/)[\w\-./% ]*$/.test(wanted) ? wanted : "";
  return own || (role === "guest" ? "/" : "/floor");
}

const form = byId("login", HTMLFormElement);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const account = { name: String(given.get("name")).trim(), password: given.get("password") };
  const button = byId("go", HTMLButtonElement);
  byId("wrong").textContent = "";
  button.disabled = true;
  try {
    const session = await api("POST", "/api/v1/session", account, { quiet: true });
    location.assign(destination(session.role));
  } catch (refused) {
    byId("wrong").textContent = `${capital(messageOf(refused))}.`;
    button.disabled = false;
    byId("password", HTMLInputElement).select();
  }
});
