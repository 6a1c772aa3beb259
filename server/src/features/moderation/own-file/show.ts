import { sql } from 'kysely';
import type { TaskList } from 'graphile-worker';
import { staffReadDelayDays, staffReadKeptDays, type StaffReadKind } from '#contract/moderation/own-file.ts';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { isUnderLegalHold, isUnheld } from '../../../platform/db/legal-hold.ts';
import { deleteWhere } from '../../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '../../../platform/jobs/turns.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { noticeOf, type StaffReadFacts } from './policy.ts';

const daySeconds = 86_400;
const atOnce = 500;

interface DueRead extends Omit<StaffReadFacts, 'isUnderLegalHold'> {
  accountId: string;
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** That staff opened accounts, as far as time alone decides that their owners may see it, with what else decides. */
function dueReads(db: Db, isDue: ReturnType<typeof sql>) {
  return pagesOf<DueRead>(async (after) => {
    const { rows } = await sql<DueRead>`
      select r.account_id as "accountId", r.kind, r.day::text as day, c.opened_at as "caseOpenedAt",
        coalesce(c.stage <> 'decided', false) or ${hasOpen.appeal} or ${hasOpen.hold} as "isOpen",
        greatest(c.decided_at, c.confirmed_at,
          (select max(greatest(p.answered_at, p.withdrawn_at)) from appeal p where p.case_id = c.id),
          (select max(h.ended_at) from account_hold h where h.account_id = r.account_id)) as "settledAt",
        exists (select from staff_read_notice n where n.account_id = r.account_id and n.day = r.day and n.kind = 'support')
          as "hasSupportThatDay"
      from staff_read r left join moderation_case c on c.person_id = r.account_id
      where ${isDue} and (r.account_id, r.kind, r.day) > (${after?.accountId ?? nil}::uuid, ${after?.kind ?? ''}, ${after?.day ?? '-infinity'}::date)
      order by r.account_id, r.kind, r.day limit ${atOnce}`.execute(db);
    return rows;
  });
}

const nil = '00000000-0000-0000-0000-000000000000';
const hasOpen = {
  appeal: sql`exists (select from appeal p where p.case_id = c.id and p.state in ('submitted', 'under_review'))`,
  hold: sql`exists (select from account_hold h where h.account_id = r.account_id and h.ended_at is null)`,
};

/** Adds to members' files what they may see by now. */
async function show(db: Db, isDue: ReturnType<typeof sql>, now: Date): Promise<void> {
  const add = async ({ accountId, ...read }: DueRead) => {
    const shown = noticeOf({ ...read, isUnderLegalHold: await isUnderLegalHold(db, accountId) }, now);
    if (shown === 'wait') return;
    await inTransaction(db, async (tx) => {
      const { rows } = await sql`
        delete from staff_read where account_id = ${accountId}::uuid and kind = ${read.kind} and day = ${read.day}::date
        returning 1`.execute(tx);
      if (rows.length > 0 && shown !== 'nothing') await addNotice(tx, accountId, shown, now);
    });
  };
  await eachInTurn(dueReads(db, isDue), add, {
    round: 'ownFile.show',
    keyOf: ({ accountId, kind, day }) => `${accountId} ${kind} ${day}`,
  });
}

async function addNotice(tx: Db, accountId: string, kind: StaffReadKind, now: Date): Promise<void> {
  await sql`
    insert into staff_read_notice (account_id, day, kind) select id, ${dayOf(now)}::date, ${kind} from account
    where id = ${accountId}::uuid on conflict do nothing`.execute(tx);
}

/** The background work of the file that members see. All that isn't asked for is added once a day, so that its hour tells nothing. */
export function ownFileTasks({ db, clock }: Deps): TaskList {
  return {
    'ownFile.showAsked': () => show(db, sql`r.kind = 'support'`, clock.now()),
    'ownFile.showOther': async () => {
      const now = clock.now();
      const latest = dayOf(secondsAfter(now, -(staffReadDelayDays + 1) * daySeconds));
      const forgotten = sql`day < ${dayOf(secondsAfter(now, -staffReadKeptDays * daySeconds))}::date and ${isUnheld()}`;
      const steps = [
        () => show(db, sql`r.kind <> 'support' and r.day <= ${latest}::date`, now),
        () => deleteWhere(db, 'staff_read_notice', forgotten),
      ];
      await eachInTurn(steps, (step) => step());
    },
  };
}

export const ownFileSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'ownFile.showAsked' },
  { cron: '11 0 * * *', task: 'ownFile.showOther' },
];
