import { type Selectable, sql } from 'kysely';
import type { Database } from '#platform/db/schema.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { notifyAll } from '#platform/notify/notify.ts';
import { isOn } from '#platform/service/parts.ts';
import type { Deps } from '../../deps.ts';
import { isSnoozedAt, lockOpenConversation, type OwnConversation } from '../messages/public.ts';
import { endPlans } from './plan.ts';

type Plan = Pick<Selectable<Database['date_plan']>, 'id' | 'conversation_id' | 'proposed_by' | 'proposed_to'>;

const pageSize = 500;

/**
 * While the owner has dates switched off, ends upcoming dates and notifies both people. Dates that have started stay as they are, because a
 * check-in and a link for a friend were promised to someone who is meeting a stranger.
 */
export async function endDatesToCome(deps: Deps): Promise<void> {
  if (isOn(deps, 'dates')) return;
  const { db, clock, realtime } = deps;
  const now = clock.now();
  const read = async (after?: Plan) =>
    (
      await sql<Plan>`select id, conversation_id, proposed_by, proposed_to from date_plan
        where state in ('proposed', 'accepted') and at > ${now}::timestamptz and proposed_by is not null and (${after?.id ?? null}::uuid is null or id > ${after?.id}::uuid)
        order by id limit ${pageSize}`.execute(db)
    ).rows;
  const end = async (plan: Plan) => {
    if (!(await inTransaction(db, (tx) => endOne(tx, plan, now)))) return;
    const both = [plan.proposed_by, plan.proposed_to].filter((id) => id !== null);
    realtime.emit(both, { kind: 'date', matchId: plan.conversation_id });
  };
  await eachInTurn(pagesOf(read), end, { round: 'dates.endAll', keyOf: ({ id }: Plan) => id });
}

/** Ends a date unless it ended meanwhile; returns whether it did. */
async function endOne(tx: Db, { id, conversation_id, proposed_by }: Plan, now: Date): Promise<boolean> {
  const conversation = await lockOpenConversation(tx, proposed_by ?? '', conversation_id);
  const { rows } = await sql`select from date_plan
    where id = ${id}::uuid and state in ('proposed', 'accepted') for update`.execute(tx);
  if (rows.length === 0) return false;
  await endPlans(tx, sql`d.id = ${id}::uuid`, { state: 'canceled', byId: null, now });
  const told = conversation === undefined ? [] : whoHears(conversation, now);
  await notifyAll(
    tx,
    'date',
    told.map((accountId) => ({ accountId, subjectId: id })),
    now,
  );
  return true;
}

/** Those of the two who see the date, except a member who snoozed the conversation, which belongs to the person who suggested it. */
function whoHears(conversation: OwnConversation, now: Date): string[] {
  const { ownId, otherId, ownSent, ownSnoozedUntil, otherSnoozedUntil } = conversation;
  return [
    ...(isSnoozedAt(ownSnoozedUntil, now) ? [] : [ownId]),
    ...(ownSent === 0 || isSnoozedAt(otherSnoozedUntil, now) ? [] : [otherId]),
  ];
}
