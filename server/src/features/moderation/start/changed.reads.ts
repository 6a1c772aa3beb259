import { type RawBuilder, sql } from 'kysely';
import { startCountMost, type StartRow } from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { fullName } from '#platform/session/own-user.ts';
import { seenBy } from '#platform/session/access.ts';
import { scopeOf } from '../reports/reads.ts';
import { type Part, rowOf, type StartReader } from './parts.reads.ts';
import { storedText } from '#platform/texts.ts';

/** How many of the viewer's newest acts determine the cases in which they took part, and how many events of a case are read. */
const ownActsRead = 300;
const eventsRead = 20;

/** The events that matter to colleagues who took part in a case. */
const shownEvents = (
  'claimed assigned escalated reopened decided raised_critical sanction_revoked ' +
  'appeal_submitted appeal_decided appeal_withdrawn'
).split(' ');

const own = ({ viewer }: StartReader) => sql`${viewer.accountId}::uuid`;

const handledCases = (reader: StartReader) => sql`(
  select id from moderation_case where holder_id = ${own(reader)} and stage <> 'decided'
  order by queue_at, id limit ${startCountMost})`;

/** The cases that the viewer handles or recently took part in. */
const ownCases = (reader: StartReader) => sql`(
  ${handledCases(reader)}
  union (select case_id from (
    select case_id from case_event where actor_id = ${own(reader)} order by id desc limit ${ownActsRead}) taken_part))`;

const escalatedCases = sql`(
  select id from moderation_case where stage = 'escalated' order by queue_at, id limit ${sql.lit(startCountMost)})`;

/** What others did in these cases after the viewer's last act there, because the viewer knows everything before it. */
const caseEvents = (
  reader: StartReader,
  since: Date,
  { cases, kinds }: { cases: RawBuilder<unknown>; kinds: string[] },
) => sql`
  select 'case', c.id, e.kind, c.person_id, e.actor_name, e.to_value, null::int, e.at
  from moderation_case c cross join lateral (
    select * from (
      select *, max(id) filter (where actor_id = ${own(reader)}) over () as last_own
      from (select * from case_event where case_id = c.id order by id desc limit ${eventsRead}) newest
    ) seen
    where id > coalesce(last_own, 0) and at > ${since}::timestamptz and kind = any (${kinds}::text[])
  ) e
  where ${seenBy(reader.viewer, 'case', 'c.id')} and c.id = any (array${cases})`;

/** Members' answers to the viewer, or in cases that the viewer handles. */
function answers(reader: StartReader, since: Date) {
  const { viewer } = reader;
  const inCases = may(viewer.staffRole, 'cases.list')
    ? sql`union (select id from report where case_id = any (array${handledCases(reader)}) order by created_at desc limit ${ownActsRead})`
    : sql``;
  return sql`
    select 'report', report.id, 'replied', reporter_id, null, problem_type, null, y.at
    from report cross join lateral (
      select created_at as at from report_reply where report_id = report.id and author_role = 'reporter'
        and created_at > ${since}::timestamptz order by seq desc limit 1
    ) y
    where deleted_at is null and is_listed and ${scopeOf(viewer)} and ${seenBy(viewer, 'report', 'report')} and report.id = any (array(
      (select id from report where opened_by = ${own(reader)} order by created_at desc, id desc limit ${startCountMost})
      union (select report_id from (
        select report_id from report_reply where author_id = ${own(reader)} order by seq desc limit ${ownActsRead}) answered)
      ${inCases}))`;
}

/** Colleagues' notes about people whose case the viewer handles, if the viewer may read them in the person's file. */
const notes = (reader: StartReader, since: Date) => sql`
  select 'user', n.account_id, 'noted', n.account_id, n.author_name, null, null, n.created_at
  from moderation_case c join staff_note n on n.account_id = c.person_id
  where c.id = any (array${handledCases(reader)}) and ${seenBy(reader.viewer, 'reach', 'c.person_id')}
    and n.created_at > ${since}::timestamptz and n.author_id is distinct from ${own(reader)}`;

/** The viewer's exports that a colleague decided about, and the viewer's acts on many people that ended. */
const requests = (reader: StartReader, since: Date) => sql`
  select 'approvals', id, verdict, null::uuid, decided_by_name, null, (payload ->> 'rows')::int, decided_at
  from approval where requested_by = ${own(reader)} and decided_at > ${since}::timestamptz
  union all
  select 'bulkAct', id, state, null, null, null, total, finished_at
  from bulk_act where made_by = ${own(reader)} and finished_at > ${since}::timestamptz`;

interface ChangeRow extends Pick<StartRow, 'opens' | 'what' | 'by' | 'to' | 'count'> {
  id: string;
  person_id: string | null;
  first_name: string | null;
  last_name: string | null;
  at: Date;
}

/**
 * Others' changes to the viewer's cases after a time and, for colleagues who take them, escalated cases; the newest first. Each source is
 * found by an index.
 */
export async function changedPart(reader: StartReader, since: Date): Promise<Part> {
  const { staffRole } = reader.viewer;
  const sources = [
    requests(reader, since),
    ...(may(staffRole, 'cases.list')
      ? [caseEvents(reader, since, { cases: ownCases(reader), kinds: shownEvents }), notes(reader, since)]
      : []),
    ...(may(staffRole, 'cases.lead')
      ? [caseEvents(reader, since, { cases: escalatedCases, kinds: ['escalated'] })]
      : []),
    ...(may(staffRole, 'reports.list') ? [answers(reader, since)] : []),
  ];
  const { rows } = await sql<ChangeRow>`
    select found.*, p.first_name, p.last_name
    from (${sql.join(sources, sql` union `)}) found (opens, id, what, person_id, by, "to", count, at)
      left join profile p on p.account_id = found.person_id
    order by at desc limit ${startCountMost}`.execute(reader.db);
  return {
    rows: rows.map(({ opens, id: _id, what, person_id: personId, by, to, count, at, ...names }) => {
      const name = personId === null ? null : (fullName(names.first_name, names.last_name) ?? 'Unknown');
      return rowOf({ opens, _id, what, name, by: by && storedText(by), to, count, at });
    }),
    count: rows.length,
  };
}
