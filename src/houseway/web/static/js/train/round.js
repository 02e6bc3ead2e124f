// A round that was really dealt and had to be put right, as an exercise for whoever dealt it.
import { api, byId, el, messageOf } from "../shared/dom.js";
import { ExerciseTable } from "./table.js";
import { partsTable, rightMark, whySteps } from "./verdict.js";

const PATH = `/api/v1/train/rounds/${byId("round").dataset.seq}`;
let edition = "";

async function answer() {
  const given = table.whole();
  const judged = given && (await api("POST", PATH, { answer: given }).catch(() => null));
  if (!judged) return;
  table.close();
  const title = el("h3", { tabindex: -1, id: "verdict-title" }, rightMark(judged.is_right));
  byId("judged").replaceChildren(el("div", { class: judged.is_right ? "verdict is-right" : "verdict is-wrong" }, title,
    partsTable(judged), whySteps(judged, edition)));
  byId("after").hidden = false;
  title.focus();
}

const table = new ExerciseTable(() => answer());
byId("next").replaceChildren("Back to the school");
byId("again").replaceChildren("Try it again");
byId("next").addEventListener("click", () => location.assign("/train"));
byId("again").addEventListener("click", () => {
  byId("judged").replaceChildren();
  byId("after").hidden = true;
  table.open();
  table.asks?.focus();
});
try {
  const asked = await api("GET", PATH, undefined, { quiet: true });
  edition = asked.table.id;
  byId("table-view").hidden = false;
  byId("kind").textContent = asked.table.name;
  table.show({ ...asked, on_purpose: false }, asked.table);
} catch (refused) {
  byId("problem").replaceChildren(el("p", {}, messageOf(refused)));
  byId("problem").hidden = false;
}
