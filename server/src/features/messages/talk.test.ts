import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import * as calls from '#contract/messages/messages.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { likesIn } from '../../../test/likes.ts';
import { connect, listenTo } from '../../../test/sockets.ts';
import { hideMessage, messageAt } from './public.ts';

const app = startAppForTests();
let here: string;
beforeAll(async () => {
  here = await listenTo(app);
});

const { match, unmatch, block } = likesIn(() => app);
const post = (who: TestMember, id: string, text: string, replyTo?: number) =>
  app.call(calls.sendMessage, {
    token: who.token,
    params: { id },
    body: { clientId: randomUUID(), text, ...(replyTo !== undefined && { replyTo }) },
  });
const react = (who: Partial<TestMember>, id: string, seq: number | string, emoji: calls.ReactionEmoji = '❤️') =>
  app.call(calls.reactToMessage, {
    ...(who.token !== undefined && { token: who.token }),
    params: { id, seq: String(seq) },
    body: { emoji },
  });
const unreact = (who: TestMember, id: string, seq: number) =>
  app.call(calls.removeReaction, { token: who.token, params: { id, seq: String(seq) } });
const remove = (who: TestMember, id: string, seq: number) =>
  app.call(calls.deleteMessage, { token: who.token, params: { id, seq: String(seq) } });
const edit = (who: TestMember, id: string, seq: number, text: string) =>
  app.call(calls.editMessage, { token: who.token, params: { id, seq: String(seq) }, body: { text } });
const history = async (who: TestMember, id: string) =>
  (await app.call(calls.listMessages, { token: who.token, params: { id } })).body.data.messages;
const reactions = async (who: TestMember, id: string) => (await history(who, id)).map((one) => one.reactions ?? []);
const quotes = async (who: TestMember, id: string) => (await history(who, id)).map((one) => one.replyTo ?? null);
const conversations = async (who: TestMember) =>
  (await app.call(calls.listConversations, { token: who.token })).body.data.conversations;
const rows = (id: string) =>
  app.db.selectFrom('message_reaction').select('emoji').where('conversation_id', '=', id).execute();

/** Two people; the second has written once. */
async function talk() {
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  const id = await match(ada, bo);
  await post(bo, id, 'Hello');
  return { ada, bo, id };
}

/** Removes a message by a decision. */
async function removeByDecision(senderId: string, id: string, seq: number) {
  const found = await messageAt(app.db, senderId, id, seq);
  if (found === undefined) throw new Error('no such message');
  await hideMessage(app.db, found, app.clock.now());
}

