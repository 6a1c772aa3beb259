import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { isPreserved } from '#platform/db/preservation.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { dayOf } from '#platform/process/clock.ts';
import { entryOf, type StaffReadFacts } from './policy.ts';

const atOnce = 500;

/** Accounts with entries that their owners don't see yet. */
const waitingAccounts = (db: Db) =>
  pagesOf<{ id: string }>(async (after) => {
    const { rows } = await sql<{ id: string }>`
      select distinct account_id as id from staff_read
      where shown_on is null and account_id > ${after?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by account_id limit ${atOnce}`.execute(db);
    return rows;
  });

/** The days on which staff opened an account and that its owner doesn't see yet, with the facts that determine whether they may. */
async function waitingReads(tx: Db, accountId: string): Promise<StaffReadFacts[]> {
  const { rows } = await sql<StaffReadFacts>`
    select r.kind, r.day::text as day, c.id as "caseId", c.opened_at as "caseOpenedAt",
      coalesce(c.stage <> 'decided', false)
        or exists (select from appeal p where p.case_id = c.id and p.state in ('submitted', 'under_review'))
        or exists (select from account_hold h where h.account_id = r.account_id and h.ended_at is null) as "isOpen",
      greatest(c.decided_at, c.confirmed_at,
        (select max(greatest(p.answered_at, p.withdrawn_at)) from appeal p where p.case_id = c.id),
        (select max(h.ended_at) from account_hold h where h.account_id = r.account_id)) as "settledAt",
      exists (select from staff_read s where s.account_id = r.account_id and s.kind = 'support' and s.day = r.day)
        as "hasSupportThatDay"
    from staff_read r left join moderation_case c on c.person_id = r.account_id
    where r.account_id = ${accountId}::uuid and r.shown_on is null`.execute(tx);
  return rows;
}

/** Adds entries to a member's file that they may see by now. */
async function show(tx: Db, accountId: string, now: Date): Promise<void> {
  // Reports, decisions and legal holds also lock the account, so that none is added between reading these facts and showing the entries.
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  if (await isPreserved(tx, accountId)) return;
  for (const read of await waitingReads(tx, accountId)) {
    const shown = entryOf(read, now);
    if (shown === 'wait') continue;
    await tx
      .updateTable('staff_read')
      .set({ shown_on: dayOf(now), shown_as: shown === 'nothing' ? null : shown })
      .where('account_id', '=', accountId)
      .where('kind', '=', read.kind)
      .where('day', '=', read.day)
      .execute();
  }
}

/** The background work of the file that members see, once a day, so that its hour reveals nothing. */
export const showJob = forgetJob('ownFile.show', '11 0 * * *', ({ db, clock }) => {
  const now = clock.now();
  const add = ({ id }: { id: string }) => inTransaction(db, (tx) => show(tx, id, now));
  return eachInTurn(waitingAccounts(db), add, { round: 'ownFile.show', keyOf: ({ id }) => id });
});
