import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { check, hex, unhex, written } from "../src/lib/proof.ts";
import { hmac, sha256 } from "../src/lib/sha256.ts";

const bytes = (n: number) => Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);

test("our SHA-256 is SHA-256, whatever the length", () => {
  for (const n of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    assert.equal(hex(sha256(bytes(n))), createHash("sha256").update(bytes(n)).digest("hex"));
  }
});

test("our HMAC is HMAC", () => {
  assert.equal(hex(hmac(bytes(32), bytes(90))), createHmac("sha256", bytes(32)).update(bytes(90)).digest("hex"));
});

const secret = hex(bytes(32));
const added = hex(bytes(16));
const name = "abcdefgh";
const sha = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const keyed = (data: Uint8Array) => createHmac("sha256", unhex(secret)).update(data).digest();

function record(start: object | null = null, position = "") {
  const events = [
    { n: 1, at: 0, kind: "sit" as const, seat: 0 },
    { n: 2, at: 0, kind: "contribute" as const, seat: 0, data: added },
    { n: 3, at: 0, kind: "deal" as const },
    { n: 4, at: 0, kind: "move" as const, seat: 0, data: "a1" },
  ];
  let link = keyed(Buffer.from(`${name}{"aid":false,"players":1}${position}`));
  const links = [link.toString("hex")];
  for (const { n, kind, seat = -1, data = "" } of events) {
    link = keyed(Buffer.concat([link, Buffer.from(`${n} ${kind} ${seat} ${data}`)]));
    links.push(link.toString("hex"));
  }
  const seed = sha(Buffer.concat([unhex(secret), unhex(added), Buffer.from(name)]));
  const rest = { carteado: 2, day: "", game: "g", rules: 1, options: { players: 1, aid: false }, bots: [""], names: ["A"], clock: null, made: 0, start, winners: [0], scores: [0] };
  return { links, record: { ...rest, match: name, commitment: sha(unhex(secret)), secret, contributions: [added], seed, events, link: link.toString("hex") } };
}

test("an honest record holds, also through what the screen showed on the way", () => {
  const { record: honest, links } = record();
  assert.deepEqual(check(honest, links[3]).map((one) => one.holds), [true, true, true, true]);
});

test("a match that began at a position holds, and another position does not", () => {
  const { record: honest } = record({ b: [1, true, null], a: { "ç": "7♠" } }, '{"a":{"\\u00e7":"7\\u2660"},"b":[1,true,null]}');
  assert.ok(check(honest).every((one) => one.holds));
  assert.equal(written(honest.start), '{"a":{"\\u00e7":"7\\u2660"},"b":[1,true,null]}');
  assert.deepEqual(check({ ...honest, start: { b: [2] } }).filter((one) => !one.holds).map((one) => one.what), ["chain"]);
  assert.deepEqual(check({ ...honest, start: null }).filter((one) => !one.holds).map((one) => one.what), ["chain"]);
});

test("whatever is changed in a record is found", () => {
  const { record: honest } = record();
  const found = (changed: object) => check({ ...honest, ...changed }).filter((one) => !one.holds).map((one) => one.what);
  assert.deepEqual(found({ commitment: sha("other") }), ["commitment"]);
  assert.deepEqual(found({ contributions: [hex(bytes(15)) + "00"] }), ["seed"]);
  const other = hex(bytes(15)) + "00";
  assert.deepEqual(found({ contributions: [other], seed: sha(Buffer.concat([unhex(secret), unhex(other), Buffer.from(name)])) }), ["seed"]);
  assert.deepEqual(found({ options: { players: 1, aid: true } }), ["chain"]);
  assert.deepEqual(found({ events: honest.events.slice(0, 3) }), ["chain"]);
  assert.deepEqual(found({ events: honest.events.map((event) => ({ ...event, data: event.kind === "move" ? "a2" : event.data })) }), ["chain"]);
  assert.deepEqual(check(honest, "00").at(-1), { what: "screen", holds: false });
});
