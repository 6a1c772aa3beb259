import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import { isOpenAppeal, type DecisionOutcome, type SanctionKind } from '#contract/moderation/decisions.ts';
import { type listAppeals, type AppealView, appealViews } from '#contract/moderation/appeals.ts';
import type { ReportPerson } from '#contract/moderation/staff-reports.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { audit } from '#platform/db/audit.ts';
import { notFound } from '#platform/http/app-error.ts';
import { countLists, type Db } from '#platform/db/db.ts';
import { afterPlace, cutPage, readCursor } from '#platform/db/page-cursor.ts';
import { fullName } from '#platform/session/own-user.ts';
import { mayDeactivate, shownEmail, type Viewer } from '../../profiles/public.ts';
import { decisionsWhere } from '../decisions/decisions.reads.ts';
import { type EvidenceReader, evidenceOfAll } from '../reports/evidence.ts';
import { outsiderName } from '../reports/policy.ts';
import { staffReports } from '../reports/reads.ts';
import { isByOthers } from '#platform/session/access.policy.ts';
import { byOthers, requireMaySee, seenBy, type Staff } from '#platform/session/access.ts';
import type { AppealRow } from '../decisions/own-appeals.reads.ts';

interface PersonColumns {
  id: string | null;
  email: string | null;
  is_active: boolean | null;
  staff_role?: StaffRole | null;
  first_name: string | null;
  last_name: string | null;
}

interface FoundAppeal extends AppealRow {
  outcome: DecisionOutcome | null;
  decided_by_name: string;
  sanctions: SanctionKind[];
  appellant: PersonColumns | null;
  person: PersonColumns | null;
  /** An outsider report was appealed. */
  is_outsider: boolean;
}

const personJson = (alias: string) => sql`(
  select to_jsonb(found) from (select a.id, a.email, a.staff_role, a.is_active and a.leaving_since is null as is_active, p.first_name, p.last_name
    from account a join profile p on p.account_id = a.id where a.id = ${sql.ref(alias)}) found)`;

