import { randomUUID } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type * as calls from '#contract/messages/messages.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { lockPair, unmatch } from '../connections/public.ts';
import { hasOtherWritten, lockConversation, openConversation } from './conversation.ts';
import { append } from './deliver.ts';
import type { Message } from './views.ts';

/**
 * Ends a match with one of our sentences as its last message, which the other person can read for a week; they get no notification. Throws
 * 404 if it isn't the caller's match, 403 for staff, and 409 if the other person hasn't written.
 */
export async function endKindly(
  context: CommandContext,
  { id, text }: ParamsOf<typeof calls.endKindly> & BodyOf<typeof calls.endKindly>,
): Promise<Message> {
  const { tx, caller, now } = context;
  requireMember(caller);
  const seen = await openConversation(tx, caller.accountId, id);
  if (seen === undefined) throw notFound();
  // In the order of an unmatch, which locks the two people before their conversation.
  await lockPair(tx, caller.accountId, seen.otherId);
  const conversation = await lockConversation(tx, caller, id);
  if (!hasOtherWritten(conversation)) throw new AppError('CONFLICT', msg`They haven't written to you yet`);
  const words = { body: text, media: null, reply_to: null, sent_at: now, caution: null };
  const row = await append(tx, conversation, { client_id: randomUUID(), ...words });
  if (row === undefined) throw new Error('The clientId of a goodbye was used before');
  await unmatch(context, { id });
  const { otherId, ownNumbers: senderNumbers, otherNumbers } = conversation;
  await sql`
    insert into goodbye (conversation_id, reader_id, said_at, first_name)
    select ${id}::uuid, ${otherId}::uuid, ${now}, first_name from profile where account_id = ${caller.accountId}::uuid`.execute(
    tx,
  );
  return { row, otherId, senderNumbers, otherNumbers, sharesActivity: false };
}
