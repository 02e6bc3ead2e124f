// Logging in, and going where one wanted to go.
import { api, byId, capital, codeOf, messageOf } from "../shared/dom.js";

/** Where to go now: only to a page of this house. @param {{role: string, needs: string}} session */
function destination({ role, needs }) {
  if (needs) return "/account";
  const wanted = new URLSearchParams(location.search).get("next") ?? "";
  const own = /^\/(?!\/)[\w\-./% ]*$/.test(wanted) ? wanted : "";
  return own || (role === "guest" ? "/" : "/floor");
}

const form = byId("login", HTMLFormElement);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const account = { name: String(given.get("name")).trim(), password: given.get("password"), code: given.get("code") };
  const button = byId("go", HTMLButtonElement);
  byId("wrong").textContent = "";
  button.disabled = true;
  try {
    const session = await api("POST", "/api/v1/session", account, { quiet: true });
    location.assign(destination(session));
  } catch (refused) {
    byId("wrong").textContent = `${capital(messageOf(refused))}.`;
    button.disabled = false;
    const isCode = ["code-wanted", "bad-code"].includes(codeOf(refused));
    if (isCode) byId("code-field").hidden = false;
    byId(isCode ? "code" : "password", HTMLInputElement).select();
  }
});
