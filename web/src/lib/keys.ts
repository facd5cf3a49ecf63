/** Whoever plays by keyboard: arrows lead from control to control, and he is kept at the table, for the control of a move
 * goes away with it and would take the focus along. */

import { tick } from "svelte";

const TABLE = "main.table";
const ROW = "[role=group], ol"; // a hand, a lane, piles side by side
const ARROWS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ASIDE = 3; // times as far to the side as ahead, and it is not ahead

export class Keys {
  #isUsed = false; // last; else it was the pointer
  #last: HTMLElement | null = null; // what had the focus,
  #row: Element | null = null; // where at the table it stood,
  #at = 0; // its place there,
  #inList = false; // or whether it was in the list of moves
  #hasMoves = false;
  #idle = new Set<Element>(); // what can be used when there are none

  /** Until the function that it returns is called. */
  watch(): () => void {
    const heard = { keydown: this.#pressed, keyup: this.#look, click: this.#look, focusin: this.#focused, pointerdown: this.#pointed };
    for (const [kind, hear] of Object.entries(heard)) window.addEventListener(kind, hear as EventListener);
    return () => {
      for (const [kind, hear] of Object.entries(heard)) window.removeEventListener(kind, hear as EventListener);
    };
  }

  /** The table has changed. */
  keep(hasMoves: boolean): void {
    this.#hasMoves = hasMoves;
    void this.#look();
  }

  #pressed = (event: KeyboardEvent): void => {
    this.#isUsed = true;
    if (event.key === "Tab") this.#last = null; // whoever leaves the page by it did not lose the focus
    const arrow = ARROWS[event.key];
    if (arrow && !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey) this.#go(event, arrow);
  };

  /** From a control of the table to the nearest one in that direction. */
  #go(event: KeyboardEvent, [x, y]: [number, number]): void {
    const from = event.target as HTMLElement;
    const table = from.closest("button") && from.closest(TABLE);
    if (!table) return;
    const [left, top] = middle(from);
    const ahead = usable(table).flatMap((one) => {
      const [dx, dy] = [middle(one)[0] - left, middle(one)[1] - top];
      const [along, aside] = [x * dx + y * dy, Math.abs(y * dx - x * dy)];
      return along >= 1 && aside <= ASIDE * along ? [{ one, far: along + 2 * aside }] : [];
    });
    const [next] = ahead.sort((a, b) => a.far - b.far);
    if (!next) return;
    event.preventDefault();
    next.one.focus();
  }

  #pointed = (): void => {
    this.#isUsed = false;
  };

  #focused = (event: FocusEvent): void => {
    const node = event.target as HTMLElement;
    if (node.closest("dialog")) return;
    this.#last = node;
    this.#row = node.closest(TABLE) && node.closest(ROW);
    this.#at = this.#row ? controls(this.#row).indexOf(node) : 0;
    this.#inList = Boolean(node.closest(".moves"));
  };

  /** A lost focus goes back to where it was, or else to the first control that makes a move: one that has no use without. */
  #look = async (): Promise<void> => {
    await tick();
    const table = document.querySelector(TABLE);
    if (!table) return;
    if (!this.#hasMoves) this.#idle = new Set(usable(table));
    else if (this.#isUsed && this.#last && isLost()) this.#find(table, this.#last, this.#idle)?.focus();
  };

  #find(table: Element, last: HTMLElement, idle: Set<Element>): HTMLElement | undefined {
    const first = document.querySelector<HTMLElement>("[data-move]");
    if (this.#inList && first?.checkVisibility()) return first;
    const all = usable(table);
    const moves = all.filter((one) => !idle.has(one));
    if (moves.includes(last)) return last;
    const row = this.#row?.isConnected ? controls(this.#row) : [];
    const far = (one: HTMLElement) => Math.abs(row.indexOf(one) - this.#at);
    return row.filter((one) => moves.includes(one)).sort((a, b) => far(a) - far(b))[0] ?? moves[0] ?? all[0]; // a reveal has to be put away first
  }
}

const controls = (within: Element) => [...within.querySelectorAll<HTMLElement>("button")];

function middle(one: Element): [number, number] {
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

const usable = (table: Element) => controls(table).filter((one) => !one.matches(":disabled, [aria-disabled=true], .tools *") && one.checkVisibility());

function isLost(): boolean {
  const { activeElement: active, body } = document;
  return !document.querySelector("dialog[open]") && (!active || active === body || active.matches(":disabled"));
}
