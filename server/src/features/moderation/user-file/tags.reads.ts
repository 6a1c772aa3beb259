import { type RawBuilder, sql } from 'kysely';
import { type Tag, tagUsersCounted, type UserTag } from '#contract/moderation/tags.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { seenBy, type Staff } from '#platform/session/access.ts';

/** A person may have several tags that were merged, so more rows are read than people counted. */
const readMost = 10 * tagUsersCounted;

/**
 * The tags in use and the retired ones, by name; or only the one with `id`. Counts leave out people whose tags the viewer may not see,
 * because a difference to the list filtered by the tag would reveal them.
 */
export async function allTags(db: Db, viewer: Staff, id: string | null = null): Promise<Tag[]> {
  const { rows } = await sql<Tag>`
    select t.id as "_id", t.name, t.retired_at is not null as "isRetired", (
        select least(count(distinct account_id), ${tagUsersCounted})::int from (
          select k.account_id from account_tag k
          where k.tag_id = any (array(select m.id from user_tag m where t.id in (m.id, m.merged_into)))
            and ${seenBy(viewer, 'reach', 'k.account_id')}
          limit ${readMost}
        ) counted) as "userCount", array(select m.id from user_tag m where m.merged_into = t.id) as merged
    from user_tag t where t.merged_into is null and (${id}::uuid is null or t.id = ${id}::uuid)
    order by t.retired_at is not null, t.name collate "und-x-icu", t.id`.execute(db);
  return rows;
}

/** The id of the tag that stands in for another: the one it was merged into, or itself. */
export const countsAs = (tagId: string | RawBuilder<unknown> | null | undefined): RawBuilder<string> =>
  sql`(select coalesce(merged_into, id) from user_tag where id = (${tagId})::uuid)`;

/** The ids of the tags that stand in for these. A value that is no tag is returned unchanged. */
export async function countAs(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; into: string }>`
    select id, merged_into as into from user_tag
    where id = any (${ids.filter(isUuid)}::uuid[]) and merged_into is not null`.execute(db);
  return ids.map((id) => rows.find((tag) => tag.id === id)?.into ?? id);
}

/** The tags of a person, by name. A merged tag counts as the one that replaced it. */
export async function tagsOf(db: Db, accountId: string): Promise<UserTag[]> {
  const { rows } = await sql<UserTag>`
    select g.id as "_id", g.name, g.retired_at is not null as "isRetired" from user_tag g where g.id in (
      select coalesce(t.merged_into, t.id) from account_tag k join user_tag t on t.id = k.tag_id
      where k.account_id = ${accountId}::uuid)
    order by g.name collate "und-x-icu", g.id`.execute(db);
  return rows;
}
