import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { check, hex, isBad, unhex, written } from "../src/lib/proof.ts";
import type { Moment, Seen } from "../src/lib/seen.ts";
import { hmac, sha256 } from "../src/lib/sha256.ts";
import type { RecordEvent } from "../src/lib/wire.ts";

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

const EVENTS: RecordEvent[] = [
  { n: 1, at: 0, kind: "sit", seat: 0 },
  { n: 2, at: 0, kind: "contribute", seat: 0, data: added },
  { n: 3, at: 0, kind: "deal" },
  { n: 4, at: 0, kind: "move", seat: 0, data: "a1" },
  { n: 5, at: 0, kind: "undo", seat: 0 },
  { n: 6, at: 0, kind: "move", seat: 0, data: "b2" },
];

function record(events = EVENTS, start: object | null = null, position = "", dealt = name) {
  let link = keyed(Buffer.from(`${dealt}{"aid":false,"players":1}${position}`));
  const links = [link.toString("hex")];
  for (const { n, kind, seat = -1, data = "" } of events) {
    link = keyed(Buffer.concat([link, Buffer.from(`${n} ${kind} ${seat} ${data}`)]));
    links.push(link.toString("hex"));
  }
  const bytes = events.find(({ kind }) => kind === "contribute")?.data ?? "00".repeat(16);
  const seed = sha(Buffer.concat([unhex(secret), unhex(bytes), Buffer.from(dealt)]));
  const rest = { carteado: 2, day: "", game: "g", rules: 1, options: { players: 1, aid: false }, bots: [""], names: ["A"], clock: null, made: 0, start, winners: [0], scores: [0] };
  return { links, record: { ...rest, match: name, commitment: sha(unhex(secret)), secret, contributions: [bytes], seed, events, link: link.toString("hex") } };
}

const changed = (n: number, data: string) => EVENTS.map((event) => (event.n === n ? { ...event, data } : event));

/** By a screen that was there all along. */
function watched({ links, record: { commitment, match } } = record()): Seen {
  const moments = [3, 4, 5, 6].map((n) => shown(n, links[n], { 4: "0 a1", 6: "0 b2" }[n]));
  return { name: match, commitment, isEarly: true, bots: [], bytes: added, seat: 0, moments, result: [[0], [0]] };
}

const shown = (n: number, link = "", move = ""): Moment => [n, link, 0, "", move];

const bad = (...all: Parameters<typeof check>) => check(...all).filter(isBad).map(({ what, how }) => `${what} ${how}`);

test("an honest record holds, through all that the screen showed", () => {
  const found = check(record().record, watched());
  assert.deepEqual(found.map(({ how }) => how), Array(7).fill("holds"));
  assert.deepEqual(found.at(-1)?.parts, { n: 4, all: 4 });
});

test("a match that began at a position holds, and another position does not", () => {
  const { record: honest } = record(EVENTS, { b: [1, true, null], a: { "ç": "7♠" } }, '{"a":{"\\u00e7":"7\\u2660"},"b":[1,true,null]}');
  assert.deepEqual(bad(honest), []);
  assert.deepEqual(check(honest)[0], { what: "start", how: "open" });
  assert.equal(written(honest.start), '{"a":{"\\u00e7":"7\\u2660"},"b":[1,true,null]}');
  assert.deepEqual(bad({ ...honest, start: { b: [2] } }), ["chain fails"]);
  assert.deepEqual(bad({ ...honest, start: null }), ["chain fails"]);
});

test("a position is for one who plays alone against bots", () => {
  const { record: honest } = record(EVENTS, { b: [1] }, '{"b":[1]}');
  assert.deepEqual(check({ ...honest, bots: ["", "mestre"] })[0], { what: "start", how: "open" });
  assert.deepEqual(check({ ...honest, bots: ["", ""] })[0], { what: "start", how: "fails" });
});

