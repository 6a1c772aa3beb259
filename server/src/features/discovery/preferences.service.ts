import { noPreferences, type PreferenceKey, type Preferences, type putPreferences } from '#contract/discovery.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Caller } from '../../platform/caller.ts';
import { inTransaction, type Db } from '../../platform/db.ts';
import { setSeeking } from '../profiles/profiles.public.ts';

type Given = BodyOf<typeof putPreferences>;
type Wishes = Omit<Preferences, 'seeking'>;

function demandMember(caller: Caller): void {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Staff accounts look for nobody');
}

async function wishesOf(db: Db, accountId: string): Promise<Wishes> {
  const row = await db.selectFrom('preference').select('wishes').where('account_id', '=', accountId).executeTakeFirst();
  return { ...noPreferences, ...row?.wishes };
}

/** Whom the caller wants to see. 403 for staff. */
export async function preferencesOf(db: Db, caller: Caller): Promise<Preferences> {
  demandMember(caller);
  return { seeking: caller.seeking, ...(await wishesOf(db, caller.accountId)) };
}

/** Changes whom the caller wants to see: absent keeps, null clears; answers all of it as it is then. 403 for staff. */
export async function changePreferences(db: Db, caller: Caller, given: Given, now: Date): Promise<Preferences> {
  demandMember(caller);
  return await inTransaction(db, async (tx) => {
    // The profile's row orders two changes at once, and holds whom one seeks.
    const seeking = await setSeeking(tx, caller.accountId, given.seeking);
    const before = await wishesOf(tx, caller.accountId);
    const said = (Object.keys(noPreferences) as PreferenceKey[]).filter((key) => given[key] !== undefined);
    const wishes: Wishes = { ...before, ...Object.fromEntries(said.map((key) => [key, given[key]])) };
    const row = { wishes: JSON.stringify(wishes), updated_at: now };
    await tx
      .insertInto('preference')
      .values({ account_id: caller.accountId, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
      .execute();
    return { seeking, ...wishes };
  });
}
