/** Checks the record of a match as far as a browser can: what was committed to, the seed, the chain of events, and whether
 * all of it is what this screen was shown and sent. */

import { hmac, sha256 } from "./sha256.ts";
import type { Moment, Seen } from "./seen.ts";
import type { RecordEvent, RecordMessage } from "./wire.ts";

export interface Checked {
  what: "start" | "commitment" | "promise" | "seats" | "seed" | "bytes" | "chain" | "screen";
  how: "holds" | "fails" | "silent" | "open"; // open: this screen has nothing to compare it with
  parts?: Record<string, number>;
}

export const isBad = ({ how }: Checked) => how === "fails" || how === "silent";

const utf8 = (text: string) => new TextEncoder().encode(text);
export const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const SILENT = "00".repeat(16);

/** What the seats added, as the events tell it; whoever was silent added zeros. Bots add nothing, of a person the first
 * bytes count, and after the deal none do: else the house could have chosen them. */
function added({ events, bots }: RecordMessage): string[] {
  const found = bots.map(() => SILENT);
  for (const { kind, seat = -1, data = "" } of events) {
    if (kind === "deal") break;
    if (kind === "contribute" && bots[seat] === "" && found[seat] === SILENT) found[seat] = data;
    else if (kind === "stand") found[seat] = SILENT;
  }
  return found;
}

/** The one way to write options and a position down: keys in order, no spaces, ASCII alone; as the server writes it. */
export function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${parts.map(([key, part]) => `${written(key)}:${written(part)}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What was told with each number of an event: the link, and the last move, if none was taken back since. Of an answer
 * that is held nothing is told, and what happens meanwhile is numbered as if there were none. */
function told(events: RecordEvent[], links: string[]): Map<number, { link: string; move: string }> {
  const found = new Map<number, { link: string; move: string }>();
  let move = "";
  let number = 0;
  let isHeld = false;
  let isDealt = false;
  for (const [i, { kind, seat = -1, data = "" }] of events.entries()) {
    isHeld = kind === "answer" || (isHeld && kind !== "move");
    isDealt ||= kind === "deal";
    if (kind === "answer") continue;
    if (kind === "move") move = `${seat} ${data}`;
    else if (kind === "undo") move = "";
    number = isHeld ? number + 1 : i + 1;
    if (isDealt) found.set(number, { link: links[i + 1] ?? "", move });
  }
  return found;
}

/** Whether one may have been shown a move so: hidden cards are `?`. */
function isShownSo(move: string, shown: string): boolean {
  const [all, seen] = [move.split(" "), shown.split(" ")];
  return all.length === seen.length && all.every((part, i) => part === seen[i] || seen[i] === "?");
}

const passed = (holds: boolean) => (holds ? "holds" : "fails");

function bytesOf(record: RecordMessage, seen: Seen | null): Checked["how"] {
  if (!seen || seen.seat < 0) return "open";
  const found = record.contributions[seen.seat];
  return found === SILENT ? "silent" : passed(found === seen.bytes);
}

function screenOf(record: RecordMessage, links: string[], seen: Seen | null): Checked {
  if (!seen?.moments.length) return { what: "screen", how: "open" };
  const there = told(record.events, links);
  const isSo = ([event, link, , , move]: Moment) => there.get(event)?.link === link && isShownSo(there.get(event)?.move ?? "", move);
  const wrong = seen.moments.filter((one) => !isSo(one)).map(([event]) => event);
  if (seen.result && written(seen.result) !== written([record.winners, record.scores])) wrong.push(Math.max(...there.keys()));
  if (wrong.length) return { what: "screen", how: "fails", parts: { n: Math.min(...wrong) } };
  return { what: "screen", how: "holds", parts: { n: new Set(seen.moments.map(([event]) => event)).size, all: there.size } };
}

/** Else the house itself could have added the bytes of somebody who was not there. */
function seatsOf({ bots }: RecordMessage, seen: Seen | null): Checked["how"] {
  return seen ? passed(bots.flatMap((level, seat) => (level ? [seat] : [])).join() === seen.bots.join()) : "open";
}

/** Neither a seat that nobody plays at nor, on a day, anything but the date may have given the house something to try. */
function isOfItsSeats({ bots, options, day, start, events }: RecordMessage): boolean {
  const isAdded = start !== null || bots.length > 1 || events.some(({ kind }) => kind === "contribute");
  return bots.length === options.players && !(day && isAdded);
}

/** Nothing was dealt where a match began at a position; that is for whoever plays alone against bots. */
function startOf({ start, bots }: RecordMessage): Checked[] {
  if (start === null) return [];
  return [{ what: "start", how: bots.filter((level) => !level).length > 1 ? "fails" : "open" }];
}

/** `seen` is what this browser knows of the match by itself. */
export function check(record: RecordMessage, seen: Seen | null = null, match = record.match): Checked[] {
  const name = record.day ? `${record.game} ${record.day}` : record.match;
  const isOurs = record.match === match && (!seen || seen.name === name);
  const secret = unhex(record.secret);
  const seed = hex(sha256(joined(secret, ...added(record).map(unhex), utf8(name))));
  let link = hmac(secret, utf8(name + written(record.options) + (record.start ? written(record.start) : "")));
  const links = [hex(link)];
  for (const { n, kind, seat = -1, data = "" } of record.events) {
    link = hmac(secret, joined(link, utf8(`${n} ${kind} ${seat} ${data}`)));
    links.push(hex(link));
  }
  const isPromised = seen?.commitment === record.commitment;
  return [
    ...startOf(record),
    { what: "commitment", how: passed(hex(sha256(secret)) === record.commitment) },
    { what: "promise", how: !seen || (isPromised && !seen.isEarly) ? "open" : passed(isPromised) },
    { what: "seats", how: seatsOf(record, seen) },
    { what: "seed", how: passed(isOurs && isOfItsSeats(record) && seed === record.seed && added(record).join() === record.contributions.join()) },
    { what: "bytes", how: bytesOf(record, seen) },
    { what: "chain", how: passed(hex(link) === record.link && record.events.every(({ n }, i) => n === i + 1)) },
    screenOf(record, links, seen),
  ];
}
