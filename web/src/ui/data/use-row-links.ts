import { type RefObject, useEffect } from 'react';

/** Parts of a row that take a click for themselves. */
const ownParts = 'a, button, input, select, textarea, label';

function isSelecting(): boolean {
  return (window.getSelection()?.toString() ?? '') !== '';
}

/**
 * Makes a click anywhere in a row (whatever has `data-row`) one on the row's first link, with the keys held down meanwhile.
 * The link itself stays the way for keyboard and screen reader.
 */
export function useRowLinks(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = list.current;
    function click(event: MouseEvent) {
      const target = event.target instanceof Element ? event.target : null;
      if (target === null || target.closest(ownParts) !== null || isSelecting()) return;
      target.closest('[data-row]')?.querySelector('a')?.dispatchEvent(new MouseEvent('click', event));
    }
    element?.addEventListener('click', click);
    return () => element?.removeEventListener('click', click);
  }, [list]);
}
