import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { TestClock } from '../test/clock.ts';
import { cloneDatabase, createTestPool, type TestDatabase } from '../test/harness.ts';
import { buildApp } from './app.ts';
import { readConfig } from '#platform/config/config.ts';
import { job } from '#platform/jobs/job.ts';
import { drainJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { type Providers, realProviders } from './providers.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = createTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const clock = new TestClock(new Date('2026-06-15T12:00:00.000Z'));
const log = createLog('silent');

/** The app as built by a process without the launcher. */
const build = (environment: Record<string, string>, providers?: Providers) =>
  buildApp({ config: readConfig({ SEED: 'none', ...environment }), pool, clock, log, providers });

describe('a server without the launcher', () => {
  it.each([
    ['the payment sandbox', { SIGN_IN_ISSUER: 'off' }, /^PAYMENTS_PROVIDER=sandbox, .* works only with npm start/],
    ['the built-in issuer', { PAYMENTS_PROVIDER: 'off' }, /^SIGN_IN_ISSUER=built-in, .* works only with npm start/],
  ])('does not start with %s', async (_, environment, words) => {
    await expect(build(environment)).rejects.toThrow(words);
  });

  it('starts with both turned off', async () => {
    const app = await build({ PAYMENTS_PROVIDER: 'off', SIGN_IN_ISSUER: 'off' });
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    await app.close();
  });
});

describe('a registered provider', () => {
  it('adds its own pages and jobs', async () => {
    const done: unknown[] = [];
    const app = await build(
      { SIGN_IN_ISSUER: 'off' },
      {
        ...realProviders,
        async payments({ addFeature }) {
          addFeature({
            routes: [(to) => void to.get('/dev/shop', () => 'a shop')],
            jobs: [
              job({
                name: 'shop.open',
                payload: z.object({ on: z.string() }),
                run: (_, payload) => done.push(payload),
              }),
            ],
          });
          return null;
        },
      },
    );
    expect((await app.inject({ url: '/dev/shop', headers: { host: 'localhost' } })).body).toBe('a shop');
    await pool.query(`select graphile_worker.add_job('shop.open', '{"on": "Monday"}')`);
    await drainJobs(pool, app.background.tasks, log);
    expect(done).toEqual([{ on: 'Monday' }]);
    await app.close();
  });
});
