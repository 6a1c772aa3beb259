import { sql, type RawBuilder } from 'kysely';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { ReportHistory, TimelineEntry } from '#contract/moderation/report.ts';
import type { getReportFile } from '#contract/moderation/reports.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import type { MediaAddresses } from '../../../platform/session/pictures.ts';
import type { Viewer } from '../../profiles/public.ts';
import { evidenceOf } from './evidence.ts';
import { seenRow, staffReport } from './reads.ts';
import { recordOnReport } from './report-row.ts';
import { reporterName, toReported, toReporter, toReportLine, type ReportRow } from './views.ts';

const shownLines = 10;
const shownSanctions = 20;

/** A report with everything staff need to decide: evidence, timeline, both people's history. Writes an audit row. 404. */
export async function openReportFile(
  db: Db,
  caller: Caller,
  id: string,
  addresses: MediaAddresses,
  now: Date,
): Promise<AnswerOf<typeof getReportFile>['data']> {
  return await inTransaction(db, async (tx) => {
    const row = await seenRow(tx, caller, id);
    await recordOnReport(tx, caller, id, { action: 'report.read' }, now);
    return {
      report: await staffReport(tx, caller, id, now),
      evidence: await evidenceOf(tx, id, caller.accountId, addresses, now),
      timeline: await timelineOf(tx, row),
      reporter: await historyOfReporter(tx, row, caller),
      reported: await historyOfReported(tx, row, caller),
    };
  });
}

/** The events of a report, oldest first. */
async function timelineOf(db: Db, report: ReportRow): Promise<TimelineEntry[]> {
  const rows = await db
    .selectFrom('report_event')
    .selectAll()
    .where('report_id', '=', report.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    at: row.at.toISOString(),
    actor: {
      name: row.actor_role === 'reporter' ? reporterName(report) : (row.actor_name ?? ''),
      role: row.actor_role,
    },
    kind: row.kind,
    from: row.from_value,
    to: row.to_value,
    reason: row.reason,
  }));
}

/** The reporter's history: identity, reports by and about them, and sanctions. */
async function historyOfReporter(db: Db, report: ReportRow, viewer: Viewer): Promise<ReportHistory> {
  const person = toReporter(report, viewer);
  return { person, ...(await historyBehind(db, report.reporter_id, report.reporter_alias, report.id)) };
}

/** The same for the reported person; null if the report isn't about a person. */
async function historyOfReported(db: Db, report: ReportRow, viewer: Viewer): Promise<ReportHistory | null> {
  const person = toReported(report, viewer);
  if (person === null) return null;
  return { person, ...(await historyBehind(db, report.reported_id, report.reported_alias, report.id)) };
}

async function historyBehind(
  db: Db,
  id: string | null,
  alias: string | null,
  exceptId: string,
): Promise<Omit<ReportHistory, 'person'>> {
  const isPerson = (column: 'reporter' | 'reported') =>
    id === null
      ? sql<boolean>`${sql.ref(`${column}_alias`)} = ${alias}::uuid`
      : sql<boolean>`${sql.ref(`${column}_id`)} = ${id}::uuid`;
  return {
    joinedAt: id === null ? null : await joinedAt(db, id),
    filed: await earlier(db, isPerson('reporter'), exceptId),
    about: await earlier(db, isPerson('reported'), exceptId),
    sanctions: id === null ? [] : await sanctionsOf(db, id),
  };
}

async function joinedAt(db: Db, id: string): Promise<string | null> {
  const account = await db.selectFrom('account').select('created_at').where('id', '=', id).executeTakeFirst();
  return account?.created_at.toISOString() ?? null;
}

async function earlier(db: Db, isPerson: RawBuilder<boolean>, exceptId: string): Promise<ReportHistory['filed']> {
  const others = db.selectFrom('report').where(isPerson).where('deleted_at', 'is', null).where('id', '<>', exceptId);
  const { total } = await others.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await others
    .select(['id', 'problem_type', 'priority', 'status', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownLines)
    .execute();
  return { total: Number(total), newest: rows.map(toReportLine) };
}

async function sanctionsOf(db: Db, id: string): Promise<ReportHistory['sanctions']> {
  const rows = await db
    .selectFrom('audit_event')
    .select(['at', 'action', 'actor_name', 'reason'])
    .where('target_id', '=', id)
    .where('action', 'in', ['user.deactivated', 'user.activated'])
    .orderBy('id', 'desc')
    .limit(shownSanctions)
    .execute();
  return rows.map(({ at, action, actor_name, reason }) => ({
    at: at.toISOString(),
    action: action as ReportHistory['sanctions'][number]['action'],
    by: actor_name,
    reason,
  }));
}
