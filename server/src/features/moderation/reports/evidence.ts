import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { detailsSchema, type ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { Picture } from '#contract/media.ts';
import type {
  evidenceSchema,
  frozenMessageSchema,
  frozenNoteSchema,
  frozenPlanSchema,
} from '#contract/moderation/report-file.ts';
import { may } from '#contract/roles.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import type { Deps } from '../../../deps.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type StoredPicture, pictureMimeType } from '#platform/session/pictures.ts';
import type { ConversationCopy } from '../../messages/public.ts';
import { toPublicUser, type UserRow } from '../../profiles/public.ts';

type Evidence = z.input<typeof evidenceSchema>;
type FrozenMessage = z.input<typeof frozenMessageSchema>;
type FrozenNote = z.input<typeof frozenNoteSchema>;
type FrozenPlan = z.input<typeof frozenPlanSchema>;

/** A picture in a frozen copy: its properties, the digest of its bytes and their storage keys. */
type FrozenPicture = Pick<StoredPicture, 'id' | 'key' | 'size' | 'width' | 'height' | 'placeholder'> & {
  sha256: string;
};

/** A voice note in a frozen copy. */
type FrozenVoice = ConversationCopy['voices'][number];

/** The content that is hashed, as JSON. */
export interface FrozenCopy {
  profile: Evidence['profile'];
  pictures: FrozenPicture[];
  voices?: FrozenVoice[];
  messages?: FrozenMessage[];
  note?: FrozenNote;
  plans?: FrozenPlan[];
  /** The report whose evidence the messages were copied from. */
  copiedFrom?: string;
}

type CopiedProfile = Required<NonNullable<Evidence['profile']>>;

/** What a copy contains of what others see: no identifier and no activity. Pictures and details are copied separately. */
type CopiedField = Exclude<
  keyof PublicUser,
  | keyof ProfileDetails
  | '_id'
  | 'name'
  | 'isOnline'
  | 'lastActive'
  | 'isPhotoVerified'
  | 'profilePicture'
  | 'more_pictures'
  | 'pictures'
>;

/** The digest of a copy. */
export const hashOf = (content: string) => createHash('sha256').update(content, 'utf8').digest();

/** The parts of a `CommandContext` that filing a report needs. */
type FilingContext = Pick<CommandContext, 'tx' | 'deps' | 'now'>;

/** A member's pictures that other members can see, as frozen copies. */
async function frozenPictures(context: FilingContext, user: UserRow): Promise<FrozenPicture[]> {
  const shown = context.deps.pictures.shown(user.id, user.id, user.pictures, context.now);
  return await picturesWithIds(
    context,
    shown.map(({ publicId }) => publicId),
  );
}

async function picturesWithIds({ tx }: FilingContext, ids: readonly string[]): Promise<FrozenPicture[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('picture')
    .select(['id', 'object_key as key', 'size', 'width', 'height', 'placeholder', 'sha256'])
    .where('id', 'in', [...new Set(ids)])
    .orderBy('place')
    .execute();
  return rows.map((row) => ({ ...row, sha256: row.sha256.toString('hex') }));
}

/**
 * Stores a copy of a person as other members see them now, with its hash, and a copy of each reported picture. Later edits and deletions
 * don't change it.
 */
export async function freeze(
  context: FilingContext,
  reportId: string,
  user: UserRow,
  pointedAt: readonly string[],
): Promise<void> {
  const { deps, now } = context;
  const viewer = { accountId: user.id, staffRole: null, showLastActive: false };
  const shown = toPublicUser(user, viewer, now, deps.pictures);
  const { firstName, gender, genderText, age, bio, location, photoVerifiedAt } = shown;
  const pictures = await frozenPictures(context, user);
  const details = z.parse(detailsSchema, shown);
  // Lists every field, so that the compiler reports one that others see and the copy lacks.
  const profile: CopiedProfile = {
    firstName,
    gender,
    genderText,
    age,
    bio,
    location,
    photoVerifiedAt,
    details,
  } satisfies Record<CopiedField | 'details', unknown>;
  await insertEvidence(context, reportId, 'profile', { profile, pictures });
  const named = pictures.filter(({ id }) => pointedAt.includes(id)).map(({ id }) => id);
  await freezePictures(context, reportId, named);
}

/** Stores a copy of each of these pictures, with its hash. */
export async function freezePictures(context: FilingContext, reportId: string, ids: readonly string[]): Promise<void> {
  for (const picture of await picturesWithIds(context, ids))
    await insertEvidence(context, reportId, 'picture', { profile: null, pictures: [picture] });
}

