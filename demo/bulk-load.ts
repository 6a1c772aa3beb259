import type pg from 'pg';

/**
 * Runs `fill`, which writes many rows of `table`, without that table's triggers. The caller does the triggers' work for
 * all rows at once.
 */
export async function withoutTriggers(client: pg.ClientBase, table: string, fill: () => Promise<void>): Promise<void> {
  await client.query(`alter table ${table} disable trigger user`);
  await fill();
  await client.query(`alter table ${table} enable trigger user`);
}

/**
 * Runs `fill` while `tables` only have the indexes that constraints need, and rebuilds the others afterwards. Must be
 * called in a transaction, so that an interrupted run leaves the indexes unchanged.
 */
export async function withoutIndexes(
  client: pg.ClientBase,
  tables: string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by i.indexrelid`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await client.query(definition);
}
