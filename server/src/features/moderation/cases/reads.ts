import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { CaseMoment, CaseParty, getCase, listColleagues } from '#contract/moderation/cases.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import { may, outranks, permissions } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { partsOf } from '#contract/search-term.ts';
import { audit } from '#platform/db/audit.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { fullName } from '#platform/session/own-user.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { shownEmail, toPerson, usersByIds, type Viewer } from '../../profiles/public.ts';
import { type EvidenceReader, evidenceOfAll } from '../reports/evidence.ts';
import { staffReports } from '../reports/reads.ts';
import { withLanguage } from '../reports/views.ts';
import { decisionsWhere, sanctionsWhere, strikesAgainst } from '../decisions/decisions.reads.ts';
import { appealsOfCase } from '../appeals/reads.ts';
import { linksOf } from '../decisions/bans.ts';
import { safetyOf } from '../emergencies/safety.reads.ts';
import { comparedWith, heldBackOf } from '../holds/held.reads.ts';
import { recommend } from '../decisions/policy.ts';
import { requireMaySee, seenBy, withHidden } from '#platform/session/access.ts';
import { caseAge } from './age.reads.ts';
import { findCases, type FoundCase, toCaseLine } from './list.reads.ts';
import { stepsFor } from '../work/policy.ts';
import { storedText } from '#platform/texts.ts';

async function foundCase(db: Db, viewer: Viewer, id: string): Promise<FoundCase> {
  const [row] = await findCases(db, sql`c.id = ${id}::uuid`, 1);
  if (row === undefined) throw notFound();
  await requireMaySee(db, viewer, 'case', id);
  return row;
}

function toStaffCase(row: FoundCase, viewer: Viewer, now: Date) {
  const line = toCaseLine(row, viewer, now);
  return {
    ...line,
    respondedAt: row.responded_at,
    decidedAt: row.decided_at,
    isMine: line.holder?._id === viewer.accountId,
    can: { steps: stepsFor(row, viewer, now), assignOthers: may(viewer.staffRole, 'cases.lead') },
  };
}

/** One case for staff. Throws 404 for an unknown one, 403 if the viewer is a party. */
export async function staffCase(db: Db, viewer: Viewer, id: string, now: Date) {
  return toStaffCase(await foundCase(db, viewer, id), { ...viewer, isMasked: true }, now);
}

const shownReports = 50;
const shownParties = 50;
const shownMoments = 200;

/** A case with everything needed to decide it. Writes an audit row. Throws 404 for an unknown one, 403 if the caller is a party. */
export async function openCaseFile(
  given: EvidenceReader & { deps: Pick<Deps, 'age' | 'config' | 'pictures'> },
  { id }: { id: string },
): Promise<AnswerInput<typeof getCase>['data']> {
  const { tx, now } = given;
  const caller = await withHidden(tx, given.caller, 'self', 'decision', 'account', 'person');
  const context = { ...given, caller };
  const viewer = { ...caller, isMasked: true };
  const row = await foundCase(tx, caller, id);
  await audit(context, { type: 'case', id }, 'case.read');
  const ids = await newestReports(tx, id);
  const heldId = row.held_since === null ? null : row.person_id;
  return {
    case: toStaffCase(row, viewer, now),
    joinedAt: row.joined_at,
    reports: (await staffReports({ db: tx, viewer, now }, ids)).map(withLanguage),
    parties: await partiesOf(tx, viewer, id),
    links: await linksOf(tx, viewer, row.person_id),
    age: await caseAge(context, row),
    safety: await safetyOf(context, id),
    heldBack: heldId === null ? null : await heldBackOf(tx, caller, heldId),
    comparedPeople: heldId === null ? [] : await comparedPeople(context, { caseId: id, accountId: heldId }),
    evidence: await evidenceOfAll(context, ids),
    timeline: await timelineOf(tx, id),
    decisions: await decisionsWhere(tx, sql`d.case_id = ${id}::uuid`, now),
    appeals: await appealsOfCase(tx, viewer, id, now),
    sanctions: await sanctionsWhere(tx, sql`s.account_id = ${row.person_id}::uuid`, now),
    recommendation: row.person_id === null ? null : recommend(await strikesAgainst(tx, row.person_id, now)),
    canRevoke: may(caller.staffRole, 'sanctions.revoke') && !outranks(row.staff_role, caller.staffRole),
  };
}

/** The held person and the one to compare them with. Profile pictures, including pending ones, are left out for staff who may not see evidence. */
async function comparedPeople(
  { tx, deps, caller, now }: EvidenceReader & { deps: Pick<Deps, 'pictures'> },
  held: { caseId: string; accountId: string },
) {
  const otherId = await comparedWith(tx, caller, held);
  const users = await usersByIds(tx, otherId === null ? [held.accountId] : [held.accountId, otherId]);
  return users.map((user) => {
    const { _id, firstName, name, age, location, isPhotoVerified } = toPerson(user, caller, now, deps.pictures);
    const pictures = may(caller.staffRole, 'evidence.view')
      ? deps.pictures.forStaff(caller.accountId, user.id, user.pictures, now)
      : [];
    const profilePicture = pictures.find(({ isProfilePicture }) => isProfilePicture)?.url ?? null;
    return { _id, firstName, name, age, location, isPhotoVerified, profilePicture, joinedAt: user.created_at };
  });
}

