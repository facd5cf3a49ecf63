/** The one mechanism by which cards travel.
 *
 * Each card in the page, and each line of the log, says what it is (`data-card`), each pile or hand where it lies
 * (`data-place`). Before a table is replaced all of them are measured; afterwards each card that lies elsewhere flies from
 * where it was, and one that was not to be seen flies from the place that it names (`data-from`). Hidden cards are named by
 * their place, so nothing that flies tells what it is.
 */

const LONG = 300;
const EASE = "cubic-bezier(.2, .8, .2, 1)";

export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const visible = (rect: DOMRect) => rect.width > 0 && rect.height > 0;

function measured(attribute: "card" | "place"): Map<string, DOMRect> {
  const found = new Map<string, DOMRect>();
  for (const node of document.querySelectorAll<HTMLElement>(`[data-${attribute}]`)) {
    const rect = node.getBoundingClientRect();
    if (visible(rect)) found.set(node.dataset[attribute] ?? "", rect);
  }
  return found;
}

/** Measures; what it returns sets everything in motion, once the new table is drawn. */
export function travel(): () => void {
  if (isStill()) return () => {};
  const cards = measured("card");
  const places = measured("place");
  return () => {
    for (const node of document.querySelectorAll<HTMLElement>("[data-card]")) {
      const to = node.getBoundingClientRect();
      const from = cards.get(node.dataset.card ?? "") ?? places.get(node.dataset.from ?? "");
      if (from && visible(to)) fly(node, from, to);
    }
  };
}

function fly(node: Element, from: DOMRect, to: DOMRect): void {
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  const size = Math.min(from.width / to.width, from.height / to.height);
  if (Math.abs(x) < 2 && Math.abs(y) < 2 && Math.abs(size - 1) < 0.05) return;
  const frames = [
    { translate: `${x}px ${y}px`, scale: String(size), zIndex: 5 },
    { translate: "0 0", scale: "1", zIndex: 5 },
  ];
  node.animate(frames, { duration: LONG, easing: EASE, composite: "replace" });
}
