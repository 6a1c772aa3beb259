import { type RawBuilder, sql } from 'kysely';
import type { caseEventKinds } from '#contract/moderation/cases.ts';
import { startCountMost, type StartRow } from '#contract/moderation/start.ts';
import { may } from '#contract/roles.ts';
import { fullName } from '../../../platform/session/own-user.ts';
import { notParty } from '../cases/list.reads.ts';
import { involves, scopeOf } from '../reports/reads.ts';
import { partOf, rowOf, type StartPart, type StartReader } from './rows.ts';

type Change = StartRow['what'];

/** How many of the newest acts of the viewer say in which matters they took part, and how many events of a matter are read. */
const ownActsRead = 300;
const eventsRead = 20;

/** The events of a case that matter to those who took part, and what they are called. */
const shownEvents: Partial<Record<(typeof caseEventKinds)[number], Change>> = {
  claimed: 'takenOver',
  assigned: 'takenOver',
  escalated: 'wasEscalated',
  reopened: 'reopened',
  decided: 'decided',
  raised_critical: 'raisedCritical',
  appeal_submitted: 'appealed',
  appeal_decided: 'upheld',
  appeal_withdrawn: 'withdrawn',
  sanction_revoked: 'revoked',
};

interface Named {
  at: Date;
  first_name: string | null;
  last_name: string | null;
}

interface EventRow extends Named {
  id: string;
  case_id: string;
  is_held: boolean;
  kind: keyof typeof shownEvents;
  actor_role: string;
  actor_name: string | null;
  to_value: string | null;
}

const nameOf = (row: Named) => fullName(row.first_name, row.last_name) ?? 'Unknown';
const ownId = ({ viewer }: StartReader) => sql`${viewer.accountId}::uuid`;

/** The cases that the viewer holds or took part in lately and, for those who take them, the escalated ones. */
function casesOf(reader: StartReader): RawBuilder<unknown> {
  const escalated = may(reader.viewer.staffRole, 'cases.lead')
    ? sql`union (select id from moderation_case where stage = 'escalated' order by queue_at, id limit ${startCountMost})`
    : sql``;
  return sql`(${heldBy(reader)}) union (select case_id from (
      select case_id from case_event where actor_id = ${ownId(reader)} order by id desc limit ${ownActsRead}) own)
    ${escalated}`;
}

const heldBy = (reader: StartReader) => sql`
  select id from moderation_case where holder_id = ${ownId(reader)} and stage <> 'decided'
  order by queue_at, id limit ${startCountMost}`;

/** What happened, seen by the viewer: an appeal that took something back, or a case that was assigned to them. */
function changeOf({ kind, to_value: to, is_held: isHeld }: EventRow): Change {
  if (kind === 'appeal_decided' && (to === 'overturned' || to === 'partly_overturned')) return 'overturned';
  if (kind === 'assigned' && isHeld) return 'assignedToMe';
  return shownEvents[kind] ?? 'decided';
}

function toChange(row: EventRow): StartRow {
  const what = changeOf(row);
  const isByStaff = row.actor_role !== 'system' && row.actor_role !== 'member';
  // Of a case that was assigned to someone else, they are who has it now.
  const by = row.kind === 'assigned' && what === 'takenOver' ? row.to_value : isByStaff ? row.actor_name : null;
  return rowOf({
    key: `event ${row.id}`,
    opens: 'case',
    _id: row.case_id,
    what,
    name: nameOf(row),
    by,
    at: row.at.toISOString(),
  });
}

/** What others did in the cases of the viewer, or happened to them. */
export async function caseChanges(reader: StartReader, since: Date): Promise<StartPart> {
  const { db, viewer } = reader;
  if (!may(viewer.staffRole, 'cases.list')) return partOf([]);
  const { rows } = await sql<EventRow>`
    select e.*, c.holder_id is not distinct from ${ownId(reader)} as is_held, p.first_name, p.last_name
    from moderation_case c
      cross join lateral (
        select * from (select * from case_event where case_id = c.id order by id desc limit ${eventsRead}) newest
        where at > ${since}::timestamptz and actor_id is distinct from ${ownId(reader)}
          and kind = any (${Object.keys(shownEvents)}::text[])
      ) e
      left join profile p on p.account_id = c.person_id
    where c.id = any (array(${casesOf(reader)})) and ${notParty(viewer)}
    order by e.at desc, e.id desc limit ${startCountMost}`.execute(db);
  return partOf(rows.map(toChange));
}

