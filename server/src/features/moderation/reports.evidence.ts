import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { detailsSchema } from '#contract/profile-details.ts';
import type { Evidence } from '#contract/report.ts';
import type { Db } from '../../platform/db.ts';
import { toPublicUser, type UserRow } from '../profiles/profiles.public.ts';

type FrozenProfile = Evidence['profile'];

const hashOf = (content: string) => createHash('sha256').update(content, 'utf8').digest();

/** Keeps a copy of a profile as other members see it at this moment, with its hash; later edits and deletion leave it as it is. */
export async function freezeProfile(tx: Db, reportId: string, user: UserRow, now: Date): Promise<void> {
  const viewer = { accountId: user.id, staffRole: null, showLastActive: false };
  const shown = toPublicUser(user, viewer, now);
  const { firstName, gender, genderText, age, bio, location, profilePicture, more_pictures } = shown;
  const profile: FrozenProfile = {
    ...{ firstName, gender, genderText, age, bio, location, profilePicture, more_pictures },
    details: z.parse(detailsSchema, shown),
  };
  const content = JSON.stringify(profile);
  await tx
    .insertInto('report_evidence')
    .values({ report_id: reportId, kind: 'profile', captured_at: now, content, hash: hashOf(content) })
    .execute();
}

/** The frozen copies of a report, each with whether it still is what was hashed. */
export async function evidenceOf(db: Db, reportId: string): Promise<Evidence[]> {
  const rows = await db
    .selectFrom('report_evidence')
    .selectAll()
    .where('report_id', '=', reportId)
    .orderBy('captured_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    type: row.kind,
    capturedAt: row.captured_at.toISOString(),
    hash: row.hash.toString('hex'),
    isIntact: hashOf(row.content).equals(row.hash),
    profile: JSON.parse(row.content) as FrozenProfile,
  }));
}
