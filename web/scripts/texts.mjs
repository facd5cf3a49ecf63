// Fails on a text that one language lacks, that nobody uses, that is used and not there, or whose gaps differ.
import { readdirSync, readFileSync, statSync } from "node:fs";

const root = new URL("../src/", import.meta.url).pathname;
const read = (lang) => {
  const found = [...readFileSync(`${root}text/${lang}.ts`, "utf8").matchAll(/^ {2}"([^"]+)":\s*(?:\n\s*)?("(?:[^"\\]|\\.)*")/gm)];
  const keys = found.map(([, key]) => key);
  const twice = keys.filter((key, i) => keys.indexOf(key) !== i);
  return { texts: new Map(found.map(([, key, text]) => [key, JSON.parse(text)])), twice };
};

const files = (dir) =>
  readdirSync(dir).flatMap((name) => (statSync(dir + name).isDirectory() ? files(`${dir}${name}/`) : [dir + name]));

const { texts: pt, twice: twicePt } = read("pt");
const { texts: en, twice: twiceEn } = read("en");
const wrong = [...twicePt, ...twiceEn].map((key) => `twice: ${key}`);
for (const key of pt.keys()) if (!en.has(key)) wrong.push(`missing in en: ${key}`);
for (const key of en.keys()) if (!pt.has(key)) wrong.push(`missing in pt: ${key}`);

const gaps = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, gap]) => gap))].sort().join();
for (const [key, text] of pt) if (en.has(key) && gaps(text) !== gaps(en.get(key))) wrong.push(`gaps differ: ${key}`);

const sources = files(root).filter((name) => /\.(ts|svelte)$/.test(name) && !name.includes("/text/"));
const code = sources.map((name) => readFileSync(name, "utf8")).join("\n");
const used = new Set([...code.matchAll(/["'`]([a-z][\w-]*(?:\.[\w +-]+)+)["'`]/g)].map(([, key]) => key));
// A template such as `tour.${game}.1` uses the keys that have some word, and no dot, in the place of each ${…}.
const escaped = (text) => text.replace(/[.*+?^{}()|[\]\\]/g, "\\$&");
const templates = [...code.matchAll(/`([a-z][\w-]*\.(?:[^`$\n]|\$\{[^`{}]*\})*)`/g)].map(([, template]) => template);
const patterns = templates.map((one) => new RegExp(`^${one.split(/\$\{[^}]*\}/).map(escaped).join("[^.]+")}$`));
for (const [, key] of code.matchAll(/\bcount\(\s*"([^"]+)"/g)) used.add(`${key}.one`).add(`${key}.many`);
const isUsed = (key) => used.has(key) || patterns.some((pattern) => pattern.test(key));
for (const key of pt.keys()) if (!isUsed(key)) wrong.push(`unused: ${key}`);
for (const [, key] of code.matchAll(/\bt\(\s*["']([^"']+)["']/g)) if (!pt.has(key)) wrong.push(`not there: ${key}`);

if (wrong.length) {
  console.error(wrong.join("\n"));
  process.exit(1);
}
console.log(`${pt.size} texts in each language, all used`);