test("whatever is changed in a record is found", () => {
  const { record: honest } = record();
  const found = (parts: object) => bad({ ...honest, ...parts });
  assert.deepEqual(found({ commitment: sha("other") }), ["commitment fails"]);
  assert.deepEqual(found({ contributions: [hex(bytes(15)) + "00"] }), ["seed fails"]);
  const other = hex(bytes(15)) + "00";
  assert.deepEqual(found({ contributions: [other], seed: sha(Buffer.concat([unhex(secret), unhex(other), Buffer.from(name)])) }), ["seed fails"]);
  assert.deepEqual(found({ options: { players: 1, aid: true } }), ["chain fails"]);
  assert.deepEqual(found({ events: EVENTS.slice(0, 5) }), ["chain fails"]);
  assert.deepEqual(found({ events: changed(6, "a2") }), ["chain fails"]);
});

test("bytes of a seat that the match is not for, or for a deal of the day, are found, however well the record is made", () => {
  const { record: honest } = record();
  const zeros = "00".repeat(16);
  const more = { bots: ["", "jogador"], contributions: [added, zeros], seed: sha(Buffer.concat([unhex(secret), unhex(added), unhex(zeros), Buffer.from(name)])) };
  assert.deepEqual(bad({ ...honest, ...more }), ["seed fails"]);
  const ofDay = record(EVENTS, null, "", "g 2026-01-02").record;
  assert.deepEqual(bad({ ...ofDay, day: "2026-01-02" }), ["seed fails"]);
  const silent = record(EVENTS.filter(({ kind }) => kind !== "contribute").map((event, i) => ({ ...event, n: i + 1 })), null, "", "g 2026-01-02").record;
  assert.deepEqual(bad({ ...silent, day: "2026-01-02" }), []);
  assert.deepEqual(bad({ ...silent, day: "2026-01-02", start: { a: 1 } }), ["seed fails", "chain fails"]);
});

test("bytes of a bot, second ones and those after the deal are found, however well the record is made", () => {
  const other = hex(bytes(15)) + "00";
  const both = { options: { players: 2 }, bots: ["", "jogador"] };
  const [sit, mine, deal] = EVENTS.slice(0, 3);
  const more = (seat: number) => ({ ...mine, seat, data: other });
  const forged = (added: string[], ...events: RecordEvent[]) => {
    const seed = sha(Buffer.concat([unhex(secret), ...added.map(unhex), Buffer.from(name)]));
    return bad({ ...record(events.map((event, i) => ({ ...event, n: i + 1 }))).record, ...both, contributions: added, seed });
  };
  const zeros = "00".repeat(16);
  assert.deepEqual(forged([added, zeros], sit, mine, deal), ["chain fails"]); // of other options
  assert.deepEqual(forged([added, other], sit, mine, more(1), deal), ["seed fails", "chain fails"]);
  assert.deepEqual(forged([other, zeros], sit, mine, more(0), deal), ["seed fails", "chain fails"]);
  assert.deepEqual(forged([other, zeros], sit, deal, more(0)), ["seed fails", "chain fails"]);
});

test("a record of other bytes than those that this screen sent does not hold, however well it is made", () => {
  const other = record(changed(2, hex(bytes(15)) + "00"));
  assert.deepEqual(bad(other.record), []);
  assert.deepEqual(bad(other.record, { ...watched(other), bytes: added }), ["bytes fails"]);
});

test("bytes that were sent and left out are not passed over", () => {
  const silent = record(EVENTS.filter(({ kind }) => kind !== "contribute").map((event, i) => ({ ...event, n: i + 1 })));
  const seen = { ...watched(silent), moments: [], result: null };
  assert.deepEqual(bad(silent.record, seen), ["bytes silent"]);
  assert.deepEqual(bad(silent.record, { ...seen, seat: -1 }), []);
});

test("the commitment that counts is the first that was shown", () => {
  assert.deepEqual(bad(record().record, { ...watched(), commitment: sha("other") }), ["promise fails"]);
  assert.deepEqual(bad(record().record, { ...watched(), commitment: sha("other"), isEarly: false }), ["promise fails"]);
});

