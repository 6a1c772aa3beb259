import type { Pool } from 'pg';
import type { OpenDatabase } from './open-database.ts';
import { demoIsReachable, type MigrationConfig } from './platform/config/config.ts';
import { isLoopback } from './platform/config/exposure.ts';
import { createDb, hasDemoData } from './platform/db/db.ts';
import { createPool } from './platform/db/pool.ts';
import { systemClock } from './platform/process/clock.ts';
import { StartError } from './platform/process/lifecycle.ts';

interface DemoOptions {
  /** The serving role's connections. */
  pool: Pool;
  ownerUrl: OpenDatabase['ownerUrl'];
  say: (line: string) => void;
}

/** Fills the database with demo data if that is wanted, and returns whether it holds such data now. Its code is only loaded if so. */
export async function fillWithDemoData(
  { host, seed, prices }: Pick<MigrationConfig, 'host' | 'seed' | 'prices'>,
  { pool, ownerUrl, say }: DemoOptions,
): Promise<boolean> {
  const filled = await hasDemoData(createDb(pool));
  if (filled && seed.mode === 'none' && !isLoopback(host)) throw new StartError(demoIsReachable);
  if (filled || seed.mode === 'none') return filled;
  if (ownerUrl === null)
    throw new StartError(
      'SEED=demo fills tables, which only their owner may do: run npm run migrate with SEED=demo and DATABASE_OWNER_URL.',
    );
  say(`Filling the database with ${seed.members} demo members …`);
  const { seedDemo } = await import('../../demo/seed.ts');
  // Filling the tables turns triggers off, which only their owner may do.
  const owner = createPool(ownerUrl);
  await seedDemo(owner, { members: seed.members, now: systemClock.now(), prices, log: say, serving: pool });
  await owner.end();
  return true;
}
