import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import { type UserRow, userShownTo } from '../profiles/public.ts';
import { isOwnLike } from './like.policy.ts';
import type { Database } from '#platform/db/schema.ts';

/**
 * Locks two people until the transaction ends: other decisions between them and the deletion of their accounts wait. Returns whether both
 * accounts exist.
 */
export async function lockPair(tx: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await sql<{ existing: number }>`
    select logic.lock_pair(${one}::uuid, ${other}::uuid) as existing`.execute(tx);
  return rows[0]?.existing === 2;
}

/**
 * Someone the caller may see, locked together with the caller, and what the two decided about each other. Throws 403 for staff, 400 for the
 * caller's own id, and 404 for anyone else.
 */
export async function lockVisibleMember(
  tx: Db,
  caller: Caller,
  userId: string,
): Promise<{ user: UserRow } & DecisionsBetween> {
  requireMember(caller);
  if (userId === caller.accountId) throw invalid('userId', msg`This is your own profile`);
  if (!(await lockPair(tx, caller.accountId, userId))) throw notFound();
  // After taking the lock, these queries see what the other person has just done.
  const user = await userShownTo(tx, caller, userId);
  if (user === undefined) throw notFound();
  return { user, ...(await decisionsBetween(tx, caller.accountId, userId)) };
}

/** The two ids in the order of the columns `low_id` and `high_id`. */
export const lowAndHigh = (one: string, other: string): [low: string, high: string] =>
  one < other ? [one, other] : [other, one];

/** What one member decided about another. */
export type DecisionRow = Selectable<Database['decision']>;

/** A decision that the other person may learn of, directly or through its effects. */
export type DeliveredRow = DecisionRow & { kind: Exclude<DecisionRow['kind'], 'held' | 'dropped'> };

const isDelivered = (row: DecisionRow): row is DeliveredRow => row.kind !== 'held' && row.kind !== 'dropped';

const decisionColumns = sql.raw(
  'viewer_id, target_id, kind, decided_at, delivered_at, note, is_note_held, liked_picture, liked_prompt, is_pending, hold_id',
);

/** When a decision `d` arrived at the other person; an index orders pending likes by it. */
export const arrivedAt = (d: string): RawBuilder<Date> =>
  sql<Date>`coalesce(${sql.ref(`${d}.delivered_at`)}, ${sql.ref(`${d}.decided_at`)})`;

/** What the viewer decided about the target, if anything. */
export async function decisionOf(db: Db, viewerId: string, targetId: string): Promise<DecisionRow | undefined> {
  const { own } = await decisionsBetween(db, viewerId, targetId);
  return own;
}

/**
 * The decisions of two people about each other: `own` is the first person's, `back` the second person's. An undelivered like of the second
 * person is `heldBack` instead; nothing that the first person sees may depend on it. `back` contains no note that is withheld from them.
 */
export interface DecisionsBetween {
  own: DecisionRow | undefined;
  back: DeliveredRow | undefined;
  heldBack: DecisionRow | undefined;
}

