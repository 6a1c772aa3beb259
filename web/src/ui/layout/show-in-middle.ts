/** Scrolls a strip sideways, and never the page, until `child` is in its middle: what is on both sides of it can be seen, too. */
export function showInMiddle(strip: Element, child: Element): void {
  const [outer, inner] = [strip.getBoundingClientRect(), child.getBoundingClientRect()];
  strip.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}
