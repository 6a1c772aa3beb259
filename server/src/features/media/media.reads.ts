import type { Db } from '../../platform/db.ts';
import type { StoredPicture } from '../../platform/pictures.ts';

/** An account's pictures as its profile keeps them. */
export async function storedPictures(db: Db, accountId: string): Promise<StoredPicture[]> {
  const { pictures } = await db
    .selectFrom('profile')
    .select('pictures')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return pictures;
}
