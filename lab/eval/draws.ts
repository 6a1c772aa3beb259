import type { Random } from '../random.ts';

/** An element that is there, which the type of an array doesn't know; 0 otherwise. */
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

function mixed(bits: number): number {
  let h = bits >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A number from 0 to below 1 for a pair, always the same, so that decisions do not depend on their time. */
export function evenOfPair(seed: number, one: number, other: number): number {
  return mixed(mixed(mixed(seed + 0x9e3779b9) + one) + other) / 2 ** 32;
}
