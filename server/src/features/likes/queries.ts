import { sql, type Selectable } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { DecisionTable } from '../../platform/db/schema-likes.ts';

export type DecisionRow = Selectable<DecisionTable>;

/**
 * Holds two people until the transaction ends: whatever one of them does about the other comes after, as does the end of
 * their accounts. Whether both are here.
 */
export async function lockPair(tx: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{ here: number }>`/* prepared */
    select logic.lock_pair(${one}::uuid, ${other}::uuid) as here`.execute(tx);
  return rows[0]?.here === 2;
}

/** What somebody decided about somebody. */
export async function decisionOf(db: Db, viewerId: string, targetId: string): Promise<DecisionRow | undefined> {
  return await db
    .selectFrom('decision')
    .selectAll()
    .where('viewer_id', '=', viewerId)
    .where('target_id', '=', targetId)
    .executeTakeFirst();
}

/** What two people decided about each other: the first about the second, and the other way round. */
export async function decisionsBetween(
  db: Db,
  one: string,
  other: string,
): Promise<{ own: DecisionRow | undefined; back: DecisionRow | undefined }> {
  const { rows } = await sql<DecisionRow>`/* prepared */
    select * from decision where viewer_id = ${one}::uuid and target_id = ${other}::uuid
    union all
    select * from decision where viewer_id = ${other}::uuid and target_id = ${one}::uuid`.execute(db);
  const by = (id: string) => rows.find(({ viewer_id }) => viewer_id === id);
  return { own: by(one), back: by(other) };
}

/** Writes a decision down, in the place of an earlier one. */
export async function putDecision(tx: Db, row: DecisionRow): Promise<void> {
  const { viewer_id: _, target_id: __, ...content } = row;
  await tx
    .insertInto('decision')
    .values(row)
    .onConflict((conflict) => conflict.columns(['viewer_id', 'target_id']).doUpdateSet(content))
    .execute();
}

/** Takes a decision away; a like of the other one that it answered waits again. */
export async function removeDecision(tx: Db, viewerId: string, targetId: string): Promise<void> {
  await tx.deleteFrom('decision').where('viewer_id', '=', viewerId).where('target_id', '=', targetId).execute();
  await setPending(tx, targetId, viewerId, true);
}

/** Whether somebody's like waits for an answer; nothing where there is none. */
export async function setPending(tx: Db, viewerId: string, targetId: string, isPending: boolean): Promise<void> {
  await tx
    .updateTable('decision')
    .set({ is_pending: isPending })
    .where('viewer_id', '=', viewerId)
    .where('target_id', '=', targetId)
    .where('kind', '=', 'like')
    .execute();
}

/** The match of two people, made where there is none. */
export async function insertMatch(
  tx: Db,
  one: string,
  other: string,
  now: Date,
): Promise<{ id: string; isNew: boolean }> {
  const [low, high] = one < other ? [one, other] : [other, one];
  const made = await tx
    .insertInto('match')
    .values({ low_id: low, high_id: high, matched_at: now })
    .onConflict((conflict) => conflict.columns(['low_id', 'high_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const id = made?.id ?? (await matchOf(tx, one, other));
  if (id === null) throw new Error('a match just made is not there');
  return { id, isNew: made !== undefined };
}

/** The match of two people, or null. */
export async function matchOf(db: Db, one: string, other: string): Promise<string | null> {
  const [low, high] = one < other ? [one, other] : [other, one];
  const row = await db
    .selectFrom('match')
    .select('id')
    .where('low_id', '=', low)
    .where('high_id', '=', high)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Counts a like of today, for good: one that is taken back was sent. How many there are now; null where `most` are sent already. Days are UTC's. */
export async function countLike(tx: Db, accountId: string, most: number | null, now: Date): Promise<number | null> {
  const { rows } = await sql<{ sent: number }>`/* prepared */
    insert into like_count as c (account_id, sent_on, sent) values (${accountId}::uuid, ${dayOf(now)}::date, 1)
    on conflict (account_id) do update
      set sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end, sent_on = excluded.sent_on
      where ${most}::int is null or c.sent_on <> excluded.sent_on or c.sent < ${most}::int
    returning sent`.execute(tx);
  return rows[0]?.sent ?? null;
}

/** How many likes somebody sent today. */
export async function likesSentToday(db: Db, accountId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ sent: number }>`/* prepared */
    select sent from like_count where account_id = ${accountId}::uuid and sent_on = ${dayOf(now)}::date`.execute(db);
  return rows[0]?.sent ?? 0;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
