import { sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import { bulkFailuresShown, type getBulkAct } from '#contract/moderation/bulk.ts';
import { audit, given } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { Caller } from '#platform/session/caller.ts';
import { fullName } from '#platform/session/own-user.ts';
import type { StaffContext } from '../work/case-row.ts';

type BulkInput = AnswerInput<typeof getBulkAct>['data']['act'];

/** The progress of one of the caller's acts on many people. 404 for other people's acts. */
export async function progressOf(db: Db, { accountId }: Pick<Caller, 'accountId'>, id: string): Promise<BulkInput> {
  const act = await db
    .selectFrom('bulk_act')
    .selectAll()
    .where('id', '=', id)
    .where('made_by', '=', accountId)
    .executeTakeFirst();
  if (act === undefined) throw notFound();
  const counts = await db
    .selectFrom('bulk_act_item')
    .select(({ fn }) => ['outcome', fn.countAll<string>().as('count')])
    .where('act_id', '=', id)
    .where('outcome', 'is not', null)
    .groupBy('outcome')
    .execute();
  const countOf = (outcome: 'done' | 'failed') => Number(counts.find((row) => row.outcome === outcome)?.count ?? 0);
  const failures = await db
    .selectFrom('bulk_act_item as i')
    .innerJoin('profile as p', 'p.account_id', 'i.account_id')
    .select(['i.account_id', 'p.first_name', 'p.last_name', 'i.problem'])
    .where('i.act_id', '=', id)
    .where('i.outcome', '=', 'failed')
    .orderBy('i.position')
    .limit(bulkFailuresShown)
    .execute();
  return {
    _id: act.id,
    kind: act.kind,
    state: act.state,
    total: act.total,
    done: countOf('done'),
    failed: countOf('failed'),
    ...('tagId' in act.payload && { tagId: act.payload.tagId }),
    startedAt: act.started_at,
    ...(act.starts_at !== null && { startsAt: act.starts_at }),
    failures: failures.map((row) => ({
      _id: row.account_id,
      name: fullName(row.first_name, row.last_name),
      problem: row.problem ?? '',
    })),
  };
}

/**
 * Stops one of the caller's acts before its next person, and deletes its text. The audit trail records how many people were already
 * affected; a person who is being processed at this moment may be missing. It repeats no reason, which is hidden from people in the act.
 * 404 for other people's acts.
 */
export async function cancel({ tx, caller, now }: StaffContext, { id }: { id: string }): Promise<BulkInput> {
  const { _id } = await progressOf(tx, caller, id);
  const act = await tx
    .updateTable('bulk_act')
    .set({ state: 'canceled', finished_at: now, payload: sql`payload - 'text'` })
    .where('id', '=', _id)
    .where('state', '=', 'running')
    .returning('kind')
    .executeTakeFirst();
  const progress = await progressOf(tx, caller, id);
  if (act === undefined) return progress;
  const { total, done, failed } = progress;
  const changes = given({ bulk: act.kind, total, done, failed });
  await audit({ tx, caller, now }, { type: 'users', id: null }, 'users.bulkCanceled', { changes });
  return progress;
}
