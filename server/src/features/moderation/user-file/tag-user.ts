import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { type tagUser, tagsOfUserMax, type UserTag } from '#contract/moderation/tags.ts';
import { actorOf, audit } from '#platform/db/audit.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError } from '#platform/http/app-error.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { StaffContext } from '../work/case-row.ts';
import { countAs, tagsOf } from './tags.reads.ts';

/** Adds tags to a person; returns the names of new ones. 409 for a retired tag. */
async function give({ tx, caller, now }: StaffContext, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const used = await tx
    .selectFrom('user_tag')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any (${ids.filter(isUuid)}::uuid[])`)
    .where('retired_at', 'is', null)
    // Until this is committed, no one can merge or retire them.
    .forShare()
    .execute();
  if (used.length < new Set(ids).size)
    throw new AppError('CONFLICT', msg`A colleague has retired or merged one of these tags`);
  const { accountId: by, name, role } = actorOf(caller);
  const addition = { added_at: now, added_by: by, added_by_name: name, added_by_role: role };
  const known = new Set((await tagsOf(tx, accountId)).map(({ _id }) => _id));
  const fresh = used.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return [];
  await tx
    .insertInto('account_tag')
    .values(fresh.map(({ id }) => ({ account_id: accountId, tag_id: id, ...addition })))
    .execute();
  return fresh.map((tag) => tag.name);
}

/** Removes tags, including those merged into them; returns the names of those the person had. */
async function take({ tx }: StaffContext, accountId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from account_tag k using user_tag t
      where k.account_id = ${accountId}::uuid and t.id = k.tag_id
        and coalesce(t.merged_into, t.id) = any (${ids.filter(isUuid)}::uuid[])
      returning coalesce(t.merged_into, t.id) as id
    )
    select name from user_tag where id in (select id from gone)`.execute(tx);
  return rows.map(({ name }) => name);
}

/**
 * Adds and removes tags, with one audit row for each change; returns all tags of the person afterwards. 404; 403 if the caller may not act
 * on them; 409 for retired tags, and for too many.
 */
export async function changeTagsOf(
  context: StaffContext,
  { id, add = [], remove = [] }: ParamsOf<typeof tagUser> & BodyOf<typeof tagUser>,
): Promise<UserTag[]> {
  const { tx, caller } = context;
  await requireMayAct(tx, caller, 'user', id);
  // Changes of a person's tags happen one at a time.
  await tx.selectFrom('account').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const target = { type: 'user', id } as const;
  for (const name of await take(context, id, await countAs(tx, remove)))
    await audit(context, target, 'user.untagged', { changes: { tag: { from: name, to: null } } });
  for (const name of await give(context, id, await countAs(tx, add)))
    await audit(context, target, 'user.tagged', { changes: { tag: { from: null, to: name } } });
  const tags = await tagsOf(tx, id);
  if (tags.length > tagsOfUserMax)
    throw new AppError('CONFLICT', msg`A person can have ${{ tagsOfUserMax }} tags at most`);
  return tags;
}
