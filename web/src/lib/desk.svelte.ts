/** What stands around a table, whoever fills it: a live match or a replay. The pieces of `ui` find it by context. */

import { getContext, setContext } from "svelte";
import { keep, kept } from "./kept.ts";
import type { Line } from "./table.svelte.ts";
import type { LastMove, LegalMove, SeatInfo } from "./wire.ts";

export interface Around {
  readonly lines: Line[];
  readonly legal: LegalMove[];
  readonly seats: SeatInfo[];
  readonly names: string[];
  readonly toMove: number | null; // now, also while one looks at the past
  readonly recent: LastMove[];
  readonly seat: number;
  readonly past: Line | null;
  readonly clocks: (number | null)[];
  readonly running: number | null; // whose clock it is that runs
  readonly got: number;
  readonly deadline: { left: number; whole: number; since: number } | null; // of an answer; milliseconds
  readonly isLive: boolean;
  readonly hasHint: boolean; // whether there are hints at this table
  readonly canHint: boolean; // now
  readonly hasUndo: boolean;
  readonly canUndo: boolean;
  readonly isThinking: boolean;
  readonly isSent: boolean; // a move, which the house has not answered for a while
  play(move: string): void;
  canLook(line: Line): boolean;
  look(line: Line | null): void;
  hint(): void;
  undo(): void;
}

const MOVES = "carteado.moves";

/** Which of the side's drawers are open, in this browser. */
export const drawers = $state({ side: false, moves: kept(MOVES) === "1" });

export function toggleMoves(): void {
  const isPhone = matchMedia("(max-width: 1020px)").matches;
  if (isPhone) {
    drawers.side = !(drawers.side && drawers.moves);
    drawers.moves = true;
  } else drawers.moves = !drawers.moves;
  keep(MOVES, drawers.moves ? "1" : "0");
}

const KEY = Symbol("around");
export const setAround = (around: Around) => setContext(KEY, around);
export const around = () => getContext<Around>(KEY);
