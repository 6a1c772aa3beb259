/** Numbers that look random and are the same in each run. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** True in `share` (0…1) of all cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** The finalizer of MurmurHash3, so that neighboring numbers are unrelated. */
function mixBits(x: number): number {
  let h = x >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The generator for a number (mulberry32). Its streams are independent of each other. */
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
