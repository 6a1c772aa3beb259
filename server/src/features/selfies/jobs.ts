import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { poseMinutes, selfieRecordDays, selfieWaitDays } from '#contract/constants.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import { deleteWhere, updateWhere } from '../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { eachInTurn } from '../../platform/jobs/turns.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { sweepBytes } from '../media/public.ts';
import { tellMember } from './decide.ts';
import { withoutSelfies } from './tables.ts';

const daySeconds = 86_400;

/** Ends attempts whose pose is no longer valid, and those of accounts that are leaving. The database discards their bytes. */
async function endUnsent(db: Db, now: Date): Promise<void> {
  const oldest = secondsAfter(now, -poseMinutes * 60);
  await updateWhere(
    db,
    'selfie_check',
    sql`state = case when state = 'drawn' then 'expired' else 'withdrawn' end, front_key = null, posed_key = null`,
    sql`state = 'drawn' and asked_at <= ${oldest}
      or state = 'waiting' and account_id in (select id from account where leaving_since is not null)`,
  );
}

/** Deletes selfies that no one decided about within seven days, and tells the member. */
async function endUndecided(db: Db, now: Date): Promise<void> {
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

/** The background work of photo verification: ending attempts that are over, so that their selfies are deleted. */
export function selfieTasks({ db, clock }: Deps): TaskList {
  return {
    'selfies.tidy': async () => {
      const now = clock.now();
      const forgotten = sql`asked_at <= ${secondsAfter(now, -selfieRecordDays * daySeconds)}`;
      const steps = [
        () => endUnsent(db, now),
        () => endUndecided(db, now),
        () => deleteWhere(db, 'selfie_check', forgotten),
      ];
      await eachInTurn(steps, (step) => step());
    },
  };
}

export const selfieSchedules: Schedule[] = [{ cron: '* * * * *', task: 'selfies.tidy' }];
