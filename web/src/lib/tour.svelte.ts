/** The first moves of a game, made by the player himself on a prepared position. */

import { keep, kept } from "./kept.ts";
import type { LegalMove } from "./wire.ts";

export interface Plan {
  options: Record<string, number | boolean>;
  start: Record<string, unknown>; // the position, as `match.table()` writes it
  steps: string[]; // what each step's move looks like, as regular expressions
}

const KEY = "carteado.tours";

/** Games whose tour was offered, so that it is offered once. */
const offered = $state<{ games: string[] }>({ games: JSON.parse(kept(KEY) ?? "[]") });

export const isOffered = (game: string) => offered.games.includes(game);

export function offer(game: string): void {
  offered.games = [...new Set([...offered.games, game])];
  keep(KEY, JSON.stringify(offered.games));
}

export class Tour {
  readonly game: string;
  readonly steps: string[];
  at = $state(0);
  isLeft = $state(false);

  #key: string;

  constructor(game: string, match: string, steps: string[]) {
    this.game = game;
    this.steps = steps;
    this.#key = `carteado.tour.${match}`;
    this.at = Number(kept(this.#key, "sessionStorage") ?? 0);
    offer(game);
  }

  get isDone(): boolean {
    return this.at >= this.steps.length;
  }

  /** The moves of this step; all of them where the game took another way, or the tour is over. */
  allowed(legal: LegalMove[]): LegalMove[] {
    if (this.isDone || this.isLeft) return legal;
    const found = legal.filter(({ move }) => this.#fits(move));
    return found.length ? found : legal;
  }

  played(move: string): void {
    if (this.isDone || this.isLeft) return;
    this.at = this.#fits(move) ? this.at + 1 : this.steps.length;
    keep(this.#key, String(this.at), "sessionStorage");
  }

  #fits(move: string): boolean {
    return new RegExp(`^(?:${this.steps[this.at] ?? ""})$`).test(move);
  }
}
