import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

/** Hides two people from each other on behalf of the first; again changes nothing. Whether there is such a second person is not asked. */
export async function insertBlock(tx: Db, blockerId: string, blockedId: string, now: Date): Promise<void> {
  await tx
    .insertInto('block')
    .values({ blocker_id: blockerId, blocked_id: blockedId, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['blocker_id', 'blocked_id'])
        .doUpdateSet({ is_listed: true, created_at: now })
        .where('block.is_listed', '=', false),
    )
    .execute();
}

/** As `insertBlock`, but for the list of those one blocked: the first did not say whom, and does not learn it. */
export async function insertUnlistedBlock(tx: Db, blockerId: string, blockedId: string, now: Date): Promise<void> {
  await tx
    .insertInto('block')
    .values({ blocker_id: blockerId, blocked_id: blockedId, created_at: now, is_listed: false })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ends the match of two people and hides them from each other for good, on behalf of the first. */
export async function insertUnmatch(tx: Db, accountId: string, otherId: string, now: Date): Promise<void> {
  await tx
    .insertInto('block')
    .values({ blocker_id: accountId, blocked_id: otherId, created_at: now, is_listed: false, by_unmatch: true })
    .onConflict((conflict) => conflict.columns(['blocker_id', 'blocked_id']).doUpdateSet({ by_unmatch: true }))
    .execute();
}

/** Takes back what the first hid from the second, but for what an unmatch hides. */
export async function deleteBlock(db: Db, blockerId: string, blockedId: string): Promise<void> {
  await sql`
    with kept as (
      update block set is_listed = false
      where blocker_id = ${blockerId}::uuid and blocked_id = ${blockedId}::uuid and by_unmatch)
    delete from block
    where blocker_id = ${blockerId}::uuid and blocked_id = ${blockedId}::uuid and not by_unmatch`.execute(db);
}

/** A condition: neither of the two hides the other. */
export function unblocked(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from block where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;
}

/** Everybody who is hidden from this account, whichever side asked for it. */
export async function hiddenFrom(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select blocked_id as id from block where blocker_id = ${accountId}::uuid
    union
    select blocker_id from block where blocked_id = ${accountId}::uuid`.execute(db);
  return rows.map(({ id }) => id);
}
