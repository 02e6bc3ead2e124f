// Logging in, and going where one wanted to go.
import { api, byId } from "./dom.js";

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  byId("wrong").textContent = "";
  try {
    const session = await api("POST", "/api/v1/session", { name: form.get("name"), password: form.get("password") }, { quiet: true });
    const wanted = new URLSearchParams(location.search).get("next") ?? "";
    const own = /^\/(?!\/)[\w\-./%]*$/.test(wanted) ? wanted : "";
    location.assign(own || (session.role === "guest" ? "/" : "/floor"));
  } catch (refused) {
    byId("wrong").textContent = refused.message;
    byId("password").select();
  }
});
