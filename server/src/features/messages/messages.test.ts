import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstMessagesPerDay, messageMaxLength } from '#contract/constants.ts';
import * as calls from '#contract/messages/messages.ts';
import { editProfile, getUser, showLastActive } from '#contract/profiles/profiles.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();

const { like, match, unmatch, block } = likesIn(() => app);
const write = (who: TestMember, id: string, text: string, clientId: string = randomUUID()) =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId, text } });
const history = async (who: TestMember, id: string, query: { after?: string; before?: string; limit?: string } = {}) =>
  (await app.call(calls.listMessages, { token: who.token, params: { id }, query })).body.data;
const texts = async (who: TestMember, id: string) => (await history(who, id)).messages.map(({ text }) => text);
const conversations = async (who: TestMember) =>
  (await app.call(calls.listConversations, { token: who.token })).body.data.conversations;

async function pair(
  ofAda: MemberOptions = {},
  ofBo: MemberOptions = {},
): Promise<{ ada: TestMember; bo: TestMember; id: string }> {
  const [ada, bo] = [await makeMember(app, ofAda), await makeMember(app, ofBo)];
  return { ada, bo, id: await match(ada, bo) };
}

describe('sending a message', () => {
  test('assigns it the next position, the same for both, even with concurrent senders', async () => {
    const { ada, bo, id } = await pair();
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, n) => write(n % 2 === 0 ? ada : bo, id, `Message ${n}`)),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const [one, other] = [await history(ada, id), await history(bo, id)];
    expect(one.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(other.messages.map(({ text }) => text)).toEqual(one.messages.map(({ text }) => text));
    expect(one.lastSeq).toBe(20);
  });

  test('leaves no gap in many concurrent conversations, loses nothing, and isolates failures', async () => {
    const createdAt = new Date(app.clock.now().getTime() - 2 * 86_400_000);
    const grown = () => makeMember(app, { createdAt });
    const pairs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [one, other] = [await grown(), await grown()];
        return { people: [one, other] as const, id: await match(one, other) };
      }),
    );
    const ended = pairs.pop();
    if (ended === undefined) throw new Error('there are six');
    await unmatch(ended.people[0], ended.id);
    const twice = randomUUID();
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        ...pairs.flatMap(({ people, id }) => people.map((who) => write(who, id, `Message ${n}`))),
        ...pairs.slice(0, 1).map(({ people, id }) => write(people[0], id, 'Twice', twice)),
        write(ended.people[1], ended.id, 'Too late'),
        write(ended.people[1], pairs[0]?.id ?? '', 'A stranger'),
      ]).flat(),
    );
    expect(sent.filter(({ status }) => status === 404)).toHaveLength(20);
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(110);
    for (const [index, { people, id }] of pairs.entries()) {
      const length = index === 0 ? 21 : 20;
      const [one, other] = [await history(people[0], id), await history(people[1], id)];
      expect(one.messages.map(({ seq }) => seq)).toEqual(Array.from({ length }, (_, n) => n + 1));
      expect(other.messages).toEqual(one.messages);
    }
  });

  test('returns the existing message for a known clientId, concurrently and later', async () => {
    const { ada, bo, id } = await pair();
    const clientId = randomUUID();
    const sent = await Promise.all(Array.from({ length: 5 }, () => write(ada, id, 'Hello', clientId)));
    expect(new Set(sent.map(({ body }) => body.data.message.seq))).toEqual(new Set([1]));
    await app.call(calls.editMessage, { token: ada.token, params: { id, seq: '1' }, body: { text: 'Hello you' } });
    expect((await write(ada, id, 'Hello', clientId)).body.data.message.text).toBe('Hello you');
    expect(await texts(bo, id)).toEqual(['Hello you']);
    const elsewhere = await match(ada, await makeMember(app));
    expect((await write(ada, elsewhere, 'Hello', clientId)).status).toBe(409);
    expect(await texts(ada, elsewhere)).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['an invisible text', '\u200b\u2060'],
    ['NUL', 'a\0b'],
    ['half a surrogate pair', '\ud83d'],
    ['a text that is too long', 'x'.repeat(messageMaxLength + 1)],
  ])('rejects %s with an error message', async (_, text) => {
    const { ada, id } = await pair();
    const refused = await write(ada, id, text);
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]).toMatchObject({ field: 'text' });
  });

  test.each(['👩‍👩‍👧‍👦👋🏽', 'مرحبا بك', '<script>alert(1)</script>', 'two\n\nlines', 'x'.repeat(messageMaxLength)])(
    'stores %s unchanged',
    async (text) => {
      const { ada, bo, id } = await pair();
      await write(ada, id, text);
      expect(await texts(bo, id)).toEqual([text]);
    },
  );
});

