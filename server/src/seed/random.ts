/** Numbers that look random and are always the same for the same member. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, at least 0, below `limit`. */
  below(limit: number): number;
  /** True in `share` (0…1) of all cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** Each bit of `x` changes half of the 32 bits of the answer, and no two numbers have the same one (murmur3's finalizer). */
export function mixBits(x: number): number {
  let h = x >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * A generator of member `number`: mulberry32, started at the mixed number. Each `stream` (a small whole number) is another
 * one, so that what takes more of one does not change what is drawn from the other.
 */
export function randomOf(number: number, stream = 0): Random {
  let state = mixBits(mixBits(number) + stream);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => {
      const choice = list[below(list.length)];
      if (choice === undefined) throw new RangeError('nothing to pick from');
      return choice;
    },
  };
}

/** Numbers that fractions approximate badly: the fractional parts of metallic means, and the inverse of the plastic number. */
const steps = {
  silver: 0.414_213_562_373_095,
  bronze: 0.302_775_637_731_995,
  nickel: 0.192_582_403_567_252,
  plastic: 0.754_877_666_246_693,
};

/**
 * A place for `number` in 0…1 such that the first n numbers are spread evenly, whatever n is: shares of a small crowd come out
 * nearly as exact as those of a large one. Different `step`s give spreads that know nothing of each other.
 */
export function evenly(number: number, step: keyof typeof steps): number {
  return (0.5 + number * steps[step]) % 1;
}
