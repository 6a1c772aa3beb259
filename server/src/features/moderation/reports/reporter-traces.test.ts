import { expect, it } from 'vitest';
import { startAppForTests } from '../../../../test/harness.ts';
import { tellHistory, tracesOf } from '../../../../test/moderation/reporter-traces.ts';

const app = startAppForTests();

it.each([1, 2, 3, 4, 5, 6])(
  'a reported person finds no trace of their reporters (history %i)',
  async (seed) => {
    expect(await tracesOf(app, await tellHistory(app, seed))).toEqual([]);
  },
  60_000,
);
