import type { Db } from '../../../platform/db/db.ts';
import { keyedHash } from '../../../platform/config/seal.ts';
import { installationSecret } from '../../../platform/config/secrets.ts';
import { StartError } from '../../../platform/process/start-error.ts';

const name = 'factors';
const markOf = (key: string) => keyedHash(key, 'heartwood factor key').toString('base64url');

/**
 * The key that second factors are sealed with: `given`, else one made once. With another key than they were sealed with nobody
 * who has one could sign in, so the start stops.
 */
export async function factorKey(db: Db, given: string | null): Promise<string> {
  const key = await installationSecret(db, name, given);
  await db
    .insertInto('installation')
    .values({ name: 'factorKey', value: JSON.stringify(markOf(key)) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const mark = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'factorKey')
    .executeTakeFirstOrThrow();
  if (mark.value === markOf(key)) return key;
  const made = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
  if (made !== undefined && mark.value === markOf(made.value)) return made.value;
  const sealed = await db.selectFrom('totp_factor').select('account_id').limit(1).executeTakeFirst();
  if (sealed !== undefined)
    throw new StartError(
      'Second factors are sealed with another FACTOR_SECRET (or JWT_SECRET, where there was none). Set FACTOR_SECRET to what that was.',
    );
  await db
    .updateTable('installation')
    .set({ value: JSON.stringify(markOf(key)) })
    .where('name', '=', 'factorKey')
    .execute();
  return key;
}
