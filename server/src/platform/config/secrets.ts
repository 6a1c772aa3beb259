import { randomBytes } from 'node:crypto';
import type { Db } from '../db/db.ts';

/** The value of an installation-wide secret: `given` if the environment names one, else made once and shared by all processes. */
export async function installationSecret(db: Db, name: string, given: string | null): Promise<string> {
  if (given !== null) return given;
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((c) => c.column('name').doNothing())
    .execute();
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
