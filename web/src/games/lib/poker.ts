/** What a row of Repeat Poker is on its way to: the most promising hand that the unseen cards still allow. */

import { RANKS, rankOf, suitOf } from "../../lib/french.ts";

export const POINTS: Record<string, number> = {
  "royal flush": 100,
  "straight flush": 75,
  "four of a kind": 50,
  "full house": 25,
  flush: 20,
  straight: 15,
  "three of a kind": 10,
  "two pairs": 5,
  pair: 2,
  "high card": 0,
};

export interface Way {
  category: string;
  needs: number; // cards still to come
  wanted: string[]; // which, as ranks or as cards; none where there is a choice
  promise: number;
}

const SUITS = ["c", "d", "h", "s"];
// Of straights: from which rank to which; the ace is below the 2 and above the K.
const WINDOWS = Array.from({ length: 10 }, (_, low) => Array.from({ length: 5 }, (_, i) => RANKS[(low + i) % 13] ?? ""));

/** All 52 cards but those that are seen. */
export function unseen(seen: string[]): string[] {
  const gone = new Set(seen);
  return SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)).filter((card) => !gone.has(card));
}

/** Not the odds, but what draws the eye: a good hand that is not too far away. */
function promise(category: string, outs: number[], left: number): number {
  return outs.reduce((all, n) => all * Math.min(1, (3 * n) / Math.max(1, left)), (POINTS[category] ?? 0) ** 1.5);
}

function runs(row: string[], deck: string[]): Way[] {
  const ranks = row.map(rankOf);
  if (new Set(ranks).size < row.length) return [];
  const suit = new Set(row.map(suitOf)).size === 1 ? suitOf(row[0] ?? "") : "";
  const ways: Way[] = [];
  for (const window of WINDOWS) {
    if (!ranks.every((rank) => window.includes(rank))) continue;
    const missing = window.filter((rank) => !ranks.includes(rank));
    const outs = missing.map((rank) => deck.filter((card) => rankOf(card) === rank).length);
    if (outs.every(Boolean)) ways.push({ category: "straight", needs: missing.length, wanted: missing, promise: promise("straight", outs, deck.length) });
    const suited = missing.map((rank) => rank + suit);
    if (!suit || !suited.every((card) => deck.includes(card))) continue;
    const category = window[0] === "10" ? "royal flush" : "straight flush";
    ways.push({ category, needs: suited.length, wanted: suited, promise: promise(category, suited.map(() => 1), deck.length) });
  }
  return ways;
}

function sets(row: string[], deck: string[], free: number): Way[] {
  const held = (rank: string) => row.filter((card) => rankOf(card) === rank).length;
  const left = (rank: string) => deck.filter((card) => rankOf(card) === rank).length;
  const ranks = [...new Set(row.map(rankOf))].sort((a, b) => held(b) - held(a));
  const [first = "", second = ""] = ranks;
  const ways: Way[] = [];
  const kind = (category: string, parts: [string, number][]) => {
    const outs = parts.flatMap(([rank, n]) => Array.from({ length: Math.max(0, n - held(rank)) }, (_, i) => left(rank) - i));
    if (!outs.length || outs.length > free || outs.some((n) => n < 1)) return;
    ways.push({ category, needs: outs.length, wanted: [], promise: promise(category, outs, deck.length) });
  };
  if (first) kind("four of a kind", [[first, 4]]);
  if (second && ranks.length === 2) kind("full house", [[first, 3], [second, 2]]);
  if (first) kind("three of a kind", [[first, 3]]);
  if (second) kind("two pairs", [[first, 2], [second, 2]]);
  return ways;
}

export function ways(row: string[], deck: string[]): Way[] {
  const free = 5 - row.length;
  if (!row.length || free > deck.length) return [];
  const found = [...runs(row, deck), ...sets(row, deck, free)];
  const suit = suitOf(row[0] ?? "");
  const suited = deck.filter((card) => suitOf(card) === suit).length;
  if (row.every((card) => suitOf(card) === suit) && suited >= free) {
    const outs = Array.from({ length: free }, (_, i) => suited - i);
    found.push({ category: "flush", needs: free, wanted: [], promise: promise("flush", outs, deck.length) });
  }
  return found.sort((a, b) => b.promise - a.promise);
}
