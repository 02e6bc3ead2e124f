// The events of a stream that is asked for with a body (an EventSource has none, and would ask again by itself).
import { refusal } from "./dom.js";

/**
 * Ask, and give the events one by one; refused as the house refuses.
 * @param {string} path
 * @param {BodyInit} body
 * @param {string} type of the body
 * @param {AbortSignal} signal
 */
export async function* events(path, body, type, signal) {
  const csrf = document.querySelector("meta[name=csrf]")?.getAttribute("content") ?? "";
  const headers = { "Content-Type": type, Accept: "text/event-stream", "X-CSRF": csrf };
  const response = await fetch(path, { method: "POST", headers, body, signal });
  if (!response.ok || !response.body) {
    const refused = await response.json().catch(() => null);
    throw refusal(refused?.message ?? `The house answered ${response.status}.`, refused?.code ?? "error");
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (waiting + value).split("\n\n");
    waiting = pieces.pop() ?? "";
    for (const piece of pieces) {
      const [, kind = "", data = "null"] = /^event: (\w+)\ndata: (.*)$/s.exec(piece) ?? [];
      const content = JSON.parse(data);
      if (kind === "refused") throw refusal(content.message, content.code); // after it had waited for its turn
      yield { kind, content };
    }
  }
}
