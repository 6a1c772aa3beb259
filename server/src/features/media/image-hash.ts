import { sql } from 'kysely';
import { secondsAfter } from '../../platform/process/clock.ts';
import type { Db } from '../../platform/db/db.ts';

/** Pictures whose hashes differ in at most this many of 64 bits look alike. */
const alikeBits = 6;
/** One band more than bits may differ, so that two similar hashes share at least one band. */
const bandCount = alikeBits + 1;
/** Fewer set or unset bits than this mean a plain surface; those all look alike. */
const leastFeatures = 4;

function bitsOf(dhash: bigint): string {
  return BigInt.asUintN(64, dhash).toString(2).padStart(64, '0');
}

/** The hash cut into seven bands, each tagged with its position. */
function bandsOf(dhash: bigint): number[] {
  const bits = bitsOf(dhash);
  return Array.from({ length: bandCount }, (_, band) => {
    const from = Math.floor((band * 64) / bandCount);
    const to = Math.floor(((band + 1) * 64) / bandCount);
    return band * 1024 + Number.parseInt(bits.slice(from, to), 2);
  });
}

function isPlain(dhash: bigint): boolean {
  const set = bitsOf(dhash).replaceAll('0', '').length;
  return Math.min(set, 64 - set) < leastFeatures;
}

/** Whether a similar picture was rejected before: the same one, resized, recompressed or slightly changed. */
export async function wasRejected(db: Db, dhash: bigint): Promise<boolean> {
  if (isPlain(dhash)) return false;
  const { rows } = await sql`
    select from rejected_look
    where bands && ${bandsOf(dhash)}::int[]
      and bit_count((dhash # ${String(dhash)}::bigint)::bit(64)) <= ${alikeBits} limit 1`.execute(db);
  return rows.length > 0;
}

/** Stores the hash of a rejected picture. */
export async function rememberImageHash(tx: Db, dhash: bigint, now: Date): Promise<void> {
  if (isPlain(dhash)) return;
  await tx
    .insertInto('rejected_look')
    .values({ dhash: String(dhash), bands: bandsOf(dhash), rejected_at: now })
    .onConflict((conflict) => conflict.column('dhash').doUpdateSet({ rejected_at: now }))
    .execute();
}

const keptDays = 730;

/** Deletes hashes of pictures rejected two years ago. */
export async function forgetImageHashes(db: Db, now: Date): Promise<void> {
  const end = secondsAfter(now, -keptDays * 86_400);
  await db.deleteFrom('rejected_look').where('rejected_at', '<=', end).execute();
}
