import type { Random } from '../random.ts';

/** One line of the report: a promise of the product, the measured figure, and whether it is good enough. */
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
  /** Prints a line that describes what is done to the product. */
  about: string;
  run(stage: Stage): Promise<Figure[]>;
}

/** A promise, the figure reached, and whether it is kept. */
export const figure = (promise: string, reached: string, isKept: boolean): Figure => ({
  ...{ promise, figure: reached, isKept },
});
