import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { detailsSchema, type ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { Picture } from '#contract/media/picture.ts';
import type { Evidence, FrozenMessage, FrozenNote } from '#contract/moderation/report.ts';
import { may } from '#contract/roles.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import type { Viewer } from '../../profiles/public.ts';
import type { Db } from '../../../platform/db/db.ts';
import {
  type MediaAddresses,
  type PictureViews,
  type StoredPicture,
  pictureMimeType,
} from '../../../platform/session/pictures.ts';
import type { ConversationCopy } from '../../messages/public.ts';
import { toPublicUser, type UserRow } from '../../profiles/public.ts';

/** A picture in a frozen copy: its facts, the digest of its bytes and their storage key. */
type FrozenPicture = Pick<StoredPicture, 'id' | 'key' | 'size' | 'width' | 'height' | 'placeholder'> & {
  sha256: string;
};

/** The content that is hashed, as JSON. */
export interface FrozenCopy {
  profile: Evidence['profile'];
  pictures: FrozenPicture[];
  messages?: FrozenMessage[];
  note?: FrozenNote;
}

type CopiedProfile = Required<NonNullable<Evidence['profile']>>;

/** What a copy has of what others see: no identifier and no activity. Pictures and details are copied separately. */
type CopiedField = Exclude<
  keyof PublicUser,
  keyof ProfileDetails | '_id' | 'name' | 'isOnline' | 'lastActive' | 'profilePicture' | 'more_pictures' | 'pictures'
>;

const hashOf = (content: string) => createHash('sha256').update(content, 'utf8').digest();

/** A member's pictures visible to other members, as frozen copies. */
async function frozenPictures(tx: Db, user: UserRow, views: PictureViews, now: Date): Promise<FrozenPicture[]> {
  const shown = new Set(views.shown(user.id, user.id, user.pictures, now).map(({ publicId }) => publicId));
  if (shown.size === 0) return [];
  const rows = await tx
    .selectFrom('picture')
    .select(['id', 'object_key as key', 'size', 'width', 'height', 'placeholder', 'sha256'])
    .where('id', 'in', [...shown])
    .orderBy('place')
    .execute();
  return rows.map((row) => ({ ...row, sha256: row.sha256.toString('hex') }));
}

/**
 * Stores a copy of a person as other members see them now, with its hash, and one of each reported picture. Later edits and deletion
 * don't change it.
 * @param pointedAt the pictures' public ids as other members know them
 */
export async function freeze(
  tx: Db,
  reportId: string,
  user: UserRow,
  pointedAt: readonly string[],
  views: PictureViews,
  now: Date,
): Promise<void> {
  const viewer = { accountId: user.id, staffRole: null, showLastActive: false };
  const shown = toPublicUser(user, viewer, now, views);
  const { firstName, gender, genderText, age, bio, location } = shown;
  const pictures = await frozenPictures(tx, user, views, now);
  const details = z.parse(detailsSchema, shown);
  // Names every field, so that the compiler finds one that others see and no copy has.
  const profile: CopiedProfile = { firstName, gender, genderText, age, bio, location, details } satisfies Record<
    CopiedField | 'details',
    unknown
  >;
  await insertEvidence(tx, reportId, 'profile', { profile, pictures }, now);
  for (const picture of pictures.filter(({ id }) => pointedAt.includes(id))) {
    await insertEvidence(tx, reportId, 'picture', { profile: null, pictures: [picture] }, now);
  }
}

/**
 * Stores a copy of a conversation, with its hash, for staff. People are identified by their role in the report.
 * @param pointedAt the sequence numbers of the reported messages
 */
export async function freezeMessages(
  tx: Db,
  reportId: string,
  { messages }: ConversationCopy,
  pointedAt: readonly number[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const frozen = messages.map(({ isOwn, ...message }): FrozenMessage => ({
    ...message,
    by: isOwn ? 'reporter' : 'reported',
    isReported: pointedAt.includes(message.seq),
  }));
  await insertEvidence(tx, reportId, 'message', { profile: null, pictures: [], messages: frozen }, now);
}

/** Stores a copy of the note that a like came with, with its hash. */
export async function freezeNote(tx: Db, reportId: string, note: FrozenNote, now: Date): Promise<void> {
  await insertEvidence(tx, reportId, 'note', { profile: null, pictures: [], note }, now);
}

async function insertEvidence(tx: Db, reportId: string, kind: Evidence['type'], copy: FrozenCopy, now: Date) {
  const content = JSON.stringify(copy);
  const { id } = await tx
    .insertInto('report_evidence')
    .values({ report_id: reportId, kind, captured_at: now, content, hash: hashOf(content) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const bytes = copy.pictures.map(({ key }, position) => ({
    evidence_id: id,
    position,
    report_id: reportId,
    object_key: key,
  }));
  if (bytes.length > 0) await tx.insertInto('evidence_picture').values(bytes).execute();
}

/**
 * The frozen copies of a report for a staff member, each with whether it still matches its hash. All but the profile's texts are for
 * roles that decide cases.
 */
export async function evidenceOf(
  db: Db,
  reportId: string,
  { accountId, staffRole }: Viewer,
  addresses: MediaAddresses,
  now: Date,
): Promise<Evidence[]> {
  const rows = await db
    .selectFrom('report_evidence')
    .selectAll()
    .where('report_id', '=', reportId)
    .orderBy('captured_at')
    .orderBy(sql`kind <> 'message'`)
    .orderBy(sql`kind collate "C"`, 'desc')
    .orderBy('id')
    .execute();
  const addressOf = addresses.forSet(accountId, `report ${reportId}`, now, `report=${reportId}&`);
  const isWhole = may(staffRole, 'evidence.view');
  return rows.flatMap((row) => {
    if (!isWhole && row.kind !== 'profile') return [];
    const { profile, pictures, messages = [], note } = readCopy(row.content);
    return {
      _id: row.id,
      type: row.kind,
      capturedAt: row.captured_at.toISOString(),
      hash: row.hash.toString('hex'),
      isIntact: hashOf(row.content).equals(row.hash),
      profile,
      pictures: (isWhole ? pictures : []).map(({ id, key, sha256: _, ...picture }): Picture => ({
        ...picture,
        publicId: id,
        name: '',
        mimeType: pictureMimeType,
        url: addressOf(key, 'large'),
        thumbnailUrl: addressOf(key, 'thumbnail'),
      })),
      messages,
      ...(note && { note }),
    };
  });
}

/** What a frozen copy holds. The oldest copies contain the profile only. */
export function readCopy(content: string): FrozenCopy {
  const copy = JSON.parse(content) as FrozenCopy | NonNullable<FrozenCopy['profile']>;
  return 'pictures' in copy ? copy : { profile: copy, pictures: [] };
}
