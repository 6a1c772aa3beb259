import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/** The id of the button that enlarges a picture, or shows them all again; the focus follows the current picture on it. */
export function pictureButtonId(publicId: string): string {
  return `picture-${publicId}`;
}

function buttonOf(publicId: string | null): HTMLElement | null {
  return publicId === null ? null : document.getElementById(pictureButtonId(publicId));
}

/** How far the arrow keys go: to the side by one, up and down by a row of cards. */
export function arrowSteps(place: Element | null): Record<string, number> {
  const forward = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
  const list = place?.querySelector('ul');
  const columns = list ? getComputedStyle(list).gridTemplateColumns.split(' ').length : 1;
  return { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns };
}

/**
 * The picture that the keys act on: the first, then where the focus last was, and when that one is gone the one in its place.
 * The focus goes along, also from one `view` to another, unless somebody took it elsewhere.
 */
export function useCurrentPicture(ids: readonly string[], place: RefObject<Element | null>, view: string) {
  const [chosen, setChosen] = useState<{ id: string | null; index: number }>({ id: null, index: 0 });
  const found = chosen.id === null ? -1 : ids.indexOf(chosen.id);
  const index = found === -1 ? Math.min(chosen.index, ids.length - 1) : found;
  const currentId = ids[index] ?? null;
  if (currentId !== null && (currentId !== chosen.id || index !== chosen.index)) setChosen({ id: currentId, index });

  const follow = useEffectEvent(() => {
    const active = document.activeElement;
    const title = place.current?.closest('dialog')?.querySelector('h2');
    if (active === document.body || active === title) (buttonOf(currentId) ?? title)?.focus();
  });
  useEffect(() => follow(), [currentId, view]);

  function choose(id: string) {
    if (id !== currentId) setChosen({ id, index: ids.indexOf(id) });
  }

  return {
    currentId,
    index,
    choose,
    /** On by so many, back by a negative number, between the ends. */
    move: (by: number) => {
      const id = ids[Math.max(0, Math.min(ids.length - 1, index + by))];
      if (id === undefined) return;
      choose(id);
      buttonOf(id)?.focus();
    },
  };
}
