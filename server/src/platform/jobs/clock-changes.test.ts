import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { createLog } from '../process/log.ts';
import { startWorker } from './worker.ts';

/** Half a second before the next minute starts. */
const present = new Date('2026-11-20T11:59:59.500Z').getTime();
const hourMs = 3_600_000;
const patience = { timeout: 15_000, interval: 20 };
const schedules = [{ cron: '* * * * *', task: 'sweep' }];

let service: TestApp;
let runs: number;
let worker: { stop(): Promise<void> };
beforeEach(async () => {
  service = await startApp();
  runs = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: present });
});
afterEach(async () => {
  vi.useRealTimers();
  await worker.stop();
  await service.close();
});

const start = async () => {
  const tasks = { sweep: async () => void (runs += 1) };
  const restarts = { inc: () => undefined };
  const options = { concurrency: 1, log: createLog('silent'), restarts, checkEveryMs: 50 };
  worker = await startWorker(service.pool, tasks, schedules, options);
};

/** Lets minutes pass until the schedule has run. Waiting advances the clock, too. */
const runsAgain = async () => {
  const before = runs;
  for (let minute = 0; minute < 5 && runs === before; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000);
    await vi
      .waitFor(() => expect(runs).toBeGreaterThan(before), { timeout: 3000, interval: 20 })
      .catch(() => undefined);
  }
  expect(runs).toBeGreaterThan(before);
};

const lastExecution = async () => {
  const { rows } = await service.pool.query<{ last_execution: Date | null }>(
    'select last_execution from graphile_worker._private_known_crontabs',
  );
  return rows[0]?.last_execution?.getTime() ?? 0;
};

describe('job schedules', () => {
  it('run after a start even if their last run lies in the future', async () => {
    await service.pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('sweep', $1, $1)`,
      [new Date(present + hourMs)],
    );
    await start();
    await runsAgain();
  });

  it('run again once a clock that was ahead is set back', async () => {
    vi.setSystemTime(present + hourMs);
    await start();
    await runsAgain();
    expect(await lastExecution()).toBeGreaterThan(present + hourMs);
    vi.setSystemTime(present);
    await vi.waitFor(async () => expect(await lastExecution()).toBeLessThan(present + 60_000), patience);
    await runsAgain();
    expect(await lastExecution()).toBeLessThan(present + hourMs);
  });
});
