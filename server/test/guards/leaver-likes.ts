import { randomUUID } from 'node:crypto';
import { getCards } from '#contract/discovery.ts';
import { editMessage, sendMessage } from '#contract/messages.ts';
import { makeMember, type TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';
import { likesIn } from '../likes.ts';

type Leaver = Pick<TestMember, 'id' | 'token'>;

/** Leaves somebody's words in a conversation, and what they said before. */
async function writeAndChange(test: TestApp, { token }: Leaver, id: string, text: string): Promise<void> {
  const body = { clientId: randomUUID(), text };
  await test.call(sendMessage, { token, params: { id }, body });
  await test.call(editMessage, { token, params: { id, seq: '1' }, body: { text: `${text} Really.` } });
}

/**
 * Leaves somebody wherever likes and cards are kept: in a match with a note, in decisions that have taught, will teach and were
 * taken back, on another's cards and with cards of their own.
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
  await like(admirer, leaver);
  const { id } = leaver;
  await test.db
    .updateTable('presence')
    .set({ last_active_at: test.clock.now() })
    .where('account_id', '=', id)
    .execute();
  await test.app.background.tasks['discovery.noteActivity']?.({}, {} as never);
  for (const { token } of [leaver, passed]) await test.call(getCards, { token });
}
