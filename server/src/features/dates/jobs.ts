import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Reactions } from '../../events.ts';
import { job } from '#platform/jobs/job.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { notify } from '#platform/notify/notify.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { freezePlans } from '../moderation/public.ts';
import { askWhoIsDue } from './check-in.ts';
import { endPlans, isOpenAt, isSeenBy, type PlanRow } from './plan.ts';
import { endDatesToCome } from './switched-off.ts';

/** The background work of dates: asking how they went, ending them while dates are off, and deleting plans that are over. */
export const dateJobs = [
  job({
    name: 'dates.announce',
    payload: z.object({ matchId: z.string(), accountId: z.string() }),
    sweep: { harmless: 'It only tells open pages; a page that is loaded reads the plan.' },
    run: ({ realtime }, { matchId, accountId }) => realtime.emit([accountId], { kind: 'date', matchId }),
  }),
  job({ name: 'dates.ask', cron: '* * * * *', run: ({ db, clock }) => askWhoIsDue(db, clock.now()) }),
  // Also runs each minute, for a date that was suggested while the owner switched dates off.
  job({ name: 'dates.endAll', cron: '* * * * *', sweep: { sweptBy: 'dates.endAll' }, run: endDatesToCome }),
  forgetJob('dates.cleanUp', '52 3 * * *'),
];

const mostCopied = 20;
/** By then every process has the settings that the owner saved. */
const settingsHoldSeconds = 1;

/** Ends the plans of ended matches, and copies plans into reports about a conversation. */
export const dateReactions: Reactions = {
  // A suggestion that the other person did not see until now.
  async firstDelivered(tx, { conversationId, receiverId, isQuiet, now }) {
    const { rows } = await sql<{ id: string }>`
      select d.id from date_plan d where d.conversation_id = ${conversationId}::uuid and d.proposed_to = ${receiverId}::uuid
        and d.state = 'proposed' and ${isOpenAt(now)}`.execute(tx);
    for (const { id: subjectId } of isQuiet ? [] : rows)
      await notify(tx, { accountId: receiverId, kind: 'date', subjectId }, now);
    if (rows.length > 0) await addJob(tx, 'dates.announce', { matchId: conversationId, accountId: receiverId });
  },
  async serviceChanged(tx, { settings }) {
    if (!settings.parts.dates) await addJob(tx, 'dates.endAll', {}, { delaySeconds: settingsHoldSeconds });
  },
  async matchEnded(tx, { matchId, byId, now }) {
    await endPlans(tx, sql`d.conversation_id = ${matchId}::uuid`, { state: 'canceled', byId, isMatchOver: true, now });
  },
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from notification where subject_id in (
      select id from date_plan where proposed_by = any (${accountIds}::uuid[])
      union all select id from date_plan where proposed_to = any (${accountIds}::uuid[]))`.execute(tx);
    const theirs = sql`(d.proposed_by = any (${accountIds}::uuid[]) or d.proposed_to = any (${accountIds}::uuid[]))`;
    // The link that the other person shares stays for the friend who follows it; a check-in could no longer report anyone.
    await sql`delete from date_plan d where ${theirs} and not exists (
      select from date_share s where s.plan_id = d.id and s.account_id <> all (${accountIds}::uuid[]))`.execute(tx);
    await sql`delete from date_check_in k using date_plan d where d.id = k.plan_id and ${theirs}`.execute(tx);
    await sql`update date_plan d set note = null where d.proposed_by = any (${accountIds}::uuid[])`.execute(tx);
  },
  async conversationReported(tx, { reportId, conversationId, reporterId, now }) {
    const { rows: plans } = await sql<PlanRow>`
      select d.* from date_plan d where d.conversation_id = ${conversationId}::uuid and ${isSeenBy(reporterId)}
      order by d.created_at desc limit ${mostCopied}`.execute(tx);
    const copies = plans.toReversed().map(({ proposed_by, place, at, zone, note, state }) => {
      const by = proposed_by === reporterId ? ('reporter' as const) : ('reported' as const);
      return { by, place, at, zone, note, state };
    });
    if (copies.length > 0) await freezePlans({ tx, now }, reportId, copies);
  },
};
