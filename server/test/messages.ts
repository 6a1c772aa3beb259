import { randomUUID } from 'node:crypto';
import { meetingAskedDays, meetingMessagesLeast } from '#contract/constants.ts';
import { secondsAfter } from '../src/platform/process/clock.ts';
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
