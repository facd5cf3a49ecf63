/** Menor Soma as a person sees it. */

import { rankOf } from "../../lib/french.ts";

export interface Reveal {
  round: number;
  stopper: number | null;
  cards: string[][];
  sums: (number | null)[];
  points: (number | null)[];
}

export interface Soma {
  players: number;
  limit: number;
  memory_aid: boolean;
  phase: "draw" | "put" | "stop" | "over";
  to_move: number | null;
  round: number;
  starter: number;
  turns: number;
  takes: number; // of the discard, in a row
  totals: number[];
  places: string[][];
  known: string[][];
  hand: string | null;
  stock: string[];
  discard: string[];
  last: Reveal | null;
  account: { in: number[]; takes_left: number; hand: number | null };
}

const VALUES: Record<string, number> = { A: 1, J: 0, Q: 11, K: 12 }; // M1

export const value = (card: string) => VALUES[rankOf(card)] ?? Number(rankOf(card));
