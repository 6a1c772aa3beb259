import { sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import { reportPriorities, reportTypes } from '#contract/moderation/reports.ts';
import { responseTimesDays, type getReportStatistics } from '#contract/moderation/staff-reports.ts';
import { reportScopes } from '#contract/roles.ts';
import { countersOf, type Counter } from '#platform/db/counters.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';
import { hiddenFrom } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import { durationText, isInScope, responseTimesFrom } from './policy.ts';

type Statistics = AnswerInput<typeof getReportStatistics>['data'];

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

/** Reports of other types that may be about minors also count as safety reports. */
const seesNoSafety = ({ staffRole }: Viewer) => staffRole !== null && reportScopes[staffRole] === 'nonSafety';

/** The counts of reports whose type the viewer sees but which are hidden from them. They are few and found by indexes. */
async function countersOfHidden(db: Db, viewer: Viewer): Promise<Counter[]> {
  const { rows } = await sql<{ kind: string; key: string; value: string }>`
    select k.kind, k.key, sum(k.amount) as value from report r cross join lateral logic.report_statistic_keys(r) k
    where ${hiddenFrom(viewer, 'report', 'r')} ${seesNoSafety(viewer) ? sql`or may_be_minor and deleted_at is null` : sql``}
    group by 1, 2`.execute(db);
  return rows.map(({ kind, key, value }) => ({ kind, key, value: Number(value) }));
}

/** The maintained counters without reports hidden from the viewer; first responses are only those of the last days. */
async function countersFor(db: Db, viewer: Viewer, now: Date): Promise<Counter[]> {
  const firstDay = dayOf(responseTimesFrom(now));
  const [reports, responses, few] = await Promise.all([
    countersOf(db, ['report']),
    countersOf(db, ['reportResponseOn', 'reportResponseMsOn'], firstDay),
    countersOfHidden(db, viewer),
  ]);
  const hidden = new Map(few.map(({ kind, key, value }) => [`${kind} ${key}`, value]));
  return [...reports, ...responses].map((counter) => ({
    ...counter,
    value: counter.value - (hidden.get(`${counter.kind} ${counter.key}`) ?? 0),
  }));
}

/** The first response times: the sum of the counters of single days. */
function responseTimes(counters: Counter[]) {
  const counts = new Map<number, number>();
  let totalMs = 0;
  for (const { kind, key, value } of counters) {
    if (kind === 'reportResponseMsOn') totalMs += value;
    if (kind !== 'reportResponseOn') continue;
    const at = Number(key.split('|')[1]);
    counts.set(at, (counts.get(at) ?? 0) + value);
  }
  const classes = [...counts]
    .map(([at, count]) => ({ at, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.at - b.at);
  const answered = classes.reduce((total, { count }) => total + count, 0);
  return { classes, averageMs: answered === 0 ? null : Math.round(totalMs / answered) };
}

/**
 * The figures of the viewer's reports, without deleted ones and those that involve the viewer. First response times are those of the whole
 * team, because they aren't counted by type.
 */
export async function reportStatistics(db: Db, viewer: Viewer, now: Date): Promise<Statistics> {
  const counters = await countersFor(db, viewer, now);
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
  const isHigh = (report: (typeof reports)[number]) => report.priority === 'critical' || report.priority === 'high';
  const isOpen = ({ status }: (typeof reports)[number]) => status === 'pending' || status === 'in_progress';
  const { classes, averageMs } = responseTimes(counters);
  return {
    total: sum(() => true),
    pending: ofStatus('pending'),
    inProgress: ofStatus('in_progress'),
    resolved: ofStatus('resolved'),
    closed: ofStatus('closed'),
    rejected: ofStatus('rejected'),
    highPriority: sum(isHigh),
    openHighPriority: sum((report) => isHigh(report) && isOpen(report)),
    byType: Object.fromEntries(reportTypes.map((type) => [type, sum((report) => report.type === type)])),
    byPriority: Object.fromEntries(
      reportPriorities.map((priority) => [priority, sum((report) => report.priority === priority)]),
    ),
    responseDays: responseTimesDays,
    ...(averageMs === null ? {} : { avgResponseTime: durationText(averageMs) }),
    avgResponseMs: averageMs,
    medianResponseMs: quantileOf(classes, 0.5),
    p90ResponseMs: quantileOf(classes, 0.9),
  };
}
