import { msg, plural } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { firstMessagesPerDay, youngAccountHours } from '#contract/constants.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { sendMessage } from '#contract/messages/messages.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';
import { dayOf, hoursOfDayLeft, secondsAfter } from '#platform/process/clock.ts';
import { requirePart } from '#platform/service/parts.ts';
import { holdOf } from '../connections/public.ts';
import { requireAge, requireMayContact } from '../profiles/public.ts';
import { attachedTo } from './attached.reads.ts';
import { hasOtherWritten, lockConversation, type OwnConversation } from './conversation.ts';
import { deliver, type NewMessage } from './deliver.ts';
import { holdMessage } from './holds.ts';
import { heldWith, ownAt } from './seen.reads.ts';
import { claimMedia, givenIds } from './media/claim.ts';
import { numberOf, seqOf } from './numbering.ts';
import { deliverHeld, emitFirst } from './release.ts';
import { putSnooze } from './snooze.ts';
import type { MessageRow, Written } from './views.ts';

const hourMs = 3_600_000;

/**
 * Appends the caller's message to a conversation and notifies the receiver. The conversation is locked, so that sequence numbers have no
 * gaps and nothing is written after its end. Sending the same `clientId` again returns the existing message, even if it was edited. Throws
 * 404 if it isn't the caller's match, 400 if the message that it answers doesn't exist and 409 if the `clientId` was used in another conversation. For the first message of a conversation,
 * throws 403 while a sanction forbids it or the receiver wants none from people who aren't photo verified, and 422 for a young account at
 * its daily limit. Throws 422 if its media are no longer there, and 404 while the owner has them off. Until a conversation has a delivered message, what a held account writes in it is stored for its sender only.
 */
export async function send(
  { tx, deps, caller, now }: CommandContext,
  { id, clientId, text, replyTo: answered, ...given }: ParamsOf<typeof sendMessage> & BodyOf<typeof sendMessage>,
): Promise<Written> {
  const conversation = await lockConversation(tx, caller, id);
  const { otherId, last_seq, ownNumbers } = conversation;
  const known = ownNumbers.held === 0 ? undefined : await heldWith(tx, conversation, clientId);
  if (known !== undefined) return await written(tx, conversation, known, false);
  // A message that was sent before has its media.
  if (givenIds(given).length > 0 && (await sentWith(tx, caller, clientId)) !== undefined)
    return await written(tx, conversation, await knownMessage(tx, caller, id, clientId), false);
  if (last_seq === 0) await requireAge({ tx, deps, caller, now }, 'first-message');
  if (last_seq === 0) await requireMayOpen(tx, caller, { otherId, isCounted: ownNumbers.held === 0 }, now);
  if (!hasOtherWritten(conversation) && (await sentWith(tx, caller, clientId)) === undefined)
    await deps.emit(tx, 'firstWords', { accountId: caller.accountId, receiverId: otherId, text, now });
  if (conversation.ownSnoozedUntil !== null) await putSnooze(tx, conversation, null);
  if (given.voice !== undefined) requirePart(deps, 'voice');
  if (given.pictures !== undefined) requirePart(deps, 'photos');
  const holdId = await holdOf(tx, caller.accountId);
  const media = await claimMedia(tx, conversation, given, now);
  const replyTo = answered === undefined ? null : await answeredSeq(tx, conversation, answered);
  const message = { clientId, text, media, replyTo, sentAt: now, isWatched: holdId !== null };
  if (holdId !== null && last_seq === 0) return await hold(tx, conversation, message, holdId);
  // A hold has just ended, and earlier messages come first.
  const current = holdId === null && ownNumbers.held > 0 ? await deliverHeld(tx, conversation, now) : conversation;
  const row = await deliver(tx, current, message);
  await emitFirst({ tx, deps, now }, conversation, row !== undefined);
  return row === undefined
    ? await written(tx, current, await knownMessage(tx, caller, id, clientId), false)
    : await written(tx, current, row, true);
}

