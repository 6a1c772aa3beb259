/** Eligible candidates of one viewer, column by column; flags are 0 or 1. */
export interface Deck {
  count: number;
  /** R. */
  rank: ArrayLike<number>;
  likesViewer: ArrayLike<number>;
  isVip: ArrayLike<number>;
  impressionsInWeek: ArrayLike<number>;
  decisionsReceived: ArrayLike<number>;
}

/** The best few of many, best first; ties go to the one offered first. */
export interface Shortlist {
  readonly limit: number;
  readonly indexes: number[];
  readonly values: number[];
}

export function shortlist(limit: number): Shortlist {
  return { limit, indexes: [], values: [] };
}

/** Adds an index if it is among the best `limit` so far. */
export function offer({ limit, indexes, values }: Shortlist, index: number, value: number): void {
  const size = values.length;
  if (size === limit && (limit === 0 || value <= (values[limit - 1] ?? 0))) return;
  let at = size === limit ? limit - 1 : size;
  while (at > 0 && (values[at - 1] ?? 0) < value) {
    values[at] = values[at - 1] ?? 0;
    indexes[at] = indexes[at - 1] ?? 0;
    at -= 1;
  }
  values[at] = value;
  indexes[at] = index;
}

/** The upper median of the first `count` values (quickselect; reorders the array). */
export function medianOf(values: Float64Array, count: number): number {
  const middle = count >> 1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0;
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
