// The shell of the page, kept for when there is no network. Matches are never kept: they are the server's.
// A page that is open keeps what it began with; the new shell is for the next one.
const CACHE = "carteado-" + "VERSION";
const FILES = ["FILES"];
const AT_ONCE = 6;

/** A few at a time, each tried twice. One that does not come is kept when it is first asked for. */
async function fill() {
  const cache = await caches.open(CACHE);
  const left = [...FILES];
  const add = (file) => cache.add(file).catch(() => cache.add(file)).catch(() => {});
  const work = async () => {
    while (left.length) await add(left.shift());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const first = await cache.match("/");
  if (!first) throw new Error("the first page did not come");
  const named = [...(await first.text()).matchAll(/="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  for (const file of named) if (!(await cache.match(file))) throw new Error(`${file} did not come: the first page needs it`);
}

async function find(request, path) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && FILES.includes(path)) {
    const copy = answer.clone();
    void caches.open(CACHE).then((cache) => cache.put(request, copy)).catch(() => {});
  }
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(fill());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || /^\/(api|ws|schema|metrics|healthz)/.test(url.pathname)) return;
  if (url.pathname === "/") {
    event.respondWith(fetch(event.request).catch(() => caches.match("/")));
    return;
  }
  event.respondWith(find(event.request, url.pathname));
});
