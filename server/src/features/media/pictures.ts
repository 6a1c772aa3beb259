import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql, type Updateable } from 'kysely';
import { randomBytes } from 'node:crypto';
import { morePicturesMax } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { textOf } from '#platform/texts.ts';
import { languageOf, noteTrace } from '../auth/public.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { refuseRemoved } from './image.ts';
import { selfiePrefix } from './storage/storage.ts';

export type PictureRow = Selectable<Database['picture']>;
type PictureChange = Updateable<Database['picture']>;

/** 128 random bits as 22 characters that can be used in a path. */
export const newHandle = (): string => randomBytes(16).toString('base64url');

/** The storage key of a selfie. */
export const selfieKey = (handle: string): string => `${selfiePrefix}${handle}.webp`;

/** All pictures of an account, including uploads, locked until the transaction ends. */
export async function lockPictures(tx: Db, accountId: string): Promise<PictureRow[]> {
  await sql`select from profile where account_id = ${accountId}::uuid for no key update`.execute(tx);
  return await tx
    .selectFrom('picture')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('place')
    .orderBy('uploaded_at')
    .execute();
}

export async function changePicture(tx: Db, id: string, change: PictureChange): Promise<void> {
  await tx.updateTable('picture').set(change).where('id', '=', id).execute();
}

export async function deletePictures(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('picture').where('id', 'in', ids).execute();
}

/** Moves pictures to these positions. */
export async function placePictures(tx: Db, places: readonly { id: string; place: number }[]): Promise<void> {
  for (const { id, place } of places) await changePicture(tx, id, { place });
}

/** Records bytes that are about to be written. They are deleted an hour later unless a row references them. */
export async function noteBytes(db: Db, objectKey: string): Promise<void> {
  await db
    .insertInto('media_discard')
    .values({ object_key: objectKey, due_at: sql`now() + interval '1 hour'` })
    .execute();
}

/** Deletes recorded bytes after this many days, and not earlier. */
export async function keepBytesFor(tx: Db, objectKey: string, days: number): Promise<void> {
  const due_at = sql<Date>`now() + make_interval(days => ${days})`;
  await tx.updateTable('media_discard').set({ due_at }).where('object_key', '=', objectKey).execute();
}

/** Records that a row references these bytes from now on. */
export async function keepBytes(tx: Db, objectKey: string): Promise<void> {
  await tx.deleteFrom('media_discard').where('object_key', '=', objectKey).execute();
}

/** Deletes all bytes that are due, after the transaction instead of within a minute. */
export async function sweepBytes(tx: Db): Promise<void> {
  await addJob(tx, 'media.sweep', {}, { jobKey: 'media.sweep now' });
}

export const profilePlace = 0;
/** The approved profile picture that others see until the new one is approved. */
export const previousPlace = -1;

export const isFurther = ({ place }: PictureRow) => place !== null && place > profilePlace;
export const isOnProfile = ({ place }: PictureRow) => place !== null && place >= profilePlace;

/** The caller's own picture with this public id, unless it was rejected. Throws the same 404 for everything else. */
export function ownByHandle(owned: readonly PictureRow[], publicId: string): PictureRow {
  const picture = owned.find(
    ({ public_id, state, place }) => public_id === publicId && state !== 'rejected' && place !== previousPlace,
  );
  if (picture === undefined) throw notFound();
  return picture;
}

/** How often a check is tried: the pauses grow up to six hours, so for a day. */
const checkTries = 14;

/** Adds an upload to the profile as pending review. The automatic checks look at it first. */
export async function claim({ tx, now }: CommandContext, picture: PictureRow, place: number): Promise<void> {
  await refuseRemoved(tx, picture.account_id, picture);
  await changePicture(tx, picture.id, { state: 'pending', place, claimed_at: now });
  await noteTrace(tx, picture.account_id, now);
  await addJob(
    tx,
    'media.check',
    { pictureId: picture.id },
    { jobKey: `media.check ${picture.id}`, maxAttempts: checkTries },
  );
}

/** Deletes the previous profile picture once the new one is approved. */
export async function forgetPrevious(tx: Db, owned: readonly PictureRow[], now: PictureRow): Promise<void> {
  if (now.state !== 'approved') return;
  const previous = owned.filter(({ place }) => place === previousPlace);
  await deletePictures(
    tx,
    previous.map(({ id }) => id),
  );
}

/** Renumbers the additional pictures without gaps. */
export async function closeRanks(tx: Db, further: readonly PictureRow[]): Promise<void> {
  const moved = further
    .map((picture, index) => ({ ...picture, to: index + 1 }))
    .filter(({ place, to }) => place !== to);
  await placePictures(
    tx,
    moved.map(({ id, to }) => ({ id, place: to })),
  );
}

/**
 * Removes a rejected picture from its profile, with the reason for its owner. A previously approved profile picture returns. `owned` are
 * the account's pictures, locked.
 */
export async function takeOff(
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  owned: readonly PictureRow[],
  picture: PictureRow,
  reason: string,
): Promise<void> {
  await changePicture(tx, picture.id, { state: 'rejected', place: null, reason, decided_at: now });
  const previous = owned.find(({ place }) => place === previousPlace);
  if (picture.place === profilePlace && previous) await changePicture(tx, previous.id, { place: profilePlace });
  if (isFurther(picture)) {
    await closeRanks(
      tx,
      owned.filter((other) => isFurther(other) && other !== picture),
    );
  }
}

/** Removes a picture from its profile because of a decision. Returns it, or undefined if it is no longer on the profile. */
export async function removePicture(
  context: Pick<CommandContext, 'tx' | 'now'>,
  { accountId, id, reason }: Record<'accountId' | 'id' | 'reason', string>,
): Promise<PictureRow | undefined> {
  const owned = await lockPictures(context.tx, accountId);
  const picture = owned.find((one) => one.id === id && one.place !== null);
  if (picture !== undefined) await takeOff(context, owned, picture, reason);
  return picture;
}

const fullText = msg`We reversed the removal, but your profile is full. Delete a picture, then add this one again.`;

/** Restores a picture that a decision removed: as the profile picture if there is none, otherwise as the last one, if there is room. */
export async function putBackPicture(
  tx: Db,
  accountId: string,
  { id, state }: { id: string; state: PictureRow['state'] },
  now: Date,
): Promise<void> {
  const owned = await lockPictures(tx, accountId);
  const picture = owned.find((one) => one.id === id && one.state === 'rejected');
  const further = owned.filter(isFurther).length;
  const hasProfilePicture = owned.some(({ place }) => place === profilePlace);
  if (picture === undefined) return;
  if (hasProfilePicture && further >= morePicturesMax)
    return await changePicture(tx, id, { reason: textOf(fullText, {}, await languageOf(tx, accountId)) });
  const place = hasProfilePicture ? further + 1 : profilePlace;
  await changePicture(tx, id, { state, place, reason: null, decided_at: now });
}

/** Makes a picture visible to others and deletes the profile picture it replaces. `owned` are the account's pictures, locked. */
export async function letOthersSee(tx: Db, owned: readonly PictureRow[], picture: PictureRow, now: Date) {
  await changePicture(tx, picture.id, { state: 'approved', reason: null, decided_at: now });
  if (picture.place === profilePlace) await forgetPrevious(tx, owned, { ...picture, state: 'approved' });
}
