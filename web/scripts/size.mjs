// What the first page and each table cost in gzip'd JavaScript, from the build's own list of chunks. Too much fails.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST_FIRST = 60;
const MOST_TABLE = 120;

const out = process.env.CARTEADO_OUT ?? new URL("../../src/carteado/web_dist", import.meta.url).pathname;
const chunks = JSON.parse(readFileSync(`${out}/.vite/manifest.json`, "utf8"));

/** A source's chunk and all that it cannot do without. */
function needed(source, found = new Set()) {
  const chunk = chunks[source];
  if (!chunk) throw new Error(`${source}: the build has no chunk of it`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) needed(other, found);
  return found;
}

function kilobytes(...sources) {
  const files = new Set(sources.flatMap((source) => [...needed(source)]));
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`${out}/${file}`)).length, 0) / 1024;
}

let ok = true;
function hold(name, size, most) {
  ok &&= size <= most;
  console.log(`${name} ${size.toFixed(1)} KB of ${most}${size <= most ? "" : ": too much"}`);
}

hold("first page", kilobytes("index.html"), MOST_FIRST);
for (const name of readdirSync(new URL("../src/games", import.meta.url)).filter((name) => name.endsWith(".svelte")))
  hold(name.slice(0, -".svelte".length), kilobytes("index.html", "src/routes/Table.svelte", `src/games/${name}`), MOST_TABLE);
process.exit(ok ? 0 : 1);
