import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/db.ts';

/** A condition: neither of the two accounts blocks the other. */
export function unblocked(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from block where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})))`;
}

/** A condition: this person is not hidden from the viewer by being incognito, or likes the viewer. */
export function notIncognito(
  id: RawBuilder<unknown>,
  isIncognito: RawBuilder<unknown>,
  viewerId: string,
): RawBuilder<boolean> {
  return sql<boolean>`(not (${isIncognito}) or coalesce((
    select l.kind = 'like' from decision l where l.viewer_id = ${id} and l.target_id = ${viewerId}::uuid), false))`;
}

/** The ids of everyone this account blocks or is blocked by. */
export async function hiddenFrom(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select blocked_id as id from block where blocker_id = ${accountId}::uuid
    union
    select blocker_id from block where blocked_id = ${accountId}::uuid`.execute(db);
  return rows.map(({ id }) => id);
}