describe('the message history', () => {
  test('can be paged in both directions by position', async () => {
    const { ada, bo, id } = await pair();
    for (let n = 1; n <= 7; n += 1) await write(ada, id, `Message ${n}`);
    const places = async (query: { after?: string; before?: string; limit?: string }) => {
      const { messages, hasMore } = await history(bo, id, query);
      return { places: messages.map(({ seq }) => seq), hasMore };
    };
    expect(await places({ limit: '3' })).toEqual({ places: [5, 6, 7], hasMore: true });
    expect(await places({ before: '5', limit: '3' })).toEqual({ places: [2, 3, 4], hasMore: true });
    expect(await places({ before: '2' })).toEqual({ places: [1], hasMore: false });
    expect(await places({ after: '2', limit: '3' })).toEqual({ places: [3, 4, 5], hasMore: true });
    expect(await places({ after: '7' })).toEqual({ places: [], hasMore: false });
    const both = { after: '1', before: '3' };
    expect((await app.call(calls.listMessages, { token: bo.token, params: { id }, query: both })).status).toBe(400);
  });

  test('lists conversations with unread counts, newest first, page by page', async () => {
    const bo = await makeMember(app);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const other = await makeMember(app);
      ids.push(await match(bo, other));
      app.clock.advance(1);
      await write(other, ids[n] ?? '', `From ${n}`);
      app.clock.advance(1);
    }
    await write(bo, ids[0] ?? '', 'Back');
    const list = await conversations(bo);
    expect(list.map(({ _id, lastMessage, unread }) => [_id, lastMessage?.text, unread])).toEqual([
      [ids[0], 'Back', 1],
      [ids[2], 'From 2', 1],
      [ids[1], 'From 1', 1],
    ]);
    const first = (await app.call(calls.listConversations, { token: bo.token, query: { limit: '2' } })).body.data;
    const cursor = first.nextCursor ?? '';
    const second = (await app.call(calls.listConversations, { token: bo.token, query: { limit: '2', cursor } })).body
      .data;
    expect([...first.conversations, ...second.conversations].map(({ _id }) => _id)).toEqual([ids[0], ids[2], ids[1]]);
    expect(second.nextCursor).toBe(null);
    expect((await app.call(calls.countUnread, { token: bo.token })).body.data.conversations).toBe(3);
  });
});

describe('a conversation', () => {
  const likesOf = async (who: TestMember, id: string) =>
    (await app.call(calls.getConversation, { token: who.token, params: { id } })).body.data.conversation.likes;

  test('shows the liked parts and the notes of both while they are on the profile', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    const said = { prompt: 'small-joy' as const, answer: 'Snow' };
    await app.call(editProfile, { token: bo.token, body: { prompts: [said] } });
    const { user } = (await app.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data;
    const publicId = user.pictures[0]?.publicId ?? '';
    await like(ada, bo, { note: 'Snow!', on: { kind: 'prompt', prompt: 'small-joy' } });
    app.clock.advance(1);
    const id = (await like(bo, ada, { on: { kind: 'picture', publicId } })).body.data.matchId ?? '';
    for (const who of [ada, bo])
      expect(await likesOf(who, id)).toMatchObject([
        { from: ada.id, note: 'Snow!', on: { kind: 'prompt', ...said } },
        { from: bo.id, note: null, on: { kind: 'picture', picture: { publicId, name: '' } } },
      ]);
    await app.call(editProfile, { token: bo.token, body: { prompts: [] } });
    await app.db.updateTable('decision').set({ liked_picture: randomUUID() }).where('viewer_id', '=', bo.id).execute();
    expect(await likesOf(bo, id)).toMatchObject([{ from: ada.id, note: 'Snow!', on: null }]);
    await block(bo, ada);
    expect(await app.call(calls.getConversation, { token: ada.token, params: { id } })).toMatchObject({ status: 404 });
  });

  test('shows nothing about likes without a note or a part, and nothing to others', async () => {
    const { ada, id } = await pair();
    expect(await likesOf(ada, id)).toEqual([]);
    const other = await makeMember(app);
    const refused = await app.call(calls.getConversation, { token: other.token, params: { id } });
    expect(refused.status).toBe(404);
  });
});

