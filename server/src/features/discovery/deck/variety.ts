/** A card with the kinds of its reasons, strongest first. */
export interface Told<T> {
  card: T;
  kinds: readonly string[];
}

/**
 * The cards in order, such that no two neighbours start with the same reason: a card whose first reason was just used starts with
 * another of its own, else lets a later card go first, else shows no reason. `precededBy` is the first reason of the card before.
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
