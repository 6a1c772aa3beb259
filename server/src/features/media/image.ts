import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { uploadWithinMs } from '#contract/constants.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import { decode, type DecodeLimits } from './decoding/decode.ts';
import { isPicture, type MadeBrandPicture, type MadePicture, type Refusal, wrongType } from './decoding/picture.ts';

/** Photos of messages have limits of their own. */
export type PictureKind = 'picture' | 'messagePicture';

/** How many pictures are decoded at the same time: while one of them is stuck until its deadline, others still get a turn. */
export const decodedAtOnce = 2;
const places = pLimit(decodedAtOnce);
/** Less than half of the time that an upload may take, so that a picture that waited for another one still gets an answer. */
export const decodeWithin = { processorMs: 8000, clockMs: 40_000 };
export const waitAtMostMs = uploadWithinMs - decodeWithin.processorMs;

const refused = ({ code, text }: Refusal) => invalid('file', text, code);
/** An upload whose decoder had to be killed took far more time than others, and counts as this many. */
const killedCosts = 20;
/** The refusal of an upload whose decoder was killed. */
export const refusedByKill = ({ code, text }: Refusal): AppError =>
  new AppError(code, text, { errors: [{ field: 'file', msg: text }], costs: killedCosts });
const tooSlow: Refusal = {
  code: 'PICTURE_UNREADABLE',
  text: msg`This picture takes too long to read. Save it as a JPEG and try again.`,
};

/**
 * Re-encodes an upload, at most two at a time and one of each member. Throws 415 for unsupported types (judged by the bytes, not the name),
 * and 422 if it is damaged, too small, too narrow or too large, or can't be decoded `within` that time.
 */
export async function makePicture(
  upload: Buffer,
  memberId: string,
  { within = decodeWithin, kind = 'picture' }: { within?: DecodeLimits; kind?: PictureKind } = {},
): Promise<MadePicture> {
  if (upload.length === 0) throw refused({ code: 'PICTURE_UNREADABLE', text: msg`The file is empty` });
  if (!isPicture(upload)) throw refused(wrongType);
  const startBefore = performance.now() + waitAtMostMs;
  const outcome = await inTurn(memberId, () =>
    places(() => {
      // The upload was already answered, or will be before its picture is ready.
      if (performance.now() > startBefore) throw new AppError('UNAVAILABLE', busy, { retryAfterSeconds: 2 });
      return decode(kind, upload, within);
    }),
  );
  if (outcome === 'killed') throw refusedByKill(tooSlow);
  if ('code' in outcome) throw refused(outcome);
  return outcome;
}

/** Re-encodes a logo or icon in the same way. Throws 415 for types other than SVG and PNG, and 422 if it can't be used. */
export async function makeBrandPicture(
  upload: Buffer,
  memberId: string,
  kind: 'logo' | 'icon',
): Promise<MadeBrandPicture> {
  const outcome = await inTurn(memberId, () => places(() => decode(kind, upload, decodeWithin)));
  if (outcome === 'killed') throw refusedByKill(tooSlow);
  if ('code' in outcome) throw refused(outcome);
  return outcome;
}

const busy = msg`Many pictures are being uploaded. Please try again in a moment.`;

/** The last upload of each member that is being decoded or waiting. */
const turns = new Map<string, Promise<unknown>>();

/** Runs `work` after the member's earlier work, so that one member can't take up the slots of others. */
export async function inTurn<T>(memberId: string, work: () => Promise<T>): Promise<T> {
  const earlier = turns.get(memberId);
  const turn = (async () => {
    await earlier?.catch(() => undefined);
    return await work();
  })();
  turns.set(memberId, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(memberId) === turn) turns.delete(memberId);
  }
}

/** Pictures whose hashes differ in at most this many of 64 bits look alike. */
export const alikeBits = 6;
/** One more band than bits may differ, so that two similar hashes share at least one band. */
const bandCount = alikeBits + 1;
/** A hash with fewer set or unset bits than this belongs to a plain surface; plain surfaces all look alike. */
const leastFeatures = 4;

function bitsOf(dhash: bigint): string {
  return BigInt.asUintN(64, dhash).toString(2).padStart(64, '0');
}

/** Which bits of the hash each band has, from the highest, and the number that tags the band with its position. */
const bandRanges = Array.from({ length: bandCount }, (_, band) => ({
  from: Math.floor((band * 64) / bandCount),
  to: Math.floor(((band + 1) * 64) / bandCount),
  tag: band * 1024,
}));

