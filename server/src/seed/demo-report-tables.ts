import type pg from 'pg';
import { fullName } from '../platform/session/own-user.ts';
import { copyRows, type TableRows } from './copy-rows.ts';
import type { DemoMember } from './demo-member.ts';
import { demoReport, type DemoEvent, type DemoReply, type DemoReport } from './demo-report.ts';

const chunkSize = 5000;
/** A demo of a million members is for measuring lists of members; a moderator's queue of this length is enough for it. */
const mostReports = 1200;
const reportsPerMember = 0.12;

/** How many reports a demo of that many members has. */
export function demoReportCount(members: number): number {
  return Math.min(mostReports, Math.round(members * reportsPerMember));
}

const bytes = (buffer: Buffer) => `\\x${buffer.toString('hex')}`;
const roleOf = (member: DemoMember | null) => (member === null ? 'system' : (member.staffRole ?? 'reporter'));
const staffName = (member: DemoMember | null) =>
  member === null || member.staffRole === null ? null : fullName(member.firstName, member.lastName);

const report: TableRows<DemoReport> = {
  table: 'report',
  columns: [
    'id',
    'reporter_id',
    'reported_id',
    'named_id',
    'named_name',
    'problem_type',
    'description',
    'may_be_minor',
    'first_priority',
    'priority',
    'status',
    'created_at',
    'updated_at',
    'due_at',
    'first_responded_at',
    'awaits_staff',
    'reply_count',
    'unread_since',
  ],
  cells: (one) => [
    one.id,
    one.reporter.id,
    one.reported?.id ?? null,
    one.reported?.id ?? null,
    one.reported?.firstName ?? null,
    one.type,
    one.description,
    one.mayBeMinor,
    one.firstPriority,
    one.priority,
    one.status,
    one.createdAt,
    one.updatedAt,
    one.dueAt,
    one.firstRespondedAt,
    one.awaitsStaff,
    one.replyCount,
    one.unreadSince,
  ],
};

const evidence: TableRows<DemoReport> = {
  table: 'report_evidence',
  // A report of the demo has one copy at most, so that its own id can name it.
  columns: ['id', 'report_id', 'kind', 'captured_at', 'content', 'hash'],
  cells: (one) => [
    one.id,
    one.id,
    'profile',
    one.createdAt,
    one.evidence?.content ?? '',
    bytes(one.evidence?.hash ?? Buffer.alloc(0)),
  ],
};

const evidencePicture: TableRows<{ report: DemoReport; key: string; position: number }> = {
  table: 'evidence_picture',
  columns: ['evidence_id', 'position', 'report_id', 'object_key'],
  cells: ({ report: { id }, key, position }) => [id, position, id, key],
};

const reply: TableRows<DemoReply & { report: DemoReport }> = {
  table: 'report_reply',
  columns: ['report_id', 'message', 'is_internal', 'author_id', 'author_role', 'author_name', 'created_at'],
  cells: (one) => [
    one.report.id,
    one.message,
    one.isInternal,
    one.author.id,
    roleOf(one.author),
    staffName(one.author),
    one.at,
  ],
};

const event: TableRows<DemoEvent & { report: DemoReport }> = {
  table: 'report_event',
  columns: [
    'report_id',
    'at',
    'kind',
    'actor_id',
    'actor_role',
    'actor_name',
    'from_value',
    'to_value',
    'reason',
    'was_first_response',
  ],
  cells: (one) => [
    one.report.id,
    one.at,
    one.kind,
    one.actor?.id ?? null,
    roleOf(one.actor),
    staffName(one.actor),
    one.from,
    one.to,
    one.reason,
    one.wasFirstResponse,
  ],
};

const block: TableRows<DemoReport> = {
  table: 'block_copied',
  columns: ['blocker_id', 'blocked_id', 'created_at'],
  cells: (one) => [one.reporter.id, one.reported?.id ?? null, one.createdAt],
};

/** Writes the reports number `first` to below `end` among the demo members, with what was said and done on them; whom somebody reported is hidden from them. */
export async function copyReports(
  client: pg.ClientBase,
  [first, end]: readonly [number, number],
  members: number,
  now: Date,
): Promise<void> {
  await client.query('create temporary table block_copied (like block including defaults)');
  for (let from = first; from < end; from += chunkSize) {
    const size = Math.min(chunkSize, end - from);
    const reports = Array.from({ length: size }, (_, n) => demoReport(from + n, members, now));
    await copyRows(client, report, reports);
    const copied = reports.filter((one) => one.evidence !== null && one.reported !== null);
    await copyRows(client, evidence, copied);
    await copyRows(
      client,
      evidencePicture,
      copied.flatMap((one) =>
        (one.evidence?.pictureKeys ?? []).map((key, position) => ({ report: one, key, position })),
      ),
    );
    await copyRows(
      client,
      reply,
      reports.flatMap((one) => one.replies.map((said) => ({ ...said, report: one }))),
    );
    await copyRows(
      client,
      event,
      reports.flatMap((one) => one.events.map((done) => ({ ...done, report: one }))),
    );
    await copyRows(
      client,
      block,
      reports.filter((one) => one.reported !== null),
    );
  }
  await client.query(`insert into block select blocker_id, blocked_id, min(created_at) from block_copied group by 1, 2
    on conflict do nothing`);
  await client.query('drop table block_copied');
}
