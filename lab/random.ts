import { mixBits, mulberry32 } from '../demo/random.ts';

/** Seeded random numbers, so that a run can be repeated. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** At least `from`, below `to`. */
  between(from: number, to: number): number;
  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[];
}

/** A generator that always returns the same numbers for a seed. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
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

/** The element at an index that exists, which the compiler can't know; 0 otherwise. */
export const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

/** Draws from the standard normal distribution (Box and Muller's method). */
export function normalFrom(random: Random): () => number {
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** A draw from Beta(2, 2): the median of three uniform draws. */
export function betaTwoTwo(random: Random): number {
  const [one, two, three] = [random.next(), random.next(), random.next()];
  return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
}

/** A number from 0 to below 1 that is always the same for a pair, so that decisions do not depend on when they are made. */
export function evenOfPair(seed: number, one: number, other: number): number {
  return mixBits(mixBits(mixBits(seed + 0x9e3779b9) + one) + other) / 2 ** 32;
}
