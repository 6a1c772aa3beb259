import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { login } from '#contract/auth/session.ts';
import { demoAccounts } from '../../demo/accounts.ts';
import { mustCall } from '../../server/test/proofs/http.ts';
import { createProduct } from '../../server/test/proofs/product.ts';
import { sessionIn } from '../../server/test/session-in.ts';
import { residentMegabytes, type Usage, usageOf } from './usage.ts';

/** The product, serving one database in a process of its own. */
export interface Service {
  origin: string;
  db: pg.Pool;
  /** What serving has cost since the start. */
  usage(): Promise<Usage>;
  megabytes(): number;
  stop(): Promise<void>;
}

/** Starts the product on a database. */
export async function serve(url: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-bench-'));
  const product = await createProduct(folder, { DATABASE_URL: url });
  const db = new pg.Pool({ connectionString: url });
  await product.start();
  return {
    origin: product.origin,
    db,
    usage: () => usageOf(product.pid(), db),
    megabytes: () => residentMegabytes(product.pid()),
    async stop() {
      await db.end();
      await product.end('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

/** A token of the demo's administrator. */
export async function administratorToken({ origin }: Service): Promise<string> {
  const [{ email, password }] = demoAccounts;
  return sessionIn(await mustCall(origin, login, { body: { email, password } })).token;
}
