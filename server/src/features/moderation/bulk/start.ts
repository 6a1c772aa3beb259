import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf } from '#contract/endpoint.ts';
import type { BulkAct, BulkProgress, startBulk } from '#contract/moderation/bulk.ts';
import { actorOf, given, givenFilters, writeAudit } from '../../../platform/db/audit.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import type { StaffContext } from '../cases/case-row.ts';
import { choose } from './choose.ts';
import { progressOf } from './progress.ts';

/** The name of a tag to give or take; 409 for one to give that is not in use. */
async function tagNameOf(tx: Db, act: BulkAct): Promise<string | undefined> {
  if (act.kind !== 'tag' && act.kind !== 'untag') return undefined;
  const tag = await tx
    .selectFrom('user_tag')
    .select(['name', 'retired_at'])
    .where('id', '=', act.tagId)
    .executeTakeFirst();
  if (tag === undefined || (act.kind === 'tag' && tag.retired_at !== null))
    throw new AppError('CONFLICT', msg`A colleague has retired or merged this tag`);
  return tag.name;
}

/**
 * Starts an act on many people, which a job carries out. Written in the audit trail as one event with all of them. Throws as `choose` does;
 * 409 if no one is left, and for a tag that is not in use.
 */
export async function start(
  context: StaffContext,
  { selection, act, reason }: BodyOf<typeof startBulk>,
): Promise<BulkProgress> {
  const { tx, caller, now } = context;
  const tagId = 'tagId' in act ? act.tagId : undefined;
  const { fitting: people } = await choose(context, selection, { kind: act.kind, tagId });
  const tag = await tagNameOf(tx, act);
  if (people.length === 0) throw new AppError('CONFLICT', msg`There is no one left with whom this can be done`);
  const { id } = await tx
    .insertInto('bulk_act')
    .values({
      kind: act.kind,
      payload: JSON.stringify(act),
      reason,
      made_by: caller.accountId,
      total: people.length,
      started_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into bulk_act_item (act_id, position, account_id)
    select ${id}::uuid, at, person from unnest(${people}::uuid[]) with ordinality as chosen (person, at)`.execute(tx);
  const filters = 'filters' in selection ? selection.filters : {};
  const changes = given({ bulk: act.kind, tag, filters: givenFilters(filters), people });
  await writeAudit(
    tx,
    { actor: actorOf(caller), action: 'users.bulk', target: { type: 'users', id: null }, reason, changes },
    now,
  );
  await addJob(tx, 'users.bulk', { id }, { jobKey: `users.bulk ${id}` });
  return await progressOf(tx, caller, id);
}
