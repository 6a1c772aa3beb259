/** Random numbers that are always the same for the same member. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, at least 0, below `limit`. */
  below(limit: number): number;
  /** True in `share` (0…1) of all cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of `choices`, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** Mixes the 32 bits of `x` one to one, so that neighbouring numbers become unrelated (the finalizer of MurmurHash3). */
export function mixBits(x: number): number {
  let h = x >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Mulberry32 by Tommy Ettinger: 32 bits of state are enough here. Each call returns a number from 0 to below 1. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The generator of member `number`. Streams are independent: drawing more from one does not change another. */
export function randomOf(number: number, stream = 0): Random {
  const next = mulberry32(mixBits(mixBits(number) + stream));
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
    weighted: (choices) => choiceAt(next(), choices),
  };
}

/** The choice at `position` (0…1) if `choices` are laid end to end, each as long as its weight. */
export function choiceAt<T>(position: number, choices: readonly (readonly [weight: number, choice: T])[]): T {
  let left = position * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, choice] of choices) {
    if (left < weight) return choice;
    left -= weight;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('nothing to choose from');
  return last[1];
}

/** Badly approximable numbers: fractional parts of metallic means, and the inverse of the plastic number. */
const steps = {
  silver: 0.414_213_562_373_095,
  copper: 0.236_067_977_499_79,
  bronze: 0.302_775_637_731_995,
  nickel: 0.192_582_403_567_252,
  plastic: 0.754_877_666_246_693,
};

/**
 * A position in 0…1 for `number` such that the first n numbers are spread evenly for any n. So the shares in a small group
 * are nearly as exact as those in a large one. Different `step`s are independent.
 */
export function evenly(number: number, step: keyof typeof steps): number {
  return (0.5 + number * steps[step]) % 1;
}
