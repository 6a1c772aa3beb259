import type { Db } from '../../platform/db/db.ts';
import type { StoredPicture } from '../../platform/session/pictures.ts';

/** An account's pictures as stored in its profile. */
export async function storedPictures(db: Db, accountId: string): Promise<StoredPicture[]> {
  const { pictures } = await db
    .selectFrom('profile')
    .select('pictures')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return pictures;
}

/** Storage keys of an account that its profile doesn't list: uploads, and the profile picture being replaced. */
export async function loosePictures(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('picture')
    .select('object_key')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('state', '=', 'unclaimed'), eb('place', '=', -1)]))
    .orderBy('uploaded_at')
    .execute();
  return rows.map(({ object_key: key }) => key);
}
