/** Trincheira as a hand sees it: which move leads from what to where, and what an attack would do, from public facts. */

import { bare, numberOf, suitOf } from "../../lib/french.ts";
import type { Step } from "../../lib/picker.svelte.ts";

export interface Guard {
  card: string;
  revealed: boolean;
}
export interface Sequence {
  cards: string[];
  guard: Guard | null;
}
export interface Trench {
  jokers: number;
  phase: "turn" | "answer" | "place" | "guard" | "duel" | "over";
  to_move: number | null;
  turn: number | null;
  last: number | null;
  quiet: number;
  hands: string[][];
  sequences: Sequence[][];
  loose: Guard[][];
  attack: { card: string; target: string; end: "low" | "high" | null } | null;
  stolen: { card: string; public: boolean } | null;
  fragments: { low: string; high: string; draw: boolean } | null;
  stock: string[];
  trash: string[];
  account: { totals: number[]; sequences: { size: number; pure: boolean; armoured: boolean; value: number }[][]; may_recover: boolean };
}

export const worth = (cards: string[]) => cards.length ** 2 * (new Set(cards.map(suitOf)).size === 1 ? 2 : 1);

export const SIGNS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
export const sign = (card: string) => (card === "joker" || card === "?" ? card : bare(card).slice(0, -1) + (SIGNS[suitOf(card)] ?? ""));

export const signs = (cards: string[]) => cards.map(sign).join(" ");

/** The steps of one move; a join is offered at both sequences. */
export function steps(table: Trench, enemy: number) {
  const holding = (card: string) => table.sequences[enemy]?.find((one) => one.cards.includes(card))?.cards[0] ?? card;
  const source = (words: string[]) => (words[0] === "guard" || words[0] === "loose" ? `own ${words[0]} ${words[1]}` : `own ${words[0]}`);
  return (move: string, words: string): Step[] => {
    const [verb = "", ...rest] = move.split(" ");
    const [a = "", b = "", c = ""] = rest;
    const step = (from: string, target: string, choice = ""): Step => ({ move, words, source: from, target, choice });
    if (verb === "lay") return b ? [b, c].filter(Boolean).map((low) => step(`hand ${a}`, `mine ${low}`)) : [step(`hand ${a}`, "new")];
    if (verb === "guard") return [step(`hand ${a}`, `guard ${b}`)];
    if (verb === "buy") return [step(`hand ${a}`, "stock")];
    if (verb === "trade") return [step(source(rest), "stock")];
    if (verb === "recover") return [step(source(rest), "hand")];
    if (verb === "attack") return [step(`hand ${a}`, `enemy ${b}`, c)];
    if (verb === "joker") {
      if (a !== "steal") return [step("hand joker", `enemy ${b}`, c || a)];
      if (b === "loose") return [step("hand joker", `enemy loose ${c}`, "steal")];
      return [step("hand joker", `enemy ${b === "guard" ? c : holding(b)}`, "steal")];
    }
    if (verb === "duel") {
      const [, , target = "", end = ""] = rest;
      return [step(source(rest), target ? `enemy ${target}` : "trash", end)];
    }
    return [];
  };
}

const JACK = 11;

export interface Outcome {
  gone: string[];
  left: string[];
}

/** What an attack with that card takes from an end, as far as everybody can know; null behind a hidden guard. */
export function outcome(sequence: Sequence, card: string, end: string): Outcome | null {
  const { cards, guard } = sequence;
  if (guard && !guard.revealed) return null;
  const defence = guard && suitOf(guard.card) === "s" ? numberOf(guard.card) : 0;
  let power = numberOf(card) - defence;
  if (card === "joker") power = defence === 0 ? cards.length : defence < JACK ? defence : 0; // T10, T11
  const n = Math.max(0, Math.min(power, cards.length));
  const gone = end === "low" ? cards.slice(0, n) : cards.slice(cards.length - n);
  const left = end === "low" ? cards.slice(n) : cards.slice(0, cards.length - n);
  return { gone, left };
}
