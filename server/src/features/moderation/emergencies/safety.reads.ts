import { sql } from 'kysely';
import type { CaseSafety, EmergencyKind } from '#contract/moderation/emergencies.ts';
import { may } from '#contract/roles.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isUuid } from '../../../platform/db/uuid.ts';
import { involved, notFound } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { releaseRequestOf } from '../../profiles/public.ts';
import { isParty } from '../cases/case-row.ts';
import { liveRestrictions } from './restrictions.ts';

interface EmergencyRow {
  kind: EmergencyKind;
  marked_at: Date;
  marked_by_name: string | null;
  reached_at: Date | null;
  restricted_until: Date | null;
}

async function emergenciesOf(db: Db, caseId: string, now: Date): Promise<CaseSafety['emergencies']> {
  const { rows } = await sql<EmergencyRow>`
    select kind, marked_at, marked_by_name, coalesce(paged_at, mailed_at) as reached_at,
      (select max(s.ends_at) from sanction s where s.decision_id = e.decision_id and s.revoked_at is null
        and s.ends_at > ${now}::timestamptz) as restricted_until
    from emergency e where case_id = ${caseId}::uuid order by marked_at desc`.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    at: row.marked_at.toISOString(),
    by: row.marked_by_name,
    pagedAt: row.reached_at?.toISOString() ?? null,
    restrictedUntil: row.restricted_until?.toISOString() ?? null,
  }));
}

async function referralsOf(db: Db, caseId: string): Promise<CaseSafety['referrals']> {
  const rows = await db
    .selectFrom('referral')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .limit(50)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    authority: row.authority,
    handedOver: row.handed_over,
    legalBasis: row.legal_basis,
    on: row.referred_on,
    at: row.made_at.toISOString(),
    by: row.made_by_name,
  }));
}

/** The open legal hold of the person of a case. */
async function holdOf(db: Db, personId: string | null, now: Date): Promise<CaseSafety['legalHold']> {
  const hold = await db
    .selectFrom('legal_hold')
    .selectAll()
    .where('account_id', '=', personId)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (hold === undefined) return null;
  return {
    at: hold.set_at.toISOString(),
    by: hold.set_by_name,
    reason: hold.reason,
    releaseAskedBy: await releaseRequestOf(db, hold.id, now),
  };
}

/** The emergencies, referrals and legal hold of a case. Throws 404 for an unknown one, 403 if the viewer is a party. */
export async function safetyOf(db: Db, viewer: Caller, id: string, now: Date): Promise<CaseSafety> {
  const row = isUuid(id)
    ? await db
        .selectFrom('moderation_case')
        .select(['id', 'person_id', 'stage'])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw notFound();
  if (await isParty(db, row, viewer.accountId)) throw involved({ type: 'case', id });
  const isRestricted = (await liveRestrictions(db, id, now)).length > 0;
  const mayHandle = may(viewer.staffRole, 'cases.handle');
  const mayLead = may(viewer.staffRole, 'cases.lead');
  return {
    emergencies: await emergenciesOf(db, id, now),
    referrals: await referralsOf(db, id),
    legalHold: await holdOf(db, row.person_id, now),
    can: {
      mark: mayHandle && !isRestricted && row.person_id !== null && row.stage !== 'decided',
      endRestriction: mayHandle && isRestricted,
      refer: mayLead,
      hold: mayLead && row.person_id !== null,
    },
  };
}
