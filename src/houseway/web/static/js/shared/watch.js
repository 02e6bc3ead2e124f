// A live view: server-sent events whose ids are journal numbers; the browser reconnects and names the last one it saw.
import { byId, el } from "./dom.js";

/**
 * Call `show` with every new view; say when the house does not answer.
 * @param {string} path
 * @param {(view: any) => void} show
 */
export function watch(path, show) {
  const source = new EventSource(path);
  const lost = el("div", { class: "toast refused", role: "alert" }, "The house does not answer. Trying again…");
  source.addEventListener("view", (event) => {
    lost.remove();
    show(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    if (!lost.isConnected) byId("toasts").append(lost);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
  });
  addEventListener("pagehide", () => source.close());
}
