import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { mayContact, usersByIds } from '../profiles/public.ts';
import { isDue, isHeld, type Release } from './holds.ts';
import { notifyOfLike } from './like.ts';
import { makeMatch, type MatchContext } from './match.ts';
import { decisionsBetween, lockPair, putDecision } from './pair.ts';

/** What releasing needs. */
type Releasing = Pick<Deps, 'db' | 'emit' | 'clock'>;

const releasedAtOnce = 200;

/**
 * Delivers the likes that a hold withheld and whose turn it is. Each is a transaction of its own, so that the work
 * continues where it was interrupted. Likes of people who are hidden for now wait until they are shown again.
 */
export async function releaseLikes({ db, emit, clock }: Releasing, hold: Release): Promise<void> {
  const { id, account_id } = hold;
  // The time as text, exact to the microsecond.
  const held = pagesOf<{ target_id: string; at: string }>(async (after) => {
    const { rows } = await sql<{ target_id: string; at: string }>`
      select l.target_id, l.decided_at::text as at from decision l
        join directory d on d.account_id = l.target_id and d.is_shown
      where l.viewer_id = ${account_id}::uuid and l.kind in ('held', 'like') and l.hold_id = ${id}::uuid
        and ${isDue(hold, sql`l.target_id`, clock.now())}
        and (l.decided_at, l.target_id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.target_id ?? account_id}::uuid)
      order by l.decided_at, l.target_id limit ${releasedAtOnce}`.execute(db);
    return rows;
  });
  const release = ({ target_id }: { target_id: string }) =>
    inTransaction(db, (tx) => releaseLike({ tx, deps: { emit }, now: clock.now() }, account_id, target_id));
  await eachInTurn(held, release, { round: 'holds.release likes', keyOf: (row) => `${account_id} ${row.target_id}` });
}

/**
 * Delivers a held like. Its receiver sees the time of the delivery, its sender the one at which it was sent, so that neither reveals the
 * hold. It is dropped if one of the two has blocked the
 * other, and of a note that the other doesn't want only its sender knows. Does nothing if it was undone, one of the two is hidden, or the account is held again.
 */
async function releaseLike(context: MatchContext, accountId: string, targetId: string): Promise<void> {
  const { tx, now } = context;
  if (!(await lockPair(tx, accountId, targetId)) || (await isHeld(tx, accountId))) return;
  // A decision about the person may drop the like at the same time.
  await sql`select from decision where viewer_id = ${accountId}::uuid and target_id = ${targetId}::uuid for update`.execute(
    tx,
  );
  const { own, back, heldBack } = await decisionsBetween(tx, accountId, targetId);
  const [user] = await usersByIds(tx, [targetId]);
  const shown = await howShown(tx, { senderId: accountId, receiverId: targetId, isAnswer: back?.kind === 'like' });
  if (own?.hold_id == null || user === undefined || shown === 'hidden') return;
  const is_note_held = !(await mayContact(tx, accountId, targetId));
  if (own.kind === 'like')
    await sql`update decision set is_note_held = ${is_note_held}, hold_id = null
      where viewer_id = ${accountId}::uuid and target_id = ${targetId}::uuid`.execute(tx);
  if (own.kind !== 'held') return;
  if (shown === 'blocked') {
    await sql`update decision set kind = 'dropped', hold_id = null
      where viewer_id = ${accountId}::uuid and target_id = ${targetId}::uuid`.execute(tx);
    return;
  }
  await putDecision(tx, {
    ...own,
    is_note_held,
    kind: 'like',
    delivered_at: now,
    is_pending: back === undefined,
    hold_id: null,
  });
  if (back?.kind === 'like') await makeMatch(context, accountId, targetId);
  else if (heldBack === undefined) await notifyOfLike(tx, user, back, now);
}

/**
 * Whether two people are among the members that others may see, and whether a block keeps the receiver from seeing the sender. As when it is
 * sent, a known address doesn't keep an answer to a like.
 */
async function howShown(
  tx: Db,
  { senderId, receiverId, isAnswer }: { senderId: string; receiverId: string; isAnswer: boolean },
): Promise<'shown' | 'hidden' | 'blocked'> {
  const [sender, receiver] = [sql`${senderId}::uuid`, sql`${receiverId}::uuid`];
  const { rows } = await sql<{ isBlocked: boolean; shown: number }>`
    select exists (select from block where (blocker_id, blocked_id) in ((${sender}, ${receiver}), (${receiver}, ${sender}))
        and not (is_by_address_only and (${isAnswer}::boolean or blocker_id = ${receiver}))) as "isBlocked",
      count(*)::int as shown from directory where account_id in (${sender}, ${receiver}) and is_shown`.execute(tx);
  if (rows[0]?.isBlocked === true) return 'blocked';
  return rows[0]?.shown === 2 ? 'shown' : 'hidden';
}
