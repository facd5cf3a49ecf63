/** What this browser was shown of a match while it went on, and what it sent: the record has to agree with it. */

import { hex } from "./proof.ts";
import type { MatchInfo, Shown } from "./wire.ts";

export interface Seen {
  name: string; // what the deal is made with: the match, or the game and its day
  commitment: string; // the first that was shown
  isEarly: boolean; // before the deal
  bytes: string; // of our own
  seat: number; // for which they were sent, -1 before
  links: string[]; // "event link", as they were shown, each once
}

const MOST = 20; // matches
const INDEX = "carteado.seen";
const place = (match: string) => `${INDEX}.${match}`;

/** What was kept of it, by whichever tab. */
export function recall(match: string): Seen | null {
  try {
    return JSON.parse(localStorage.getItem(place(match)) ?? "null");
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
  meet({ game, day, match, commitment, status }: MatchInfo): void {
    if (this.seen) return;
    this.#isKept = status !== "over"; // else there is nothing to be seen any more
    const bytes = hex(crypto.getRandomValues(new Uint8Array(16)));
    this.seen = { name: day ? `${game} ${day}` : match, commitment, isEarly: status === "waiting", bytes, seat: -1, links: [] };
    this.#keep();
  }

  sent(seat: number): void {
    if (!this.seen || this.seen.seat === seat) return;
    this.seen.seat = seat;
    this.#keep();
  }

  look({ event, link }: Shown): void {
    const one = `${event} ${link}`;
    if (!this.seen || this.seen.links.includes(one)) return;
    this.seen.links.push(one);
    this.#keep();
  }

  #keep(): void {
    if (this.#isKept && this.seen) keep(this.match, this.seen);
  }
}
