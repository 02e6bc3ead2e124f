// The house's own editions: what is registered, what each differs in, adding and removing.
import { api, byId, el, toast } from "./dom.js";
import { ask } from "./floor-ask.js";

const ADDRESS = "/api/v1/own-editions";

function differences({ descends_from: parent, differences: lines }) {
  const head = parent ? `Descends from ${parent}, and differs in:` : "Of a game that has no built-in edition.";
  return [el("p", { class: "small" }, head), el("ul", { class: "differences" }, lines.map((line) => el("li", { class: "mono" }, line)))];
}

function remove(own) {
  const playing = own.tables.length ? `${own.tables.join(", ")} plays on by the content it was opened with. ` : "";
  ask({
    title: `Remove ${own.id}`, button: "Remove it", warns: true, about: `${playing}No table can be opened with it any more.`,
    act: async () => {
      await api("DELETE", `${ADDRESS}/${encodeURIComponent(own.id)}`, undefined, { quiet: true });
      await show();
      return `${own.id} is removed.`;
    },
  });
}

function about(own) {
  if (own.unreadable) return [el("p", { class: "bad" }, `✗ ${own.unreadable}`)];
  const rules = el("a", { href: `/editions/${own.id}` }, "Rules and pays");
  return [el("p", {}, own.edition.name, " ", rules), ...differences(own)];
}

function card(own) {
  const removes = { type: "button", class: "quiet slim", "aria-label": `Remove: ${own.id}`, onclick: () => remove(own) };
  const where = el("span", { class: "badge modified" }, own.registered ? "registered" : "in the folder");
  return el("article", { class: "panel", dataset: { edition: own.id } },
    el("header", { class: "bar" }, el("h3", {}, own.id), where),
    about(own),
    own.tables.length ? el("p", { class: "small" }, `Played at ${own.tables.join(", ")}`) : null,
    own.registered ? el("button", removes, "Remove") : null);
}

async function show() {
  const { editions } = await api("GET", ADDRESS);
  const place = byId("own-editions");
  place.setAttribute("aria-busy", "false");
  const none = "No edition of your own yet: register one below, or with houseway editions add FILE.";
  place.replaceChildren(...(editions.length ? editions.map(card) : [el("p", { class: "empty" }, none)]));
}

function say(...children) {
  byId("edition-said").replaceChildren(...children);
}

async function send(address) {
  try {
    return await api("POST", address, { text: byId("edition-text").value }, { quiet: true });
  } catch (refused) {
    say(el("p", { class: "bad", role: "alert" }, refused.message));
    return null;
  }
}

async function check() {
  const own = await send(`${ADDRESS}/check`);
  if (own) say(el("p", { class: "good" }, `✓ ${own.edition.name} can be registered as ${own.id}.`), ...differences(own));
}

async function register() {
  const own = await send(ADDRESS);
  if (!own) return;
  say();
  byId("add-edition").reset();
  await show();
  toast(`${own.id} is registered.`);
}

byId("edition-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) byId("edition-text").value = await file.text();
});
byId("add-edition").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
byId("register-edition").addEventListener("click", () => {
  if (byId("add-edition").reportValidity()) register();
});
show();
