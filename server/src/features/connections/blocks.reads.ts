import { sql } from 'kysely';
import type { BlockView } from '#contract/connections.ts';
import { countRows, type Db } from '../../platform/db/db.ts';
import { afterPlace, cutPage, type PageWindow } from '../../platform/db/page-cursor.ts';

interface BlockRow {
  blocked_id: string;
  created_at: Date;
  name: string | null;
}

/**
 * The people a member blocked, newest first. A name is shown only if the two could see each other without this block; otherwise the list
 * would reveal who is still a member, and who blocked the viewer.
 */
async function blockRows(
  db: Db,
  accountId: string,
  { limit, offset, after }: Omit<PageWindow, 'limit'> & { limit: number | null },
): Promise<BlockRow[]> {
  const { rows } = await sql<BlockRow>`
    select b.blocked_id, b.created_at, p.first_name as name
    from block b
      left join directory d on d.account_id = b.blocked_id and d.is_shown and not d.is_incognito
        and not exists (select from block theirs where theirs.blocker_id = b.blocked_id and theirs.blocked_id = b.blocker_id)
      left join profile p on p.account_id = d.account_id
    where b.blocker_id = ${accountId}::uuid and b.is_listed
      ${afterPlace(after, sql`b.created_at`, sql`b.blocked_id`)}
    order by b.created_at desc, b.blocked_id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

const toView = ({ blocked_id, created_at, name }: BlockRow): BlockView => ({
  user: { _id: blocked_id, name, profilePicture: null },
  blockedAt: created_at.toISOString(),
});

/** Everyone an account blocked, newest first. */
export async function blocksBy(db: Db, accountId: string): Promise<BlockView[]> {
  return (await blockRows(db, accountId, { limit: null, offset: 0, after: null })).map(toView);
}

/** One page of the people the caller blocked, newest first, and how many there are. */
export async function blocksPage(
  db: Db,
  accountId: string,
  window: PageWindow,
): Promise<{ blocks: BlockView[]; total: number; nextCursor: string | null }> {
  const total = await countRows(db, sql`block where blocker_id = ${accountId}::uuid and is_listed`);
  const found = await blockRows(db, accountId, { ...window, limit: window.limit + 1 });
  const { rows, nextCursor } = cutPage(found, window.limit, ({ created_at, blocked_id }) => ({
    at: created_at,
    id: blocked_id,
  }));
  return { blocks: rows.map(toView), total, nextCursor };
}
