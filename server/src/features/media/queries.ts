import { randomBytes } from 'node:crypto';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { PictureTable } from './tables.ts';

export type PictureRow = Selectable<PictureTable>;
type PictureChange = Updateable<PictureTable>;

/** 128 random bits as 22 characters that fit a path. */
export const newHandle = (): string => randomBytes(16).toString('base64url');

/** All pictures of an account, uploads included; nobody else changes any of them until the transaction ends. */
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

/** Puts pictures on these places. */
export async function placePictures(tx: Db, places: readonly { id: string; place: number }[]): Promise<void> {
  for (const { id, place } of places) await changePicture(tx, id, { place });
}

/** Notes bytes that are about to be written: unless a row is made for them, they are swept an hour later. */
export async function noteBytes(db: Db, objectKey: string): Promise<void> {
  await db
    .insertInto('media_discard')
    .values({ object_key: objectKey, due_at: sql`now() + interval '1 hour'` })
    .execute();
}

/** The bytes belong to a row from now on. */
export async function keepBytes(tx: Db, objectKey: string): Promise<void> {
  await tx.deleteFrom('media_discard').where('object_key', '=', objectKey).execute();
}