/** What members answered to the viewer, or in cases that the viewer holds. */
export async function memberAnswers(reader: StartReader, since: Date): Promise<StartPart> {
  const { db, viewer } = reader;
  if (!may(viewer.staffRole, 'reports.list')) return partOf([]);
  const inCases = may(viewer.staffRole, 'cases.list')
    ? sql`union (select r.id from report r where r.case_id = any (array(${heldBy(reader)}))
        order by r.created_at desc limit ${ownActsRead})`
    : sql``;
  const { rows } = await sql<Named & { id: string; problem_type: StartRow['types'][number] }>`
    select report.id, report.problem_type, y.at, p.first_name, p.last_name
    from report
      cross join lateral (
        select created_at as at from report_reply where report_id = report.id and author_role = 'reporter'
          and created_at > ${since}::timestamptz order by seq desc limit 1
      ) y
      left join profile p on p.account_id = report.reporter_id
    where report.id = any (array(
        (select id from report where opened_by = ${ownId(reader)} order by created_at desc, id desc limit ${startCountMost})
        union (select report_id from (select report_id from report_reply where author_id = ${ownId(reader)}
          order by seq desc limit ${ownActsRead}) own)
        ${inCases}))
      and deleted_at is null and is_listed and ${scopeOf(viewer)} and ${involves(viewer)} is not true
    order by y.at desc limit ${startCountMost}`.execute(db);
  return partOf(
    rows.map((row) =>
      rowOf({
        opens: 'report',
        _id: row.id,
        what: 'replied',
        name: nameOf(row),
        types: [row.problem_type],
        at: row.at.toISOString(),
      }),
    ),
  );
}

/** What colleagues noted about people whose case the viewer holds. */
export async function newNotes(reader: StartReader, since: Date): Promise<StartPart> {
  const { db, viewer } = reader;
  if (!may(viewer.staffRole, 'cases.list')) return partOf([]);
  const { rows } = await sql<Named & { id: string; account_id: string; author_name: string }>`
    select n.id, n.account_id, n.author_name, n.created_at as at, p.first_name, p.last_name
    from moderation_case c join staff_note n on n.account_id = c.person_id join profile p on p.account_id = c.person_id
    where c.id = any (array(${heldBy(reader)})) and ${notParty(viewer)}
      and n.created_at > ${since}::timestamptz and n.author_id is distinct from ${ownId(reader)}
    order by n.created_at desc, n.id limit ${startCountMost}`.execute(db);
  return partOf(
    rows.map((row) =>
      rowOf({
        key: `note ${row.id}`,
        opens: 'user',
        _id: row.account_id,
        what: 'noted',
        name: nameOf(row),
        by: row.author_name,
        at: row.at.toISOString(),
      }),
    ),
  );
}

/** The exports of the viewer that a colleague decided on, and the acts of the viewer on many people that ended. */
export async function endedRequests({ db, viewer }: StartReader, since: Date): Promise<StartPart> {
  const approvals = await db
    .selectFrom('approval')
    .select(['id', 'verdict', 'decided_by_name', 'decided_at', 'payload'])
    .where('requested_by', '=', viewer.accountId)
    .where('decided_at', '>', since)
    .orderBy('decided_at', 'desc')
    .limit(startCountMost)
    .execute();
  const acts = await db
    .selectFrom('bulk_act')
    .select(['id', 'state', 'total', 'finished_at'])
    .where('made_by', '=', viewer.accountId)
    .where('finished_at', '>', since)
    .orderBy('finished_at', 'desc')
    .limit(startCountMost)
    .execute();
  return partOf([
    ...approvals.map(({ id, verdict, decided_by_name: by, decided_at, payload }) =>
      rowOf({
        opens: 'approvals',
        _id: id,
        what: verdict ?? 'rejected',
        by,
        count: payload.rows,
        at: decided_at?.toISOString() ?? '',
      }),
    ),
    ...acts.map(({ id, state, total, finished_at }) =>
      rowOf({
        opens: 'bulkAct',
        _id: id,
        what: state === 'canceled' ? 'canceled' : 'finished',
        count: total,
        at: finished_at?.toISOString() ?? '',
      }),
    ),
  ]);
}
