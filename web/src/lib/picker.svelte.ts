/** A move in one, two or three steps: what is moved, where to, and how. It knows moves only as the game read them. */

import { untrack } from "svelte";
import type { LegalMove } from "./wire.ts";

export interface Step {
  move: string;
  words: string;
  source: string; // what is picked
  target: string; // where it goes
  choice?: string; // how, where a source and a target leave several moves
}

export class Picker {
  steps = $state.raw<Step[]>([]);
  source = $state("");
  target = $state("");

  #play: (move: string) => void;
  #refuse: () => void;

  constructor(play: (move: string) => void, refuse: () => void) {
    this.#play = play;
    this.#refuse = refuse;
  }

  /** New legal moves; what was picked stays if it still may be moved. */
  read(legal: LegalMove[], steps: (move: string, words: string) => Step[]): void {
    untrack(() => {
      this.steps = legal.flatMap(({ move, words }) => steps(move, words));
      this.target = "";
      if (!this.can(this.source)) this.source = "";
    });
  }

  can(source: string): boolean {
    return this.steps.some((step) => step.source === source);
  }

  /** The moves that lead from what is picked to a target. */
  to(target: string): Step[] {
    return this.source ? this.steps.filter((step) => step.source === this.source && step.target === target) : [];
  }

  lit(target: string): boolean {
    return this.source !== "" && this.to(target).length > 0;
  }

  get choices(): Step[] {
    return this.target ? this.to(this.target) : [];
  }

  pick = (source: string): void => {
    if (this.source === source) return this.drop();
    this.target = "";
    this.source = this.can(source) ? source : "";
  };

  /** Picked by dragging: never played before it is dropped. */
  lift = (source: string): void => {
    this.target = "";
    this.source = this.can(source) ? source : "";
  };

  aim = (target: string): void => {
    const [first, ...more] = this.to(target);
    if (!first) return this.#refuse();
    if (more.length) this.target = target;
    else this.choose(first);
  };

  choose = (step: Step): void => {
    this.drop();
    this.#play(step.move);
  };

  drop = (): void => {
    this.source = "";
    this.target = "";
  };
}
