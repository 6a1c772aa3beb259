import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { Db } from '#platform/db/db.ts';
import { notify } from '#platform/notify/notify.ts';
import { userShownTo } from '../profiles/public.ts';
import { forgotten, lowAndHigh, markAnswered } from './pair.ts';

/** The id of the match of two people, or null. */
export async function matchOf(db: Db, one: string, other: string): Promise<string | null> {
  const [low, high] = lowAndHigh(one, other);
  const row = await db
    .selectFrom('match')
    .select('id')
    .where('low_id', '=', low)
    .where('high_id', '=', high)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * The caller's match with someone, as the caller sees it. A match with a hidden person looks as if it had ended, so that a block, which
 * ends a match, can't be distinguished from leaving, which hides it.
 */
export async function matchSeenBy(tx: Db, caller: Caller, userId: string): Promise<'none' | 'hidden' | 'shown'> {
  if ((await matchOf(tx, caller.accountId, userId)) === null) return 'none';
  return (await userShownTo(tx, caller, userId)) === undefined ? 'hidden' : 'shown';
}

/** What is needed to make or end a match; a `CommandContext` has it. */
export interface MatchContext {
  tx: Db;
  deps: Pick<Deps, 'emit'>;
  now: Date;
}

/**
 * Makes two people who like each other a match and notifies both; they see each other even if a stored address hid them. The caller of this
 * function has locked the pair. Returns the match's id.
 */
export async function makeMatch({ tx, deps, now }: MatchContext, one: string, other: string): Promise<string> {
  const [low, high] = lowAndHigh(one, other);
  const { id } = await tx
    .with('shown', (db) =>
      db
        .deleteFrom('block')
        .where('is_by_address_only', '=', true)
        .where(
          sql<boolean>`(blocker_id, blocked_id) in ((${low}::uuid, ${high}::uuid), (${high}::uuid, ${low}::uuid))`,
        ),
    )
    .insertInto('match')
    .values({ low_id: low, high_id: high, matched_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await markAnswered(tx, one, other);
  await deps.emit(tx, 'matched', { matchId: id });
  for (const accountId of [other, one]) await notify(tx, { accountId, kind: 'match', subjectId: id }, now);
  return id;
}

/**
 * Ends the match of two people, on behalf of the first, if there is one. The caller of this function has locked the pair. Their decisions about each other become an
 * unmatch, which is final.
 */
export async function endMatch({ tx, deps, now }: MatchContext, one: string, other: string): Promise<void> {
  const [low, high] = lowAndHigh(one, other);
  const { rows } = await sql<{ id: string }>`
    with ended as (
      delete from match where low_id = ${low}::uuid and high_id = ${high}::uuid returning id
    ), unmatched as (
      update decision set kind = 'unmatch', decided_at = ${now}, note = null, liked_picture = null, liked_prompt = null
      where (viewer_id, target_id) in ((${low}::uuid, ${high}::uuid), (${high}::uuid, ${low}::uuid))
        and exists (select from ended)
      returning viewer_id, target_id
    ), ${forgotten(sql`select viewer_id, target_id from unmatched`)}
    select id from ended`.execute(tx);
  for (const { id } of rows) await deps.emit(tx, 'matchEnded', { matchId: id, byId: one, now });
}