/** The person who views a case, as colleagues see them; null unless they may open it. */
export async function caseViewer(
  db: Db,
  accountId: string,
  caseId: string,
): Promise<{ _id: string; name: string } | null> {
  const where = sql`c.id = ${caseId}::uuid and ${seenBy({ accountId }, 'case', 'c.id')}`;
  const [row] = isUuid(caseId) ? await findCases(db, where, 1) : [];
  if (row === undefined) return null;
  const { staff_role: role, ...names } = await db
    .selectFrom('account')
    .innerJoin('profile', 'profile.account_id', 'account.id')
    .select(['staff_role', 'first_name', 'last_name'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!may(role, 'cases.list')) return null;
  return { _id: accountId, name: fullName(names.first_name, names.last_name) ?? 'Unknown' };
}

async function newestReports(db: Db, caseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('report')
    .select('id')
    .where('case_id', '=', caseId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shownReports)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The newest report of a case, to which replies are added. Throws 404 for an unknown case, 403 if the caller is a party, 409 without
 * reports.
 */
export async function newestReport(db: Db, caller: Caller, caseId: string): Promise<string> {
  await foundCase(db, caller, caseId);
  const [id] = await newestReports(db, caseId);
  if (id === undefined) throw new AppError('CONFLICT', msg`This case has no report to reply to`);
  return id;
}

const mostColleagues = 50;

/** Active staff who may handle cases and whose name contains the words of `search`, by name. */
export async function colleagues(db: Db, search: string): Promise<AnswerInput<typeof listColleagues>['data']> {
  const words = partsOf(search, false).flatMap(({ toFold }) => toFold);
  const { rows } = await sql<{
    id: string;
    staff_role: StaffRole;
    first_name: string | null;
    last_name: string | null;
  }>`
    select a.id, a.staff_role, p.first_name, p.last_name from account a join profile p on p.account_id = a.id
    where a.staff_role = any (${permissions['cases.handle']}::text[]) and a.is_active and a.leaving_since is null
      and not exists (
        select from unnest(${words}::text[]) word
        where strpos(folded(concat_ws(' ', p.first_name, p.last_name)), folded(word)) = 0)
    order by concat_ws(' ', p.first_name, p.last_name) collate "und-x-icu", a.id limit ${mostColleagues + 1}`.execute(
    db,
  );
  const shown = rows.slice(0, mostColleagues).map((row) => ({
    _id: row.id,
    name: fullName(row.first_name, row.last_name) ?? 'Unknown',
    role: row.staff_role,
  }));
  return { colleagues: shown, isMore: rows.length > mostColleagues };
}

interface PartyRow {
  id: string | null;
  here: number;
  filed: number;
  email: string | null;
  is_active: boolean | null;
  first_name: string | null;
  last_name: string | null;
}

/** Who filed the reports of a case. The number of all that they filed leaves out those in which the viewer is a party. */
async function partiesOf(db: Db, viewer: Viewer, caseId: string): Promise<CaseParty[]> {
  const { rows } = await sql<PartyRow>`
    select f.id, f.here, a.email, a.is_active and a.leaving_since is null as is_active, p.first_name, p.last_name,
      case when f.id is null then f.here
        else (select count(*)::int from report where reporter_id = f.id and deleted_at is null and is_listed
          and ${seenBy(viewer, 'report', 'report')}) end as filed
    from (
      select reporter_id as id, count(*)::int as here, max(created_at) as last_at from report
      where case_id = ${caseId}::uuid and deleted_at is null and source not in ('own_initiative', 'automatic', 'outsider') group by reporter_id, reporter_alias
      order by last_at desc limit ${shownParties}
    ) f left join account a on a.id = f.id left join profile p on p.account_id = f.id
    order by f.last_at desc`.execute(db);
  return rows.map((row) => ({
    person: {
      _id: row.id,
      name: row.id === null ? 'Deleted user' : (fullName(row.first_name, row.last_name) ?? 'Unknown'),
      email: row.email === null ? null : shownEmail(viewer, row.email),
      isActive: row.is_active ?? false,
    },
    reportsHere: row.here,
    reportsFiled: row.filed,
  }));
}

interface MomentRow {
  source: string;
  id: string;
  at: Date;
  kind: string;
  actor_role: CaseMoment['actor']['role'];
  actor_name: string | null;
  report_id: string | null;
  from_value: string | null;
  to_value: string | null;
  reason: string | null;
}

/** The events of the case and of its reports, newest first. */
async function timelineOf(db: Db, caseId: string) {
  const { rows } = await sql<MomentRow>`
    select * from (
      (select 'case' as source, id, at, kind, actor_role, actor_name, null::uuid as report_id, null as from_value, to_value, reason
        from case_event where case_id = ${caseId}::uuid order by id desc limit ${shownMoments})
      union all
      (select 'report', e.id, e.at, e.kind, e.actor_role,
          case when e.actor_role = 'reporter' then (select concat_ws(' ', p.first_name, p.last_name) from profile p
            where p.account_id = e.actor_id) else e.actor_name end,
          e.report_id, e.from_value, e.to_value, e.reason
        from report_event e join report r on r.id = e.report_id
        where r.case_id = ${caseId}::uuid and r.deleted_at is null order by e.id desc limit ${shownMoments})
    ) both_kinds order by at desc, source desc, id desc limit ${shownMoments}`.execute(db);
  return rows.map((row) => ({
    _id: `${row.source} ${row.id}`,
    at: row.at,
    actor: { name: storedText(row.actor_name ?? ''), role: row.actor_role },
    kind: row.kind,
    reportId: row.report_id,
    from: row.from_value,
    to: row.to_value,
    reason: row.reason && storedText(row.reason),
  }));
}
