import { sql } from 'kysely';
import { type Tag, tagUsersCounted, type UserTag } from '#contract/moderation/tags.ts';
import type { Db } from '../../../platform/db/db.ts';

/** Someone may have several tags that were merged, so more rows are read than people counted. */
const readMost = 10 * tagUsersCounted;

/** The tags that are in use and those retired from it, by name; or only the one with `id`. */
export async function allTags(db: Db, id: string | null = null): Promise<Tag[]> {
  const { rows } = await sql<{
    id: string;
    name: string;
    created_at: Date;
    created_by: string;
    is_retired: boolean;
    users: number;
  }>`
    select t.id, t.name, t.created_at, t.created_by, t.retired_at is not null as is_retired, (
        select least(count(distinct account_id), ${tagUsersCounted})::int from (
          select k.account_id from account_tag k
          where k.tag_id = any (array(select m.id from user_tag m where t.id in (m.id, m.merged_into)))
          limit ${readMost}
        ) counted) as users
    from user_tag t where t.merged_into is null and (${id}::uuid is null or t.id = ${id}::uuid)
    order by t.retired_at is not null, t.name collate "und-x-icu", t.id`.execute(db);
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    isRetired: row.is_retired,
    userCount: row.users,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  }));
}

/** The tags of a person, by name. A merged tag counts as the one that replaced it. */
export async function tagsOf(db: Db, accountId: string): Promise<UserTag[]> {
  const { rows } = await sql<{ id: string; name: string; is_retired: boolean; added_at: Date; added_by_name: string }>`
    select * from (
      select distinct on (g.id) g.id, g.name, g.retired_at is not null as is_retired, k.added_at, k.added_by_name
      from account_tag k join user_tag t on t.id = k.tag_id join user_tag g on g.id = coalesce(t.merged_into, t.id)
      where k.account_id = ${accountId}::uuid order by g.id, k.added_at
    ) tags order by name collate "und-x-icu", id`.execute(db);
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    isRetired: row.is_retired,
    addedAt: row.added_at.toISOString(),
    addedBy: row.added_by_name,
  }));
}
