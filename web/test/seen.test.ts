import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { digest, recall, Witness } from "../src/lib/seen.ts";
import type { MatchInfo, Shown } from "../src/lib/wire.ts";

let kept: Map<string, string>;
let room: number; // characters

beforeEach(() => {
  kept = new Map();
  room = Infinity;
  const value = {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem(key: string, text: string) {
      const rest = [...kept].filter(([one]) => one !== key).reduce((n, [, other]) => n + other.length, 0);
      if (rest + text.length > room) throw new Error("full");
      kept.set(key, text);
    },
  };
  Object.defineProperty(globalThis, "localStorage", { value, configurable: true });
});

const info = (match: string, parts = {}) => ({ match, game: "g", day: "", status: "waiting", commitment: "c1", seats: [{ kind: "person" }, { kind: "bot" }], ...parts }) as MatchInfo;
const shown = (event: number, link = `link${event}`, parts = {}) => ({ event, link, seat: 0, table: { n: event }, ...parts }) as Shown;

function witness(match: string): Witness {
  const one = new Witness(match);
  one.meet(info(match));
  return one;
}

test("the first commitment, bots, our bytes, every table and the result are known again after a reload", () => {
  const one = witness("m");
  const { bytes } = one.seen ?? {};
  assert.match(bytes ?? "", /^[0-9a-f]{32}$/);
  one.meet(info("m", { commitment: "c2", status: "playing" }));
  one.sent(1);
  for (const event of [3, 4, 4, 5]) one.look(shown(event));
  one.look(shown(4, "other"));
  one.look(shown(6, "link6", { last: { mover: 1, move: "guard ? 5h" }, over: true, winners: [1] }));
  const moments = [3, 4, 5].map((n) => [n, `link${n}`, 0, digest({ n }), ""]);
  moments.push([4, "other", 0, digest({ n: 4 }), ""], [6, "link6", 0, digest({ n: 6 }), "1 guard ? 5h"]);
  const result = [[1], []];
  assert.deepEqual(recall("m"), { name: "m", commitment: "c1", isEarly: true, bots: [1], bytes, seat: 1, moments, result });
  assert.deepEqual(witness("m").seen, recall("m"));
});

test("who comes after the deal knows that he came late", () => {
  const one = new Witness("m");
  one.meet(info("m", { status: "playing", day: "2026-01-01" }));
  assert.equal(one.seen?.isEarly, false);
  assert.equal(one.seen?.name, "g 2026-01-01");
});

test("what an older page kept is not taken for what is kept now", () => {
  localStorage.setItem("carteado.seen.m", JSON.stringify({ name: "m", commitment: "c1", isEarly: true, bytes: "", seat: 0, links: ["3 link3"] }));
  assert.equal(recall("m"), null);
});

test("twenty matches are kept, and of a match that was over from the first nothing", () => {
  for (let n = 0; n < 25; n++) witness(`m${n}`);
  assert.equal(kept.size, 21);
  assert.equal(recall("m4"), null);
  assert.notEqual(recall("m5"), null);
  new Witness("old").meet(info("old", { status: "over" }));
  assert.equal(recall("old"), null);
});

test("where there is no room the oldest goes, and where nothing can be kept play goes on", () => {
  for (const match of ["m1", "m2", "m3"]) witness(match);
  room = [...kept.values()].join("").length + 10;
  const one = witness("m4");
  assert.deepEqual([recall("m1") === null, recall("m3") === null, recall("m4") === null], [true, false, false]);
  room = 0;
  one.look(shown(3));
  assert.deepEqual(one.seen?.moments, [[3, "link3", 0, digest({ n: 3 }), ""]]);
  Object.defineProperty(globalThis, "localStorage", { get: () => { throw new Error("forbidden"); }, configurable: true });
  const other = witness("m5");
  other.look(shown(3));
  assert.deepEqual(other.seen?.moments, one.seen?.moments);
});
