import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { type addTag, type mergeTag, type renameTag, type Tag, tagsMax } from '#contract/moderation/tags.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import type { StaffContext } from '../work/case-row.ts';
import { allTags } from './tags.reads.ts';

/** Until the transaction ends, no one else changes the list. */
const lockTags = (tx: Db) => sql`lock table user_tag in share row exclusive mode`.execute(tx);

/** A tag in use, with the list locked. 404; 409 for a retired one. */
async function usedTag(tx: Db, id: string): Promise<{ id: string; name: string }> {
  await lockTags(tx);
  const tag = isUuid(id)
    ? await tx.selectFrom('user_tag').select(['id', 'name', 'retired_at']).where('id', '=', id).executeTakeFirst()
    : undefined;
  if (tag === undefined) throw notFound();
  if (tag.retired_at !== null) throw new AppError('CONFLICT', msg`A colleague has retired or merged this tag`);
  return tag;
}

/** Writes an audit row about a tag; returns the tag `id` as it is now. */
async function recorded(
  { tx, caller, now }: StaffContext,
  action: AuditAction,
  { id, ...name }: { id: string; from: string | null; to: string | null },
  shownId = id,
): Promise<Tag> {
  await audit({ tx, caller, now }, { type: 'tag', id }, action, { changes: { name } });
  const [tag] = await allTags(tx, caller, shownId);
  if (tag === undefined) throw notFound();
  return tag;
}

/** Throws 409 for a name that another tag in use has. */
async function refuseTakenName(tx: Db, name: string, id: string | null): Promise<void> {
  const { rows } = await sql`select from user_tag
    where retired_at is null and folded(name) = folded(${name}) and id is distinct from ${id}::uuid`.execute(tx);
  if (rows.length > 0) throw invalid('name', msg`There is a tag with this name`, 'CONFLICT');
}

/** Adds a tag to the list. 409 for a name in use and a full list. */
export async function createTag(context: StaffContext, { name }: BodyOf<typeof addTag>): Promise<Tag> {
  const { tx } = context;
  await lockTags(tx);
  await refuseTakenName(tx, name, null);
  const used = await tx.selectFrom('user_tag').select('id').where('retired_at', 'is', null).execute();
  if (used.length >= tagsMax)
    throw new AppError('CONFLICT', msg`There are already ${{ tagsMax }} tags. Retire or merge one that is not needed.`);
  const { id } = await tx.insertInto('user_tag').values({ name }).returning('id').executeTakeFirstOrThrow();
  return await recorded(context, 'tag.added', { id, from: null, to: name });
}

/** Renames a tag for everyone who has it. 404, 409. */
export async function rename(
  context: StaffContext,
  { id, name }: ParamsOf<typeof renameTag> & BodyOf<typeof renameTag>,
): Promise<Tag> {
  const { tx } = context;
  const before = await usedTag(tx, id);
  await refuseTakenName(tx, name, id);
  await tx.updateTable('user_tag').set({ name }).where('id', '=', id).execute();
  return await recorded(context, 'tag.renamed', { id, from: before.name, to: name });
}

/** Merges a tag, with those merged into it before, into another one. This changes only the list, however many people have it. 404, 409. */
export async function merge(
  context: StaffContext,
  { id, into }: ParamsOf<typeof mergeTag> & BodyOf<typeof mergeTag>,
): Promise<Tag> {
  const { tx, now } = context;
  const [before, other] = [await usedTag(tx, id), await usedTag(tx, into)];
  if (into === id) throw invalid('into', msg`Choose another tag`);
  await tx
    .updateTable('user_tag')
    .set({ merged_into: into, retired_at: now })
    .where((eb) => eb.or([eb('id', '=', id), eb('merged_into', '=', id)]))
    .execute();
  return await recorded(context, 'tag.merged', { id, from: before.name, to: other.name }, into);
}

/** Retires a tag. 404, 409. */
export async function retire(context: StaffContext, { id }: { id: string }): Promise<Tag> {
  const { tx, now } = context;
  const { name } = await usedTag(tx, id);
  await tx.updateTable('user_tag').set({ retired_at: now }).where('id', '=', id).execute();
  return await recorded(context, 'tag.retired', { id, from: name, to: null });
}
