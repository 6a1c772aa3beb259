import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { type BanSearch, compareWithBans, forgetTraces, searchForReturned } from '../decisions/bans.ts';
import { endSanctions } from '../decisions/sanctions.ts';
import { tellStaff } from './case-row.ts';
import { mailSummary, remindStaff } from './deadlines.ts';

/** Background work of cases: reminders, and the end of claims that aren't renewed, so that a closed tab holds nothing. */
export function caseTasks({ db, clock, banKey }: Deps): TaskList {
  return {
    'bans.compare': async (payload) => {
      await compareWithBans(db, banKey, (payload as { accountId: string }).accountId, clock.now());
    },
    'bans.search': (payload) => searchForReturned(db, banKey, payload as BanSearch, clock.now()),
    'bans.forget': () => forgetTraces(db, clock.now()),
    'cases.remind': () => remindStaff(db, clock.now()),
    'cases.summary': () => mailSummary(db, clock.now()),
    'cases.endSanctions': () => endSanctions(db, clock.now()),
    'cases.endClaims': async () => {
      const now = clock.now();
      await inTransaction(db, async (tx) => {
        const { numAffectedRows } = await sql`
          with lapsed as (
            select id from moderation_case where lease_until <= ${now}::timestamptz for update skip locked
          ), freed as (
            update moderation_case c set stage = 'open', holder_id = null, holder_name = null, lease_until = null
            from lapsed where lapsed.id = c.id
          )
          insert into case_event (case_id, at, kind, actor_role)
            select id, ${now}::timestamptz, 'lease_expired', 'system' from lapsed`.execute(tx);
        if ((numAffectedRows ?? 0n) > 0n) await tellStaff(tx);
      });
    },
  };
}

export const caseSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'cases.endClaims' },
  { cron: '* * * * *', task: 'cases.endSanctions' },
  { cron: '37 3 * * *', task: 'bans.forget' },
  { cron: '3 * * * *', task: 'cases.remind' },
  // Mondays, in UTC.
  { cron: '11 6 * * 1', task: 'cases.summary' },
];
