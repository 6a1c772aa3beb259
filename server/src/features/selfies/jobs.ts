import { type RawBuilder, sql } from 'kysely';
import { poseMinutes, selfieWaitDays } from '#contract/constants.ts';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { updateWhere } from '#platform/jobs/due-rows.ts';
import { job } from '#platform/jobs/job.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { selfiePrefix, sweepBytes } from '../media/public.ts';
import { tellMember } from './decide.ts';
import { withoutSelfies } from './check-row.ts';

const daySeconds = 86_400;

/** The condition on attempts whose pose is no longer valid, and on those of accounts that are leaving or closed. */
export const isUnsent = (now: Date): RawBuilder<unknown> =>
  sql`state = 'drawn' and asked_at <= ${secondsAfter(now, -poseMinutes * 60)}
    or state = 'waiting' and (select a.leaving_since is not null or not a.is_active from account a where a.id = account_id)`;

/** Ends attempts whose pose is no longer valid, and those of accounts that are leaving or closed. The database discards their bytes. */
async function endUnsent({ db, clock }: Deps): Promise<void> {
  await updateWhere(
    db,
    'selfie_check',
    sql`state = case when state = 'drawn' then 'expired' else 'withdrawn' end, front_key = null, posed_key = null`,
    isUnsent(clock.now()),
  );
  await inTransaction(db, sweepBytes);
}

/** Deletes selfies that no one decided about within seven days, and tells the member. */
async function endUndecided({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const oldest = secondsAfter(now, -selfieWaitDays * daySeconds);
  const due = await db
    .selectFrom('selfie_check')
    .select('id')
    .where('state', '=', 'waiting')
    .where('sent_at', '<=', oldest)
    .execute();
  const end = ({ id }: { id: string }) =>
    inTransaction(db, async (tx) => {
      const ended = await tx
        .updateTable('selfie_check')
        .set({ state: 'expired', ...withoutSelfies })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returning('account_id')
        .executeTakeFirst();
      if (ended === undefined) return;
      const { account_id: accountId } = ended;
      const account = tx.selectFrom('account').select('email').where('id', '=', accountId);
      const { email } = await account.executeTakeFirstOrThrow();
      await tellMember(tx, { id, accountId, email }, { template: 'selfieExpired', data: {} }, now);
      await sweepBytes(tx);
    });
  await eachInTurn(due, end, { round: 'selfies.tidy', keyOf: ({ id }) => id });
}

/**
 * Deletes selfies that the database doesn't know, which are left where it was restored from a backup. Bytes are noted in the database before
 * they are stored.
 */
async function forgetUnknown({ db, storage }: Deps): Promise<void> {
  const keys = await storage.list(selfiePrefix, '');
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key
    where not exists (select from selfie_check where state in ('drawn', 'waiting') and key in (front_key, posed_key))
      and not exists (select from media_discard where object_key = key)`.execute(db);
  await eachInTurn(rows, ({ key }) => storage.remove(key));
}

/** The background work of photo verification: ending attempts that are over, so that their selfies are deleted. */
export const selfieJobs = [
  job({ name: 'selfies.forgetUnknown', cron: '41 3 * * *', run: forgetUnknown }),
  forgetJob('selfies.tidy', '* * * * *', endUnsent, endUndecided),
];
