import { useState } from 'react';

/**
 * The item of a list that is shown, first the first one. It is found by its id, because colleagues handle others
 * meanwhile; if it is gone, the one in its place is next.
 */
export function useShown(ids: readonly string[]) {
  const [chosen, setChosen] = useState({ id: ids[0], index: 0 });
  const found = chosen.id === undefined ? -1 : ids.indexOf(chosen.id);
  const index = found === -1 ? Math.max(0, Math.min(chosen.index, ids.length - 1)) : found;
  const id = ids[index];
  if (id !== undefined && (id !== chosen.id || index !== chosen.index)) setChosen({ id, index });
  const choose = (wanted: string) => setChosen({ id: wanted, index: Math.max(0, ids.indexOf(wanted)) });
  return {
    id,
    index,
    choose,
    /** Moves forward by this many items (negative: back), within the list. Returns the id of the item there. */
    move: (by: number): string | undefined => {
      const to = ids[Math.max(0, Math.min(ids.length - 1, index + by))];
      if (to !== undefined) choose(to);
      return to;
    },
  };
}
