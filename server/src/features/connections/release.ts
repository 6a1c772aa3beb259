import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { eachInTurn, pagesOf } from '../../platform/jobs/turns.ts';
import { mayContact, userShownTo } from '../profiles/public.ts';
import { isHeld, isShown, kindOfLike } from './holds.ts';
import { notifyOfLike } from './like.ts';
import { makeMatch, type MatchContext } from './match.ts';
import { decisionsBetween, lockPair, putDecision } from './pair.ts';

/** What releasing needs. */
type Releasing = Pick<Deps, 'db' | 'emit' | 'clock'>;

const releasedAtOnce = 200;

/**
 * Delivers the likes of an account that is no longer held, in the order in which they were sent. Each is a transaction of its own, so that
 * the work continues where it was interrupted.
 */
export async function releaseLikes({ db, emit, clock }: Releasing, accountId: string): Promise<void> {
  // The time as text, exact to the microsecond.
  const held = pagesOf<{ target_id: string; at: string }>(async (after) => {
    const { rows } = await sql<{ target_id: string; at: string }>`
      select target_id, decided_at::text as at from decision where viewer_id = ${accountId}::uuid and kind = 'held'
        and (decided_at, target_id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.target_id ?? accountId}::uuid)
      order by decided_at, target_id limit ${releasedAtOnce}`.execute(db);
    return rows;
  });
  const release = ({ target_id }: { target_id: string }) =>
    inTransaction(db, (tx) => releaseLike({ tx, deps: { emit }, now: clock.now() }, accountId, target_id));
  await eachInTurn(held, release, { round: 'holds.release likes', keyOf: (row) => `${accountId} ${row.target_id}` });
}

/**
 * Delivers a held like as if it were sent now, so that its time doesn't reveal the hold. It is dropped if one of the two can't see the
 * other any more, and loses its note if the other wants none. Does nothing if it was undone, or the account is held again.
 */
async function releaseLike(context: MatchContext, accountId: string, targetId: string): Promise<void> {
  const { tx, now } = context;
  if (!(await lockPair(tx, accountId, targetId)) || (await isHeld(tx, accountId))) return;
  const { own, back, heldBack } = await decisionsBetween(tx, accountId, targetId);
  if (own?.kind !== 'held') return;
  const viewer = { accountId, staffRole: null, showLastActive: false };
  const isSeen =
    (await isShown(tx, accountId)) && (await kindOfLike(tx, accountId, targetId, back?.kind === 'like')) === 'like';
  const user = isSeen ? await userShownTo(tx, viewer, targetId) : undefined;
  if (user === undefined) {
    await sql`update decision set kind = 'dropped'
      where viewer_id = ${accountId}::uuid and target_id = ${targetId}::uuid`.execute(tx);
    return;
  }
  const note = (await mayContact(tx, accountId, targetId)) ? own.note : null;
  await putDecision(tx, { ...own, note, kind: 'like', decided_at: now, is_pending: back === undefined });
  if (back?.kind === 'like') await makeMatch(context, accountId, targetId);
  else if (heldBack === undefined) await notifyOfLike(tx, user, back, now);
}