describe('marking messages as read', () => {
  test('moves the mark up to a position, never backwards or beyond the newest message', async () => {
    const { ada, bo, id } = await pair();
    for (const text of ['one', 'two', 'three']) await write(ada, id, text);
    const mark = async (seq: number) =>
      (await app.call(calls.readMessages, { token: bo.token, params: { id }, body: { seq } })).body.data.seq;
    expect(await mark(2)).toBe(2);
    const readAt = (await history(ada, id)).messages.map((message) => message.readAt);
    expect(readAt.map((at) => at !== null)).toEqual([true, true, false]);
    app.clock.advance(5);
    expect(await mark(1)).toBe(2);
    expect(await mark(99)).toBe(3);
    expect((await history(ada, id)).messages.map((message) => message.readAt).slice(0, 2)).toEqual(readAt.slice(0, 2));
    expect((await conversations(bo))[0]?.unread).toBe(0);
  });
});

describe('the time at which a message was read', () => {
  test.each([
    { ada: true, bo: true, isSeen: true },
    { ada: false, bo: true, isSeen: false },
    { ada: true, bo: false, isSeen: false },
  ])(
    'is sent to its sender only if both show when they were last active: %o',
    async ({ ada: one, bo: other, isSeen }) => {
      const { ada, bo, id } = await pair({ showLastActive: one }, { showLastActive: other });
      const clientId = randomUUID();
      await write(ada, id, 'Hello', clientId);
      await app.call(calls.readMessages, { token: bo.token, params: { id }, body: { seq: 1 } });
      const params = { id, seq: '1' };
      const seen = [
        (await history(ada, id)).messages[0],
        (await conversations(ada))[0]?.lastMessage,
        (await app.call(calls.getConversation, { token: ada.token, params: { id } })).body.data.conversation
          .lastMessage,
        (await write(ada, id, 'Hello', clientId)).body.data.message,
        (await app.call(calls.editMessage, { token: ada.token, params, body: { text: 'Hi' } })).body.data.message,
        (await app.call(calls.deleteMessage, { token: ada.token, params })).body.data.message,
      ];
      const readAt = app.clock.now().toISOString();
      expect(seen.map((message) => message?.readAt)).toEqual(seen.map(() => (isSeen ? readAt : null)));
      // Readers see their own time of reading in any case.
      expect((await history(bo, id)).messages[0]?.readAt).toBe(readAt);
    },
  );
});

test('a message that was read while one of the two hid their activity never shows the time of reading', async () => {
  const { ada, bo, id } = await pair({ showLastActive: true }, { showLastActive: false });
  await write(ada, id, 'Hello');
  await app.call(calls.readMessages, { token: bo.token, params: { id }, body: { seq: 1 } });
  await app.call(showLastActive, { token: bo.token, body: { showLastActive: true } });
  await write(ada, id, 'Are you there?');
  await app.call(calls.readMessages, { token: bo.token, params: { id }, body: { seq: 2 } });
  const { messages } = await history(ada, id);
  const readAt = app.clock.now().toISOString();
  expect(messages.map((message) => [message.text, message.readAt])).toEqual([
    ['Hello', null],
    ['Are you there?', readAt],
  ]);
});

describe('a member’s own message', () => {
  test('can be edited for five minutes and deleted for both at any time, and its position stays', async () => {
    const { ada, bo, id } = await pair();
    await write(ada, id, 'Helo');
    await write(ada, id, 'Secret');
    const edit = (seq: string, text: string, who = ada) =>
      app.call(calls.editMessage, { token: who.token, params: { id, seq }, body: { text } });
    const remove = (seq: string, who = ada) => app.call(calls.deleteMessage, { token: who.token, params: { id, seq } });
    expect((await edit('1', 'Hello')).body.data.message).toMatchObject({ text: 'Hello', seq: 1 });
    expect((await edit('1', 'Mine now', bo)).status).toBe(404);
    expect((await remove('1', bo)).status).toBe(404);
    app.clock.advance(301);
    expect((await edit('2', 'Changed')).error.code).toBe('TOO_LATE');
    expect((await remove('2')).body.data.message).toMatchObject({ text: null, seq: 2 });
    expect((await edit('2', 'Back')).status).toBe(404);
    expect(await texts(bo, id)).toEqual(['Hello', null]);
    const traces = await app.db.selectFrom('message_trace').select('body').where('conversation_id', '=', id).execute();
    expect(traces.map(({ body }) => body)).toEqual(['Helo', 'Secret']);
  });
});