describe('PUT /matches/{id}/messages/{seq}/reaction', () => {
  it('shows the reaction to both, replaces an earlier one, and sends both an event', async () => {
    const { ada, bo, id } = await talk();
    const [own, theirs] = [await connect(here, ada.token), await connect(here, bo.token)];
    expect((await react(ada, id, 1)).body.data.message.reactions).toEqual([{ from: ada.id, emoji: '❤️' }]);
    await react(ada, id, 1, '😂');
    const after = [[{ from: ada.id, emoji: '😂' }]];
    expect([await reactions(ada, id), await reactions(bo, id)]).toEqual([after, after]);
    for (const device of [own, theirs])
      await expect
        .poll(() => device.heard.flatMap((event) => (event.kind === 'message' ? [event.message.reactions] : [])))
        .toEqual([[{ from: ada.id, emoji: '❤️' }], after[0]]);
    own.socket.close();
    theirs.socket.close();
  });

  it('stores one reaction when the same person reacts many times at once', async () => {
    const { ada, id } = await talk();
    const given = await Promise.all(calls.reactionEmojis.map((emoji) => react(ada, id, 1, emoji)));
    expect(given.map(({ status }) => status)).toEqual(calls.reactionEmojis.map(() => 200));
    expect(await rows(id)).toHaveLength(1);
  });

  it('returns 400 for another emoji, 401 without a token, and 403 for one’s own message', async () => {
    const { ada, bo, id } = await talk();
    expect((await react(ada, id, 1, '💩' as never)).status).toBe(400);
    expect((await react(ada, id, 1, "❤️'; drop table message; --" as never)).status).toBe(400);
    expect((await react({}, id, 1)).status).toBe(401);
    expect((await react(bo, id, 1)).status).toBe(403);
  });

  it('returns the same 404 to others, for missing, deleted and removed messages, and after an unmatch or block', async () => {
    const { ada, bo, id } = await talk();
    await post(bo, id, 'Two');
    await post(bo, id, 'Three');
    await remove(bo, id, 1);
    await removeByDecision(bo.id, id, 2);
    const refusals = [await react(await makeMember(app), id, 3), await react(ada, randomUUID(), 1)];
    for (const seq of [1, 2, 4, 0, -1, 'x', '1e1', '999999999']) refusals.push(await react(ada, id, seq));
    await unmatch(ada, id);
    refusals.push(await react(ada, id, 3));
    const other = await talk();
    await block(other.bo, other.ada);
    refusals.push(await react(other.ada, other.id, 1));
    for (const { status, error } of refusals) expect([status, error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is hidden and deleted with its message', async () => {
    const { ada, bo, id } = await talk();
    await react(ada, id, 1);
    await edit(bo, id, 1, 'Hello!');
    expect(await reactions(bo, id)).toEqual([[{ from: ada.id, emoji: '❤️' }]]);
    expect((await remove(bo, id, 1)).body.data.message.reactions).toBeUndefined();
    expect(await reactions(ada, id)).toEqual([[]]);
    expect(await rows(id)).toEqual([]);
  });

  it('is not held: both see it and its removal while its author is held', async () => {
    const { ada, bo, id } = await talk();
    await holdAccount(app, ada);
    const theirs = await connect(here, bo.token);
    await react(ada, id, 1);
    expect(await reactions(bo, id)).toEqual([[{ from: ada.id, emoji: '❤️' }]]);
    await unreact(ada, id, 1);
    expect(await reactions(bo, id)).toEqual([[]]);
    await expect.poll(() => theirs.heard.filter(({ kind }) => kind === 'message')).toHaveLength(2);
    theirs.socket.close();
  });

  it('is in the data export of its author', async () => {
    const password = 'correct horse battery';
    const [ada, bo] = [await makeMember(app, { passwordHash: await hashPassword(password) }), await makeMember(app)];
    const id = await match(ada, bo);
    await post(bo, id, 'Hello');
    await post(ada, id, 'Hi', 1);
    await react(ada, id, 1, '🔥');
    const files = await takeArchive(app, ada.token, { password });
    const read = (name: string): unknown => JSON.parse(strFromU8(files[name] ?? new Uint8Array()));
    expect(read('reactions.json')).toMatchObject([{ emoji: '🔥' }]);
    expect(read('messages.json')).toMatchObject([{ text: 'Hi', answered: expect.any(String) }]);
    expect(strFromU8(files['messages.json'] ?? new Uint8Array())).not.toContain('Hello');
  });
});

describe('DELETE /matches/{id}/messages/{seq}/reaction', () => {
  it('removes the caller’s reaction, even when it is repeated', async () => {
    const { ada, bo, id } = await talk();
    await react(ada, id, 1);
    expect((await unreact(bo, id, 1)).status).toBe(403);
    expect((await unreact(ada, id, 1)).body.data.message.reactions).toBeUndefined();
    expect((await unreact(ada, id, 1)).status).toBe(200);
    expect(await rows(id)).toEqual([]);
  });
});

describe('a message that quotes another one', () => {
  it('shows the quoted message in its current form, to both', async () => {
    const { ada, bo, id } = await talk();
    expect((await post(ada, id, 'Hi', 1)).body.data.message.replyTo).toEqual({ seq: 1, from: bo.id, text: 'Hello' });
    await edit(bo, id, 1, 'Good morning');
    const quote = { seq: 1, from: bo.id, text: 'Good morning' };
    expect([await quotes(ada, id), await quotes(bo, id)]).toEqual([
      [null, quote],
      [null, quote],
    ]);
    expect((await edit(ada, id, 2, 'Hi!')).body.data.message.replyTo).toEqual(quote);
  });

  it('never shows a text that was deleted or removed from the viewer', async () => {
    const { ada, bo, id } = await talk();
    await post(bo, id, 'Rude');
    await post(ada, id, 'One', 1);
    await post(ada, id, 'Two', 2);
    await remove(bo, id, 1);
    await removeByDecision(bo.id, id, 2);
    expect((await quotes(ada, id)).map((quote) => quote?.text)).toEqual([undefined, undefined, null, null]);
    expect((await quotes(bo, id)).map((quote) => quote?.text)).toEqual([undefined, undefined, null, 'Rude']);
    await remove(ada, id, 3);
    expect((await quotes(bo, id))[2]).toBeNull();
  });

  it('returns 400 for a number that does not exist', async () => {
    const { ada, id } = await talk();
    for (const replyTo of [0, -1, 2, 2_000_000_000, 1.5, '1' as never])
      expect((await post(ada, id, 'Hi', replyTo)).status).toBe(400);
    expect(await history(ada, id)).toHaveLength(1);
  });

  it('returns the same quote when it is sent twice', async () => {
    const { ada, id } = await talk();
    const body = { clientId: randomUUID(), text: 'Hi', replyTo: 1 };
    const send = () => app.call(calls.sendMessage, { token: ada.token, params: { id }, body });
    const [one, other] = await Promise.all([send(), send()]);
    expect(other.body.data).toEqual(one.body.data);
    expect(one.body.data.message.replyTo?.text).toBe('Hello');
  });

  it('keeps its place when it was held, and hides what only its sender sees', async () => {
    const [held, other] = [await makeMember(app), await makeMember(app)];
    const id = await match(held, other);
    await holdAccount(app, held);
    await post(held, id, 'Hidden');
    expect((await post(held, id, 'More', 1)).body.data.message.replyTo).toMatchObject({ seq: 1, text: 'Hidden' });
    expect(await history(other, id)).toEqual([]);
    await endHoldOf(app, held, 'released');
    const quote = { seq: 1, from: held.id, text: 'Hidden' };
    await expect.poll(() => quotes(other, id)).toEqual([null, quote]);
    expect(await quotes(held, id)).toEqual([null, quote]);
  });

  it('shows no quote of a held message to the other person', async () => {
    const [held, other] = [await makeMember(app), await makeMember(app)];
    const id = await match(held, other);
    await holdAccount(app, held);
    await post(held, id, 'Hidden');
    await post(other, id, 'First');
    await post(held, id, 'To myself', 1);
    await post(held, id, 'To you', 2);
    expect((await quotes(held, id)).map((quote) => quote?.text)).toEqual([undefined, undefined, 'Hidden', 'First']);
    expect(await quotes(other, id)).toEqual([null, null, { seq: 1, from: other.id, text: 'First' }]);
  });
});

describe('GET /conversations/waiting', () => {
  const aDayLater = () =>
    app.db
      .updateTable('conversation')
      .set({ last_at: secondsAfter(app.clock.now(), -86_400) })
      .execute();
  const waiting = async (who: TestMember) => (await app.call(calls.listWaiting, { token: who.token })).body.data;

  it('lists conversations whose last message was received a day ago', async () => {
    const { ada, bo, id } = await talk();
    expect(await waiting(ada)).toEqual({ count: 0, conversations: [] });
    await aDayLater();
    expect(await waiting(ada)).toMatchObject({
      count: 1,
      conversations: [{ _id: id, lastMessage: { text: 'Hello' } }],
    });
    expect((await waiting(bo)).count).toBe(0);
    await post(ada, id, 'Hi');
    expect((await waiting(ada)).count).toBe(0);
  });

  it('leaves out deleted and removed messages and ended matches', async () => {
    const ada = await makeMember(app);
    const others = [];
    for (let n = 0; n < 4; n += 1) {
      const bo = await makeMember(app);
      const id = await match(ada, bo);
      await post(bo, id, 'Hello');
      others.push({ bo, id });
    }
    await aDayLater();
    expect((await waiting(ada)).count).toBe(4);
    const [one, two, three] = others;
    await remove(one!.bo, one!.id, 1);
    await removeByDecision(two!.bo.id, two!.id, 1);
    await block(three!.bo, ada);
    expect((await waiting(ada)).conversations.map(({ _id }) => _id)).toEqual([others[3]!.id]);
  });
});

describe('POST /matches/{id}/goodbye', () => {
  const [text] = calls.goodbyes;
  const end = (who: TestMember, id: string, words: string = text) =>
    app.call(calls.endKindly, { token: who.token, params: { id }, body: { text: words as typeof text } });

  it('ends the match and lets the other person read the goodbye, without the profile', async () => {
    const { ada, bo, id } = await talk();
    const theirs = await connect(here, bo.token);
    expect((await end(ada, id)).body.data).toEqual({ unmatched: true });
    expect(await conversations(ada)).toEqual([]);
    expect((await history(bo, id)).map((one) => one.text)).toEqual(['Hello', text]);
    expect(await conversations(bo)).toMatchObject([
      { _id: id, isEnded: true, unread: 0, lastMessage: { text }, user: { pictures: [], bio: null } },
    ]);
    const shown = (await conversations(bo))[0]?.user;
    expect([shown?.firstName, shown?.age, shown?.gender, shown?.isPhotoVerified]).toEqual([
      expect.any(String),
      null,
      null,
      false,
    ]);
    const one = await app.call(calls.getConversation, { token: bo.token, params: { id } });
    expect(one.body.data.conversation).toMatchObject({ isEnded: true, asksMeeting: false, likes: [] });
    await expect.poll(() => theirs.heard.map(({ kind }) => kind)).toContain('matchEnded');
    theirs.socket.close();
    expect(await app.db.selectFrom('notification').select('id').where('subject_id', '=', id).execute()).toEqual([]);
    const list = await app.call(calls.listMessages, { token: ada.token, params: { id } });
    expect(list.status).toBe(404);
  });

  it('ends writing and reacting for both, and still hides the messages from others', async () => {
    const { ada, bo, id } = await talk();
    await end(ada, id);
    const answers = [await post(bo, id, 'Why?'), await react(bo, id, 2), await end(bo, id), await end(ada, id)].map(
      ({ status }) => status,
    );
    answers.push((await remove(bo, id, 1)).status, (await edit(bo, id, 1, 'No')).status);
    expect(answers).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await app.call(calls.listMessages, { token: (await makeMember(app)).token, params: { id } })).status).toBe(
      404,
    );
  });

  it('stays unchanged until its author deletes their account, whatever happens to the author’s profile', async () => {
    const { ada, bo, id } = await talk();
    await end(ada, id);
    const seen = async () => [await conversations(bo), (await history(bo, id)).length];
    const before = await seen();
    await app.db
      .updateTable('profile')
      .set({ first_name: 'Other', bio: 'New', paused_at: app.clock.now() })
      .where('account_id', '=', ada.id)
      .execute();
    await app.db
      .updateTable('account')
      .set({ is_active: false, deactivated_at: app.clock.now() })
      .where('id', '=', ada.id)
      .execute();
    expect(await seen()).toEqual(before);
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', ada.id).execute();
    expect(await conversations(bo)).toEqual([]);
    expect((await app.call(calls.listMessages, { token: bo.token, params: { id } })).status).toBe(404);
  });

  it('can no longer be read after a week, or once one of the two blocks the other', async () => {
    const readable = async (who: TestMember, id: string) =>
      (await app.call(calls.listMessages, { token: who.token, params: { id } })).status === 200;
    const [one, other, late] = [await talk(), await talk(), await talk()];
    for (const { ada, id } of [one, other, late]) await end(ada, id);
    await block(one.ada, one.bo);
    await block(other.bo, other.ada);
    expect([await readable(one.bo, one.id), await readable(other.bo, other.id)]).toEqual([false, false]);
    expect(await readable(late.bo, late.id)).toBe(true);
    await app.db
      .updateTable('goodbye')
      .set({ said_at: secondsAfter(app.clock.now(), -7 * 86_400) })
      .execute();
    await app.app.background.tasks['messages.cleanUp']?.({}, {} as never);
    expect(await readable(late.bo, late.id)).toBe(false);
    expect(await conversations(late.bo)).toEqual([]);
  });

  it('ends the match once when both do it at the same time', async () => {
    const { ada, bo, id } = await talk();
    await post(ada, id, 'Hi');
    const ended = await Promise.all([end(ada, id), end(bo, id), unmatch(ada, id)]);
    expect(ended.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.db.selectFrom('match').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  it('accepts only our sentences, and only if the other person has written', async () => {
    const { ada, bo, id } = await talk();
    expect((await end(ada, id, 'You are boring')).status).toBe(400);
    expect((await end(bo, id)).status).toBe(409);
    expect((await end(await makeMember(app), id)).status).toBe(404);
    expect(await history(ada, id)).toHaveLength(1);
  });
});