/** Reads the decisions of two people about each other, from the first person's side. */
export async function decisionsBetween(db: Db, one: string, other: string): Promise<DecisionsBetween> {
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns} from decision where viewer_id = ${one}::uuid and target_id = ${other}::uuid
    union all
    select ${decisionColumns} from decision where viewer_id = ${other}::uuid and target_id = ${one}::uuid`.execute(db);
  const by = (id: string) => rows.find(({ viewer_id }) => viewer_id === id);
  const back = by(other);
  if (back === undefined) return { own: by(one), back, heldBack: undefined };
  if (isDelivered(back))
    return { own: by(one), back: back.is_note_held ? { ...back, note: null } : back, heldBack: undefined };
  return { own: by(one), back: undefined, heldBack: back };
}

/**
 * Whether discovery learns from a decision at once: a like of a held account is learned from once it is delivered, because others must see
 * nothing of it; one that is kept because it met a held like is the free act of its sender. `d` has the decision's columns.
 */
const isLearned = (d: string): RawBuilder<boolean> => sql<boolean>`(${sql.ref(`${d}.kind`)} <> 'held' or exists (
  select from account_hold h where h.id = ${sql.ref(`${d}.hold_id`)} and h.account_id = ${sql.ref(`${d}.target_id`)}))`;

/**
 * Records a decision in place of an earlier one of another kind, and queues it for discovery to learn from. Each pair
 * is learned from once: an earlier decision that is still queued is replaced, one already learned from is final (see
 * `isLearned`).
 */
export async function putDecision(tx: Db, row: DecisionRow): Promise<void> {
  const {
    viewer_id,
    target_id,
    kind,
    decided_at,
    delivered_at,
    note,
    is_note_held,
    liked_picture,
    liked_prompt,
    is_pending,
    hold_id,
  } = row;
  await sql`
    with earlier as (
      select from decision d where viewer_id = ${viewer_id}::uuid and target_id = ${target_id}::uuid and ${isLearned('d')}
    ), decided as (
      insert into decision (viewer_id, target_id, kind, decided_at, delivered_at, note, is_note_held, liked_picture, liked_prompt,
        is_pending, hold_id)
      values (${viewer_id}::uuid, ${target_id}::uuid, ${kind}, ${decided_at}, ${delivered_at}, ${note}, ${is_note_held}, ${liked_picture}::uuid, ${liked_prompt},
        ${is_pending}, ${hold_id}::uuid)
      on conflict (viewer_id, target_id) do update set
        kind = excluded.kind, decided_at = excluded.decided_at, delivered_at = excluded.delivered_at, note = excluded.note,
        is_note_held = excluded.is_note_held,
        liked_picture = excluded.liked_picture, liked_prompt = excluded.liked_prompt, is_pending = excluded.is_pending,
        hold_id = excluded.hold_id
      returning kind, hold_id, target_id
    ), queued as (
      delete from training_event where viewer_id = ${viewer_id}::uuid and target_id = ${target_id}::uuid returning id
    ), trained as (
      insert into trained_pair (viewer_id, target_id)
      select ${viewer_id}::uuid, ${target_id}::uuid from earlier where not exists (select from queued)
      on conflict do nothing
    )
    insert into training_event (viewer_id, target_id, liked, decided_at)
    select ${viewer_id}::uuid, ${target_id}::uuid, ${isOwnLike(kind)}::boolean, ${decided_at}::timestamptz from decided
    where ${isLearned('decided')} and (exists (select from queued) or not exists (select from earlier))
      and not exists (select from trained_pair where viewer_id = ${viewer_id}::uuid and target_id = ${target_id}::uuid)`.execute(
    tx,
  );
}

/** Removes a decision, so that discovery doesn't learn from it. If it answered a like from the other person, that like is pending again. */
export async function removeDecision(tx: Db, viewerId: string, targetId: string): Promise<void> {
  await sql`
    with removed as (
      delete from decision where viewer_id = ${viewerId}::uuid and target_id = ${targetId}::uuid returning viewer_id, target_id, kind, hold_id
    ), ${forgotten(sql`select viewer_id, target_id from removed where ${isLearned('removed')}`)}
    update decision set is_pending = true
    where viewer_id = ${targetId}::uuid and target_id = ${viewerId}::uuid and kind = 'like'`.execute(tx);
}

/**
 * Common table expressions that make discovery forget the pairs selected by `changed` (viewer_id, target_id). Queued decisions are dropped.
 * Pairs without a queued decision were already learned from; they are recorded, so that they aren't learned from again.
 */
export const forgotten = (changed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  changed as (${changed}), queued as (
    delete from training_event e using changed c where e.viewer_id = c.viewer_id and e.target_id = c.target_id
    returning e.viewer_id, e.target_id
  ), trained as (
    insert into trained_pair (viewer_id, target_id)
    select viewer_id, target_id from changed except select viewer_id, target_id from queued
    on conflict do nothing
  )`;

/** Marks the likes between two people as answered. */
export async function markAnswered(tx: Db, one: string, other: string): Promise<void> {
  await sql`
    update decision set is_pending = false
    where is_pending and (viewer_id, target_id) in ((${one}::uuid, ${other}::uuid), (${other}::uuid, ${one}::uuid))`.execute(
    tx,
  );
}
