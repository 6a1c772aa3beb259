import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { type BulkAct, type BulkKind, bulkKinds } from '#contract/moderation/bulk.ts';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { BulkPayload } from '#platform/db/json.ts';
import { AppError } from '#platform/http/app-error.ts';
import { idPayload, job } from '#platform/jobs/job.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { startPiece } from '#platform/jobs/pieces.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { loadAbsent, requirePermission } from '#platform/session/caller.ts';
import { endUserSessions } from '../../auth/public.ts';
import { forgetChosen } from '../../profiles/public.ts';
import { writeFirst } from '../reports/write-first.ts';
import type { StaffContext } from '../work/case-row.ts';
import { writeNote } from '../user-file/notes.ts';
import { changeTagsOf } from '../user-file/tag-user.ts';
import { countsAs, tagsOf } from '../user-file/tags.reads.ts';
import { takeBack } from './message.ts';

interface Item {
  act_id: string;
  position: number;
  account_id: string;
  kind: BulkKind;
  payload: BulkPayload;
  reason: string;
  made_by: string;
}

/** The next person of a running act, locked; a person that another process is working on is skipped. */
async function lockNext(tx: Db, actId: string, now: Date): Promise<Item | undefined> {
  const { rows } = await sql<Item>`
    select i.act_id, i.position, i.account_id, b.kind, b.payload, b.reason, b.made_by
    from bulk_act b join bulk_act_item i on i.act_id = b.id
    where b.id = ${actId}::uuid and b.state = 'running' and i.outcome is null
      and (b.starts_at is null or b.starts_at <= ${now})
    order by i.position limit 1 for update of i skip locked for key share of b`.execute(tx);
  return rows[0];
}

type TagAct = Extract<BulkAct, { tagId: string }>;

/** Adds or removes a tag, or the one that replaced it. 409 if a colleague was faster, because undoing the act must keep their change. */
async function changeTag(context: StaffContext, id: string, act: TagAct): Promise<void> {
  // Another act may be changing the same person; its changes become visible once it is committed.
  await context.tx.selectFrom('account').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const { rows } = await sql<{ id: string }>`select ${countsAs(act.tagId)} as id`.execute(context.tx);
  const tagId = rows[0]?.id ?? act.tagId;
  const hasTag = (await tagsOf(context.tx, id)).some(({ _id }) => _id === tagId);
  if (hasTag === (act.kind === 'tag'))
    throw new AppError('CONFLICT', hasTag ? msg`They have the tag by now` : msg`They no longer have the tag`);
  await changeTagsOf(context, { id, ...(hasTag ? { remove: [tagId] } : { add: [tagId] }) });
}

/** Stores which message was sent to a person, so that it can be withdrawn. */
const keepReport = (tx: Db, { act_id, position }: Item, reportId: string) =>
  tx
    .updateTable('bulk_act_item')
    .set({ report_id: reportId })
    .where('act_id', '=', act_id)
    .where('position', '=', position)
    .execute();

/** Performs the act for one person, exactly as staff could on that person's page. */
async function act(context: StaffContext, item: Item): Promise<void> {
  const { account_id: id, payload, reason } = item;
  switch (payload.kind) {
    case 'tag':
    case 'untag':
      await changeTag(context, id, payload);
      break;
    case 'note':
      await writeNote(context, { id, text: payload.text });
      break;
    case 'endSessions':
      await endUserSessions(context, { id, reason });
      break;
    case 'notice':
      await keepReport(context.tx, item, (await writeFirst(context, { id, text: payload.text })).reportId);
      break;
    case 'takeBack':
      await takeBack(context, payload.of ?? '', id);
  }
}

const setOutcome = (db: Db, actId: string, { position }: Item, problem: string | null) =>
  db
    .updateTable('bulk_act_item')
    .set({ outcome: problem === null ? 'done' : 'failed', problem })
    .where('act_id', '=', actId)
    .where('position', '=', position)
    .where('outcome', 'is', null)
    .execute();

/**
 * Acts on the next person in a separate transaction; false if no one is left. The person who started the act must still be on the team and
 * have the permission. A failure is recorded for this person and doesn't stop the others.
 */
async function actOnNext({ db, clock, log }: Deps, actId: string): Promise<boolean> {
  const taken: { item?: Item | undefined } = {};
  try {
    return await inTransaction(db, async (tx) => {
      taken.item = await lockNext(tx, actId, clock.now());
      if (taken.item === undefined) return false;
      const caller = await loadAbsent(tx, taken.item.made_by);
      if (caller === null) throw new AppError('FORBIDDEN', msg`You are not allowed to do this`);
      requirePermission(caller, bulkKinds[taken.item.kind]);
      await act({ tx, caller, now: clock.now() }, taken.item);
      await setOutcome(tx, actId, taken.item, null);
      return true;
    });
  } catch (error) {
    if (taken.item === undefined) throw error;
    const isRefusal = error instanceof AppError;
    if (!isRefusal) log.warn({ err: error, bulkAct: actId }, 'an act on one of many people failed');
    await setOutcome(db, actId, taken.item, isRefusal ? error.message : 'An unknown error occurred');
    return true;
  }
}

/**
 * Acts on everyone who is left, until the act is done or canceled, in pieces that each queue the next one. After a crash, the next try
 * continues. The act's text is deleted at the end.
 */
async function run(deps: Deps, actId: string): Promise<void> {
  const isOver = startPiece();
  while (await actOnNext(deps, actId)) if (isOver()) return await queueAct(deps.db, actId);
  await sql`update bulk_act set state = 'done', finished_at = ${deps.clock.now()}, payload = payload - 'text'
    where id = ${actId}::uuid and state = 'running' and not exists (select from bulk_act_item where act_id = ${actId}::uuid and outcome is null)`.execute(
    deps.db,
  );
}

/** Queues an act, or the rest of it. */
export const queueAct = (tx: Db, id: string, delaySeconds = 0): Promise<void> =>
  addJob(tx, 'users.bulk', { id }, { jobKey: `users.bulk ${id}`, delaySeconds });

const unfinished = sql`select id::text as key, jsonb_build_object('id', id) as payload,
  coalesce(starts_at, started_at) as since from bulk_act where state = 'running'`;

/** Background work of acts on many people. */
export const bulkJobs = [
  job({
    name: 'users.bulk',
    payload: idPayload,
    sweep: { owed: () => unfinished },
    slots: 'long',
    run: (deps, { id }) => run(deps, id),
  }),
  forgetJob('users.forgetActs', '33 3 * * *', ({ db, clock }) => forgetChosen(db, clock.now())),
];
