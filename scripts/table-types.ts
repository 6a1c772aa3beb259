import { join } from 'node:path';
import { generate, PostgresDialect } from 'kysely-codegen';
import { format, resolveConfig } from 'prettier';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { projectRoot } from '../launcher/command.ts';

/** The file of the tables' types. */
export const tablesFile = join(projectRoot, 'server/src/platform/db/generated/tables.ts');

/** The types of our tables in the migrated database at `url`, as the text of `tablesFile`. */
export async function tableTypes(url: string): Promise<string> {
  const db = createDb(createPool(url, { max: 1 }));
  try {
    // The pool reads days as text.
    const dialect = new PostgresDialect({ dateParser: 'string' });
    const text = await generate({ db, dialect, includePattern: 'public.*', outFile: null });
    return await format(text, { ...(await resolveConfig(tablesFile)), filepath: tablesFile });
  } finally {
    await db.destroy();
  }
}
