/** Dragging with mouse, finger or pen: a card follows the pointer and is dropped on whatever says `data-drop`. */

import type { Attachment } from "svelte/attachments";
import { isStill } from "./motion.ts";

export interface Drag {
  can: boolean;
  lift: () => void;
  drop: (target: string) => void;
  miss: () => void;
}

const START = 7; // pixels

/** `touch` leaves a direction to the browser, where the cards lie in something that scrolls. */
export function draggable(drag: () => Drag, touch: "none" | "pan-x" | "pan-y" = "none"): Attachment<HTMLElement> {
  return (node) => {
    let from: { x: number; y: number; id: number } | null = null;
    let isMoving = false;

    const down = (event: PointerEvent) => {
      if (event.button === 0 && drag().can) from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    };
    const move = (event: PointerEvent) => {
      if (!from || event.pointerId !== from.id) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (!isMoving && Math.hypot(x, y) < START) return;
      if (!isMoving) {
        isMoving = true;
        node.setPointerCapture(from.id);
        node.classList.add("dragged");
        drag().lift();
      }
      node.style.translate = `${x}px ${y}px`;
    };
    const up = (event: PointerEvent) => {
      if (!from || event.pointerId !== from.id) return;
      from = null;
      if (!isMoving) return;
      isMoving = false;
      swallow(node);
      const target = under(node, event);
      const back = node.style.translate;
      node.classList.remove("dragged");
      node.style.translate = "";
      if (!isStill()) node.animate([{ translate: back }, { translate: "0 0" }], { duration: 180, easing: "ease-out" });
      if (target && event.type === "pointerup") drag().drop(target);
      else drag().miss();
    };

    node.addEventListener("pointerdown", down);
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", up);
    node.addEventListener("pointercancel", up);
    node.addEventListener("dragstart", (event) => event.preventDefault());
    node.style.touchAction = touch;
    return () => {
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", up);
      node.removeEventListener("pointercancel", up);
    };
  };
}

/** The click that ends a drag is no click. */
function swallow(node: HTMLElement): void {
  const stop = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  node.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => node.removeEventListener("click", stop, { capture: true }), 50);
}

function under(node: HTMLElement, event: PointerEvent): string {
  for (const one of document.elementsFromPoint(event.clientX, event.clientY)) {
    const target = one.closest<HTMLElement>("[data-drop]");
    if (target && !node.contains(target)) return target.dataset.drop ?? "";
  }
  return "";
}
