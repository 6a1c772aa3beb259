import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { poseMinutes, selfieRecordDays, selfieWaitDays } from '#contract/constants.ts';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import { deleteWhere, updateWhere } from '../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '../../platform/jobs/turns.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { endCheck } from './decide.ts';

const daySeconds = 86_400;
const readAtOnce = 200;

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
  const due = pagesOf<{ id: string }>((after) =>
    db
      .selectFrom('selfie_check')
      .select('id')
      .where('state', '=', 'waiting')
      .where('sent_at', '<=', oldest)
      .$if(after !== undefined, (query) => query.where('id', '>', after?.id ?? ''))
      .orderBy('id')
      .limit(readAtOnce)
      .execute(),
  );
  const end = ({ id }: { id: string }) =>
    inTransaction(db, async (tx) => {
      const check = await tx
        .selectFrom('selfie_check')
        .innerJoin('account', 'account.id', 'account_id')
        .select(['account_id', 'email'])
        .where('selfie_check.id', '=', id)
        .where('state', '=', 'waiting')
        .forUpdate('selfie_check')
        .executeTakeFirst();
      if (check === undefined) return;
      await endCheck(tx, id, { state: 'expired' });
      await queueMail(tx, { to: check.email, accountId: check.account_id, template: 'selfieExpired', data: {} }, now);
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
