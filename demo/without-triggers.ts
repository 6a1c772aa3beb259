import type pg from 'pg';

/**
 * Runs `fill`, which writes many rows of `table`, without that table's triggers; the caller does their work for all
 * rows at once.
 */
export async function withoutTriggers(client: pg.ClientBase, table: string, fill: () => Promise<void>): Promise<void> {
  await client.query(`alter table ${table} disable trigger user`);
  await fill();
  await client.query(`alter table ${table} enable trigger user`);
}
