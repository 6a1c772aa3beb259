import { type RawBuilder, sql } from 'kysely';
import type { snoozeConversation } from '#contract/messages/messages.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { settle } from '#platform/notify/notify.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { lockConversation, type OwnConversation } from './conversation.ts';

const daySeconds = 86_400;

/** Conditions: a side whose snooze ends at `until` has snoozed the conversation now, or has not. */
export const isSnoozed = (until: RawBuilder<unknown>, now: Date): RawBuilder<unknown> =>
  sql`coalesce(${until} > ${now}::timestamptz, false)`;
export const notSnoozed = (until: RawBuilder<unknown>, now: Date): RawBuilder<unknown> =>
  sql`not ${isSnoozed(until, now)}`;

/** Whether a side whose snooze ends at this time has snoozed the conversation. */
export const isSnoozedAt = (until: Date | null, now: Date): until is Date => until !== null && until > now;

/** What the member's own views of a conversation say about its snooze. */
export const shownSnooze = (until: Date | null, now: Date): { snoozedUntil?: Date } =>
  isSnoozedAt(until, now) ? { snoozedUntil: until } : {};

/** Sets until when the own side of a locked conversation has snoozed it; null ends the snooze. */
export async function putSnooze(tx: Db, { id, isLow }: OwnConversation, until: Date | null): Promise<void> {
  await tx
    .updateTable('conversation')
    .set(isLow ? { low_snoozed_until: until } : { high_snoozed_until: until })
    .where('id', '=', id)
    .execute();
}

/**
 * Snoozes a conversation of the caller for some days, or ends that with 0, and returns until when. Pending notifications about it are not
 * sent. The other person never learns of it. Throws 403 for staff, 404 if it isn't the caller's match.
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

/** The conversations that a member has snoozed, for their data export: the other person, as long as they see each other, and until when. */
export async function snoozedData(
  db: Db,
  accountId: string,
  now: Date,
): Promise<{ name: string | null; until: Date }[]> {
  const until = sql`case when c.low_id = ${accountId}::uuid then c.low_snoozed_until else c.high_snoozed_until end`;
  const { rows } = await sql<{ name: string | null; until: Date }>`
    select p.first_name as name, ${until} as until from conversation c
      join directory d on d.is_shown and d.account_id = case when c.low_id = ${accountId}::uuid then c.high_id else c.low_id end
      join profile p on p.account_id = d.account_id
    where ${accountId}::uuid in (c.low_id, c.high_id) and c.ended_at is null and ${isSnoozed(until, now)}
    order by until, c.id`.execute(db);
  return rows;
}
