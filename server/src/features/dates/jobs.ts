import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { datePlanKeptDays } from '#contract/constants.ts';
import type { Deps } from '../../deps.ts';
import type { Reactions } from '../../events.ts';
import { isUnheld } from '../../platform/db/legal-hold.ts';
import { deleteWhere } from '../../platform/jobs/due-rows.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { freezePlans } from '../moderation/public.ts';
import { askWhoIsDue } from './check-in.ts';
import { endPlans } from './plan.ts';

/** The background work of dates: asking how they went, and deleting plans that are over. */
export function dateTasks({ db, clock }: Deps): TaskList {
  return {
    'dates.ask': () => askWhoIsDue(db, clock.now()),
    'dates.cleanUp': () => {
      const over = secondsAfter(clock.now(), -datePlanKeptDays * 86_400);
      const isOver = sql`(at <= ${over} or state in ('canceled', 'replaced') and decided_at <= ${over})
        and ${isUnheld('proposed_by')} and ${isUnheld('proposed_to')}`;
      return deleteWhere(db, 'date_plan', isOver);
    },
  };
}

export const dateSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'dates.ask' },
  { cron: '52 3 * * *', task: 'dates.cleanUp' },
];

const mostCopied = 20;

/** Ends the plans of ended matches, and copies plans into reports about a conversation. */
export const dateReactions: Reactions = {
  async matchEnded(tx, { matchId, now }) {
    await endPlans(tx, sql`d.conversation_id = ${matchId}::uuid`, 'canceled', now);
  },
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from notification where subject_id in (
      select id from date_plan where proposed_by = any (${accountIds}::uuid[])
      union all select id from date_plan where proposed_to = any (${accountIds}::uuid[]))`.execute(tx);
  },
  async conversationReported(tx, { reportId, conversationId, reporterId, now }) {
    const plans = await tx
      .selectFrom('date_plan')
      .selectAll()
      .where('conversation_id', '=', conversationId)
      .orderBy('created_at', 'desc')
      .limit(mostCopied)
      .execute();
    const copies = plans.toReversed().map(({ proposed_by, place, at, zone, note, state }) => {
      const by = proposed_by === reporterId ? ('reporter' as const) : ('reported' as const);
      return { by, place, at: at.toISOString(), zone, note, state };
    });
    if (copies.length > 0) await freezePlans({ tx, now }, reportId, copies);
  },
};
