/** The cards of nEon_onE: colour, sign and symbol. */

import { t, type Text } from "../../lib/language.svelte.ts";

export interface Neon {
  players: number;
  phase: "turn" | "drawn" | "nothing" | "target" | "colour" | "over";
  to_move: number | null;
  direction: 1 | -1;
  colour: string;
  penalty: number;
  hands: string[][];
  stock: string[];
  discard: string[];
}

export const COLOURS: Record<string, string> = { R: "red", B: "blue", G: "green", Y: "yellow" };
const ORDER = ["red", "blue", "green", "yellow", "wild"];
const WILDS = ["wild", "+4", "swap", "renew"];

export const isWild = (card: string) => WILDS.includes(card);
export const colourOf = (card: string) => (isWild(card) ? "wild" : (COLOURS[card[0] ?? ""] ?? ""));
export const symbolOf = (card: string) => (isWild(card) ? card : card.slice(1));

/** Its symbol in words. */
export function wordOf(card: string): string {
  const symbol = symbolOf(card);
  return /^\d$/.test(symbol) ? symbol : t(`neon.symbol.${symbol}` as Text);
}

export function called(card: string): string {
  if (card === "?") return t("card.hidden");
  const word = wordOf(card);
  return isWild(card) ? word : t("neon.card", { symbol: word, colour: t(`neon.colour.${colourOf(card)}` as Text) });
}

const rank = (card: string) => ORDER.indexOf(colourOf(card)) * 100 + ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "skip", "rev", "+2", ...WILDS].indexOf(symbolOf(card));

/** A hand by colour and symbol; identical cards are numbered, so that each has a key of its own. */
export function sorted(hand: string[]): { card: string; key: string }[] {
  const seen = new Map<string, number>();
  return [...hand]
    .sort((a, b) => rank(a) - rank(b))
    .map((card) => {
      const n = seen.get(card) ?? 0;
      seen.set(card, n + 1);
      return { card, key: `${card}#${n}` };
    });
}
