import { sql } from 'kysely';
import { goldenEvery, secondLookLeaseHours } from '#contract/moderation/second-looks.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import { audit } from '#platform/db/audit.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { byOthers, seenBy, type Staff } from '#platform/session/access.ts';
import { careFor, isSensitiveCase } from '../care/care.reads.ts';
import { type EvidenceReader, evidenceOfAll } from '../reports/evidence.ts';

interface TakenRow {
  id: string;
  decision_id: string | null;
  golden_id: string | null;
}

/** The colleagues who decided the case of a decision `d`, or reviewed one of its appeals. */
const deciders = sql`array(select decided_by from case_decision where case_id = d.case_id
  union all select reviewer_id from appeal where case_id = d.case_id)`;

/**
 * The decisions that the reviewer may judge: none in a case to which they are a party or that they decided, reviewed or read before, and
 * none that a colleague has just taken. Taking one reads its case.
 */
export const waitingFor = (staff: Staff, now: Date) => sql`second_look l join case_decision d on d.id = l.decision_id
  where l.judged_at is null and ${seenBy(staff, 'case', 'd.case_id')}
    and ${byOthers(staff, deciders)}
    and (l.reviewer_id = ${staff.accountId}::uuid
      or (l.reviewer_id is null or l.taken_at < ${secondsAfter(now, -secondLookLeaseHours * 3600)}::timestamptz)
        and not exists (select from audit_event e where e.action in ('case.read', 'report.read') and e.actor_id = ${staff.accountId}::uuid
          and e.target_id = any (array(select d.case_id union all select r.id from report r where r.case_id = d.case_id))))`;

/** Takes a training case that is new to the reviewer, if it is time for one. A skipped one counts too, so that decisions follow it. */
async function takeGolden({ tx, caller, now }: EvidenceReader): Promise<TakenRow | undefined> {
  const { rows } = await sql<TakenRow>`
    insert into second_look (golden_id, drawn_at, reviewer_id, taken_at)
    select g.id, ${now}::timestamptz, ${caller.accountId}::uuid, ${now}::timestamptz from golden_case g
    where g.retired_at is null and g.added_by <> ${caller.accountId}::uuid
      and not exists (select from second_look l where l.golden_id = g.id and l.reviewer_id = ${caller.accountId}::uuid)
      and (select count(*) from second_look where reviewer_id = ${caller.accountId}::uuid
        and (judged_at is not null or taken_at is null)) % ${goldenEvery}::int = ${goldenEvery - 1}::int
    order by g.added_at, g.id limit 1 on conflict do nothing returning id, decision_id, golden_id`.execute(tx);
  return rows[0];
}

/**
 * Takes the decision that has waited longest, one after another for colleagues who ask at the same time; after the daily limit none that
 * may be hard to look at.
 */
async function takeDecision({ tx, caller, now }: EvidenceReader): Promise<TakenRow | undefined> {
  const { isOver } = await careFor(tx, caller.accountId, now);
  const { rows } = await sql<TakenRow>`
    update second_look set reviewer_id = ${caller.accountId}::uuid, taken_at = ${now}::timestamptz
    where id = (select l.id from ${waitingFor(caller, now)}
      and (not ${isOver}::boolean or not ${isSensitiveCase('d.case_id')}) order by l.drawn_at, l.id limit 1
      for update of l skip locked)
    returning id, decision_id, golden_id`.execute(tx);
  return rows[0];
}

/** What the reviewer has taken and not judged. */
async function taken({ tx, caller, now }: EvidenceReader): Promise<TakenRow | undefined> {
  const { rows } = await sql<TakenRow>`
    select l.id, l.decision_id, l.golden_id from second_look l left join golden_case g on g.id = l.golden_id
    where l.reviewer_id = ${caller.accountId}::uuid and l.judged_at is null and l.taken_at is not null and g.retired_at is null
      and (l.golden_id is not null or l.id in (select l.id from ${waitingFor(caller, now)}))
    order by l.taken_at, l.id limit 1`.execute(tx);
  return rows[0];
}

/** The case of a second look without its decision, as it was reported. */
async function blindDecision(reader: EvidenceReader, { id, decision_id }: TakenRow) {
  const { rows } = await sql<{ case_id: string; id: string; text: string; type: ReportType; mayBeMinor: boolean }>`
    select d.case_id, r.id, r.description as text, r.problem_type as type, r.may_be_minor as "mayBeMinor"
    from case_decision d join case_decision_report dr on dr.decision_id = d.id join report r on r.id = dr.report_id
    where d.id = ${decision_id}::uuid order by r.created_at, r.id`.execute(reader.tx);
  const [first] = rows;
  if (first !== undefined) await audit(reader, { type: 'case', id: first.case_id }, 'case.read');
  return {
    _id: id,
    categories: [...new Set(rows.map(({ type }) => type))],
    mayBeMinor: rows.some(({ mayBeMinor }) => mayBeMinor),
    reports: rows.map((report) => ({ _id: report.id, text: report.text })),
    evidence: await evidenceOfAll(
      reader,
      rows.map((report) => report.id),
    ),
  };
}

async function golden({ tx }: EvidenceReader, { id, golden_id }: TakenRow) {
  const { problem_type, story } = await tx
    .selectFrom('golden_case')
    .select(['problem_type', 'story'])
    .where('id', '=', golden_id)
    .executeTakeFirstOrThrow();
  return { _id: id, categories: [problem_type], mayBeMinor: false, reports: [{ _id: id, text: story }], evidence: [] };
}

/** The next second look of the reviewer, or the unfinished one; null without one. */
export async function takeNext(reader: EvidenceReader) {
  const row = (await taken(reader)) ?? (await takeGolden(reader)) ?? (await takeDecision(reader));
  if (row === undefined) return null;
  return await (row.golden_id === null ? blindDecision(reader, row) : golden(reader, row));
}
