// What a first page and each table cost in gzip'd JavaScript, from the build's manifest of chunks.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const out = process.env.CARTEADO_OUT ?? new URL("../../src/carteado/web_dist", import.meta.url).pathname;
const sizes = new Map(
  readdirSync(`${out}/assets`)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, gzipSync(readFileSync(`${out}/assets/${name}`)).length]),
);
const imports = (name, seen = new Set()) => {
  if (seen.has(name) || !sizes.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(`${out}/assets/${name}`, "utf8");
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) imports(other, seen);
  return seen;
};
const sum = (names) => [...names].reduce((total, name) => total + sizes.get(name), 0);
const html = readFileSync(`${out}/index.html`, "utf8");
const first = new Set([...html.matchAll(/\/assets\/([\w.-]+\.js)/g)].flatMap(([, name]) => [...imports(name)]));
const one = (pattern) => [...sizes.keys()].filter((name) => pattern.test(name)).flatMap((name) => [...imports(name)]);
const frame = new Set([...first, ...one(/^Table-/)]);
const kb = (n) => `${(n / 1024).toFixed(1)} KB`;
const games = readdirSync(new URL("../src/games", import.meta.url)).filter((name) => name.endsWith(".svelte")).map((name) => name.slice(0, -7));
let ok = sum(first) <= 60 * 1024;
console.log(`first page ${kb(sum(first))} of 60`);
for (const name of [...sizes.keys()].filter((name) => games.includes(name.replace(/-[^-]+$/, "")) && imports(name).size > 1)) {
  const all = new Set([...frame, ...imports(name)]);
  ok &&= sum(all) <= 120 * 1024;
  console.log(`${name.replace(/-[^-]+$/, "")} ${kb(sum(all))} of 120`);
}
process.exit(ok ? 0 : 1);