describe('the conversation of an ended match', () => {
  test.each(['unmatch', 'block', 'leaving'])('returns 404 to both members after %s', async (how) => {
    const { ada, bo, id } = await pair();
    await write(ada, id, 'Hello');
    if (how === 'unmatch') await unmatch(bo, id);
    else if (how === 'block') await block(bo, ada);
    else await app.pool.query('update account set leaving_since = now() where id = $1', [bo.id]);
    const nowhere = await app.call(calls.listMessages, { token: ada.token, params: { id: randomUUID() } });
    for (const path of [calls.listMessages, calls.getConversation] as const) {
      const gone = await app.call(path, { token: ada.token, params: { id } });
      expect([gone.status, { ...gone.error, requestId: '' }]).toEqual([404, { ...nowhere.error, requestId: '' }]);
    }
    expect((await write(ada, id, 'Are you there?')).status).toBe(404);
    expect(await conversations(ada)).toEqual([]);
    expect((await app.call(calls.countUnread, { token: ada.token })).body.data.conversations).toBe(0);
  });
});

describe('marks that change the text direction', () => {
  test('are removed, so that an address looks like what it is and the warning appears', async () => {
    const { ada, bo, id } = await pair();
    const sent = await write(ada, id, '\u202emoc\u2066.knab\u2069//:sptth\u202c');
    expect(sent.body.data.message.text).toBe('moc.knab//:sptth');
    await write(ada, id, 'See https\u202d://rosie.example\u202c');
    expect((await history(bo, id)).messages[1]).toMatchObject({ text: 'See https://rosie.example', caution: 'link' });
    expect((await write(ada, id, ' \u202e\u2069 ')).status).toBe(400);
  });
});

describe('first messages', () => {
  test('from a new account are limited to twenty people a day, not counting people who answered', async () => {
    const young = await makeMember(app);
    const ids: string[] = [];
    for (let n = 0; n <= firstMessagesPerDay; n += 1) ids.push(await match(young, await makeMember(app)));
    for (const id of ids.slice(0, -1)) expect((await write(young, id, 'Hello')).status).toBe(201);
    expect((await write(young, ids.at(-1) ?? '', 'Hello')).error.code).toBe('FIRST_MESSAGES_USED_UP');
    expect((await write(young, ids[0] ?? '', 'Hello again')).status).toBe(201);
  });

  test('do not include replies, which are always possible', async () => {
    const young = await makeMember(app);
    for (let n = 0; n <= firstMessagesPerDay; n += 1) {
      const other = await makeMember(app);
      const id = await match(young, other);
      await write(other, id, 'Hello');
      expect((await write(young, id, 'Hello back')).status).toBe(201);
    }
  });

  test('are checked again when edited, even after replies', async () => {
    const { ada, bo, id } = await pair();
    for (let n = 0; n < 12; n += 1) await write(bo, id, 'And then?');
    await write(ada, id, 'A walk on Sunday?');
    const edit = { token: ada.token, params: { id, seq: '13' }, body: { text: 'Send me 200 dollars first' } };
    expect((await app.call(calls.editMessage, edit)).body.data.message.caution).toBe(null);
    expect((await history(bo, id)).messages.at(-1)?.caution).toBe('money');
  });

  test('show a warning about links, other services and money to the receiver, not the sender', async () => {
    const { ada, bo, id } = await pair();
    const sent = await write(ada, id, 'Add me on WhatsApp: +420 601 234 567');
    expect(sent.body.data.message.caution).toBe(null);
    expect((await history(bo, id)).messages[0]?.caution).toBe('contact');
    for (let n = 0; n < 5; n += 1) await write(ada, id, 'A walk on Sunday?');
    await write(ada, id, 'My number is +420 601 234 567');
    expect((await history(bo, id)).messages.map(({ caution }) => caution)).toEqual([
      'contact',
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
