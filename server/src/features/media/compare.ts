import { sql } from 'kysely';
import type { PictureLabel } from '#contract/moderation/picture-queue.ts';
import type { Db } from '#platform/db/db.ts';
import type { MadePicture } from './decoding/picture.ts';
import { alikeBits, bandsOfColumn, differingBits, imageBands, removedHash } from './image.ts';
import type { PictureRow } from './pictures.ts';

/** A picture that differs from a removed one in at most this many bits may be a changed copy. Uploads refuse closer ones to the same account. */
const changedBits = 10;
/** The most other accounts' pictures that are recorded for one picture. */
const mostRecorded = 20;

/** Whether a picture with these bands may be a changed copy of a removed one. */
const likeRemoved = (bands: number[], dhash: bigint | string) => sql<boolean>`(
  exists (select from rejected_look where bands && ${bands}::int[] and ${differingBits(sql`dhash`, dhash)} <= ${changedBits})
  or exists (select from picture where ${bandsOfColumn} && ${bands}::int[] and state <> 'unclaimed' and state = 'rejected'
    and ${differingBits(sql`dhash`, dhash)} <= ${changedBits})
  or exists (select from sanction where kind = 'remove_content' and revoked_at is null
    and ${differingBits(removedHash, dhash)} <= ${changedBits}))`;

/** What our own check finds in a picture that isn't for a profile. */
export async function labelsOf(
  db: Db,
  { dhash, hasQrCode }: Pick<MadePicture, 'dhash' | 'hasQrCode'>,
): Promise<PictureLabel[]> {
  const bands = imageBands(dhash);
  const { rows } = await sql<{ is: boolean }>`select ${likeRemoved(bands, dhash)} as is`.execute(db);
  return [
    ...(hasQrCode ? (['qrCode'] as const) : []),
    ...(bands.length > 0 && rows[0]?.is === true ? (['likeRemoved'] as const) : []),
  ];
}

/**
 * Compares a picture with removed ones and with those of other accounts, and records what they have in common: reasons for staff to look
 * closer, never a decision. Plain surfaces are left out, because they all look alike. Returns whether the picture has a reason, even one
 * that its upload found.
 */
export async function comparePicture(
  db: Db,
  { id, account_id: accountId, dhash }: Pick<PictureRow, 'id' | 'account_id' | 'dhash'>,
): Promise<boolean> {
  const bands = imageBands(BigInt(dhash));
  if (bands.length > 0) {
    const bits = differingBits(sql`dhash`, dhash);
    await sql`
      update picture set labels = labels || 'likeRemoved'::text
      where id = ${id}::uuid and not 'likeRemoved' = any (labels) and ${likeRemoved(bands, dhash)}`.execute(db);
    // In a fixed order, so that two pictures that are checked at the same time don't deadlock.
    await sql`
      insert into same_picture (picture_id, other_id)
      with other as (
        select id from picture where ${bandsOfColumn} && ${bands}::int[] and state <> 'unclaimed' and place is not null
          and account_id <> ${accountId}::uuid and ${bits} <= ${alikeBits}
        order by ${bits}, id limit ${mostRecorded}
      )
      select ${id}::uuid, id from other union all select id, ${id}::uuid from other order by 1, 2
      on conflict do nothing`.execute(db);
  }
  const { rows } = await sql<{ hasReason: boolean }>`
    select labels <> '{}' or exists (select from same_picture where picture_id = ${id}::uuid) as "hasReason"
    from picture where id = ${id}::uuid`.execute(db);
  return rows[0]?.hasReason === true;
}
