/** What scrolls: a keyboard gets there, and an edge beyond which there is more fades. */

const SCROLLS = /auto|scroll/;
const HARDLY = 4; // pixels

function hasMore(node: HTMLElement): boolean {
  const { overflowX, overflowY } = getComputedStyle(node);
  const isWide = SCROLLS.test(overflowX) && node.scrollWidth > node.clientWidth;
  return isWide || (SCROLLS.test(overflowY) && node.scrollHeight > node.clientHeight);
}

/** Looks now, and whenever the size or the content of a node may have changed. */
function watched(node: HTMLElement, look: () => void): () => void {
  const size = new ResizeObserver(look);
  const content = new MutationObserver(look);
  size.observe(node);
  content.observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style"] });
  return () => {
    size.disconnect();
    content.disconnect();
  };
}

/** By a keyboard, as long as there is more of it than is in sight. */
export function reachable(node: HTMLElement): () => void {
  return watched(node, () => {
    if (hasMore(node)) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  });
}

/** A row whose edges fade where it goes on, as wide as its `--fade` says (base.css). */
export function fading(node: HTMLElement): () => void {
  const look = () => {
    node.toggleAttribute("data-more-left", node.scrollLeft > HARDLY);
    node.toggleAttribute("data-more-right", node.scrollLeft + node.clientWidth < node.scrollWidth - HARDLY);
  };
  const unwatch = watched(node, look);
  node.addEventListener("scroll", look);
  return () => {
    unwatch();
    node.removeEventListener("scroll", look);
  };
}

/** A row scrolls to what it holds, and nothing around it does: the page stays where it was left. */
export function reveal(row: HTMLElement, one: Element): void {
  const [room, box] = [row.getBoundingClientRect(), one.getBoundingClientRect()];
  row.scrollLeft += Math.min(0, box.left - room.left) || Math.max(0, box.right - room.right);
}
