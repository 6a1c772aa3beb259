import { randomUUID } from 'node:crypto';
import { goodbyes, sendMessage } from '#contract/messages/messages.ts';
import { makeMember, type TestMember } from '../../factories.ts';
import { placeDecision, placeMatch, likesIn } from '../../likes.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { allStaff, completed, type Cells, row, type Row } from '../people.ts';
import { placeMessage, placePhoto, placeTalk } from '../../messages.ts';
import { draw } from '../../pictures.ts';

const aboutTheOther = ({ other }: Scene): CallRequest => ({ params: { userId: other.id } });

/** A valid request for every endpoint of cards, likes and matches. */
export const likesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /discovery': () => ({ query: { limit: '5' } }),
  'POST /discovery/undo': async ({ test, actor }) => {
    if (actor !== null) await placeDecision(test, actor, await makeMember(test), 'pass');
    return { body: {} };
  },
  'POST /likes/{userId}': (scene) => ({ ...aboutTheOther(scene), body: { note: 'The second picture!' } }),
  'DELETE /likes/{userId}': aboutTheOther,
  'POST /passes/{userId}': aboutTheOther,
  'GET /likes/received': () => ({ query: { page: '1' } }),
  'GET /likes/sent': () => ({ query: { page: '1' } }),
  'GET /matches': () => ({ query: { page: '1' } }),
  'DELETE /matches/{id}': async ({ test, actor, other }) => ({
    params: { id: await placeMatch(test, actor ?? other, await makeMember(test)) },
  }),
};

/** Staff can't use matching. */
const completedMember = (status: number): Cells => ({ ...completed(status), ...allStaff(403) });

const aboutHiddenPerson = async ({ test }: Scene) => ({
  params: { userId: (await makeMember(test, { leaving: true })).id },
});

/** Who may call which endpoints of cards, likes and matches. */
export const likesRows: Record<string, Row> = {
  'GET /discovery': { cells: completedMember(200) },
  'POST /discovery/undo': row(completedMember(200), 404, () => ({ body: { userId: randomUUID() } })),
  'POST /likes/{userId}': row(completedMember(201), 404, async (scene) => ({
    ...(await aboutHiddenPerson(scene)),
    body: { note: 'Hello' },
  })),
  'DELETE /likes/{userId}': row(completedMember(200), 200, aboutHiddenPerson),
  'POST /passes/{userId}': row(completedMember(201), 404, aboutHiddenPerson),
  'GET /likes/received': { cells: completedMember(200) },
  'GET /likes/sent': { cells: completedMember(200) },
  'GET /matches': { cells: completedMember(200) },
  'DELETE /matches/{id}': row(completedMember(200), 404, async ({ test, other }) => ({
    params: { id: await likesIn(() => test).match(other, await makeMember(test)) },
  })),
};

/** A match of the caller; for callers who can't use matching, a match of two others. */
async function ownMatch({ test, actor, other }: Scene): Promise<{ id: string; writer: TestMember }> {
  const writer = actor ?? other;
  return { id: await placeMatch(test, writer, await makeMember(test)), writer };
}

/** A match with a message by the caller. */
async function withMessage(scene: Scene): Promise<{ id: string; seq: string }> {
  const { id, writer } = await ownMatch(scene);
  await placeMessage(scene.test, id, writer);
  return { id, seq: '1' };
}

/** A match with a message by the other person. */
async function received({ test, actor, other }: Scene): Promise<{ id: string; seq: string }> {
  const writer = await makeMember(test);
  const id = await placeMatch(test, actor ?? other, writer);
  await test.call(sendMessage, {
    token: writer.token,
    params: { id },
    body: { clientId: randomUUID(), text: 'Which ferry was the best one?' },
  });
  return { id, seq: '1' };
}

/** A match that is a week old, in which both have written enough to be asked if they met. */
async function afterAWeek(scene: Scene): Promise<{ id: string }> {
  const { id } = await ownMatch(scene);
  await placeTalk(scene.test, id);
  return { id };
}

/** A match in which both have written. */
async function withAnswer(scene: Scene): Promise<string> {
  const { id } = await ownMatch(scene);
  await placeTalk(scene.test, id);
  await scene.test.db.updateTable('conversation').set({ is_answered: true }).where('id', '=', id).execute();
  return id;
}

