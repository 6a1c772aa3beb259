import pg from 'pg';
import { adminUrl, type TestApp } from '../../harness.ts';

/** Cuts a running app off its database: every connection breaks and no new one succeeds. */
export async function loseDatabase(test: TestApp): Promise<void> {
  const name = new URL(test.pool.options.connectionString ?? '').pathname.slice(1);
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  await client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`);
  await client.end();
}
