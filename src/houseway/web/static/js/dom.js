// What every page uses: building elements, talking to the API, telling the reader.

/** Make an element. Properties that start with "on" are listeners; "dataset" and "style" are merged; others are attributes. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(made.dataset, value);
    else if (name === "style") for (const [property, what] of Object.entries(value)) made.style.setProperty(property, what);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Make an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.flat());
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Cents as dollars: 125000 is $1,250, 50 is $0.50. */
export function dollars(cents) {
  const size = Math.abs(cents);
  const text = (size / 100).toLocaleString("en-US", { minimumFractionDigits: size % 100 ? 2 : 0, maximumFractionDigits: 2 });
  return `${cents < 0 ? "−" : ""}$${text}`;
}

/** Tell the reader something for a few seconds; refusals stay longer. */
export function toast(message, refused = false) {
  const shown = el("div", { class: refused ? "toast refused" : "toast", role: refused ? "alert" : "status" }, message);
  byId("toasts").append(shown);
  while (byId("toasts").children.length > 4) byId("toasts").firstChild.remove();
  setTimeout(() => shown.remove(), refused ? 9000 : 4500);
}

/** Call the API; a refusal is thrown as an Error with its code and, unless `quiet`, shown. */
export async function api(method, path, body, { quiet = false, key } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF"] = document.querySelector("meta[name=csrf]")?.content ?? "";
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    const lost = Object.assign(new Error("The house does not answer: check the connection."), { code: "offline" });
    if (!quiet) toast(lost.message, true);
    throw lost;
  }
  const said = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) {
    const refused = Object.assign(new Error(said?.message ?? `The house answered ${response.status}.`), { code: said?.code ?? "error" });
    if (!quiet) toast(refused.message, true);
    throw refused;
  }
  return said;
}
