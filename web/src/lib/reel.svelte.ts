/** A replay as it runs: its frames, where it stands, and the clock that carries it on. */

import { tick } from "svelte";
import { travel } from "./motion.ts";
import type { Frame, LastMove, Replay } from "./wire.ts";

const PACE = 1100; // milliseconds a step

export class Reel {
  replay = $state.raw<Replay | null>(null);
  at = $state(0);
  isPlaying = $state(false);

  readonly #frames = $derived(this.replay?.frames ?? []);
  readonly end = $derived(Math.max(0, this.#frames.length - 1));
  readonly frame = $derived<Frame | undefined>(this.#frames[this.at]);
  readonly isOver = $derived(this.at === this.end);

  constructor(at: number) {
    this.at = at;
    $effect(() => {
      if (!this.isPlaying) return;
      const timer = setInterval(() => void this.step(this.at + 1), PACE);
      return () => clearInterval(timer);
    });
  }

  show(replay: Replay): void {
    this.replay = replay;
    this.at = Math.min(this.at, this.end);
  }

  /** The lines up to where it stands, newest first. */
  get lines() {
    const told = this.#frames.slice(0, this.at + 1).map(({ line: text }, id) => ({ id, text, shown: null }));
    return told.filter(({ text }) => text).reverse();
  }

  /** What the one who moved last did in his turn so far. */
  get recent(): LastMove[] {
    const moves: LastMove[] = [];
    for (let i = this.at; i > 0; i--) {
      const { kind, mover, move } = this.#frames[i] as Frame;
      if (kind !== "move" || mover === null || (moves[0] && moves[0].mover !== mover)) break;
      moves.unshift({ mover, move });
    }
    return moves;
  }

  step = async (to: number): Promise<void> => {
    const land = travel();
    this.at = Math.max(0, Math.min(this.end, to));
    if (this.isOver) this.isPlaying = false;
    await tick();
    land();
  };

  /** From the end it starts again. */
  turn = (): void => {
    if (!this.isPlaying && this.isOver) this.at = 0;
    this.isPlaying = !this.isPlaying;
  };

  keys = (event: KeyboardEvent): void => {
    if (event.target instanceof Element && event.target.closest("input, select, dialog")) return;
    const isButton = event.target instanceof Element && event.target.closest("button, a");
    const to = { ArrowRight: this.at + 1, ArrowLeft: this.at - 1, Home: 0, End: this.end }[event.key];
    if (to !== undefined) void this.step(to);
    else if (event.key === " " && !isButton) this.turn();
    else return;
    event.preventDefault();
  };
}
