import type { MessageDescriptor } from '@lingui/core';
import { sql } from 'kysely';
import { AppError } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import type { Caller } from '#platform/session/caller.ts';

/** Makes a member photo verified with these pictures, the profile picture first. */
export async function givePhotoVerified(tx: Db, accountId: string, pictureIds: string[], now: Date): Promise<void> {
  const badge = { photo_verified_at: now, photo_verified_ids: pictureIds };
  await tx.updateTable('profile').set(badge).where('account_id', '=', accountId).execute();
}

/** Removes the badge that was given at this time. Returns its pictures, or null if the member no longer has it. */
export async function takePhotoVerified(tx: Db, accountId: string, givenAt: string): Promise<string[] | null> {
  const { rows } = await sql<{ ids: string[] }>`
    with had as (
      select account_id, photo_verified_ids as ids from profile
      where account_id = ${accountId}::uuid and photo_verified_at = ${givenAt}::timestamptz for no key update
    )
    update profile f set photo_verified_at = null, photo_verified_ids = null from had where f.account_id = had.account_id
    returning had.ids`.execute(tx);
  return rows[0]?.ids ?? null;
}

/** Ends the photo verification at the member's request. */
export async function giveUpPhotoVerified(tx: Db, accountId: string): Promise<void> {
  const none = { photo_verified_at: null, photo_verified_ids: null };
  await tx.updateTable('profile').set(none).where('account_id', '=', accountId).execute();
}

/** Gives a removed badge back, unless the member was verified again or the pictures have changed. */
export async function putBackPhotoVerified(
  tx: Db,
  accountId: string,
  { givenAt, pictureIds }: { givenAt: string; pictureIds: string[] },
): Promise<void> {
  await sql`update profile set photo_verified_at = ${givenAt}::timestamptz, photo_verified_ids = ${pictureIds}::uuid[]
    where account_id = ${accountId}::uuid and photo_verified_at is null`.execute(tx);
  await sql`select logic.refresh_pictures(array[${accountId}::uuid])`.execute(tx);
}

/** Chooses whether only photo-verified people may send this member a note or the first message. */
export async function setVerifiedContactOnly(tx: Db, accountId: string, isOnly: boolean): Promise<void> {
  await tx
    .updateTable('profile')
    .set({ verified_contact_only: isOnly })
    .where('account_id', '=', accountId)
    .where('verified_contact_only', '!=', isOnly)
    .execute();
}

/** Whether the receiver accepts notes and first messages from the sender. */
export async function mayContact(db: Db, senderId: string, receiverId: string): Promise<boolean> {
  const { rows } = await sql`
    select from profile receiver, profile sender where receiver.account_id = ${receiverId}::uuid and sender.account_id = ${senderId}::uuid
      and (sender.photo_verified_at is not null or not receiver.verified_contact_only)`.execute(db);
  return rows.length > 0;
}

/** Throws 403 if the receiver accepts notes and first messages only from photo-verified people and the caller is not one. */
export function requireMayContact(
  caller: Pick<Caller, 'photoVerifiedAt'>,
  receiver: { verified_contact_only: boolean } | undefined,
  text: MessageDescriptor,
): void {
  if (receiver?.verified_contact_only !== true || caller.photoVerifiedAt !== null) return;
  throw new AppError('PHOTO_VERIFICATION_REQUIRED', text);
}
