import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { entitledUntil } from './policy.ts';
import { subscriptionsOf } from './queries.ts';
import { standingOf } from './views.ts';

/**
 * Makes an account's premium what its subscriptions entitle it to at `now`. With its sweep the only writer of the table
 * that `isVIP` follows; the account is locked by the caller.
 */
export async function entitle(tx: Db, accountId: string, now: Date): Promise<void> {
  const ends = (await subscriptionsOf(tx, accountId)).map((row) => entitledUntil(standingOf(row))?.getTime() ?? 0);
  const until = new Date(Math.max(0, ...ends));
  if (until > now) {
    await tx
      .insertInto('entitlement')
      .values({ account_id: accountId, until })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ until }))
      .execute();
  } else {
    await tx.deleteFrom('entitlement').where('account_id', '=', accountId).execute();
  }
}

// A renewal that is paid on time is heard of some seconds after the old period's end.
const lagSeconds = 30;

/** Ends the premium whose time is over at `now`, each at most half a minute late. */
export async function sweepEntitlements(db: Db, now: Date): Promise<void> {
  await sql`delete from entitlement where until <= ${now}::timestamptz - make_interval(secs => ${lagSeconds})`.execute(
    db,
  );
}
