/** Keeps the best few of many items, best first. Of equal items, the one offered first wins. */
export interface Shortlist {
  readonly limit: number;
  readonly indexes: number[];
  readonly values: number[];
}

export function shortlist(limit: number): Shortlist {
  return { limit, indexes: [], values: [] };
}

/** Whether a value would be among the best `limit` so far. */
export function isEnough({ limit, values }: Shortlist, value: number): boolean {
  return values.length < limit || (limit > 0 && value > (values[limit - 1] ?? 0));
}

/** Adds an index if it is among the best `limit` so far. */
export function offer(list: Shortlist, index: number, value: number): void {
  if (!isEnough(list, value)) return;
  const { limit, indexes, values } = list;
  const size = values.length;
  let at = size === limit ? limit - 1 : size;
  while (at > 0 && (values[at - 1] ?? 0) < value) {
    values[at] = values[at - 1] ?? 0;
    indexes[at] = indexes[at - 1] ?? 0;
    at -= 1;
  }
  values[at] = value;
  indexes[at] = index;
}

/**
 * A heap that adds an index if it is among the best `limit` by rank, with the worst on top. It is cheaper than a shortlist where many are
 * kept. Of equal items, the one offered first wins here too; indexes must be offered in ascending order.
 */
export function keepBest(heap: number[], limit: number, rank: ArrayLike<number>, index: number): void {
  const own = rank[index] ?? 0;
  let at = heap.length;
  if (at < limit) {
    // Move the index up to its place; of two with the same rank, the later one is worse.
    for (let above = (at - 1) >> 1; at > 0 && (rank[heap[above] ?? 0] ?? 0) >= own; above = (at - 1) >> 1) {
      heap[at] = heap[above] ?? 0;
      at = above;
    }
    heap[at] = index;
    return;
  }
  if (limit === 0 || own <= (rank[heap[0] ?? 0] ?? 0)) return;
  // The index replaces the worst one and moves down to its place.
  at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= limit) break;
    if (below + 1 < limit && isWorse(rank, heap[below + 1] ?? 0, heap[below] ?? 0)) below += 1;
    if (!isWorse(rank, heap[below] ?? 0, index)) break;
    heap[at] = heap[below] ?? 0;
    at = below;
  }
  heap[at] = index;
}

const isWorse = (rank: ArrayLike<number>, one: number, other: number) =>
  (rank[one] ?? 0) < (rank[other] ?? 0) || ((rank[one] ?? 0) === (rank[other] ?? 0) && one > other);

/** A range with more values than this is split at the middle one of several of its values instead of a single one. */
const manyValues = 64;

/** The middle one of nine values of a range. */
function pivotOf(values: Float64Array, low: number, high: number): number {
  const step = (high - low) / 8;
  const few: number[] = [];
  for (let at = 0; at <= 8; at += 1) {
    const value = values[low + Math.floor(at * step)] ?? 0;
    let place = at;
    while (place > 0 && (few[place - 1] ?? 0) > value) {
      few[place] = few[place - 1] ?? 0;
      place -= 1;
    }
    few[place] = value;
  }
  return few[4] ?? 0;
}

/** The upper median of the first `count` values (quickselect; reorders the array). */
export function medianOf(values: Float64Array, count: number): number {
  const middle = count >> 1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = high - low > manyValues ? pivotOf(values, low, high) : (values[(low + high) >> 1] ?? 0);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? pivot) < pivot) left += 1;
      while ((values[right] ?? pivot) > pivot) right -= 1;
      if (left > right) break;
      const kept = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = kept;
      left += 1;
      right -= 1;
    }
    if (middle <= right) high = right;
    else if (middle >= left) low = left;
    else break;
  }
  return values[middle] ?? 0;
}
