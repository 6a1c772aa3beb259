import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type { Columns } from '#platform/db/columns.ts';
import type { DB } from '#platform/db/generated/tables.ts';
import { tablesFile, tableTypes } from '../../../../scripts/table-types.ts';
import { cloneDatabase } from '../../harness.ts';

it('the table types match the migrated database', async () => {
  const database = await cloneDatabase();
  try {
    const current = await tableTypes(database.url);
    expect(readFileSync(tablesFile, 'utf8'), 'Run `npm run tables`').toBe(current);
  } finally {
    await database.drop();
  }
});

/** Tables and columns in `Columns` that the database lacks. */
type Unknown = {
  [Table in keyof Columns]: Table extends keyof DB ? Exclude<keyof Columns[Table], keyof DB[Table]> : Table;
}[keyof Columns];

it('only existing columns have types of their own', () => {
  expectTypeOf<Unknown>().toBeNever();
});
