import { expect, it } from 'vitest';
import { startAppForTests } from '../../../../test/harness.ts';
import { tellHistory, tracesOf } from '../../../../test/moderation/reporter-traces.ts';

const app = startAppForTests();

const timeoutMs = 30 * 60_000;

it(
  'in two hundred histories no reported person finds a trace of their reporters',
  async () => {
    const found: [seed: number, traces: string[]][] = [];
    for (let seed = 1001; seed <= 1200; seed += 1) {
      const traces = await tracesOf(app, await tellHistory(app, seed));
      if (traces.length > 0) found.push([seed, traces]);
    }
    expect(found).toEqual([]);
  },
  timeoutMs,
);
