/** A card with the kinds of its reasons, the weightiest first. */
export interface Told<T> {
  card: T;
  kinds: readonly string[];
}

/**
 * The cards in their order, such that no two neighbours begin with the same reason: a card whose first
 * reason was just given begins with another one of its own, else lets the next that can pass, and where none can, gives none. `precededBy` is what the
 * card before the first begins with.
 */
export function varied<T>(cards: readonly Told<T>[], precededBy?: string): Told<T>[] {
  const waiting = [...cards];
  const result: Told<T>[] = [];
  let before = precededBy;
  while (waiting.length > 0) {
    const fits = waiting.findIndex(({ kinds }) => kinds.length === 0 || kinds.some((kind) => kind !== before));
    const [next] = waiting.splice(Math.max(0, fits), 1);
    if (next === undefined) break;
    const first = next.kinds.find((kind) => kind !== before);
    const kinds = first === undefined ? [] : [first, ...next.kinds.filter((kind) => kind !== first)];
    result.push({ card: next.card, kinds });
    before = first;
  }
  return result;
}
