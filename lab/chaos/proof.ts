import type { Random } from '../random.ts';

/** One line of the report: a promise of the product, the figure it reached, and whether that is enough. */
export interface Figure {
  promise: string;
  figure: string;
  isKept: boolean;
}

/** The environment of a proof. */
export interface Stage {
  /** Runs fewer rounds for a quick check; the required figures stay the same. */
  short: boolean;
  random: Random;
  /** A separate folder, removed after a success. */
  folder: string;
  /** Prints progress. */
  say(text: string): void;
}

export interface Proof {
  name: string;
  /** A line that describes what it does to the product. */
  about: string;
  run(stage: Stage): Promise<Figure[]>;
}

/** A promise, the figure reached, and whether it is kept. */
export const figure = (promise: string, reached: string, isKept: boolean): Figure => ({
  ...{ promise, figure: reached, isKept },
});