/** The appeals that match `where`, without those in cases where the viewer is a party. `o` is the appeal, `c` its case. */
async function findAppeals(
  db: Db,
  viewer: Viewer,
  { where, order, limit }: { where: RawBuilder<unknown>; order: RawBuilder<unknown>; limit: number },
): Promise<FoundAppeal[]> {
  const { rows } = await sql<FoundAppeal>`
    select o.*, d.outcome, d.decided_by_name, ${personJson('o.account_id')} as appellant, ${personJson('c.person_id')} as person,
      exists (select from outsider_notice n where n.appeal_id = o.id) as is_outsider,
      array(select s.kind from sanction s where s.decision_id = d.id order by s.id) as sanctions
    from appeal o join moderation_case c on c.id = o.case_id join case_decision d on d.id = o.decision_id
    where ${where} and ${seenBy(viewer, 'case', 'c.id')} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

function toPerson(row: PersonColumns | null, viewer: Viewer): ReportPerson {
  return {
    _id: row?.id ?? null,
    name: row === null ? 'Deleted user' : (fullName(row.first_name, row.last_name) ?? 'Unknown'),
    email: row?.email == null ? null : shownEmail(viewer, row.email),
    isActive: row?.is_active ?? false,
  };
}

/** Whether the viewer could have acted on this person; appeals against a colleague's decision go to people who could. */
function isBelow(person: PersonColumns | null, viewer: Viewer): boolean {
  return person?.staff_role == null || mayDeactivate(viewer.staffRole, person.staff_role);
}

function toLine(row: FoundAppeal, viewer: Viewer, now: Date) {
  const isOpen = isOpenAppeal(row.state);
  return {
    _id: row.id,
    caseId: row.case_id,
    state: row.state,
    party: row.party,
    appellant: { ...toPerson(row.appellant, viewer), ...(row.is_outsider && { name: outsiderName }) },
    outcome: row.outcome,
    sanctions: row.sanctions,
    decidedBy: row.decided_by_name,
    submittedAt: row.submitted_at,
    dueAt: isOpen ? row.due_at : null,
    isBreached: isOpen && row.due_at < now,
    reviewer: row.reviewer_id === null ? null : { _id: row.reviewer_id, name: row.reviewer_name ?? '' },
    answeredAt: row.answered_at,
    canReview:
      isOpen &&
      may(viewer.staffRole, 'appeals.decide') &&
      isByOthers(viewer, row.decided_by, ...row.openers) &&
      (row.party === 'reporter' || isBelow(row.appellant, viewer)),
  };
}

/** Excludes appeals in cases that the viewer reviews again. */
const conditionOf: Record<AppealView, (viewer: Staff) => RawBuilder<boolean>> = {
  open: (viewer) => sql`o.state in ('submitted', 'under_review') and ${seenBy(viewer, 'decision', 'o.case_id')}`,
  mine: ({ accountId }) => sql`o.state in ('submitted', 'under_review') and o.reviewer_id = ${accountId}::uuid`,
  decided: (viewer) => sql`o.answered_at is not null and ${seenBy(viewer, 'decision', 'o.case_id')}`,
};

/** The appeals `o` of a list, with their case `c`. */
const appealsIn = (view: AppealView, viewer: Staff) => sql`
  appeal o join moderation_case c on c.id = o.case_id where ${conditionOf[view](viewer)} and ${seenBy(viewer, 'case', 'c.id')}`;

/** The open appeals `o`, with their case `c`. */
export const waitingAppeals = (viewer: Staff) => appealsIn('open', viewer);

const countedMost = 100;
const defaultLimit = 25;

/**
 * One page of appeals, those with the least time left first or, if decided, the newest first; and the size of each list, counted up to 100.
 */
export async function appealsPage(
  db: Db,
  viewer: Viewer,
  { view = 'open', cursor, limit = defaultLimit }: QueryOf<typeof listAppeals>,
  now: Date,
): Promise<AnswerInput<typeof listAppeals>['data']> {
  const place = readCursor(cursor);
  const isDecided = view === 'decided';
  const at = isDecided ? sql`o.answered_at` : sql`o.due_at`;
  const further = afterPlace(place, at, sql`o.id`, !isDecided);
  const order = isDecided ? sql`o.answered_at desc, o.id desc` : sql`o.due_at, o.id`;
  const [found, counts] = await Promise.all([
    findAppeals(db, viewer, { where: sql`${conditionOf[view](viewer)} ${further}`, order, limit: limit + 1 }),
    countLists(db, appealViews, (of) => appealsIn(of, viewer), countedMost),
  ]);
  const { rows, nextCursor } = cutPage(found, limit, ({ id, due_at, answered_at }) => ({
    at: isDecided ? (answered_at ?? due_at) : due_at,
    id,
  }));
  return { appeals: rows.map((row) => toLine(row, viewer, now)), counts, nextCursor };
}

/** The open appeals that match and wait for the viewer's review: no one reviews their own decision, or a case they opened. */
export async function appealsToReview(
  db: Db,
  viewer: Viewer,
  { where, limit }: { where: RawBuilder<unknown>; limit: number },
  now: Date,
) {
  if (!may(viewer.staffRole, 'appeals.decide')) return [];
  const own = sql`${viewer.accountId}::uuid`;
  const mayBe = sql`${conditionOf.open(viewer)} and ${byOthers(viewer, sql`o.decided_by || o.openers`)}
    and coalesce(o.reviewer_id, ${own}) = ${own} and ${where}`;
  const found = await findAppeals(db, viewer, { where: mayBe, order: sql`o.due_at, o.id`, limit });
  return found.map((row) => toLine(row, viewer, now)).filter(({ canReview }) => canReview);
}

/** Every appeal in a case, newest first. */
export async function appealsOfCase(db: Db, viewer: Viewer, caseId: string, now: Date) {
  const where = sql`o.case_id = ${caseId}::uuid`;
  const found = await findAppeals(db, viewer, { where, order: sql`o.submitted_at desc, o.id`, limit: 50 });
  return found.map((row) => toLine(row, viewer, now));
}

/** An appeal with the decision it is about and the evidence behind it. Writes an audit row. Throws 404. */
export async function openAppealFile(context: EvidenceReader, { id }: { id: string }) {
  const { tx, caller, now } = context;
  const appeal = await tx.selectFrom('appeal').select('case_id').where('id', '=', id).executeTakeFirst();
  if (appeal === undefined) throw notFound();
  await requireMaySee(tx, caller, 'case', appeal.case_id);
  const [row] = await findAppeals(tx, caller, { where: sql`o.id = ${id}::uuid`, order: sql`o.id`, limit: 1 });
  const [decision] = row ? await decisionsWhere(tx, sql`d.id = ${row.decision_id}::uuid`, now) : [];
  if (row === undefined || decision === undefined) throw notFound();
  await audit(context, { type: 'case', id: row.case_id }, 'case.read');
  const viewer = { ...caller, isMasked: true };
  return {
    appeal: { ...toLine(row, viewer, now), text: row.plea, answer: row.answer },
    person: toPerson(row.person, viewer),
    decision,
    reports: await staffReports({ db: tx, viewer, now }, decision.reportIds),
    evidence: await evidenceOfAll(context, decision.reportIds),
  };
}