test("a move that was changed afterwards is found where it was first seen, though the last link is the record's", () => {
  const honest = record();
  const forged = record(changed(4, "a2"));
  const moments = [...watched(honest).moments.slice(0, 3), shown(6, forged.links[6], "0 b2")];
  const found = check(forged.record, { ...watched(honest), moments });
  assert.deepEqual(found.filter(isBad), [{ what: "screen", how: "fails", parts: { n: 4 } }]);
});

test("a link counts only at its own event", () => {
  const { links, record: honest } = record();
  assert.deepEqual(bad(honest, { ...watched(), moments: [shown(3, links[4]), shown(4, links[3], "0 a1")] }), ["screen fails"]);
});

test("while an answer is held its number is not told, and what comes meanwhile is numbered as if there were none", () => {
  const held = record([
    ...EVENTS.slice(0, 4),
    { n: 5, at: 0, kind: "answer", seat: 0, data: "allow" },
    { n: 6, at: 0, kind: "takeover", seat: 0 },
    { n: 7, at: 0, kind: "return", seat: 0 },
    { n: 8, at: 0, kind: "move", seat: 0, data: "allow" },
  ]);
  const { links } = held;
  const moments = [shown(3, links[3]), ...[[4, 4], [5, 6], [6, 7]].map(([n, at]) => shown(n, links[at], "0 a1")), shown(8, links[8], "0 allow")];
  assert.deepEqual(check(held.record, { ...watched(held), moments }).at(-1), { what: "screen", how: "holds", parts: { n: 5, all: 5 } });
  assert.deepEqual(bad(held.record, { ...watched(held), moments: [shown(6, links[6], "0 a1")] }), ["screen fails"]);
});

test("a move or a result that is not the one that was shown is found, though all links are the record's", () => {
  const { record: honest } = record(changed(6, "guard 9s 5h"));
  const seen = watched(record(changed(6, "guard 9s 5h")));
  const found = (move: string, result = seen.result) => bad(honest, { ...seen, result, moments: [...seen.moments.slice(0, 3), shown(6, seen.moments[3][1], move)] });
  assert.deepEqual(found("0 guard 9s 5h"), []);
  assert.deepEqual(found("0 guard ? 5h"), []);
  for (const move of ["0 guard ? 6h", "1 guard ? 5h", "0 guard ?", "0 b2", ""]) assert.deepEqual(found(move), ["screen fails"], move);
  assert.deepEqual(found("0 guard ? 5h", [[0], [1]]), ["screen fails"]);
  assert.deepEqual(bad(honest, { ...seen, moments: [shown(5, seen.moments[2][1], "0 a1")] }), ["screen fails"]); // it was taken back
});

test("a bot that is somebody else in the record is found", () => {
  const { record: honest } = record();
  assert.deepEqual(bad(honest, { ...watched(), bots: [0] }), ["seats fails"]);
  assert.deepEqual(bad({ ...honest, bots: ["mestre"] }, { ...watched(), moments: [], result: null, seat: -1 }), ["seats fails", "seed fails"]);
});

test("a screen that came late says what it could not compare", () => {
  const late = { ...watched(), isEarly: false, seat: -1, moments: watched().moments.slice(-1) };
  assert.deepEqual(check(record().record, late).map(({ how }) => how), ["holds", "open", "holds", "holds", "open", "holds", "holds"]);
  assert.deepEqual(check(record().record, late).at(-1)?.parts, { n: 1, all: 4 });
  assert.deepEqual(check(record().record).map(({ how }) => how), ["holds", "open", "open", "holds", "open", "holds", "open"]);
});

test("a record is of this match, and dealt with its name", () => {
  assert.deepEqual(bad(record().record, null, "another"), ["seed fails"]);
  assert.deepEqual(bad(record().record, { ...watched(), name: "g 2026-01-01" }), ["seed fails"]);
});
