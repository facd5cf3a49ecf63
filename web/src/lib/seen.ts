/** What this browser was shown of a match while it went on, and what it sent: the record has to agree with it. */

import { hex, written } from "./proof.ts";
import { sha256 } from "./sha256.ts";
import type { MatchInfo, Shown } from "./wire.ts";

/** A table as it was shown: to which seat (-1: a watcher), what it was as a digest, and the last move as one saw it. */
export type Moment = [event: number, link: string, seat: number, table: string, move: string];

/** `carteado verify` reads it, too (server/witness.py). */
export interface Seen {
  name: string; // what the deal is made with: the match, or the game and its day
  commitment: string; // the first that was shown
  isEarly: boolean; // before the deal
  bots: number[]; // their seats
  bytes: string; // of our own
  seat: number; // for which they were sent, -1 before
  moments: Moment[]; // each once
  result: [winners: number[], scores: number[]] | null;
}

const MOST = 20; // matches
const INDEX = "carteado.seen";
const place = (match: string) => `${INDEX}.${match}`;

/** What was kept of it, by whichever tab. */
export function recall(match: string): Seen | null {
  try {
    const found: Seen | null = JSON.parse(localStorage.getItem(place(match)) ?? "null");
    return found?.moments ? found : null;
  } catch {
    return null;
  }
}

/** The oldest make room. Where nothing can be kept, it is known until the page is left. */
function keep(match: string, seen: Seen): void {
  try {
    const known: string[] = JSON.parse(localStorage.getItem(INDEX) ?? "[]");
    const others = known.filter((one) => one !== match);
    const drop = () => localStorage.removeItem(place(others.shift() ?? ""));
    while (others.length >= MOST) drop();
    for (;;) {
      try {
        localStorage.setItem(INDEX, JSON.stringify([...others, match]));
        return localStorage.setItem(place(match), JSON.stringify(seen));
      } catch (full) {
        if (!others.length) throw full;
        drop();
      }
    }
  } catch {
    return;
  }
}

/** Short, and nobody finds another table with the same one. */
export const digest = (table: unknown) => hex(sha256(new TextEncoder().encode(written(table)))).slice(0, 32);

export class Witness {
  readonly match: string;
  seen: Seen | null;
  #isKept: boolean;

  constructor(match: string) {
    this.match = match;
    this.seen = recall(match);
    this.#isKept = this.seen !== null;
  }

  /** The first time that we hear of the match: what the house promises then counts, and our bytes come after it. */
  meet({ game, day, match, commitment, status, seats }: MatchInfo): void {
    if (this.seen) return;
    this.#isKept = status !== "over"; // else there is nothing to be seen any more
    const bytes = hex(crypto.getRandomValues(new Uint8Array(16)));
    const bots = seats.flatMap(({ kind }, seat) => (kind === "bot" ? [seat] : []));
    const name = day ? `${game} ${day}` : match;
    this.seen = { name, commitment, isEarly: status === "waiting", bots, bytes, seat: -1, moments: [], result: null };
    this.#keep();
  }

  sent(seat: number): void {
    if (!this.seen || this.seen.seat === seat) return;
    this.seen.seat = seat;
    this.#keep();
  }

  look({ event, link, seat, table, last, over, winners, scores }: Shown): void {
    if (!this.seen) return;
    const one: Moment = [event, link, seat, digest(table), last ? `${last.mover} ${last.move}` : ""];
    if (this.seen.moments.some((other) => other.join() === one.join())) return;
    this.seen.moments.push(one);
    if (over) this.seen.result = [winners ?? [], scores ?? []];
    this.#keep();
  }

  #keep(): void {
    if (this.#isKept && this.seen) keep(this.match, this.seen);
  }
}
