import { expect, it, onTestFinished } from 'vitest';
import { cloneDatabase } from '../test/harness.ts';
import { fillWithDemoData } from './demo-data.ts';
import { defaultPrices } from '#platform/config/payments.ts';
import { createPool } from '#platform/db/pool.ts';

it('fillWithDemoData refuses to start with demo accounts that others could reach, unless demo data is requested explicitly', async () => {
  const database = await cloneDatabase();
  const pool = createPool(database.url);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query(`insert into installation (name, value) values ('demo', '{}')`);
  const start = (production: boolean, host: string, mode: 'demo' | 'none') =>
    fillWithDemoData(
      { production, host, seed: { mode, members: 1 }, prices: defaultPrices },
      { pool, ownerUrl: null, demo: undefined, say: () => undefined },
    );
  expect(await start(false, '127.0.0.1', 'none')).toBe(true);
  await expect(start(false, '0.0.0.0', 'none')).rejects.toThrow(/^HOST /);
  await expect(start(true, '127.0.0.1', 'none')).rejects.toThrow(/demo accounts, whose passwords are published/);
  for (const production of [false, true]) expect(await start(production, '0.0.0.0', 'demo')).toBe(true);
});
