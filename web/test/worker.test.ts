import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const SOURCE = readFileSync(new URL("../scripts/worker.js", import.meta.url), "utf8");
const FILES = ["/", "/assets/index.js", "/assets/a.js", "/assets/b.js"];
const PAGE = '<script src="/assets/index.js"></script>';

/** A worker that installs from a house where asking for a file fails so many times. */
function worker(failures: Record<string, number>) {
  const kept = new Map<string, Response>();
  const ears: Record<string, (event: unknown) => void> = {};
  const fetch = async (path: string) => {
    if ((failures[path] ?? 0) > 0) {
      failures[path]! -= 1;
      throw new TypeError("no network");
    }
    return new Response(path === "/" ? PAGE : path);
  };
  const cache = {
    add: async (path: string) => void kept.set(path, await fetch(path)),
    match: async (path: string) => kept.get(path)?.clone(),
    put: async ({ url }: { url: string }, answer: Response) => void kept.set(new URL(url).pathname, answer),
  };
  const caches = { open: async () => cache, match: async ({ url }: { url: string }) => cache.match(new URL(url).pathname) };
  const self = { addEventListener: (name: string, ear: (event: unknown) => void) => void (ears[name] = ear) };
  const location = { origin: "http://house" };
  new Function("self", "caches", "fetch", "location", SOURCE.replace('["FILES"]', JSON.stringify(FILES)))(
    self, caches, ({ url }: { url: string }) => fetch(new URL(url).pathname), location,
  );
  const install = async () => {
    let done: Promise<void> = Promise.resolve();
    ears.install?.({ waitUntil: (work: Promise<void>) => void (done = work) });
    await done;
  };
  const ask = async (path: string) => {
    let answer: Promise<Response> | undefined;
    ears.fetch?.({ request: { method: "GET", url: `http://house${path}` }, respondWith: (found: Promise<Response>) => void (answer = found) });
    return (await answer)?.text();
  };
  return { kept, install, ask };
}

test("a file that does not come is asked for once more", async () => {
  const { kept, install } = worker({ "/assets/a.js": 1 });
  await install();
  assert.deepEqual([...kept.keys()].sort(), [...FILES].sort());
});

test("one that still does not come leaves the rest of the shell, and is kept when it is wanted", async () => {
  const { kept, install, ask } = worker({ "/assets/a.js": 2 });
  await install();
  assert.deepEqual([...kept.keys()].sort(), ["/", "/assets/b.js", "/assets/index.js"]);
  assert.equal(await ask("/assets/a.js"), "/assets/a.js");
  await new Promise((resolve) => setTimeout(resolve));
  assert.ok(kept.has("/assets/a.js"));
});

test("there is no shell without the first page and what it needs", async () => {
  await assert.rejects(worker({ "/": 2 }).install());
  await assert.rejects(worker({ "/assets/index.js": 2 }).install());
});
