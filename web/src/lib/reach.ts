/** What scrolls can be reached by a keyboard, as long as there is more of it than is in sight. */

const SCROLLS = /auto|scroll/;

function hasMore(node: HTMLElement): boolean {
  const { overflowX, overflowY } = getComputedStyle(node);
  const isWide = SCROLLS.test(overflowX) && node.scrollWidth > node.clientWidth;
  return isWide || (SCROLLS.test(overflowY) && node.scrollHeight > node.clientHeight);
}

export function reachable(node: HTMLElement): () => void {
  const look = () => {
    if (hasMore(node)) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  };
  const size = new ResizeObserver(look);
  const content = new MutationObserver(look);
  size.observe(node);
  content.observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style"] });
  return () => {
    size.disconnect();
    content.disconnect();
  };
}
