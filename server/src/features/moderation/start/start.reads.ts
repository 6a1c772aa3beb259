import { sql } from 'kysely';
import { dueSoonHours } from '#contract/moderation/case-list.ts';
import { startCountMost, startRowsMax } from '#contract/moderation/start.ts';
import { may, reportScopes } from '#contract/roles.ts';
import { staleMaxMs } from '#platform/db/replicas.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { watchingRules } from '../automatic/rules.reads.ts';
import { isPreservationReviewDue } from '../emergencies/safety.reads.ts';
import { changedPart } from './changed.reads.ts';
import {
  actsPart,
  appealsPart,
  approvalsPart,
  casesPart,
  type Part,
  type Start,
  type StartRow,
  picturesPart,
  reportsPart,
  type StartReader,
} from './parts.reads.ts';
import { seenUntil } from './visit.ts';

/** The conditions that define the sections. */
function conditionsFor({ viewer: { accountId, staffRole }, now }: StartReader) {
  const own = sql`${accountId}::uuid`;
  const isLead = may(staffRole, 'cases.lead');
  return {
    isLead,
    /** Support and billing handle every report of their types; the others wait for cases. */
    isHandedReports: staffRole !== null && reportScopes[staffRole] !== undefined,
    soon: sql`${secondsAfter(now, dueSoonHours * 3600)}::timestamptz`,
    handled: sql`c.holder_id = ${own}`,
    /** A case of others, or of no one; escalated ones wait for leads. */
    others: sql`c.holder_id is distinct from ${own} and ${isLead ? sql`c.stage <> 'escalated'` : sql`true`}`,
    opened: sql`c.id = any (array(select case_id from report where opened_by = ${own} and source = 'own_initiative'
      and status in ('pending', 'in_progress') and deleted_at is null order by created_at limit ${startCountMost}))`,
    assigned: sql`opened_by = ${own} and status in ('pending', 'in_progress')`,
    /** Unanswered, and without a case for staff who see cases, because then the case is due. */
    unanswered: sql`first_responded_at is null and awaited_at < 'infinity' and opened_by is distinct from ${own}
      and ${may(staffRole, 'cases.list') ? sql`case_id is null` : sql`true`}`,
  };
}

/** Ordered by urgency: by the deadline, otherwise by how long it has waited. */
const urgency = ({ due, at }: StartRow) => Number(new Date(due?.at ?? at));

/** The rows of these parts by urgency, then those of parts in which the viewer has nothing to do now. */
async function sectionOf(reading: readonly Promise<Part>[], idle: Promise<Part>[] = []): Promise<Start['mine']> {
  const [urgent, others] = await Promise.all([Promise.all(reading), Promise.all(idle)]);
  const rows = [urgent, others].flatMap((parts) =>
    parts.flatMap((part) => part.rows).sort((one, other) => urgency(one) - urgency(other)),
  );
  const count = [...urgent, ...others].reduce((sum, part) => sum + part.count, 0);
  return { rows: rows.slice(0, startRowsMax), count: Math.min(startCountMost, count) };
}

/** Everything that the viewer handles or opened, or that is assigned to them; reports that wait for the member are last. */
function mineOf(reader: StartReader): Promise<Start['mine']> {
  const { handled, others, soon, opened, assigned } = conditionsFor(reader);
  return sectionOf(
    [
      casesPart(reader, 'held', handled),
      casesPart(reader, 'opened', sql`${others} and c.queue_at >= ${soon} and ${opened}`),
      reportsPart(reader, 'assigned', sql`${assigned} and awaits_staff`),
    ],
    [reportsPart(reader, 'answered', sql`${assigned} and not awaits_staff`)],
  );
}

/** Overdue and soon due items that the viewer's role may see, without those the viewer handles. */
function dueOf(reader: StartReader): Promise<Start['mine']> {
  const { others, soon, unanswered } = conditionsFor(reader);
  return sectionOf([
    casesPart(reader, 'due', sql`${others} and c.queue_at < ${soon}`),
    reportsPart(reader, 'unanswered', sql`${unanswered} and awaited_at < ${soon}`),
    appealsPart(reader, sql`o.due_at < ${soon}`),
  ]);
}

/** Items that need the viewer in particular. An answer to them is listed here too, in addition to its report in their own section. */
function waitingOf(reader: StartReader): Promise<Start['mine']> {
  const { isLead, soon, assigned } = conditionsFor(reader);
  return sectionOf(
    [
      appealsPart(reader, sql`o.due_at >= ${soon}`),
      ...(isLead
        ? [
            casesPart(reader, 'escalated', sql`c.stage = 'escalated'`),
            casesPart(reader, 'holdReview', isPreservationReviewDue(reader.now), sql`true`),
          ]
        : []),
      reportsPart(reader, 'reply', sql`${assigned} and awaits_staff`),
      picturesPart(reader),
      approvalsPart(reader),
    ],
    [actsPart(reader)],
  );
}

/** New reports that no one has taken, for roles that handle every report of their types. */
async function unassignedOf(reader: StartReader): Promise<Start['mine']> {
  const { isHandedReports, soon, unanswered } = conditionsFor(reader);
  if (!isHandedReports) return { rows: [], count: 0 };
  return await sectionOf([
    reportsPart(reader, 'new', sql`${unanswered} and opened_by is null and awaited_at >= ${soon}`),
  ]);
}

/** The start page of a member of staff, without items that their role may not read or to which they are a party. */
export async function startPage(reader: StartReader): Promise<Start> {
  const { db, viewer, now } = reader;
  const { since, isFirstVisit } = await seenUntil(db, viewer, now);
  const [mine, due, waiting, unassigned, changed, watching] = await Promise.all([
    mineOf(reader),
    dueOf(reader),
    waitingOf(reader),
    unassignedOf(reader),
    changedPart(reader, since),
    may(viewer.staffRole, 'rules.edit') ? watchingRules(db, now) : { rules: 0, people: 0 },
  ]);
  return {
    mine,
    due,
    waiting,
    unassigned,
    changed: { ...changed, rows: changed.rows.slice(0, startRowsMax) },
    watching,
    since,
    isFirstVisit,
    // The data may be as old as a replica is allowed to be.
    asOf: new Date(now.getTime() - staleMaxMs),
  };
}
