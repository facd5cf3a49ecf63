/** Gardens of Arboretum: what the best paths are worth (A5), so that a place can say what planting there would give. */

import { t, type Text } from "../../lib/language.svelte.ts";

export interface Plant {
  card: string;
  x: number;
  y: number;
}

export interface Score {
  path: Plant[];
  points: number;
  sum: number | null;
  right: boolean | null;
}
export interface Arboretum {
  players: number;
  phase: "first" | "second" | "plant" | "discard" | "over";
  to_move: number | null;
  species: string[];
  hands: string[][];
  known: number[];
  gardens: Plant[][];
  piles: string[][];
  deck: string[];
  account: { players: { species: Record<string, Score>; planted: number; total: number | null }[] };
}

export const SPECIES = ["ipe", "jac", "ara", "pau", "fla", "qua", "pai", "man", "jeq", "sib"];

/** What all paths of a garden are worth, whoever has the right to them; at the end what counts of them. */
export const pointsOf = (table: Arboretum, seat: number) =>
  (table.phase === "over" ? table.account.players[seat]?.total : null) ?? table.species.reduce((sum, species) => sum + (table.account.players[seat]?.species[species]?.points ?? 0), 0);

/** What is said of a path whose player has no right to it: before the end, as the hands are now. */
export const denied = (table: Arboretum) => t(table.phase === "over" ? "tree.denied.over" : "tree.denied");

export const speciesOf = (card: string) => card.slice(0, 3);
export const numberOf = (card: string) => Number(card.slice(3));
export const speciesName = (species: string) => t(`species.${species}` as Text);
export const called = (card: string) => (card === "?" ? t("card.hidden") : `${speciesName(speciesOf(card))} ${numberOf(card)}`);
export const at = (x: number, y: number) => `${x},${y}`;

const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]] as const; // prettier-ignore

/** Points of the best path of a species. Numbers rise at each step, so no path meets itself. */
export function best(garden: Plant[], species: string): number {
  const places = new Map(garden.map((plant) => [at(plant.x, plant.y), plant]));
  let most = 0;
  const walk = (plant: Plant, length: number, isPure: boolean, bonus: number) => {
    const number = numberOf(plant.card);
    if (length > 1 && speciesOf(plant.card) === species) {
      most = Math.max(most, length * (isPure && length > 3 ? 2 : 1) + bonus + (number === 8 ? 2 : 0));
    }
    for (const [dx, dy] of SIDES) {
      const next = places.get(at(plant.x + dx, plant.y + dy));
      if (next && numberOf(next.card) > number) walk(next, length + 1, isPure && speciesOf(next.card) === species, bonus);
    }
  };
  for (const plant of garden) if (speciesOf(plant.card) === species) walk(plant, 1, true, numberOf(plant.card) === 1 ? 1 : 0);
  return most;
}

/** How many points more all paths together would be worth. */
export function gain(garden: Plant[], plant: Plant, species: string[]): number {
  const after = [...garden, plant];
  return species.reduce((sum, one) => sum + best(after, one) - best(garden, one), 0);
}
