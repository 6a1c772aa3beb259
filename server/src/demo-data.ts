import type { Pool } from 'pg';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import type { OpenDatabase } from './open-database.ts';
import { demoIsReachable, type MigrationConfig } from '#platform/config/config.ts';
import { isLoopback } from '#platform/config/exposure.ts';
import { createDb, type Db, hasDemoData } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import type { Ticker } from '#platform/jobs/jobs.ts';
import { type Clock, systemClock } from '#platform/process/clock.ts';
import { StartError } from '#platform/process/lifecycle.ts';

export interface DemoAccount {
  what: string;
  email: string;
  password: string;
}

/** Demo members, for an installation that may contain them. */
export interface DemoData {
  /** Fills the tables as their owner. */
  fill(
    owner: Pool,
    options: {
      members: number;
      now: Date;
      prices: Record<Plan, Money>;
      log: (line: string) => void;
      serving: Pool;
    },
  ): Promise<void>;
  /** The accounts that users can sign in with. */
  accounts(): Promise<readonly DemoAccount[]>;
  /** Keeps some of the members online. */
  ticker(db: Db, clock: Clock): Promise<Ticker>;
}

interface DemoOptions {
  /** The connections of the serving role. */
  pool: Pool;
  ownerUrl: OpenDatabase['ownerUrl'];
  /** Undefined if this process has no demo data. */
  demo: DemoData | undefined;
  say: (line: string) => void;
}

/**
 * Throws a `StartError` if others could reach the demo accounts of a database. In production that is always possible,
 * because a proxy forwards requests.
 */
function refuseReachable({ production, host, seed }: Pick<MigrationConfig, 'production' | 'host' | 'seed'>): void {
  if (seed.mode === 'demo') return;
  if (production)
    throw new StartError(
      'This database has demo accounts, whose passwords are published. Use another one in production, or set SEED=demo to allow them.',
    );
  if (!isLoopback(host)) throw new StartError(demoIsReachable);
}

/** Fills the database with demo data if configured, and returns whether it contains such data now. */
export async function fillWithDemoData(
  config: Pick<MigrationConfig, 'production' | 'host' | 'seed' | 'prices'>,
  { pool, ownerUrl, demo, say }: DemoOptions,
): Promise<boolean> {
  const { seed, prices } = config;
  const filled = await hasDemoData(createDb(pool));
  if (filled) refuseReachable(config);
  if (filled || seed.mode === 'none') return filled;
  if (demo === undefined)
    throw new StartError('SEED=demo works only with npm start and npm run migrate: use them, or set SEED=none.');
  if (ownerUrl === null)
    throw new StartError(
      'SEED=demo fills tables, which only their owner may do: run npm run migrate with SEED=demo and DATABASE_OWNER_URL.',
    );
  say(`Filling the database with ${seed.members} demo members …`);
  // Filling the tables turns triggers off, which only their owner may do.
  const owner = createPool(ownerUrl);
  await demo.fill(owner, { members: seed.members, now: systemClock.now(), prices, log: say, serving: pool });
  await owner.end();
  return true;
}
