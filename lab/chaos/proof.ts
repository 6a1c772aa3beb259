import type { Random } from './random.ts';

/** One line of the report: a promise of the product, the figure it reached, and whether that is enough. */
export interface Figure {
  promise: string;
  figure: string;
  state: 'PASS' | 'FAIL' | 'NOT RUN';
}

/** The environment of a proof. */
export interface Stage {
  /** Fewer rounds for a quick check; the required figures stay the same. */
  short: boolean;
  random: Random;
  /** A separate folder, removed after a success. */
  folder: string;
  /** Prints progress. */
  say(text: string): void;
}

export interface Proof {
  name: string;
  /** What it does to the product, in one line. */
  about: string;
  run(stage: Stage): Promise<Figure[]>;
}

/** A promise, the figure reached, and whether it is kept. */
export function figure(promise: string, reached: string, kept: boolean): Figure {
  return { promise, figure: reached, state: kept ? 'PASS' : 'FAIL' };
}

/** A promise that cannot be tested on this machine, and what is missing. */
export function notRun(promise: string, missing: string): Figure {
  return { promise, figure: missing, state: 'NOT RUN' };
}
