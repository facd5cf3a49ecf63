/** Dragging with mouse, finger or pen: a card follows the pointer and is dropped on whatever says `data-drop`. */

import { flushSync } from "svelte";
import type { Attachment } from "svelte/attachments";
import { isStill } from "./motion.ts";

export interface Drag {
  can: boolean;
  lift: () => void;
  drop: (target: string) => void;
  miss: () => void;
}

const START = 7; // pixels
const HEARD = ["pointermove", "pointerup", "pointercancel", "lostpointercapture"] as const;

/** `touch` leaves a direction to the browser, where the cards lie in something that scrolls. */
export function draggable(drag: () => Drag, touch: "none" | "pan-x" | "pan-y" = "none"): Attachment<HTMLElement> {
  return (node) => {
    let from: { x: number; y: number; id: number } | null = null;
    let isMoving = false;

    const down = (event: PointerEvent) => {
      if (event.button !== 0 || !drag().can) return;
      rest();
      from = { x: event.clientX, y: event.clientY, id: event.pointerId };
      for (const kind of HEARD) window.addEventListener(kind, hear);
    };
    // Heard at the window: a quick pointer has left the card before it is first seen to move.
    const hear = (event: PointerEvent) => {
      if (event.pointerId !== from?.id) return;
      if (event.type === "pointermove" && event.buttons) move(event);
      else if (event.type !== "lostpointercapture" || event.target === node) up(event);
    };
    const move = (event: PointerEvent) => {
      if (!from) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (!isMoving && Math.hypot(x, y) < START) return;
      const isAlong = touch === (Math.abs(x) > Math.abs(y) ? "pan-x" : "pan-y");
      if (!isMoving && isAlong && event.pointerType === "touch") return; // it scrolls
      if (!isMoving) {
        isMoving = true;
        node.setPointerCapture(from.id); // not before: a press that does not move is a click where it is
        node.classList.add("dragged");
        drag().lift();
        flushSync(); // targets that only now light up
      }
      node.style.translate = `${x}px ${y}px`;
    };
    const up = (event: PointerEvent) => {
      if (event.type === "pointerup") move(event);
      const wasMoving = isMoving;
      const back = node.style.translate;
      const target = wasMoving && event.type === "pointerup" ? under(node, event) : "";
      rest();
      if (!wasMoving) return;
      swallow(node);
      if (!isStill()) node.animate([{ translate: back }, { translate: "0 0" }], { duration: 180, easing: "ease-out" });
      if (target) drag().drop(target);
      else drag().miss();
    };
    const rest = () => {
      for (const kind of HEARD) window.removeEventListener(kind, hear);
      from = null;
      if (!isMoving) return;
      isMoving = false;
      node.classList.remove("dragged");
      node.style.translate = "";
    };
    const stay = (event: Event) => event.preventDefault();

    node.addEventListener("pointerdown", down);
    node.addEventListener("dragstart", stay);
    node.style.touchAction = touch;
    return () => {
      rest();
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("dragstart", stay);
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
