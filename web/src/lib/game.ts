import type { Advice, LastMove, LegalMove, SeatInfo } from "./wire.ts";

/** Whether the rules have not put a seat out; a game where they may tells it in its account. */
export const isIn = (table: Record<string, any> | undefined, seat: number): boolean => table?.account?.in?.includes(seat) ?? true;

/** What every table is given. It knows the table and the legal moves, and answers with the name of a move. */
export interface TableProps<T> {
  table: T;
  seat: number; // ours; -1 watches
  legal: LegalMove[];
  names: string[];
  seats: SeatInfo[];
  over: boolean;
  winners: number[];
  advice: Advice | null;
  recent: LastMove[]; // the last moves, to be marked
  play: (move: string) => void;
  complain: (text: string) => void;
}
