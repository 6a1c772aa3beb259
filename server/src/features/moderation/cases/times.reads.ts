import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import { caseHours, type CaseTimes, type Durations, type getCaseTimes } from '#contract/moderation/cases.ts';
import { reportPriorities, type ReportPriority } from '#contract/moderation/reports.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { seenBy } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import { responseTimesFrom } from '../reports/policy.ts';

interface FoundTimes extends Durations {
  what: keyof CaseTimes;
  /** Null for all priorities together. */
  priority: ReportPriority | null;
}

/**
 * How long it took for what ended from `from` until before `until`. The percentiles are by nearest rank: the shortest time that at least
 * that share did not exceed. `where` may leave out cases. Reads one range of an index.
 */
export async function timesBetween(
  db: Db,
  from: Date,
  until: Date,
  where: RawBuilder<unknown> = sql`true`,
): Promise<(priority: ReportPriority | null) => CaseTimes> {
  const { rows } = await sql<FoundTimes>`
    select what, priority, count(*)::int as count,
      count(*) filter (where took_ms > (${JSON.stringify(caseHours)}::jsonb -> priority ->> what)::int * 3600000::bigint)::int as late,
      round(avg(took_ms))::float as "averageMs",
      (percentile_disc(0.5) within group (order by took_ms))::float as "medianMs",
      (percentile_disc(0.9) within group (order by took_ms))::float as "p90Ms"
    from case_time where at >= ${from}::timestamptz and at < ${until}::timestamptz and ${where}
    group by grouping sets ((what), (what, priority))`.execute(db);
  const of = (what: keyof CaseTimes, priority: ReportPriority | null): Durations => {
    const found = rows.find((row) => row.what === what && row.priority === priority);
    if (found === undefined) return { count: 0, late: 0, averageMs: null, medianMs: null, p90Ms: null };
    const { count, late, averageMs, medianMs, p90Ms } = found;
    return { count, late, averageMs, medianMs, p90Ms };
  };
  return (priority) => ({ response: of('response', priority), decision: of('decision', priority) });
}

/** The times of the last 30 days, without cases to which the viewer is a party. */
export async function recentTimes(
  db: Db,
  viewer: Viewer,
  now: Date,
): Promise<AnswerInput<typeof getCaseTimes>['data']> {
  const of = await timesBetween(db, responseTimesFrom(now), secondsAfter(now, 1), seenBy(viewer, 'case', 'case_id'));
  return {
    ...of(null),
    byPriority: Object.fromEntries(reportPriorities.map((priority) => [priority, of(priority)])) as Record<
      ReportPriority,
      CaseTimes
    >,
  };
}
