import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { accountPayload, job } from '#platform/jobs/job.ts';
import { owedSince } from '#platform/jobs/owed.ts';
import { writeWhere } from '#platform/jobs/due-rows.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { compareWithBans, searchForReturned } from '../decisions/bans.ts';
import { sendWarnings } from '../decisions/fraud-warnings.ts';
import { banSearchSchema, endSanctions } from '../decisions/sanctions.ts';
import { mailStaff, mailSummary, remindStaff, staffMailSchema } from './deadlines.ts';

const uncompared = sql`select account_id::text as key, jsonb_build_object('accountId', account_id) as payload,
  due_since as since from ban_comparison`;

/** The background work of cases: reminders, and the end of claims that aren't renewed, so that a closed tab doesn't keep a case claimed. */
export const caseJobs = [
  job({
    name: 'bans.compare',
    payload: accountPayload,
    sweep: { owed: () => uncompared },
    run: compareWithBans,
  }),
  job({
    name: 'bans.search',
    payload: banSearchSchema,
    sweep: owedSince('sanction', 'search_due_since', 'sanctionId'),
    slots: 'long',
    run: searchForReturned,
  }),
  forgetJob('bans.forget', '37 3 * * *'),
  job({ name: 'bans.warn', cron: '*/10 * * * *', run: ({ db, clock }) => sendWarnings(db, clock.now()) }),
  job({ name: 'cases.remind', cron: '3 * * * *', run: ({ db, clock }) => remindStaff(db, clock.now()) }),
  // Mondays.
  job({ name: 'cases.summary', cron: '11 6 * * 1', run: ({ db, clock }) => mailSummary(db, clock.now()) }),
  job({ name: 'cases.endSanctions', cron: '* * * * *', run: ({ db, clock }) => endSanctions(db, clock.now()) }),
  job({
    name: 'cases.mailStaff',
    payload: staffMailSchema,
    sweep: { harmless: 'What is due is on the start page, and counts in the next mail.' },
    run: ({ db, clock }, mail) => mailStaff(db, mail, clock.now()),
  }),
  job({ name: 'cases.endClaims', cron: '* * * * *', run: endClaims }),
];

const endedAtOnce = 500;

/** Ends the claims that weren't renewed, and notifies staff. */
async function endClaims({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const write = (which: RawBuilder<unknown>) => sql`
    with lapsed as (select id from moderation_case where ${which}),
    freed as (
      update moderation_case c set stage = 'open', holder_id = null, holder_name = null, lease_until = null
      from lapsed where lapsed.id = c.id
    )
    insert into case_event (case_id, at, kind, actor_role)
      select id, ${now}::timestamptz, 'lease_expired', 'system' from lapsed
    returning logic.notify_reports(null, case_id)`;
  const isDue = sql`lease_until <= ${now}::timestamptz`;
  await writeWhere(db, { table: 'moderation_case', isDue, most: endedAtOnce, write });
}
