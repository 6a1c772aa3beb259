import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { Language } from '#contract/languages.ts';
import { appealDays } from '#contract/moderation/decisions.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { isUnpreserved } from '#platform/db/preservation.ts';
import { updateWhere } from '#platform/jobs/due-rows.ts';
import { idPayload, job } from '#platform/jobs/job.ts';
import { owedSince } from '#platform/jobs/owed.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import { deleteOver } from '#platform/people/forget.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { fileOutsiderReport } from './file.ts';
import { appealUntil } from '../decisions/links.ts';
import { outsiderToken } from './links.ts';
import { decidedOutsiderReports } from './own.reads.ts';

const outsiderLink = (publicUrl: string, token = '') => new URL(`/app/report#${token}`, publicUrl).href;

const footnote = msg`If you didn't write to us, you can ignore this email. We send at most one a day to an address that no one has confirmed.`;

/** The mails to people who are not members. They contain nothing about anyone on the service, and nothing of the outsider report. */
export const outsiderMails = {
  noticeReceived: (data, publicUrl) => ({
    subject: msg`We received your message`,
    heading: msg`Thank you, we received your notice`,
    paragraphs: [
      msg`A person on our team will read it. The people it is about never learn who told us.`,
      msg`Open your page to confirm this address. There you can see what became of your notices, and we email you when there is a decision.`,
    ],
    button: { text: msg`Open my page`, url: outsiderLink(publicUrl, data['token']) },
    footnote,
  }),
  noticeDecided: (data, publicUrl) => ({
    subject: msg`There is an answer`,
    heading: msg`We have decided about your notice`,
    paragraphs: [
      msg`A person on our team has read your notice and decided. You can read the answer on your page.`,
      msg`If we named a decision not to act and you disagree, you can appeal there within ${{ appealDays }} days. Someone else will decide.`,
    ],
    button: { text: msg`Read the answer`, url: outsiderLink(publicUrl, data['token']) },
  }),
} satisfies MailTemplates;

const daySeconds = 86_400;

/** How long outsider reports without a report are kept. Those with a report are deleted with it. */
const keptDays = { unconfirmed: 30, others: 366 };

/** News for the author: a decision, or the answer to an appeal, that is later than the last mail or than the confirmation of their address. */
const hasNews = sql`n.confirmed_at is not null and n.email is not null
  and greatest(decision.decided_at, a.answered_at, n.closed_at, n.plea_answered_at) > coalesce(n.told_at, n.confirmed_at)`;

/** Mails people with a confirmed address that there is an answer: one mail for all their reports. */
async function tellAuthors({ db, appealKey, clock }: Deps): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ email: string }>`
    select distinct email from outsider_notice where answer_due_since is not null and email is not null`.execute(db);
  const tell = ({ email }: { email: string }) =>
    inTransaction(db, async (tx) => {
      const { rows: outsiderReports } = await sql<{ id: string; language: Language }>`
        select n.id, n.language from ${decidedOutsiderReports} where n.email = ${email} and ${hasNews} order by n.at desc, n.id for update of n`.execute(
        tx,
      );
      await sql`update outsider_notice set answer_due_since = null
        where email = ${email} and answer_due_since is not null`.execute(tx);
      const [newest] = outsiderReports;
      if (newest === undefined) return;
      const ids = outsiderReports.map(({ id }) => id);
      await tx.updateTable('outsider_notice').set({ told_at: now }).where('id', 'in', ids).execute();
      const data = { token: outsiderToken(appealKey, { id: newest.id, email }, now) };
      await queueMail(
        tx,
        {
          to: email,
          accountId: null,
          template: 'noticeDecided',
          data,
          language: newest.language,
          expiresAt: appealUntil(now),
        },
        now,
      );
    });
  await eachInTurn(rows, tell, { round: 'outsiders.tell', keyOf: ({ email }) => email });
}

/** How many of a person's outsider reports are processed at once after they confirm their address; the rest follow within hours. */
const confirmedMost = 50;

/** Files the reports that exceeded the limit for unconfirmed addresses. */
async function followConfirmation(deps: Deps, { id }: { id: string }): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from outsider_notice
    where email = (select email from outsider_notice where id = ${id}::uuid) and filing_due_since is not null
    order by at desc, id limit ${confirmedMost}`.execute(deps.db);
  await eachInTurn(rows, (outsiderReport) => fileOutsiderReport(deps, outsiderReport));
}

/** Erases the author of an outsider report once nothing can be appealed, and deletes reports that were never filed. */
async function cleanUp({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const before = (days: number) => sql`${secondsAfter(now, -days * daySeconds)}::timestamptz`;
  const lastDay = sql`case when report_id is null then greatest(closed_at, plea_answered_at)
    else (select greatest(max(d.decided_at), max(a.answered_at)) from report r join case_decision_report l on l.report_id = r.id
      join case_decision d on d.id = l.decision_id left join appeal a on a.id = outsider_notice.appeal_id
      where r.id = outsider_notice.report_id and r.status not in ('pending', 'in_progress')
        and (a.id is null or a.answered_at is not null) and ${isUnpreserved('r.reported_id')}) end`;
  const isOver = sql`at <= ${before(appealDays)} and coalesce(email, name) is not null and list = 'done' and ${lastDay} <= ${before(appealDays)}`;
  await updateWhere(db, 'outsider_notice', sql`name = null, email = null, forgotten_at = ${now}`, isOver);
  const isOld = sql`report_id is null and at <= ${before(keptDays.unconfirmed)}
    and (email is not null and confirmed_at is null or greatest(at, closed_at, plea_at) <= ${before(keptDays.others)})`;
  await deleteOver(db, 'outsider_notice', isOld);
}

/** The background work of outsider reports. */
export const outsiderJobs = [
  job({
    name: 'outsiders.file',
    payload: idPayload,
    sweep: owedSince('outsider_notice', 'filing_due_since'),
    run: fileOutsiderReport,
  }),
  job({
    name: 'outsiders.confirmed',
    payload: idPayload,
    sweep: { sweptBy: 'outsiders.file' },
    run: followConfirmation,
  }),
  job({ name: 'outsiders.tell', cron: '* * * * *', run: tellAuthors }),
  job({ name: 'outsiders.cleanUp', cron: '43 3 * * *', run: cleanUp }),
];
