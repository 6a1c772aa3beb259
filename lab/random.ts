/** Seeded random numbers, so that a run can be repeated. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** At least `from`, below `to`. */
  between(from: number, to: number): number;
  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** Mulberry32, by Tommy Ettinger: 32 bits of state are plenty here. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}
