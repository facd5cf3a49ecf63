import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const SOURCES = new URL("../src/", import.meta.url);

/** Cards in a button that has a label: those that are neither silent nor face down. What is drawn counts, heard or not. */
function loud(source: string): string[] {
  const buttons = [...source.matchAll(/<button\b[^]*?<\/button>/g)].map(([text]) => text);
  const cards = buttons.flatMap((text) => [...text.matchAll(/aria-label=[^]*?(<(?:\w*Card|TrenchGuard) [^]*?\/>)/g)]);
  return cards.map((found) => found[1] ?? "").filter((card) => !/isButton|card="\?"/.test(card));
}

test("a button's label does not leave out what can be read on the card in it", () => {
  assert.deepEqual(loud('<button aria-label="guard"><TrenchGuard {guard} /></button>'), ["<TrenchGuard {guard} />"]);
  for (const name of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".svelte")) assert.deepEqual(loud(readFileSync(new URL(name, SOURCES), "utf8")), [], name);
  }
});
