// The wall's service worker. The house puts before this which release it is (RELEASE) and its files' digests (FILES).
// It answers only with what it has checked: no file of another release, nothing private; with the page itself only while the
// house cannot be reached. A file's address names its release, so that no two releases are ever mixed.
// @ts-nocheck: it runs in a scope of its own
/* global RELEASE, FILES */
const CACHE = `houseway-wall-${RELEASE}`;
const PAGE = "/wall";

/** @param {ArrayBuffer} content */
async function digestOf(content) {
  const digest = await crypto.subtle.digest("SHA-256", content);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fetch as nobody in particular: without a cookie, the page is the one that everybody may see. */
const fetched = (/** @type {string} */ path) => fetch(path, { credentials: "omit", cache: "no-store" });

async function install() {
  const cache = await caches.open(CACHE);
  for (const [path, digest] of Object.entries(FILES)) {
    const answer = await fetched(path);
    if (!answer.ok || (await digestOf(await answer.clone().arrayBuffer())) !== digest) {
      await caches.delete(CACHE);
      throw new Error(`${path} is not of this release`);
    }
    await cache.put(path, answer);
  }
  const page = await fetched(PAGE);
  const named = [...(await page.clone().text()).matchAll(/"(\/static\/[^"]+)"/g)].map(([, path]) => path);
  if (!page.ok || !named.length || !named.every((path) => path in FILES)) {
    await caches.delete(CACHE);
    throw new Error(`${PAGE} is not of this release`);
  }
  await cache.put(PAGE, page);
  await self.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

/** The page from the house, or, if that is away, as it was kept. @param {FetchEvent} event */
async function page(event) {
  try {
    return await fetch(event.request);
  } catch (error) {
    const answer = await (await caches.open(CACHE)).match(PAGE);
    if (!answer) throw error;
    return answer;
  }
}

/** A file of this release. @param {FetchEvent} event @param {string} path */
async function file(event, path) {
  return (await (await caches.open(CACHE)).match(path)) ?? fetch(event.request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin) return;
  if (event.request.mode === "navigate" && pathname === PAGE) event.respondWith(page(event));
  else if (pathname in FILES) event.respondWith(file(event, pathname));
});
