// A live view: server-sent events whose ids are journal numbers; the browser reconnects and names the last one it saw.
import { byId, el } from "./dom.js";

/** Call `show` with every new view; say when the house does not answer. `happened` hears what was missed. */
export function watch(path, show, happened = () => {}) {
  const source = new EventSource(path);
  let lost = null;
  source.addEventListener("view", (event) => {
    lost?.remove();
    lost = null;
    show(JSON.parse(event.data));
  });
  source.addEventListener("happened", (event) => happened(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    if (!lost) {
      lost = el("div", { class: "toast refused", role: "alert" }, "The house does not answer. Trying again…");
      byId("toasts").append(lost);
    }
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
  });
  addEventListener("pagehide", () => source.close());
  return source;
}
