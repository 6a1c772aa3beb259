import type { Db } from './db.ts';

/** Whether this database was filled with demo data, by this process or an earlier one. */
export async function hasDemoData(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('name').where('name', '=', 'demo').executeTakeFirst();
  return row !== undefined;
}
