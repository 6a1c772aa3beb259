import { sql } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import { entitledUntil } from './policy.ts';
import { subscriptionsOf } from './queries.ts';
import { standingOf } from './views.ts';

/**
 * Gives an account the Premium that its subscriptions entitle it to at `now`. With the sweep below, the only place that decides
 * it; the account is locked by the caller.
 */
export async function entitle(tx: Db, accountId: string, now: Date): Promise<void> {
  const ends = (await subscriptionsOf(tx, accountId)).map((row) => entitledUntil(standingOf(row))?.getTime() ?? 0);
  const until = new Date(Math.max(0, ...ends));
  await setEntitlement(tx, accountId, until > now ? until : null);
}

/** Gives an account Premium until a moment, or ends it with null. `account.is_vip` says the same, for everything that reads it. */
export async function setEntitlement(tx: Db, accountId: string, until: Date | null): Promise<void> {
  const change =
    until === null
      ? sql`delete from entitlement where account_id = ${accountId}::uuid`
      : sql`insert into entitlement (account_id, until) values (${accountId}::uuid, ${until})
          on conflict (account_id) do update set until = excluded.until`;
  await sql`
    with changed as (${change})
    update account set is_vip = ${until !== null}::boolean
    where id = ${accountId}::uuid and is_vip <> ${until !== null}::boolean`.execute(tx);
}

// A renewal that is paid on time is heard of some seconds after the old period's end.
const lagSeconds = 30;

/** Ends the premium whose time is over at `now`, each at most half a minute late. */
export async function sweepEntitlements(db: Db, now: Date): Promise<void> {
  await sql`
    with ended as (
      delete from entitlement where until <= ${now}::timestamptz - make_interval(secs => ${lagSeconds}) returning account_id
    )
    update account a set is_vip = false from ended where a.id = ended.account_id`.execute(db);
}
