import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { mayContact, usersByIds } from '../profiles/public.ts';
import { isDue, isHeld, lockedOutcome, type Release, sharedFate } from './holds.ts';
import { notifyOfLike } from './like.ts';
import { makeMatch, type MatchContext } from './match.ts';
import { type DecisionRow, decisionsBetween, lockPair, putDecision } from './pair.ts';

/** What releasing needs. */
type Releasing = Pick<Deps, 'db' | 'emit' | 'clock'>;

const releasedAtOnce = 200;

/** A like that a hold withholds. */
interface WithheldLike {
  viewer_id: string;
  target_id: string;
  /** The person of the two who isn't held. */
  other_id: string;
  /** When it was sent, as text, exact to the microsecond. */
  at: string;
}

/**
 * Delivers the likes that a hold withheld and that are due. Each has a separate transaction, so that the work resumes where it was
 * interrupted. Likes of people who are hidden for now wait until they are shown again.
 */
export async function releaseLikes({ db, emit, clock }: Releasing, hold: Release): Promise<void> {
  const { id, account_id } = hold;
  const other = sql`case when l.viewer_id = ${account_id}::uuid then l.target_id else l.viewer_id end`;
  const held = pagesOf<WithheldLike>(async (after) => {
    const { rows } = await sql<WithheldLike>`
      select l.viewer_id, l.target_id, d.account_id as other_id, l.decided_at::text as at from decision l
        join directory d on d.account_id = ${other} and d.is_shown
      where l.kind in ('held', 'like') and l.hold_id = ${id}::uuid and ${isDue(hold, sql`d.account_id`, clock.now())}
        and (l.decided_at, d.account_id, l.viewer_id)
          > (${after?.at ?? '-infinity'}::timestamptz, ${after?.other_id ?? account_id}::uuid, ${after?.viewer_id ?? account_id}::uuid)
      order by l.decided_at, d.account_id, l.viewer_id limit ${releasedAtOnce}`.execute(db);
    return rows;
  });
  const release = (like: WithheldLike) =>
    inTransaction(db, (tx) => releaseLike({ tx, deps: { emit }, now: clock.now() }, hold, like));
  await eachInTurn(held, release, {
    round: 'holds.release likes',
    keyOf: (row) => `${row.viewer_id} ${row.target_id}`,
  });
}

/**
 * Delivers a held like. Its receiver sees the time of the delivery, its sender the one at which it was sent, so that neither reveals the
 * hold. It is dropped if one of the two has blocked the other, and of a note that the other doesn't want only its sender knows. One that
 * meets a like which waits for another hold waits with it. Does nothing if it was undone or waits for another hold, one of the two is hidden,
 * its sender or the account is held again, or a decision dropped it.
 */
async function releaseLike(
  context: MatchContext,
  hold: Release,
  { viewer_id, target_id }: WithheldLike,
): Promise<void> {
  const { tx, now } = context;
  if (!(await lockPair(tx, viewer_id, target_id))) return;
  if ((await isHeld(tx, hold.account_id)) || (await isHeld(tx, viewer_id))) return;
  if ((await lockedOutcome(tx, hold.id)) === 'dropped') return;
  const { own, back, heldBack } = await decisionsBetween(tx, viewer_id, target_id);
  const [user] = await usersByIds(tx, [target_id]);
  const shown = await howShown(tx, { senderId: viewer_id, receiverId: target_id, isAnswer: back?.kind === 'like' });
  if (own?.hold_id !== hold.id || user === undefined || shown === 'hidden') return;
  const is_note_held = !(await mayContact(tx, viewer_id, target_id));
  if (own.kind === 'like') return await settleLike(tx, own, { is_note_held });
  if (own.kind !== 'held') return;
  if (shown === 'blocked') return await settleLike(tx, own, { kind: 'dropped' });
  const isMet = heldBack?.hold_id === own.hold_id;
  const shared = isMet ? null : await sharedFate(tx, heldBack);
  if (shared !== null) return await putDecision(tx, { ...own, ...shared });
  const delivered = { kind: 'like', delivered_at: now, hold_id: null } as const;
  await putDecision(tx, { ...own, ...delivered, is_note_held, is_pending: back === undefined && !isMet });
  if (isMet) {
    const isTheirsHeld = !(await mayContact(tx, target_id, viewer_id));
    await putDecision(tx, { ...heldBack, ...delivered, is_note_held: isTheirsHeld, is_pending: false });
  }
  if (isMet || back?.kind === 'like') await makeMatch(context, viewer_id, target_id);
  else if (heldBack === undefined) await notifyOfLike(tx, user, back, now);
}

/** Ends the waiting of a like or its note, which discovery does not learn from. */
async function settleLike(
  tx: Db,
  { viewer_id, target_id, ...own }: DecisionRow,
  change: Partial<Pick<DecisionRow, 'kind' | 'is_note_held'>>,
): Promise<void> {
  const { kind, is_note_held } = { ...own, ...change };
  await sql`update decision set kind = ${kind}, is_note_held = ${is_note_held}, hold_id = null
    where viewer_id = ${viewer_id}::uuid and target_id = ${target_id}::uuid`.execute(tx);
}

/**
 * Whether two people are among the members that others may see, and whether a block keeps the receiver from seeing the sender. As with a
 * new like, a stored address does not stop an answer to a like.
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
