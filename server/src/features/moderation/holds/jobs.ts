import { sql } from 'kysely';
import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { eachInTurn } from '../../../platform/jobs/turns.ts';
import { releaseLikes } from '../../connections/public.ts';
import { releaseMessages } from '../../messages/public.ts';
import { syncCase, tellStaff } from '../cases/case-row.ts';
import { endHold, lockHold } from './hold.ts';

/** The background work of holds: delivering what waited, and the end of holds that no one decided on. */
export function holdTasks(deps: Deps): TaskList {
  return {
    'holds.release': async (payload) => {
      const { accountId } = payload as { accountId: string };
      await eachInTurn([releaseLikes, releaseMessages], (release) => release(deps, accountId));
    },
    'holds.expire': () => expireHolds(deps.db, deps.clock.now()),
  };
}

export const holdSchedules: Schedule[] = [{ cron: '* * * * *', task: 'holds.expire' }];

/** Ends the holds whose time is over. */
async function expireHolds(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ accountId: string; caseId: string }>`
    select account_id as "accountId", case_id as "caseId" from account_hold
    where ended_at is null and ends_at <= ${now}::timestamptz order by ends_at`.execute(db);
  await eachInTurn(rows, ({ accountId, caseId }) => inTransaction(db, (tx) => expire(tx, accountId, caseId, now)), {
    round: 'holds.expire',
    keyOf: ({ accountId }) => accountId,
  });
}

/** Takes its locks in the order in which decisions do. */
async function expire(tx: Db, accountId: string, caseId: string, now: Date): Promise<void> {
  await sql`select from account where id = ${accountId}::uuid for no key update`.execute(tx);
  await sql`select from moderation_case where id = ${caseId}::uuid for update`.execute(tx);
  const hold = await lockHold(tx, accountId);
  if (hold === undefined || hold.ends_at > now) return;
  await endHold(tx, hold, { outcome: 'expired' }, now);
  await syncCase(tx, caseId, now);
  await tellStaff(tx, caseId);
}
