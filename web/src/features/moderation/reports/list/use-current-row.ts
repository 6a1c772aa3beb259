import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { onSessionChange } from '../../../../api/session/stored-session.ts';
import { linkId } from './ReportRow.tsx';

interface Chosen {
  id: string;
  index: number;
}

const kept = new Map<string, Chosen>();

onSessionChange(({ token }) => {
  if (token === null) kept.clear();
});

function focusRow(id: string | null): void {
  const link = id === null ? null : document.getElementById(linkId(id));
  (link ?? document.querySelector('h1'))?.focus();
}

/**
 * The row that the keys act on: where the focus last was, and when that row is gone the one in its place. Another list
 * begins without one; Back finds the one that was.
 */
export function useCurrentRow(ids: readonly string[], listKey: string) {
  const { key: place } = useLocation();
  const [chosen, setChosen] = useState<Chosen | null>(() => kept.get(place) ?? null);
  const [seenKey, setSeenKey] = useState(listKey);
  if (listKey !== seenKey) {
    setSeenKey(listKey);
    setChosen(null);
  }

  const index = chosen === null ? -1 : ids.indexOf(chosen.id);
  const isGone = chosen !== null && index === -1 && ids.length > 0;
  const shownIndex = isGone ? Math.min(chosen.index, ids.length - 1) : index;
  const currentId = ids[shownIndex] ?? null;

  function choose(id: string) {
    const next = { id, index: ids.indexOf(id) };
    kept.set(place, next);
    setChosen(next);
  }

  // The focus that went with the row goes on to the one in its place.
  useEffect(() => {
    if (!isGone || currentId === null) return;
    setChosen({ id: currentId, index: shownIndex });
    if (document.activeElement === document.body) focusRow(currentId);
  }, [isGone, currentId, shownIndex]);

  return {
    currentId,
    choose,
    focusCurrent: () => focusRow(currentId),
    /** To the next row or the one before, the first one to begin with; the focus goes along. */
    move: (by: 1 | -1) => {
      const id = ids[Math.max(0, Math.min(ids.length - 1, shownIndex + by))];
      if (id === undefined) return;
      choose(id);
      focusRow(id);
    },
  };
}
