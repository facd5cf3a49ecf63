import assert from "node:assert/strict";
import { test } from "node:test";
import { Reel } from "../src/lib/reel.svelte.ts";
import type { Frame, Replay } from "../src/lib/wire.ts";

const kept = new Map<string, string>();
Object.assign(globalThis, { sessionStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) } });
const { Tour } = await import("../src/lib/tour.svelte.ts");

const moves = (...names: string[]) => names.map((move) => ({ move, words: move }));
const named = (legal: { move: string }[]) => legal.map(({ move }) => move);

test("a tour lets only the move of its step be made, and then goes on", () => {
  const tour = new Tour("poker", "one", ["a3", "b[12]"]);
  assert.deepEqual(named(tour.allowed(moves("a1", "a3", "a33"))), ["a3"]);
  tour.played("a3");
  assert.deepEqual(named(tour.allowed(moves("b1", "b2", "b3"))), ["b1", "b2"]);
  assert.equal(new Tour("poker", "one", ["a3", "b[12]"]).at, 1); // after a reload
  tour.played("b2");
  assert.equal(tour.isDone, true);
  assert.equal(tour.allowed(moves("a1", "b2")).length, 2);
});

test("where the game took another way a tour lets go", () => {
  const tour = new Tour("poker", "two", ["a3", "b2"]);
  assert.equal(tour.allowed(moves("c1", "c2")).length, 2);
  tour.played("c1");
  assert.equal(tour.isDone, true);
});

const frame = (ply: number, mover: number | null, move: string, kind: Frame["kind"] = "move"): Frame => ({ event: ply + 3, ply, kind, mover, move, line: move && `${mover} ${move}`, table: {} });

test("a replay tells what was said up to where it stands, and marks the turn that was played last", () => {
  const reel = new Reel(9);
  const frames = [frame(0, null, "", "deal"), frame(1, 0, "deck"), frame(2, 0, "plant"), frame(3, 1, "deck"), frame(3, 1, "", "resign")];
  reel.show({ frames } as Replay);
  assert.equal(reel.at, 4);
  assert.deepEqual(reel.recent, []);
  reel.at = 3;
  assert.deepEqual(reel.recent, [{ mover: 1, move: "deck" }]);
  reel.at = 2;
  assert.deepEqual(reel.recent.map(({ move }) => move), ["deck", "plant"]);
  assert.deepEqual(reel.lines.map(({ id, text }) => [id, text]), [[2, "0 plant"], [1, "0 deck"]]);
});