/** A message to the caller with a photo that can be viewed once. */
async function withPhotoToOpen(scene: Scene): Promise<CallRequest> {
  const { test, actor, other } = scene;
  const receiver = actor ?? other;
  const sender = await makeMember(test);
  const id = await placeMatch(test, receiver, sender);
  await placeMessage(test, id, sender);
  return { params: { id, seq: '1' }, body: { picture: await placePhoto(test, id, sender, { isOnce: true }) } };
}

/** A valid request for every endpoint of conversations. */
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
  'PUT /matches/{id}/messages/{seq}/reaction': async (scene) => ({
    params: await received(scene),
    body: { emoji: '❤️' },
  }),
  'DELETE /matches/{id}/messages/{seq}/reaction': async (scene) => ({ params: await received(scene) }),
  'GET /conversations/waiting': () => ({}),
  'POST /matches/{id}/goodbye': async (scene) => ({
    params: { id: (await received(scene)).id },
    body: { text: goodbyes[0] },
  }),
  'PUT /matches/{id}/meeting': async (scene) => ({ params: await afterAWeek(scene), body: { met: 'yes' } }),
  'POST /matches/{id}/media': async (scene) => ({
    params: { id: await withAnswer(scene) },
    query: { kind: 'picture' },
    file: { bytes: await draw() },
  }),
  'POST /matches/{id}/messages/{seq}/open': (scene) => withPhotoToOpen(scene),
  'PUT /matches/{id}/snooze': async (scene) => ({ params: { id: (await ownMatch(scene)).id }, body: { days: 7 } }),
};

/** A conversation between two others, with a message. */
async function ofOthers({ test, other }: Scene): Promise<{ id: string; seq: string }> {
  const id = await placeMatch(test, other, await makeMember(test));
  await placeMessage(test, id, other);
  return { id, seq: '1' };
}

const aboutOthers =
  (body?: () => Record<string, unknown>) =>
  async (scene: Scene): Promise<CallRequest> => ({
    params: await ofOthers(scene),
    ...(body === undefined ? {} : { body: body() }),
  });
const matchOfOthers =
  (body?: () => Record<string, unknown>) =>
  async (scene: Scene): Promise<CallRequest> => {
    const { params, ...rest } = await aboutOthers(body)(scene);
    return { ...rest, params: { id: params?.['id'] ?? '' } };
  };

/** Who may call which endpoints of conversations. */
export const messagesRows: Record<string, Row> = {
  'GET /conversations': { cells: completedMember(200) },
  'GET /conversations/unread': { cells: completedMember(200) },
  'GET /conversations/{id}': row(completedMember(200), 404, matchOfOthers()),
  'GET /matches/{id}/messages': row(completedMember(200), 404, matchOfOthers()),
  'POST /matches/{id}/messages': row(
    completedMember(201),
    404,
    matchOfOthers(() => ({ clientId: randomUUID(), text: 'Hello' })),
  ),
  'PATCH /matches/{id}/messages/{seq}': row(
    completedMember(200),
    404,
    aboutOthers(() => ({ text: 'Mine' })),
  ),
  'DELETE /matches/{id}/messages/{seq}': row(completedMember(200), 404, aboutOthers()),
  'POST /matches/{id}/read': row(
    completedMember(200),
    404,
    matchOfOthers(() => ({ seq: 1 })),
  ),
  'PUT /matches/{id}/messages/{seq}/reaction': row(
    completedMember(200),
    404,
    aboutOthers(() => ({ emoji: '❤️' })),
  ),
  'DELETE /matches/{id}/messages/{seq}/reaction': row(completedMember(200), 404, aboutOthers()),
  'GET /conversations/waiting': { cells: completedMember(200) },
  'POST /matches/{id}/goodbye': row(
    completedMember(200),
    404,
    matchOfOthers(() => ({ text: goodbyes[0] })),
  ),
  'PUT /matches/{id}/meeting': row(
    completedMember(200),
    404,
    matchOfOthers(() => ({ met: 'yes' })),
  ),
  'POST /matches/{id}/media': row(completedMember(201), 404, async (scene) => ({
    ...(await matchOfOthers()(scene)),
    query: { kind: 'picture' },
    file: { bytes: await draw() },
  })),
  'POST /matches/{id}/messages/{seq}/open': row(completedMember(200), 404, ({ test, other }) =>
    withPhotoToOpen({ test, actor: other, other }),
  ),
  'PUT /matches/{id}/snooze': row(
    completedMember(200),
    404,
    matchOfOthers(() => ({ days: 7 })),
  ),
};
