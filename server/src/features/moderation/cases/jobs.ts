import type { TaskList } from 'graphile-worker';
import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Schedule } from '#platform/jobs/jobs.ts';
import { owedSince, type Recoveries } from '#platform/jobs/owed.ts';
import type { Db } from '#platform/db/db.ts';
import { writeWhere } from '#platform/jobs/due-rows.ts';
import { compareWithBans, forgetTraces, searchForReturned } from '../decisions/bans.ts';
import { forgetWarnings, sendWarnings } from '../decisions/fraud-warnings.ts';
import { type BanSearch, endSanctions } from '../decisions/sanctions.ts';
import { mailStaff, mailSummary, remindStaff } from './deadlines.ts';

/** The background work of cases: reminders, and the end of claims that aren't renewed, so that a closed tab doesn't keep a case claimed. */
export function caseTasks({ db, clock, banKey }: Deps): TaskList {
  return {
    'bans.compare': async (payload) => {
      await compareWithBans(db, banKey, (payload as { accountId: string }).accountId, clock.now());
    },
    'bans.search': (payload) => searchForReturned(db, banKey, payload as BanSearch, clock.now()),
    'bans.forget': async () => {
      await forgetTraces(db, clock.now());
      await forgetWarnings(db, clock.now());
    },
    'bans.warn': () => sendWarnings(db, clock.now()),
    'cases.remind': () => remindStaff(db, clock.now()),
    'cases.summary': () => mailSummary(db, clock.now()),
    'cases.endSanctions': () => endSanctions(db, clock.now()),
    'cases.mailStaff': (payload) => mailStaff(db, payload as Parameters<typeof mailStaff>[1], clock.now()),
    'cases.endClaims': () => endClaims(db, clock.now()),
  };
}

const uncompared = sql`select account_id::text as key, jsonb_build_object('accountId', account_id) as payload,
  due_since as since from ban_comparison`;

export const caseRecoveries: Recoveries = {
  'bans.compare': { owed: () => uncompared },
  'bans.search': owedSince('sanction', 'search_due_since', sql`jsonb_build_object('sanctionId', id)`),
  'cases.mailStaff': { harmless: 'What is due is on the start page, and counts in the next mail.' },
};

const endedAtOnce = 500;

/** Ends the claims that weren't renewed, and notifies staff. */
async function endClaims(db: Db, now: Date): Promise<void> {
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

export const caseSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'cases.endClaims' },
  { cron: '* * * * *', task: 'cases.endSanctions' },
  { cron: '37 3 * * *', task: 'bans.forget' },
  { cron: '*/10 * * * *', task: 'bans.warn' },
  { cron: '3 * * * *', task: 'cases.remind' },
  // Mondays, in UTC.
  { cron: '11 6 * * 1', task: 'cases.summary' },
];
