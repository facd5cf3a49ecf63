import assert from "node:assert/strict";
import { test } from "node:test";
import { best, gain } from "../src/games/lib/garden.ts";
import { sorted } from "../src/games/lib/neon.ts";
import { unseen, ways } from "../src/games/lib/poker.ts";
import { outcome, steps, worth } from "../src/games/lib/trench.ts";

const plants = (text: string) =>
  text.split(" ").map((one) => {
    const [card = "", x, y] = one.split(/[@,]/);
    return { card, x: Number(x), y: Number(y) };
  });

// The example of the rulebook.
const garden = plants("ara6@0,1 ipe7@1,1 ipe8@2,1 ipe1@0,0 ipe3@1,0 jac5@2,0 jac2@1,-1");

test("paths are worth what the rulebook says (A5)", () => {
  assert.equal(best(garden, "ipe"), 11);
  assert.equal(best(garden, "jac"), 3);
  assert.equal(best(garden, "ara"), 0);
});

test("a place says how much more all paths would be worth", () => {
  assert.equal(gain(garden, { card: "jac7", x: 3, y: 0 }, ["ipe", "jac", "ara"]), 1);
  assert.equal(gain(garden, { card: "ara8", x: 0, y: 2 }, ["ipe", "jac", "ara"]), 4);
});

test("a row is on its way to the most promising hand", () => {
  const row = ["10s", "Ks", "Qs"];
  const royal = ways(row, unseen(row)).find((way) => way.category === "royal flush");
  assert.deepEqual(royal?.wanted.toSorted(), ["As", "Js"]);
  assert.equal(ways(row, unseen([...row, "As"])).some((way) => way.category === "royal flush"), false);
  assert.deepEqual(ways(["5d", "9c"], unseen(["5d", "9c"]))[0]?.category, "straight");
  assert.equal(ways(["5d", "5c", "9c", "Kh"], unseen(["5d", "5c", "9c", "Kh"]))[0]?.needs, 1);
});

test("an attack is foretold from what everybody knows (T8, T9)", () => {
  const cards = ["4d", "5h", "6h", "7h", "8h"];
  assert.equal(worth(cards), 25);
  assert.deepEqual(outcome({ cards, guard: { card: "6s", revealed: true } }, "9s", "high"), { gone: ["6h", "7h", "8h"], left: ["4d", "5h"] });
  assert.deepEqual(outcome({ cards, guard: null }, "2s", "low"), { gone: ["4d", "5h"], left: ["6h", "7h", "8h"] });
  assert.equal(outcome({ cards, guard: { card: "?", revealed: false } }, "9s", "low"), null);
});

test("a join is offered at both sequences, a theft at the sequence that holds the card (T4, T12)", () => {
  const table = { sequences: [[], [{ cards: ["4d", "5h", "6h"], guard: null }]] };
  const read = steps(table as never, 1);
  assert.deepEqual(read("lay 7s 5h 8d", "").map((step) => step.target), ["mine 5h", "mine 8d"]);
  assert.deepEqual(read("joker steal 6h", "").map((step) => [step.source, step.target]), [["hand joker", "enemy 4d"]]);
  assert.deepEqual(read("duel guard 5h 8d low", "").map((step) => [step.source, step.target, step.choice]), [["own guard 5h", "enemy 8d", "low"]]);
});

test("identical cards of a hand have keys of their own", () => {
  assert.deepEqual(sorted(["wild", "B7", "R7", "R7"]).map((one) => one.key), ["R7#0", "R7#1", "B7#0", "wild#0"]);
});
