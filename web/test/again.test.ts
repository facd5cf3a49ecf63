import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ask, missing } from "../src/lib/again.ts";
import type { SeatInfo } from "../src/lib/wire.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  const value = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => kept.set(key, text) };
  Object.defineProperty(globalThis, "sessionStorage", { value, configurable: true });
});

const room = (...names: string[]) => ({
  match: "m",
  seat: 0,
  seats: names.map((name) => ({ kind: name ? "person" : "free", name }) as SeatInfo),
});

test("who is still to come is counted, for two may have the same name", () => {
  ask("m", ["Visitante", "Visitante", "Bia"]);
  assert.deepEqual(missing(room("Visitante", "", "", "")), ["Visitante", "Visitante", "Bia"]);
  assert.deepEqual(missing(room("Visitante", "Visitante", "", "")), ["Visitante", "Bia"]);
  assert.deepEqual(missing(room("Visitante", "Visitante", "Visitante", "")), ["Bia"]);
});

test("who was told apart by a number is known without it, for the seats are drawn anew", () => {
  ask("m", ["Ana 2", "Bia"]);
  assert.deepEqual(missing(room("Ana 2", "Ana", "")), ["Bia"]);
  assert.deepEqual(missing(room("Ana", "Ana 2", "")), ["Bia"]);
  assert.deepEqual(missing(room("Ana", "Bia", "")), ["Ana 2"]);
  ask("m", ["Ana", "Ana 2", "Bia"]);
  assert.deepEqual(missing(room("Caio", "", "", "")), ["Ana", "Ana 2", "Bia"]);
  assert.deepEqual(missing(room("Caio", "Bia", "Ana", "")), ["Ana 2"]);
  assert.deepEqual(missing(room("Caio", "Ana", "Ana 2", "")), ["Bia"]);
});

test("a number that somebody gave himself tells him from another", () => {
  ask("m", ["Time 2", "Time 3"]);
  assert.deepEqual(missing(room("Ana", "Time 3", "")), ["Time 2"]);
});

test("if somebody else took a seat, nobody is named; nor at a table to which nobody was asked", () => {
  ask("m", ["Bia", "Caio"]);
  assert.deepEqual(missing(room("Ana", "Dora", "")), []);
  assert.deepEqual(missing({ ...room("Ana", "", ""), match: "other" }), []);
});
