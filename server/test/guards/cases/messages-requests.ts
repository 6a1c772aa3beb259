import { randomUUID } from 'node:crypto';
import { makeMember, type TestMember } from '../../factories.ts';
import { placeMatch } from '../../likes.ts';
import { placeMessage } from '../../messages.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** A match of the caller's; for callers who can't use matching, one between others. */
async function ownMatch({ test, actor, other }: Scene): Promise<{ id: string; writer: TestMember }> {
  const writer = actor ?? other;
  return { id: await placeMatch(test, writer, await makeMember(test)), writer };
}

/** One with a message by the caller. */
async function withMessage(scene: Scene): Promise<{ id: string; seq: string }> {
  const { id, writer } = await ownMatch(scene);
  await placeMessage(scene.test, id, writer);
  return { id, seq: '1' };
}

/** A valid request for every call about conversations. */
export const messagesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /conversations': () => ({ query: { limit: '5' } }),
  'GET /conversations/unread': () => ({}),
  'GET /conversations/{id}': async (scene) => ({ params: { id: (await ownMatch(scene)).id } }),
  'GET /matches/{id}/messages': async (scene) => ({ params: { id: (await withMessage(scene)).id } }),
  'POST /matches/{id}/messages': async (scene) => ({
    params: { id: (await ownMatch(scene)).id },
    body: { clientId: randomUUID(), text: 'Which ferry was the best one?' },
  }),
  'PATCH /matches/{id}/messages/{seq}': async (scene) => ({
    params: await withMessage(scene),
    body: { text: 'In other words' },
  }),
  'DELETE /matches/{id}/messages/{seq}': async (scene) => ({ params: await withMessage(scene) }),
  'POST /matches/{id}/read': async (scene) => ({ params: { id: (await withMessage(scene)).id }, body: { seq: 1 } }),
};
