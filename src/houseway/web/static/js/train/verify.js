// A certificate is verified: a file is sent, read and not kept.
import { byId, el } from "../shared/dom.js";

byId("verify").addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = byId("file", HTMLInputElement).files?.[0];
  if (!file) return;
  byId("found").replaceChildren(el("p", { class: "empty" }, "Reading the certificate…"));
  const csrf = document.querySelector("meta[name=csrf]")?.getAttribute("content") ?? "";
  const headers = { "Content-Type": "application/pdf", Accept: "application/json", "X-CSRF": csrf };
  const sent = await fetch("/api/v1/train/certificates/verify", { method: "POST", headers, body: file }).catch(() => null);
  const answer = await sent?.json().catch(() => null);
  if (!sent?.ok) {
    const why = answer?.message ?? "The house does not answer: check the connection.";
    byId("found").replaceChildren(el("section", { class: "panel verdict is-wrong" }, el("h2", { class: "bad" }, "✗ Refused"),
      el("p", {}, why)));
    return;
  }
  const { title, holds, findings, remarks } = answer;
  const words = holds ? "It is this house's, and unchanged." : "It is not as this house has signed it.";
  byId("found").replaceChildren(el("section", { class: holds ? "panel verdict is-right" : "panel verdict is-wrong" },
    el("h2", { class: holds ? "good" : "bad" }, holds ? `✓ ${title}` : `✗ ${title}`), el("p", {}, words),
    el("ul", {}, [...findings, ...remarks].map((/** @type {string} */ line) => el("li", {}, line)))));
});
