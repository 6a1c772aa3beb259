import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { deleteWhere } from '../../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { eachInTurn } from '../../../platform/jobs/turns.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import { fileNotice } from './file.ts';
import { noticeToken } from './links.ts';
import { decidedNotices } from './own.reads.ts';

/** How long closed notices are kept: twice as long as they can be appealed. Those with a report are deleted with it. */
const keptDays = 366;

/** What the author doesn't know yet: a decision or the answer to an appeal after they were told, or after they confirmed their address. */
const hasNews = sql`n.confirmed_at is not null and n.email is not null
  and greatest(decision.decided_at, a.answered_at, n.closed_at, n.plea_answered_at) > coalesce(n.told_at, n.confirmed_at)`;

/** Mails people who confirmed their address that there is an answer: one mail for all their notices. */
async function tellAuthors({ db, appealKey }: Deps, now: Date): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    select distinct n.email from ${decidedNotices} where ${hasNews}`.execute(db);
  const tell = ({ email }: { email: string }) =>
    inTransaction(db, async (tx) => {
      const { rows: notices } = await sql<{ id: string }>`
        select n.id from ${decidedNotices} where n.email = ${email} and ${hasNews} order by n.at desc, n.id for update of n`.execute(
        tx,
      );
      const [newest] = notices;
      if (newest === undefined) return;
      const ids = notices.map(({ id }) => id);
      await tx.updateTable('outsider_notice').set({ told_at: now }).where('id', 'in', ids).execute();
      const data = { token: noticeToken(appealKey, { id: newest.id, email }, now) };
      await queueMail(tx, { to: email, accountId: null, template: 'noticeDecided', data }, now);
    });
  await eachInTurn(rows, tell, { round: 'outsiders.tell', keyOf: ({ email }) => email });
}

/** The background work of notices from outside. */
export function outsiderTasks(deps: Deps): TaskList {
  const { db, clock } = deps;
  return {
    'outsiders.file': (payload) => fileNotice(deps, (payload as { id: string }).id, clock.now()),
    'outsiders.tell': () => tellAuthors(deps, clock.now()),
    'outsiders.cleanUp': () => {
      const end = secondsAfter(clock.now(), -keptDays * 86_400);
      return deleteWhere(db, 'outsider_notice', sql`report_id is null and closed_at <= ${end}`);
    },
  };
}

export const outsiderSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'outsiders.tell' },
  { cron: '43 3 * * *', task: 'outsiders.cleanUp' },
];
