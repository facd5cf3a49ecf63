/** Checks the record of a match as far as a browser can: what was committed to, the seed, and the chain of events. */

import { hmac, sha256 } from "./sha256.ts";
import type { RecordMessage } from "./wire.ts";

export interface Checked {
  what: "commitment" | "seed" | "chain" | "screen";
  holds: boolean;
}

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

/** What the seats added, as the events tell it; whoever was silent added zeros. */
function added({ events, bots }: RecordMessage): string[] {
  const found = bots.map(() => "00".repeat(16));
  for (const { kind, seat = -1, data = "" } of events) {
    if (kind === "contribute") found[seat] = data;
    else if (kind === "stand") found[seat] = "00".repeat(16);
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

/** `seen` is the link that this browser's own screen showed last, if it sat at the table. */
export function check(record: RecordMessage, seen = ""): Checked[] {
  const name = record.day ? `${record.game} ${record.day}` : record.match;
  const secret = unhex(record.secret);
  const seed = hex(sha256(joined(secret, ...added(record).map(unhex), utf8(name))));
  let link = hmac(secret, utf8(name + written(record.options) + (record.start ? written(record.start) : "")));
  const links = [hex(link)];
  for (const { n, kind, seat = -1, data = "" } of record.events) {
    link = hmac(secret, joined(link, utf8(`${n} ${kind} ${seat} ${data}`)));
    links.push(hex(link));
  }
  const found: Checked[] = [
    { what: "commitment", holds: hex(sha256(secret)) === record.commitment },
    { what: "seed", holds: seed === record.seed && added(record).join() === record.contributions.join() },
    { what: "chain", holds: hex(link) === record.link },
  ];
  if (seen) found.push({ what: "screen", holds: links.includes(seen) });
  return found;
}
