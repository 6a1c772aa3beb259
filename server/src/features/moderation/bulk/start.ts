import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import { type BulkAct, messageWaitsMinutes, type startBulk } from '#contract/moderation/bulk.ts';
import { audit, given, givenFilters } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { keepActId } from '../../profiles/public.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { choose } from './choose.ts';
import { countsAs } from '../user-file/tags.reads.ts';
import { requireFewReaders } from './message.ts';
import { progressOf } from './progress.ts';
import { queueAct } from './run.ts';

/** The name of a tag to add or remove; 409 for an added tag that is retired. */
async function tagNameOf(tx: Db, act: BulkAct): Promise<string | undefined> {
  if (act.kind !== 'tag' && act.kind !== 'untag') return undefined;
  const tag = await tx
    .selectFrom('user_tag')
    .select(['name', 'retired_at'])
    .where('id', '=', countsAs(act.tagId))
    .executeTakeFirst();
  if (tag === undefined || (act.kind === 'tag' && tag.retired_at !== null))
    throw new AppError('CONFLICT', msg`A colleague has retired or merged this tag`);
  return tag.name;
}

/**
 * Starts an act on many people, which a job carries out. The audit trail records it as one event with all of them. Throws the errors of
 * `choose`; 409 if no one is left, for a retired tag, and for a message to more people than one person may write to alone. With an
 * approval, which is used up, it starts some minutes later.
 */
export async function start(
  context: CommandContext,
  { selection, act, reason, approval = null }: BodyOf<typeof startBulk> & { approval?: string | null },
): ReturnType<typeof progressOf> {
  const { tx, deps, caller, now } = context;
  if (act.kind === 'notice') requireOwnLinks('act.text', act.text, deps.config);
  const tagId = 'tagId' in act ? act.tagId : undefined;
  const { fitting: people } = await choose(context, selection, { kind: act.kind, tagId });
  const tag = await tagNameOf(tx, act);
  if (people.length === 0) throw new AppError('CONFLICT', msg`This no longer applies to anyone`);
  if (act.kind === 'notice' && approval === null) await requireFewReaders(context, people.length);
  const startsAt = approval === null ? null : secondsAfter(now, messageWaitsMinutes * 60);
  const { id } = await tx
    .insertInto('bulk_act')
    .values({
      kind: act.kind,
      payload: JSON.stringify({ ...act, ...('changedBy' in selection && { of: selection.changedBy }) }),
      reason,
      made_by: caller.accountId,
      total: people.length,
      started_at: now,
      starts_at: startsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into bulk_act_item (act_id, position, account_id)
    select ${id}::uuid, at, person from unnest(${people}::uuid[]) with ordinality as chosen (person, at)`.execute(tx);
  const filters = 'filters' in selection ? selection.filters : {};
  const changes = given({
    bulk: act.kind,
    tag,
    ...(approval !== null && { approval }),
    filters: givenFilters(filters),
    people,
  });
  await audit({ tx, caller, now }, { type: 'users', id: null }, 'users.bulk', { reason, changes });
  if (approval !== null) await keepActId(tx, approval, id);
  // Some seconds more, because the clock of the database may be ahead.
  await queueAct(tx, id, startsAt === null ? 0 : messageWaitsMinutes * 60 + 5);
  return await progressOf(tx, caller, id);
}