/** Stores a copy of a conversation, with its hash, for staff. People are identified by their role in the report. */
export async function freezeMessages(
  context: FilingContext,
  reportId: string,
  { messages, pictures, voices }: ConversationCopy,
  pointedAt: readonly number[],
): Promise<void> {
  if (messages.length === 0) return;
  const frozen = messages.map(({ isOwn, ...message }): FrozenMessage => ({
    ...message,
    by: isOwn ? 'reporter' : 'reported',
    isReported: pointedAt.includes(message.seq),
  }));
  await insertEvidence(context, reportId, 'message', {
    profile: null,
    pictures,
    ...(voices.length > 0 && { voices }),
    messages: frozen,
  });
}

/** Stores a copy of the note that a like came with, with its hash. */
export async function freezeNote(context: FilingContext, reportId: string, note: FrozenNote): Promise<void> {
  await insertEvidence(context, reportId, 'note', { profile: null, pictures: [], note });
}

/** Stores a copy of the dates planned in a reported conversation, with its hash. */
export async function freezePlans(
  context: Pick<FilingContext, 'tx' | 'now'>,
  reportId: string,
  plans: FrozenPlan[],
): Promise<void> {
  await insertEvidence(context, reportId, 'date', { profile: null, pictures: [], plans });
}

/** Stores a copy with its hash, as of the context's time; returns its id. */
export async function insertEvidence(
  { tx, now }: Pick<FilingContext, 'tx' | 'now'>,
  reportId: string,
  kind: Evidence['type'],
  copy: FrozenCopy,
): Promise<string> {
  const content = JSON.stringify(copy);
  const { id } = await tx
    .insertInto('report_evidence')
    .values({ report_id: reportId, kind, captured_at: now, content, hash: hashOf(content) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const bytes = [...copy.pictures, ...(copy.voices ?? [])].map(({ key }, position) => ({
    evidence_id: id,
    position,
    report_id: reportId,
    object_key: key,
  }));
  if (bytes.length > 0) await tx.insertInto('evidence_picture').values(bytes).execute();
  return id;
}

/** The member of staff who reads evidence, the time, and the signer for the addresses of its pictures; a `CommandContext` has it. */
export interface EvidenceReader extends Pick<CommandContext, 'tx' | 'caller' | 'now'> {
  deps: Pick<Deps, 'mediaAddresses'>;
}

/**
 * The frozen copies of a report for a staff member, each with whether it still matches its hash. Everything but the profile's texts is only
 * for roles that decide cases.
 */
export async function evidenceOf({ tx, deps, caller, now }: EvidenceReader, reportId: string): Promise<Evidence[]> {
  const rows = await tx
    .selectFrom('report_evidence')
    .selectAll()
    .where('report_id', '=', reportId)
    .orderBy('captured_at')
    .orderBy(sql`kind <> 'message'`)
    .orderBy(sql`kind collate "C"`, 'desc')
    .orderBy('id')
    .execute();
  const addressOf = deps.mediaAddresses.forSet(caller.accountId, `report ${reportId}`, now, `report=${reportId}&`);
  const isWhole = may(caller.staffRole, 'evidence.view');
  return rows.flatMap((row) => {
    if (!isWhole && row.kind !== 'profile') return [];
    const { profile, pictures, voices = [], messages = [], note, plans, copiedFrom } = readCopy(row.content);
    return {
      _id: row.id,
      type: row.kind,
      capturedAt: row.captured_at,
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
      ...(isWhole &&
        voices.length > 0 && {
          voices: voices.map(({ id: _id, key, durationMs, peaks }) => ({
            _id,
            url: addressOf(key, null),
            durationMs,
            peaks,
          })),
        }),
      messages,
      ...(note && { note }),
      ...(plans && { plans }),
      ...(copiedFrom !== undefined && { copiedFrom }),
    };
  });
}

/** The frozen copies of several reports; reports without copies are left out. */
export async function evidenceOfAll(
  reader: EvidenceReader,
  reportIds: readonly string[],
): Promise<{ reportId: string; items: Evidence[] }[]> {
  const evidence = [];
  for (const reportId of reportIds) {
    const items = await evidenceOf(reader, reportId);
    if (items.length > 0) evidence.push({ reportId, items });
  }
  return evidence;
}

/** The content of a frozen copy. The oldest copies contain only the profile. */
export function readCopy(content: string): FrozenCopy {
  const copy = JSON.parse(content) as FrozenCopy | NonNullable<FrozenCopy['profile']>;
  return 'pictures' in copy ? copy : { profile: copy, pictures: [] };
}
