// Logging in, and going where one wanted to go.
import { api, byId } from "./dom.js";

/** Where to go now: only to a page of this house. */
function destination(role) {
  const wanted = new URLSearchParams(location.search).get("next") ?? "";
  const own = /^\/(?!\/)[\w\-./% ]*$/.test(wanted) ? wanted : "";
  return own || (role === "guest" ? "/" : "/floor");
}

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  byId("wrong").textContent = "";
  byId("go").disabled = true;
  try {
    const session = await api("POST", "/api/v1/session", { name: form.get("name").trim(), password: form.get("password") }, { quiet: true });
    location.assign(destination(session.role));
  } catch (refused) {
    byId("wrong").textContent = `${refused.message.charAt(0).toUpperCase()}${refused.message.slice(1)}.`;
    byId("go").disabled = false;
    byId("password").select();
  }
});
