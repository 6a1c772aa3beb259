import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { job } from '#platform/jobs/job.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { type Release, releaseLikes } from '../../connections/public.ts';
import { releaseMessages } from '../../messages/public.ts';
import { type CaseContext, syncCase, tellStaff } from '../work/case-row.ts';
import { endHold, lockHold } from './hold.ts';

/** The background work of holds: delivering withheld items, and ending holds without a decision. */
export const holdJobs = [
  job({ name: 'holds.release', cron: '* * * * *', run: releaseHolds }),
  job({ name: 'holds.expire', cron: '* * * * *', run: expireHolds }),
];

/** Delivers due items of ended holds, and later those that can't be delivered yet because someone is hidden. */
async function releaseHolds(deps: Deps): Promise<void> {
  const { rows } = await sql<Release>`
    select id, account_id, releasing_since from account_hold h where releasing_since is not null
      and exists (select from directory d where d.account_id = h.account_id and d.is_shown)
    order by releasing_since`.execute(deps.db);
  const turn = { round: 'holds.release', keyOf: ({ id }: Release) => id };
  await eachInTurn(
    rows,
    async (hold) => {
      await eachInTurn([releaseLikes, releaseMessages], (release) => release(deps, hold));
      await sql`update account_hold set releasing_since = null where id = ${hold.id}::uuid and outcome <> 'dropped'
        and not exists (select from decision
          where kind in ('held', 'like') and hold_id = ${hold.id}::uuid)
        and not exists (select from held_message
          where sender_id = ${hold.account_id}::uuid and hold_id = ${hold.id}::uuid and not is_dropped)`.execute(
        deps.db,
      );
    },
    turn,
  );
}

/** Ends expired holds. */
async function expireHolds(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const { rows } = await sql<{ accountId: string; caseId: string }>`
    select account_id as "accountId", case_id as "caseId" from account_hold
    where ended_at is null and ends_at <= ${now}::timestamptz order by ends_at`.execute(db);
  await eachInTurn(
    rows,
    ({ accountId, caseId }) => inTransaction(db, (tx) => expire({ tx, deps, now }, accountId, caseId)),
    {
      round: 'holds.expire',
      keyOf: ({ accountId }) => accountId,
    },
  );
}

/** Takes its locks in the order in which decisions do. */
async function expire(context: CaseContext, accountId: string, caseId: string): Promise<void> {
  const { tx, now } = context;
  await sql`select from account where id = ${accountId}::uuid for no key update`.execute(tx);
  await sql`select from moderation_case where id = ${caseId}::uuid for update`.execute(tx);
  const hold = await lockHold(tx, accountId);
  if (hold === undefined || hold.ends_at > now) return;
  await endHold(tx, hold, { outcome: 'expired' }, now);
  await syncCase(context, caseId);
  await tellStaff(tx, caseId);
}
