import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { releaseRequestOf } from '../../profiles/public.ts';
import { liveRestrictions } from './restrictions.ts';

async function emergenciesOf(db: Db, caseId: string) {
  const rows = await db
    .selectFrom('emergency')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('marked_at', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ kind, marked_at: at, marked_by_name: by, paged_at, mailed_at }) => ({
    ...{ kind, at, by },
    pagedAt: paged_at ?? mailed_at,
  }));
}

async function referralsOf(db: Db, caseId: string) {
  return await db
    .selectFrom('referral')
    .select(['id as _id', 'authority', 'handed_over as handedOver', 'legal_basis as legalBasis', 'referred_on as on'])
    .select(['made_at as at', 'made_by_name as by'])
    .where('case_id', '=', caseId)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .limit(50)
    .execute();
}

async function preservationOf(db: Db, caseId: string, now: Date) {
  const hold = await db
    .selectFrom('legal_hold')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (hold === undefined) return null;
  return {
    at: hold.set_at,
    by: hold.set_by_name,
    reason: hold.reason,
    reviewOn: hold.review_on,
    releaseAskedBy: await releaseRequestOf(db, hold.id, now),
  };
}

/** The cases under a legal hold that are due for review. */
export const isPreservationReviewDue = (now: Date) =>
  sql`c.id in (select case_id from legal_hold where released_at is null and review_on <= ${now}::timestamptz)`;

/** The emergencies, referrals and legal hold of a case. */
export async function safetyOf({ tx, deps, now }: { tx: Db; deps: Pick<Deps, 'config'>; now: Date }, id: string) {
  const { url, mail } = deps.config.paging;
  const ends = (await liveRestrictions(tx, id, now)).map(({ ends_at }) => ends_at);
  return {
    emergencies: await emergenciesOf(tx, id),
    isPagerSet: url !== null || mail.length > 0,
    restrictedUntil: ends.toSorted((a, b) => Number(a) - Number(b)).at(-1) ?? null,
    referrals: await referralsOf(tx, id),
    legalHold: await preservationOf(tx, id, now),
  };
}
