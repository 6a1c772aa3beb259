import { randomUUID } from 'node:crypto';
import { getCards } from '#contract/discovery.ts';
import { answerMeeting, editMessage, sendMessage } from '#contract/messages.ts';
import { putNotificationSettings, subscribePush } from '#contract/notifications.ts';
import { makeMember, type TestMember } from '../../factories.ts';
import type { TestApp } from '../../harness.ts';
import { likesIn } from '../../likes.ts';
import { placeTalk } from '../../messages.ts';
import { fileReport } from '../../reports.ts';
import { browserSubscription } from '../cases/notifications.ts';

type Leaver = Pick<TestMember, 'id' | 'token'>;

/** Writes a message as the leaver and edits it. */
async function writeAndChange(test: TestApp, { token }: Leaver, id: string, text: string): Promise<void> {
  const body = { clientId: randomUUID(), text };
  await test.call(sendMessage, { token, params: { id }, body });
  await test.call(editMessage, { token, params: { id, seq: '1' }, body: { text: `${text} Really.` } });
}

/** Lets someone write to the leaver first. */
async function beWrittenTo(test: TestApp, writer: TestMember, leaver: Leaver): Promise<void> {
  const { like } = likesIn(() => test);
  await like(leaver, writer);
  const { matchId = '' } = (await like(writer, leaver)).body.data;
  const body = { clientId: randomUUID(), text: 'Hello' };
  await test.call(sendMessage, { token: writer.token, params: { id: matchId }, body });
}

/** Stores notification settings and a device of the leaver. */
async function chooseNotifications(test: TestApp, { token }: Leaver): Promise<void> {
  const settings = { like: { mail: 'never' as const, push: true } };
  await test.call(putNotificationSettings, { token, body: { settings } });
  await test.call(subscribePush, { token, body: browserSubscription() });
}

/**
 * Fills every table that stores likes and cards: a match with a note and a reported message, decisions that were
 * learned from, queued or undone, and cards in both directions.
 */
export async function likeAndMatch(test: TestApp, leaver: Leaver, note: string): Promise<void> {
  const { like, pass, undo } = likesIn(() => test);
  const stranger = () => makeMember(test, { gender: 'man', lastActiveAt: test.clock.now() });
  const [matched, passed, admirer] = [await stranger(), await stranger(), await stranger()];
  await pass(leaver, passed);
  await test.app.background.tasks['discovery.learn']?.({}, {} as never);
  await undo(leaver);
  await like(leaver, matched, { note });
  const { matchId = '' } = (await like(matched, leaver)).body.data;
  await writeAndChange(test, leaver, matchId, note);
  await fileReport(test, matched, { evidence: [{ type: 'message', id: matchId, seq: 1 }], hideFromEachOther: false });
  await placeTalk(test, matchId);
  await test.call(answerMeeting, { token: leaver.token, params: { id: matchId }, body: { met: 'yes' } });
  await beWrittenTo(test, await stranger(), leaver);
  await like(admirer, leaver);
  await chooseNotifications(test, leaver);
  const { id } = leaver;
  await test.db
    .updateTable('presence')
    .set({ last_active_at: test.clock.now() })
    .where('account_id', '=', id)
    .execute();
  await test.app.background.tasks['discovery.noteActivity']?.({}, {} as never);
  for (const { token } of [leaver, passed]) await test.call(getCards, { token });
}
