/** The French deck as the page shows it. */

import { t, type Text } from "./language.svelte.ts";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export const bare = (card: string) => card.replace(/'+$/, "");
export const rankOf = (card: string) => bare(card).slice(0, -1);
export const suitOf = (card: string) => bare(card).slice(-1);
export const numberOf = (card: string) => RANKS.indexOf(rankOf(card)) + 1;
export const isRed = (card: string) => card !== "joker" && /[dh]$/.test(bare(card));

/** What a card is called in a sentence: 7 de paus. */
export function called(card: string): string {
  if (card === "?") return t("card.hidden");
  if (card === "joker") return t("card.joker");
  const rank = rankOf(card);
  const name = /\d/.test(rank) ? rank : t(`rank.${rank}` as Text);
  return t("card.of", { rank: name, suit: t(`suit.${suitOf(card)}` as Text) });
}
