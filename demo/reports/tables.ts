import type pg from 'pg';
import { copyRows } from '#platform/db/copy-rows.ts';
import { fullName } from '#platform/session/own-user.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { reportsByStaff } from './by-staff.ts';
import { demoReport, demoReportCount, type DemoReport, type DemoSize } from './report.ts';

const roleOf = (member: DemoMember | null) => (member === null ? 'system' : (member.staffRole ?? 'reporter'));
const staffName = (member: DemoMember | null) =>
  member === null || member.staffRole === null ? null : fullName(member.firstName, member.lastName);

/** Writes all reports, with replies, history and evidence, and the reporters' blocks. */
export async function copyReports(client: pg.ClientBase, size: DemoSize): Promise<void> {
  const filed = Array.from({ length: demoReportCount(size.members) }, (_, number) => demoReport(number, size));
  const reports = [...filed, ...reportsByStaff(size)];
  await client.query('create temporary table block_copied (like block including defaults)');
  for (const [table, rows] of Object.entries(tablesOf(reports))) await copyRows(client, table, rows);
  await client.query(
    `update report r set search_text = logic.report_search_text(r.id, r.description, r.reporter_id, r.reported_id)
     where r.id = any ($1::uuid[])`,
    [reports.map(({ id }) => id)],
  );
  // Matched people are not blocked, as if the reporter had declined to hide the two from each other.
  await client.query(`insert into block select blocker_id, blocked_id, min(created_at) from block_copied
    where not exists (select from match
      where low_id = least(blocker_id, blocked_id) and high_id = greatest(blocker_id, blocked_id))
    group by 1, 2 on conflict do nothing`);
  await client.query('drop table block_copied');
}

function tablesOf(reports: readonly DemoReport[]) {
  return {
    report: reports.map((one) => ({
      id: one.id,
      source: one.source,
      opened_by: one.opener?.id ?? null,
      opened_by_name: staffName(one.opener),
      opened_at: one.opener && one.openedAt,
      is_listed: one.source === 'notice' || (one.source === 'staff_message' && one.awaitsStaff),
      reporter_id: one.source === 'own_initiative' ? null : one.reporter.id,
      reported_id: one.reported?.id ?? null,
      named_id: one.reported?.id ?? null,
      named_name: one.reported?.firstName ?? null,
      problem_type: one.type,
      description: one.description,
      may_be_minor: one.mayBeMinor,
      first_priority: one.firstPriority,
      priority: one.priority,
      status: one.status,
      created_at: one.createdAt,
      updated_at: one.updatedAt,
      due_at: one.dueAt,
      first_responded_at: one.firstRespondedAt,
      awaits_staff: one.awaitsStaff,
      reply_count: one.replyCount,
      unread_since: one.unreadSince,
    })),
    // A demo report has one snapshot at most, so its own id can name it.
    report_evidence: reports.flatMap(({ id, reported, createdAt, evidence }) =>
      evidence === null || reported === null
        ? []
        : [
            {
              id,
              report_id: id,
              kind: 'profile',
              captured_at: createdAt,
              content: evidence.content,
              hash: evidence.hash,
            },
          ],
    ),
    evidence_picture: reports.flatMap(({ id, reported, evidence }) =>
      (reported === null ? [] : (evidence?.pictureKeys ?? [])).map((key, position) => ({
        evidence_id: id,
        position,
        report_id: id,
        object_key: key,
      })),
    ),
    report_reply: reports.flatMap(({ id, replies }) =>
      replies.map(({ message, isInternal, author, at }) => ({
        report_id: id,
        message,
        is_internal: isInternal,
        author_id: author.id,
        author_role: roleOf(author),
        author_name: staffName(author),
        created_at: at,
      })),
    ),
    report_event: reports.flatMap(({ id, events }) =>
      events.map(({ at, kind, actor, from, to, reason, wasFirstResponse }) => ({
        report_id: id,
        at,
        kind,
        actor_id: actor?.id ?? null,
        actor_role: roleOf(actor),
        actor_name: staffName(actor),
        from_value: from,
        to_value: to,
        reason,
        was_first_response: wasFirstResponse,
      })),
    ),
    block_copied: reports.flatMap(({ source, reporter, reported, createdAt }) =>
      reported === null || source !== 'notice'
        ? []
        : [{ blocker_id: reporter.id, blocked_id: reported.id, created_at: createdAt }],
    ),
  };
}