/** The hash cut into seven bands, each tagged with its position. */
function bandsOf(dhash: bigint): number[] {
  const bits = bitsOf(dhash);
  return bandRanges.map(({ from, to, tag }) => tag + Number.parseInt(bits.slice(from, to), 2));
}

/** The bands of `picture.dhash`: exactly the expression of the index `picture_bands`, because the index serves no other. */
export const bandsOfColumn = sql`array[${sql.join(
  bandRanges.map(({ from, to, tag }) => {
    const [shift, mask] = [64 - to, 2 ** (to - from) - 1];
    return sql`${sql.lit(tag)} + (dhash >> ${sql.lit(shift)} & ${sql.lit(mask)})::int`;
  }),
)}]`;

/** In how many bits a hash in the database differs from this one. */
export const differingBits = (column: ReturnType<typeof sql>, dhash: bigint | string) =>
  sql`bit_count((${column} # ${String(dhash)}::bigint)::bit(64))`;

function isPlain(dhash: bigint): boolean {
  const set = bitsOf(dhash).replaceAll('0', '').length;
  return Math.min(set, 64 - set) < leastFeatures;
}

/** The hash cut into seven bands, most of which are equal for similar pictures; empty for a plain surface. */
export const imageBands = (dhash: bigint): number[] => (isPlain(dhash) ? [] : bandsOf(dhash));

/**
 * Whether a similar picture is refused to the account: the same picture, or one that was resized, recompressed or slightly changed.
 * Never one that was approved on their profile before someone else's copy was rejected.
 */
export async function isRefused(db: Db, accountId: string, dhash: bigint): Promise<boolean> {
  if (isPlain(dhash)) return false;
  const { rows } = await sql`
    select from rejected_look l
    where bands && ${bandsOf(dhash)}::int[] and ${differingBits(sql`dhash`, dhash)} <= ${alikeBits}
      and (is_for_all or exists (select from refused_look r where r.account_id = ${accountId}::uuid and r.dhash = l.dhash))
      and not exists (select from picture p where p.account_id = ${accountId}::uuid and p.state = 'approved'
        and p.decided_at < l.rejected_at and ${differingBits(sql`p.dhash`, dhash)} <= ${alikeBits}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The hash in the content of a sanction that removed a picture. */
export const removedHash = sql`(content ->> 'dhash')::bigint`;

/** Throws 422 for a picture that a decision removed from the account, or a similar one, as long as the decision is in force. */
export async function refuseRemoved(
  db: Db,
  accountId: string,
  { sha256, dhash }: { sha256: Buffer; dhash: bigint | string },
): Promise<void> {
  const { rows } = await sql`
    select from sanction where account_id = ${accountId}::uuid and kind = 'remove_content' and revoked_at is null
      and (content ->> 'sha256' = ${sha256.toString('hex')} or ${!isPlain(BigInt(dhash))}
        and ${differingBits(removedHash, dhash)} <= ${alikeBits}) limit 1`.execute(db);
  if (rows.length > 0)
    throw invalid('file', msg`A decision removed this picture from your profile. See Support.`, 'PICTURE_REFUSED');
}

/** Stores the hash of a rejected picture, which is refused to this account from now on; to everyone if it is null. */
export async function rememberImageHash(tx: Db, accountId: string | null, hash: string, now: Date): Promise<void> {
  const dhash = BigInt(hash);
  if (isPlain(dhash)) return;
  await sql`
    insert into rejected_look as l (dhash, bands, rejected_at, is_for_all)
    values (${hash}::bigint, ${bandsOf(dhash)}::int[], ${now}, ${accountId === null})
    on conflict (dhash) do update set rejected_at = excluded.rejected_at,
      is_for_all = l.is_for_all or excluded.is_for_all`.execute(tx);
  if (accountId === null) return;
  const refused = tx.insertInto('refused_look').values({ account_id: accountId, dhash: hash });
  await refused.onConflict((known) => known.doNothing()).execute();
}

/** Forgets the hash of a picture that a decision of this time rejected, once it is reversed. */
export async function forgetImageHash(tx: Db, dhash: string, rejectedAt: Date): Promise<void> {
  await tx.deleteFrom('rejected_look').where('dhash', '=', dhash).where('rejected_at', '=', rejectedAt).execute();
}
