import { sql } from 'kysely';
import type { BlockView } from '#contract/connections/blocks.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import type { Db } from '../../../platform/db/db.ts';

interface BlockRow {
  blocked_id: string;
  created_at: Date;
  name: string | null;
}

/**
 * The people a member blocked, newest first. A name is shown only if the two could see each other without this block; otherwise the list
 * would reveal who is still a member, and who blocked the viewer.
 */
export async function blocksBy(
  db: Db,
  accountId: string,
  limit: number | null = null,
  offset = 0,
): Promise<BlockView[]> {
  const { rows } = await sql<BlockRow>`
    select b.blocked_id, b.created_at, p.first_name as name
    from block b
      left join directory d on d.account_id = b.blocked_id and d.is_shown and not d.is_incognito
        and not exists (select from block theirs where theirs.blocker_id = b.blocked_id and theirs.blocked_id = b.blocker_id)
      left join profile p on p.account_id = d.account_id
    where b.blocker_id = ${accountId}::uuid and b.is_listed
    order by b.created_at desc, b.blocked_id limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ blocked_id, created_at, name }) => ({
    user: { _id: blocked_id, name, profilePicture: null },
    blockedAt: created_at.toISOString(),
  }));
}

/** One page of the people the caller blocked. */
export async function blocksPage(
  db: Db,
  accountId: string,
  page: number,
  limit: number,
): Promise<{ blocks: BlockView[]; pagination: Pagination }> {
  const { total } = await db
    .selectFrom('block')
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .where('blocker_id', '=', accountId)
    .where('is_listed', '=', true)
    .executeTakeFirstOrThrow();
  const blocks = await blocksBy(db, accountId, limit, (page - 1) * limit);
  return { blocks, pagination: paginate(page, limit, Number(total)) };
}
