import type pg from 'pg';

/** Runs `fill`, which writes many rows of `table`, without the triggers of that table: what they do, the caller does for all rows. */
export async function withoutTriggers(client: pg.ClientBase, table: string, fill: () => Promise<void>): Promise<void> {
  await client.query(`alter table ${table} disable trigger user`);
  await fill();
  await client.query(`alter table ${table} enable trigger user`);
}
