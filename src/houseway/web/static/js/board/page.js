// A scoreboard for the wall: it follows by itself and is never touched.
import { onHead } from "../heads/page.js";
import { byId, el } from "../shared/dom.js";
import { follow } from "./follow.js";

const place = byId("board");
const name = place.dataset.board ?? "";

// Whoever photographs the wall has a head of the chain outside the house.
onHead(({ seq, hash, at }) => {
  const clock = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  byId("chain").replaceChildren(`Entry ${seq} · `, el("span", { class: "mono" }, hash.slice(0, 16)), ` · ${clock}`);
  byId("chain").hidden = false;
});

const parts = { place, edition: byId("edition"), limits: byId("limits"), round: byId("round"), announce: byId("announce") };
follow(`/api/v1/boards/${encodeURIComponent(name)}/stream`, new Map([[name, parts]]));
