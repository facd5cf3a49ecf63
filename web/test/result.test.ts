import assert from "node:assert/strict";
import { test } from "node:test";
import { ranked } from "../src/lib/result.ts";

const nobody = [false, false, false, false];

test("winners come first, then more points before fewer", () => {
  assert.deepEqual(ranked([3, 20, 11, 7], [1], nobody), [1, 2, 3, 0]);
});

test("where the winner has the fewest, fewer come before more", () => {
  assert.deepEqual(ranked([9, 4, 0, 6], [2], nobody), [2, 1, 3, 0]);
});

test("who resigned is last, whatever his points, and says nothing of which way they count", () => {
  assert.deepEqual(ranked([30, 20, 11, 25], [1], [true, false, false, true]), [1, 2, 0, 3]);
  assert.deepEqual(ranked([0, 4, 9, 6], [1], [true, false, false, false]), [1, 3, 2, 0]);
});

test("without points the winner is first all the same", () => {
  assert.deepEqual(ranked([], [1], [true, false]), [1, 0]);
});
