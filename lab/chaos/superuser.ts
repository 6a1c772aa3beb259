import pg from 'pg';
import type { Product } from './product.ts';

/** A direct superuser connection to the product's embedded database. */
export async function asSuperuser(product: Product): Promise<pg.Client> {
  const url = new URL(product.databaseUrl());
  url.username = 'postgres';
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Cuts all of the product's database connections; returns how many there were. */
export async function cutConnections(product: Product): Promise<number> {
  const client = await asSuperuser(product);
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  await client.end();
  return rowCount ?? 0;
}
