import assert from "node:assert/strict";
import { test } from "node:test";
import { qr } from "../src/lib/qr.ts";

test("a code is as large as its text needs", () => {
  assert.equal(qr("a".repeat(17)).length, 21);
  assert.equal(qr("a".repeat(18)).length, 25);
  assert.equal(qr("a".repeat(271)).length, 57);
  assert.throws(() => qr("a".repeat(272)), RangeError);
});

test("three corners and the lines between them tell a reader where the code is", () => {
  const rows = qr("http://127.0.0.1:8000/#/mesa/abcdefgh/0123456789");
  const last = rows.length - 7;
  const ring = (y: number, x: number) => rows[y]!.slice(x, x + 7).map(Number).join("");
  for (const [y, x] of [[0, 0], [0, last], [last, 0]] as const) {
    assert.equal(ring(y, x), "1111111");
    assert.equal(ring(y + 1, x), "1000001");
    assert.equal(ring(y + 3, x), "1011101");
  }
  assert.ok(rows[6]!.slice(8, -8).every((dark, i) => dark === (i % 2 === 0)));
});

test("a known text gives a known code", () => {
  // Read back by a decoder once, and written down: any change of a bit is a fault.
  const text = qr("carteado").map((row) => row.map((dark) => (dark ? "#" : ".")).join("")).join("\n");
  assert.equal(text, KNOWN);
});

const KNOWN = `#######...#.#.#######
#.....#.....#.#.....#
#.###.#.#.#...#.###.#
#.###.#.....#.#.###.#
#.###.#..#.##.#.###.#
#.....#..###..#.....#
#######.#.#.#.#######
........#.#..........
###.#####.#.###...#..
#..##..#####..####.##
##..########.#.######
...###.#..####.#....#
.#.##.#..#.#..####..#
........#.#...####.##
#######.#.#.#..##..##
#.....#.##....#....#.
#.###.#.#.#.#.#.##...
#.###.#..###.#.##..#.
#.###.#.#.##.####.#.#
#.....#.#.####.....#.
#######.#..#.####..##`;
