import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { meetingAskedDays, meetingMessagesLeast } from '#contract/constants.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** Inserts the first message of a conversation directly. */
export async function placeMessage(
  app: TestApp,
  conversationId: string,
  sender: Pick<TestMember, 'id'>,
  body = 'Hello',
): Promise<void> {
  await app.db
    .insertInto('message')
    .values({
      conversation_id: conversationId,
      seq: 1,
      sender_id: sender.id,
      client_id: randomUUID(),
      body,
      sent_at: app.clock.now(),
      caution: null,
    })
    .execute();
  await app.db
    .updateTable('conversation')
    .set({ last_seq: 1, last_at: app.clock.now() })
    .where('id', '=', conversationId)
    .execute();
}

/** Gives the first message of a conversation a photo, without bytes; returns the id of the photo. */
export async function placePhoto(
  app: TestApp,
  conversationId: string,
  sender: Pick<TestMember, 'id'>,
  { isOnce = false } = {},
): Promise<string> {
  const id = randomBytes(16).toString('base64url');
  const key = `chat-${randomBytes(16).toString('base64url')}`;
  const media = [
    { id, key, kind: 'picture', width: 4, height: 3, placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A', isOnce },
  ];
  await sql`
    with photo as (
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, is_once, uploaded_at, sent_at, seq)
      values (${id}, ${sender.id}::uuid, ${conversationId}::uuid, 'picture', ${key}, 1000, '', ${isOnce}, ${app.clock.now()},
        ${app.clock.now()}, 1)
    )
    update message set media = ${JSON.stringify(media)}::jsonb
    where conversation_id = ${conversationId}::uuid and seq = 1`.execute(app.db);
  return id;
}

/** Fills a conversation as if both people had written enough for a week to be asked if they met. */
export async function placeTalk(app: TestApp, conversationId: string): Promise<void> {
  await app.db
    .updateTable('conversation')
    .set({
      began_at: secondsAfter(app.clock.now(), -meetingAskedDays.from * 86_400),
      low_sent: meetingMessagesLeast,
      high_sent: meetingMessagesLeast,
    })
    .where('id', '=', conversationId)
    .execute();
}
