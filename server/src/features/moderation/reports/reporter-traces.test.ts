import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { tellHistory, tracesOf } from '../../../../test/reporter-traces.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it.each([1, 2, 3, 4, 5, 6])(
  'someone who is reported finds no trace of their reporters (history %i)',
  async (seed) => {
    expect(await tracesOf(app, await tellHistory(app, seed))).toEqual([]);
  },
  60_000,
);
