import { sql } from 'kysely';
import type { AnswerOf } from '#contract/endpoint.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/report.ts';
import type { getReportStatistics } from '#contract/moderation/reports.ts';
import { reportScopes } from '#contract/roles.ts';
import { countersOf, type Counter } from '../../../platform/db/counters.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Viewer } from '../../profiles/public.ts';
import { durationText, isInScope } from './policy.ts';
import { involves } from './reads.ts';

type Statistics = AnswerOf<typeof getReportStatistics>['data'];

/** The ratio between neighbouring duration classes. */
const classWidth = 1.05;

/** The number of durations per class, shortest first; class n is 1.05^n to 1.05^(n+1) milliseconds. */
type Classes = { at: number; count: number }[];

/** The quantile `share` of the durations: the middle of its class, with at most 2.5 % error. Null if there are none. */
export function quantileOf(classes: Classes, share: number): number | null {
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const { at, count } of classes) {
    seen += count;
    if (seen >= Math.ceil(total * share)) return Math.round(classWidth ** (at + 0.5));
  }
  return null;
}

/** Reports of other types that may be about minors are about safety, too. */
const seesNoSafety = ({ staffRole }: Viewer) => staffRole !== null && reportScopes[staffRole] === 'nonSafety';

/** What reports of types the viewer sees, but that are hidden from them, add to the counters: few, found by indexes. */
async function countersOfHidden(db: Db, viewer: Viewer): Promise<Counter[]> {
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    select k.kind, k.key, sum(k.amount) as value from report r cross join lateral logic.report_statistic_keys(r) k
    where ${involves(viewer)} ${seesNoSafety(viewer) ? sql`or may_be_minor and deleted_at is null` : sql``}
    group by 1, 2`.execute(db);
  return rows.map(({ kind, key, value }) => ({ kind, key, value: Number(value) }));
}

/** The maintained counters without reports hidden from the viewer. */
async function countersFor(db: Db, viewer: Viewer): Promise<Counter[]> {
  const [kept, few] = await Promise.all([
    countersOf(db, ['report', 'reportResponse', 'reportResponseMs']),
    countersOfHidden(db, viewer),
  ]);
  const hidden = new Map(few.map(({ kind, key, value }) => [`${kind} ${key}`, value]));
  return kept.map((counter) => ({
    ...counter,
    value: counter.value - (hidden.get(`${counter.kind} ${counter.key}`) ?? 0),
  }));
}

/**
 * The figures of the viewer's reports, without deleted ones and those that involve the viewer. First response times are those of the whole
 * team, because they aren't counted by type.
 */
export async function reportStatistics(db: Db, viewer: Viewer): Promise<Statistics> {
  const counters = await countersFor(db, viewer);
  const reports = counters
    .filter(({ kind }) => kind === 'report')
    .map(({ key, value }) => {
      const [status, type, priority] = key.split('|');
      return { status, type, priority, value };
    })
    .filter(({ type = '' }) => isInScope(viewer.staffRole, { problem_type: type, may_be_minor: false }));
  const sum = (fits: (report: (typeof reports)[number]) => boolean) =>
    reports.filter(fits).reduce((total, { value }) => total + value, 0);
  const ofStatus = (status: string) => sum((report) => report.status === status);
  const classes = counters
    .filter(({ kind, value }) => kind === 'reportResponse' && value > 0)
    .map(({ key, value }) => ({ at: Number(key), count: value }))
    .sort((a, b) => a.at - b.at);
  const answered = classes.reduce((total, { count }) => total + count, 0);
  const totalMs = counters.find(({ kind }) => kind === 'reportResponseMs')?.value ?? 0;
  const avgResponseMs = answered === 0 ? null : Math.round(totalMs / answered);
  return {
    total: sum(() => true),
    pending: ofStatus('pending'),
    inProgress: ofStatus('in_progress'),
    resolved: ofStatus('resolved'),
    closed: ofStatus('closed'),
    rejected: ofStatus('rejected'),
    highPriority: sum(({ priority }) => priority === 'critical' || priority === 'high'),
    byType: Object.fromEntries(reportTypes.map((type) => [type, sum((report) => report.type === type)])),
    byPriority: Object.fromEntries(
      reportPriorities.map((priority) => [priority, sum((report) => report.priority === priority)]),
    ),
    ...(avgResponseMs === null ? {} : { avgResponseTime: durationText(avgResponseMs) }),
    avgResponseMs,
    medianResponseMs: quantileOf(classes, 0.5),
    p90ResponseMs: quantileOf(classes, 0.9),
  };
}