/** The `reply_to` of an answer to the message that the own side sees under this number. */
async function answeredSeq(tx: Db, conversation: OwnConversation, seen: number): Promise<number> {
  const { ownNumbers, last_seq } = conversation;
  if (seen > numberOf(ownNumbers, last_seq)) throw invalid('replyTo', msg`There is no such message`);
  if (seen > ownNumbers.held) return seqOf(ownNumbers, seen);
  const { seq = 0 } = (await ownAt(tx, conversation, seen)) ?? {};
  return seq > 0 ? seq : -seen;
}

/** A new message has nothing attached unless it answers another. */
async function written(tx: Db, conversation: OwnConversation, row: MessageRow, isChanged: boolean): Promise<Written> {
  const { otherId, sharesActivity, ownNumbers: senderNumbers, otherNumbers } = conversation;
  const message = { row, otherId, sharesActivity, senderNumbers, otherNumbers, isChanged };
  if (isChanged && row.reply_to === null) return message;
  const attached = (await attachedTo(tx, row.conversation_id, [row])).get(row.seq);
  return { ...message, attached };
}

/** Stores the first words of a held account without delivering them. */
async function hold(tx: Db, conversation: OwnConversation, message: NewMessage, holdId: string): Promise<Written> {
  const row = await holdMessage(tx, conversation, message, holdId);
  if (row === undefined) throw usedElsewhere();
  const { held, moved } = conversation.ownNumbers;
  return await written(tx, { ...conversation, ownNumbers: { held: held + 1, moved } }, row, true);
}

const usedElsewhere = () => new AppError('CONFLICT', msg`This clientId was used in another match`);

/** The caller's delivered message with this `clientId`. */
const sentWith = (tx: Db, { accountId }: Caller, clientId: string): Promise<MessageRow | undefined> =>
  tx
    .selectFrom('message')
    .selectAll()
    .where('sender_id', '=', accountId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

/** The caller's existing message with this `clientId`; 409 if it is in another conversation. */
async function knownMessage(tx: Db, caller: Caller, matchId: string, clientId: string): Promise<MessageRow> {
  const known = await sentWith(tx, caller, clientId);
  if (known?.conversation_id !== matchId) throw usedElsewhere();
  return known;
}

/** Throws if the caller may not start a conversation, and counts it for a young account unless they have written in it before. */
async function requireMayOpen(
  tx: Db,
  caller: Caller,
  first: { otherId: string; isCounted: boolean },
  now: Date,
): Promise<void> {
  const { is_messaging_limited } = await tx
    .selectFrom('account')
    .select('is_messaging_limited')
    .where('id', '=', caller.accountId)
    .executeTakeFirstOrThrow();
  if (is_messaging_limited)
    throw new AppError(
      'FORBIDDEN',
      msg`You can't start new conversations at the moment. See the decisions about your account.`,
    );
  const other = await tx
    .selectFrom('profile')
    .select('verified_contact_only')
    .where('account_id', '=', first.otherId)
    .executeTakeFirst();
  requireMayContact(
    caller,
    other,
    msg`Only photo-verified people can write to them first. Verify your pictures in the settings, or wait until they write to you.`,
  );
  const youngUntil = secondsAfter(caller.createdAt, youngAccountHours * 3600);
  if (first.isCounted && now < youngUntil && !(await countFirstMessage(tx, caller.accountId, now))) {
    const hours = Math.min(hoursOfDayLeft(now), Math.ceil((youngUntil.getTime() - now.getTime()) / hourMs));
    throw new AppError(
      'FIRST_MESSAGES_USED_UP',
      msg`On your first day you can write to ${{ firstMessagesPerDay }} people. You can write to more in ${plural({ hours }, { one: '# hour', other: '# hours' })}. Those who answer you can always write back and forth.`,
    );
  }
}

/** Counts one more conversation that a member starts today; returns false beyond the limit. */
async function countFirstMessage(tx: Db, accountId: string, now: Date): Promise<boolean> {
  const day = dayOf(now);
  const { rows } = await sql`
    insert into first_message_count as c (account_id, sent_on, sent) values (${accountId}::uuid, ${day}::date, 1)
    on conflict (account_id) do update
      set sent_on = excluded.sent_on, sent = case when c.sent_on = excluded.sent_on then c.sent + 1 else 1 end
      where c.sent_on <> excluded.sent_on or c.sent < ${firstMessagesPerDay}
    returning sent`.execute(tx);
  return rows.length === 1;
}
