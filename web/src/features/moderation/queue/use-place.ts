import { useState } from 'react';

/**
 * The position of an item in a list: its `index`, -1 if the list doesn't contain it, and its `place`. An item that has just left the list
 * keeps its place, so that the next one is the one that moved up.
 */
export function usePlace(lines: readonly { _id: string }[], id: string): { index: number; place: number } {
  const index = lines.findIndex(({ _id }) => _id === id);
  const [last, setLast] = useState({ id, index });
  if (index !== -1 && (last.id !== id || last.index !== index)) setLast({ id, index });
  return { index, place: index === -1 && last.id === id ? last.index : index };
}
