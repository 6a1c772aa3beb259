import { sql } from 'kysely';
import type { CaseSafety } from '#contract/moderation/emergencies.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { releaseRequestOf } from '../../profiles/public.ts';
import { liveRestrictions } from './restrictions.ts';

async function emergenciesOf(db: Db, caseId: string): Promise<CaseSafety['emergencies']> {
  const rows = await db
    .selectFrom('emergency')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('marked_at', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ kind, marked_at, marked_by_name: by, paged_at, mailed_at }) => ({
    kind,
    at: marked_at.toISOString(),
    by,
    pagedAt: (paged_at ?? mailed_at)?.toISOString() ?? null,
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

async function holdOf(db: Db, caseId: string, now: Date): Promise<CaseSafety['legalHold']> {
  const hold = await db
    .selectFrom('legal_hold')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (hold === undefined) return null;
  return {
    at: hold.set_at.toISOString(),
    by: hold.set_by_name,
    reason: hold.reason,
    reviewOn: hold.review_on,
    releaseAskedBy: await releaseRequestOf(db, hold.id, now),
  };
}

/** The cases under a legal hold of which the review is due. */
export const isHoldReviewDue = (now: Date) =>
  sql`c.id in (select case_id from legal_hold where released_at is null and review_on <= ${now}::timestamptz)`;

/** The emergencies, referrals and legal hold of a case. */
export async function safetyOf(
  { tx, deps, now }: { tx: Db; deps: Pick<Deps, 'config'>; now: Date },
  id: string,
): Promise<CaseSafety> {
  const { url, mail } = deps.config.paging;
  const ends = (await liveRestrictions(tx, id, now)).map(({ ends_at }) => ends_at.toISOString());
  return {
    emergencies: await emergenciesOf(tx, id),
    isPagerSet: url !== null || mail.length > 0,
    restrictedUntil: ends.toSorted().at(-1) ?? null,
    referrals: await referralsOf(tx, id),
    legalHold: await holdOf(tx, id, now),
  };
}
