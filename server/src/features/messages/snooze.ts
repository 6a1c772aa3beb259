import { type RawBuilder, sql } from 'kysely';
import type { snoozeConversation } from '#contract/messages.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Db } from '../../platform/db/db.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { settle } from '../../platform/notify/notify.ts';
import { secondsAfter } from '../../platform/process/clock.ts';
import { lockConversation, type OwnConversation } from './conversation.ts';

const daySeconds = 86_400;

/** Conditions: a side whose snooze ends at `until` has set the conversation aside now, or has not. */
export const isSnoozed = (until: RawBuilder<unknown>, now: Date): RawBuilder<unknown> =>
  sql`coalesce(${until} > ${now}::timestamptz, false)`;
export const notSnoozed = (until: RawBuilder<unknown>, now: Date): RawBuilder<unknown> =>
  sql`not ${isSnoozed(until, now)}`;

/** Whether a side with this end of a snooze has set the conversation aside. */
export const isSnoozedAt = (until: Date | null, now: Date): until is Date => until !== null && until > now;

/** What the member's own views of a conversation say about its snooze. */
export const shownSnooze = (until: Date | null, now: Date): { snoozedUntil?: string } =>
  isSnoozedAt(until, now) ? { snoozedUntil: until.toISOString() } : {};

/** Sets until when the own side of a locked conversation has set it aside; null ends it. */
export async function putSnooze(tx: Db, { id, isLow }: OwnConversation, until: Date | null): Promise<void> {
  await tx
    .updateTable('conversation')
    .set(isLow ? { low_snoozed_until: until } : { high_snoozed_until: until })
    .where('id', '=', id)
    .execute();
}

/**
 * Sets a conversation of the caller aside for some days, or ends that with 0, and returns until when. What it would still have been
 * notified of is not sent. The other person never learns of it. Throws 403 for staff, 404 if it isn't the caller's match.
 */
export async function snooze(
  { tx, caller, now }: CommandContext,
  { id, days }: ParamsOf<typeof snoozeConversation> & BodyOf<typeof snoozeConversation>,
): Promise<Date | null> {
  const conversation = await lockConversation(tx, caller, id);
  const until = days === 0 ? null : secondsAfter(now, days * daySeconds);
  await putSnooze(tx, conversation, until);
  if (until !== null) await settle(tx, { accountId: caller.accountId, kind: 'message', subjectId: id }, now);
  return until;
}
