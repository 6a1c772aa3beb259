import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstMessagesPerDay } from '#contract/constants.ts';
import * as calls from '#contract/messages/messages.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeMember, makeModerator, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { deliverReleased, endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn } from '../../../test/likes.ts';
import { fileOf } from '../../../test/moderation/reports.ts';
import { connect, type Device, listenTo } from '../../../test/sockets.ts';
import { messagesData } from './public.ts';
import { hashPassword } from '../auth/password/hashing.ts';

const password = 'correct horse battery';
const app = startAppForTests();
let here: string;
let passwordHash: string;
beforeAll(async () => {
  here = await listenTo(app);
  passwordHash = await hashPassword(password);
});

const { match, unmatch, like } = likesIn(() => app);
const write = (who: TestMember, id: string, text: string, clientId: string = randomUUID()) =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId, text } });
const edit = (who: TestMember, id: string, seq: number, text: string) =>
  app.call(calls.editMessage, { token: who.token, params: { id, seq: String(seq) }, body: { text } });
const remove = (who: TestMember, id: string, seq: number) =>
  app.call(calls.deleteMessage, { token: who.token, params: { id, seq: String(seq) } });
const read = async (who: TestMember, id: string, seq: number) =>
  (await app.call(calls.readMessages, { token: who.token, params: { id }, body: { seq } })).body.data.seq;
const history = async (who: TestMember, id: string, query: { after?: string; before?: string; limit?: string } = {}) =>
  (await app.call(calls.listMessages, { token: who.token, params: { id }, query })).body.data;
/** The messages of a conversation as `1 text`, numbered for the reader. */
const lines = async (who: TestMember, id: string, query: Parameters<typeof history>[2] = {}) =>
  (await history(who, id, query)).messages.map(({ seq, text }) => `${seq} ${text}`);
const listed = async (who: TestMember) =>
  (await app.call(calls.listConversations, { token: who.token })).body.data.conversations;
const unread = async (who: TestMember) =>
  (await app.call(calls.countUnread, { token: who.token })).body.data.conversations;
const notificationsOf = async ({ id }: TestMember) =>
  await app.db
    .selectFrom('notification')
    .select('kind')
    .where('account_id', '=', id)
    .where('kind', '=', 'message')
    .execute();

let held: TestMember;
let other: TestMember;
let id: string;
beforeEach(async () => {
  [held, other] = [await makeMember(app, { passwordHash }), await makeMember(app)];
  id = await match(held, other);
  await holdAccount(app, held);
});

describe('the first messages of a held account', () => {
  it('are numbered and listed for the sender as if they were sent', async () => {
    const clientId = randomUUID();
    const first = await write(held, id, 'One', clientId);
    expect(first.status).toBe(201);
    expect(first.body.data.message).toMatchObject({ seq: 1, text: 'One', from: held.id, readAt: null, caution: null });
    expect((await write(held, id, 'One again', clientId)).body.data).toEqual(first.body.data);
    app.clock.advance(1);
    await write(held, id, 'Two');
    expect(await lines(held, id)).toEqual(['1 One', '2 Two']);
    expect(await history(held, id)).toMatchObject({ lastSeq: 2, hasMore: false });
    expect(await lines(held, id, { after: '1' })).toEqual(['2 Two']);
    expect(await lines(held, id, { before: '2' })).toEqual(['1 One']);
    expect(await history(held, id, { limit: '1' })).toMatchObject({ hasMore: true, messages: [{ seq: 2 }] });
    expect((await listed(held))[0]).toMatchObject({ _id: id, lastMessage: { seq: 2, text: 'Two' }, unread: 0 });
    expect(await read(held, id, 1)).toBe(1);
    expect(await read(held, id, 5)).toBe(2);
    expect(await read(held, id, 1)).toBe(2);
  });

  it('change nothing for the other person', async () => {
    const before = [await listed(other), await unread(other), await history(other, id)];
    await write(held, id, 'One');
    await write(held, id, 'Two');
    await edit(held, id, 1, 'One!');
    await remove(held, id, 2);
    await read(held, id, 2);
    expect([await listed(other), await unread(other), await history(other, id)]).toEqual(before);
    expect(await notificationsOf(other)).toEqual([]);
    const { last_seq, last_at, began_at, opened_by } = await app.db
      .selectFrom('conversation')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect([last_seq, last_at, opened_by]).toEqual([0, began_at, null]);
  });

  it('move the conversation up in the sender’s list only', async () => {
    const sender = await makeMember(app);
    app.clock.advance(10);
    const older = await match(sender, other);
    app.clock.advance(10);
    const newer = await match(sender, await makeMember(app));
    app.clock.advance(10);
    await holdAccount(app, sender);
    const pageOf = async (cursor?: string) => {
      const query = { limit: '1', ...(cursor !== undefined && { cursor }) };
      return (await app.call(calls.listConversations, { token: sender.token, query })).body.data;
    };
    await write(sender, older, 'One');
    expect((await listed(sender)).map(({ _id }) => _id)).toEqual([older, newer]);
    const first = await pageOf();
    const second = await pageOf(first.nextCursor ?? '');
    expect([...first.conversations, ...second.conversations].map(({ _id }) => _id)).toEqual([older, newer]);
    expect((await listed(other))[0]?._id).toBe(older);
  });

  it('can be edited and deleted by their sender', async () => {
    await write(held, id, 'One');
    await write(held, id, 'Two');
    expect((await edit(held, id, 1, 'First')).body.data.message).toMatchObject({ seq: 1, text: 'First' });
    expect((await remove(held, id, 2)).body.data.message).toMatchObject({ seq: 2, text: null });
    expect(await lines(held, id)).toEqual(['1 First', '2 null']);
    expect((await edit(other, id, 1, 'Mine')).status).toBe(404);
  });

  it('count towards the limit of a young account once for each person', async () => {
    const people = await Promise.all(Array.from({ length: firstMessagesPerDay }, () => makeMember(app)));
    const young = await makeMember(app);
    const ids: string[] = [];
    for (const one of [...people, other]) ids.push(await match(young, one));
    await holdAccount(app, young);
    for (const one of ids.slice(0, -1)) {
      expect((await write(young, one, 'One')).status).toBe(201);
      expect((await write(young, one, 'Two')).status).toBe(201);
    }
    expect((await write(young, ids.at(-1) ?? '', 'One')).error.code).toBe('FIRST_MESSAGES_USED_UP');
  });

  it('refuse a clientId that was used in another conversation', async () => {
    const sender = await makeMember(app);
    const [one, another] = [await match(sender, other), await match(sender, await makeMember(app))];
    const delivered = randomUUID();
    await write(sender, another, 'Before', delivered);
    await holdAccount(app, sender);
    const clientId = randomUUID();
    await write(sender, one, 'One', clientId);
    const third = await match(await makeMember(app), await makeMember(app));
    expect((await write(sender, third, 'One', clientId)).status).toBe(404);
    expect((await write(sender, one, 'Two', delivered)).error.code).toBe('CONFLICT');
    expect((await write(sender, another, 'After', clientId)).error.code).toBe('CONFLICT');
  });

  it('are in the data export of their sender', async () => {
    await write(held, id, 'One');
    await write(held, id, 'Two');
    const files = await takeArchive(app, held.token, { password });
    const messages = JSON.parse(strFromU8(files['messages.json'] ?? new Uint8Array())) as { text: string }[];
    expect(messages.map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  it('appear in the data export as held only a week after the hold, and then only with its month', async () => {
    const holds = async () => {
      const { token } = await signIn(app, held.id);
      const files = await takeArchive(app, token, { password });
      return JSON.parse(strFromU8(files['holds.json'] ?? new Uint8Array())) as unknown;
    };
    expect(await holds()).toEqual([]);
    await endHoldOf(app, held, 'released');
    const endedIn = app.clock.now().toISOString().slice(0, 7);
    expect(await holds()).toEqual([]);
    app.clock.advance(7 * 86_400);
    expect(await holds()).toEqual([{ endedIn, outcome: 'released' }]);
  });
});

describe('events while an account is held', () => {
  let mine: Device;
  let theirs: Device;
  const heard = ({ heard: events }: Device) => events.map(({ kind }) => kind);

  it('reach only the sender’s devices', async () => {
    [mine, theirs] = [await connect(here, held.token), await connect(here, other.token)];
    mine.socket.emit('typing', { matchId: id });
    await write(held, id, 'One');
    await edit(held, id, 1, 'One!');
    await remove(held, id, 1);
    await read(held, id, 1);
    await expect.poll(() => heard(mine)).toEqual(['message', 'message', 'message']);
    // Messages sent before this one have arrived as well.
    await write(other, id, 'Hello');
    await expect.poll(() => heard(theirs)).toContain('message');
    expect(theirs.heard.filter(({ kind }) => kind === 'message' || kind === 'typing')).toMatchObject([
      { message: { seq: 1, text: 'Hello' } },
    ]);
    const lastMessage = () => mine.heard.findLast(({ kind }) => kind === 'message');
    await expect.poll(lastMessage).toMatchObject({ message: { seq: 2, text: 'Hello' } });
    for (const { socket } of [mine, theirs]) socket.close();
  });
});

describe('a conversation in which the other person writes', () => {
  beforeEach(async () => {
    await write(held, id, 'One');
    await write(other, id, 'Hello');
  });

  it('continues, and its sender sees the held messages before the delivered ones', async () => {
    expect((await write(held, id, 'Finally')).body.data.message.seq).toBe(3);
    expect(await lines(held, id)).toEqual(['1 One', '2 Hello', '3 Finally']);
    expect(await lines(other, id)).toEqual(['1 Hello', '2 Finally']);
    expect((await listed(held))[0]).toMatchObject({ lastMessage: { seq: 3 }, unread: 1 });
    expect(await read(held, id, 3)).toBe(3);
    expect((await listed(held))[0]).toMatchObject({ unread: 0 });
    expect(await read(other, id, 2)).toBe(2);
    expect((await history(held, id)).messages.map(({ readAt }) => readAt !== null)).toEqual([true, true, true]);
    expect((await edit(held, id, 3, 'Finally!')).body.data.message.text).toBe('Finally!');
    expect(await lines(other, id)).toEqual(['1 Hello', '2 Finally!']);
  });

  it('warns the other person about later messages too', async () => {
    for (let n = 0; n < 12; n += 1) await write(held, id, `Message ${n}`);
    await write(held, id, 'Please send 500 dollars by bank transfer');
    expect((await history(other, id)).messages.at(-1)?.caution).toBe('money');
  });

  it('is reported with the delivered messages, each in the right place', async () => {
    const body = {
      problem_type: 'Harassment' as const,
      description: 'The second message',
      reportedUser: other.id,
      evidence: [{ type: 'message' as const, id, seq: 2 }],
    };
    const report = (await app.call(createReport, { token: held.token, body })).body.data.report;
    const copies = (await fileOf(app, await makeModerator(app), report._id)).evidence;
    const frozen = JSON.stringify(copies.filter(({ type }) => type === 'message'));
    expect(frozen).toContain('Hello');
    expect(frozen).not.toContain('One');
  });

  it('marks held messages as read with the next delivered message', async () => {
    await write(held, id, 'Three');
    const readAt = async () => (await history(held, id)).messages.map((message) => message.readAt);
    expect(await readAt()).toEqual([null, null, null]);
    await read(other, id, 2);
    const at = app.clock.now().toISOString();
    expect(await readAt()).toEqual([at, null, at]);
  });

  it('shows released messages at the end, and to their sender where they were', async () => {
    await write(held, id, 'Three');
    await endHoldOf(app, held, 'released');
    expect(await lines(other, id)).toEqual(['1 Hello', '2 Three', '3 One']);
    expect(await lines(held, id)).toEqual(['1 One', '2 Hello', '3 Three']);
    expect(await lines(held, id, { after: '1' })).toEqual(['2 Hello', '3 Three']);
    expect(await lines(held, id, { before: '3', limit: '1' })).toEqual(['2 Hello']);
    const reply = { clientId: randomUUID(), text: 'Four', replyTo: 1 };
    const answer = await app.call(calls.sendMessage, { token: held.token, params: { id }, body: reply });
    expect(answer.body.data.message).toMatchObject({ seq: 4, replyTo: { seq: 1, text: 'One' } });
    expect((await history(other, id)).messages.at(-1)).toMatchObject({ seq: 4, replyTo: { seq: 3, text: 'One' } });
    expect(await read(held, id, 9)).toBe(4);
    const on = { token: held.token, params: { id, seq: '2' } };
    expect((await app.call(calls.reactToMessage, { ...on, body: { emoji: '❤️' } })).body.data.message.text).toBe(
      'Hello',
    );
    expect(
      (await app.call(calls.reactToMessage, { ...on, params: { id, seq: '1' }, body: { emoji: '❤️' } })).status,
    ).toBe(403);
    expect((await edit(held, id, 4, 'Four!')).body.data.message).toMatchObject({ seq: 4, text: 'Four!' });
    expect((await remove(held, id, 1)).body.data.message).toMatchObject({ seq: 1, text: null });
    expect(await lines(other, id)).toEqual(['1 Hello', '2 Three', '3 null', '4 Four!']);
    expect(await lines(held, id)).toEqual(['1 null', '2 Hello', '3 Three', '4 Four!']);
  });
});

/** What a member sees of their own conversations, and what their data export says of them. */
async function ownViews(who: TestMember): Promise<unknown[]> {
  const words = await messagesData(app.db, who.id).next();
  const waiting = (await app.call(calls.listWaiting, { token: who.token })).body.data;
  return [await listed(who), await history(who, id), await unread(who), waiting, words.value as unknown];
}

describe('releasing held messages', () => {
  it.each(['nothing', 'an answer', 'a conversation', 'a conversation after a dropped hold'])(
    'changes nothing for their sender after %s',
    async (since) => {
      if (since.endsWith('hold')) {
        await write(held, id, 'Zero');
        await endHoldOf(app, held, 'dropped');
        await app.db
          .updateTable('moderation_case')
          .set({ stage: 'decided' })
          .where('person_id', '=', held.id)
          .execute();
        app.clock.advance(1);
        await holdAccount(app, held);
      }
      await write(held, id, 'One?');
      await edit(held, id, since.endsWith('hold') ? 2 : 1, 'One');
      app.clock.advance(60);
      await write(held, id, 'Two');
      if (since !== 'nothing') await write(other, id, 'Hello');
      if (since.includes('conversation')) {
        app.clock.advance(60);
        await write(held, id, 'Three');
        await read(other, id, 2);
      }
      app.clock.advance(600);
      const mine = await connect(here, held.token);
      const before = await ownViews(held);
      await endHoldOf(app, held, 'released');
      expect(await ownViews(held)).toEqual(before);
      const arrived = (await history(other, id)).messages;
      expect(arrived.map(({ text }) => text)).toEqual(expect.arrayContaining(['One', 'Two']));
      expect(arrived.map(({ editedAt }) => editedAt)).toEqual(arrived.map(() => null));
      // Messages sent before this one have arrived as well.
      const { seq } = (await write(other, id, 'Bye')).body.data.message;
      await expect.poll(() => mine.heard.length).toBeGreaterThan(0);
      const numbers = (await history(held, id)).messages.map((message) => message.seq);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(mine.heard).toMatchObject([{ kind: 'message', message: { seq: numbers.length, text: 'Bye' } }]);
      expect(await read(other, id, seq)).toBe(seq);
      mine.socket.close();
    },
  );

  it('delivers them with a notification, the time of the release and a warning', async () => {
    await write(held, id, 'One');
    await write(held, id, 'Please send 500 dollars by bank transfer');
    await write(held, id, 'Three');
    await remove(held, id, 1);
    app.clock.advance(600);
    const theirs = await connect(here, other.token);
    await endHoldOf(app, held, 'released');
    const sentAt = app.clock.now().toISOString();
    expect((await history(other, id)).messages).toMatchObject([
      { seq: 1, text: 'Please send 500 dollars by bank transfer', sentAt, caution: 'money' },
      { seq: 2, text: 'Three', sentAt },
    ]);
    expect(await lines(held, id)).toEqual(['1 null', '2 Please send 500 dollars by bank transfer', '3 Three']);
    expect(await unread(other)).toBe(1);
    expect(await notificationsOf(other)).toHaveLength(1);
    const texts = () => theirs.heard.flatMap((event) => (event.kind === 'message' ? [event.message.text] : []));
    await expect.poll(texts).toHaveLength(2);
    expect((await edit(held, id, 3, 'Three!')).error.code).toBe('TOO_LATE');
    await remove(held, id, 3);
    expect(await lines(other, id)).toEqual(['1 Please send 500 dollars by bank transfer', '2 null']);
    theirs.socket.close();
  });

  it('delivers them before the sender’s next message, even if the job has not run yet', async () => {
    await write(held, id, 'One');
    await app.db
      .updateTable('account_hold')
      .set({ ended_at: app.clock.now(), outcome: 'released', releasing_since: app.clock.now() })
      .execute();
    expect((await write(held, id, 'Two')).body.data.message.seq).toBe(2);
    expect(await lines(other, id)).toEqual(['1 One', '2 Two']);
    await deliverReleased(app);
    expect(await lines(other, id)).toEqual(['1 One', '2 Two']);
  });

  it('skips ended matches', async () => {
    await write(held, id, 'One');
    await unmatch(other, id);
    await endHoldOf(app, held, 'released');
    const rows = await app.db.selectFrom('message').selectAll().where('conversation_id', '=', id).execute();
    expect(rows).toEqual([]);
  });
});

describe('the messages of a sanctioned account', () => {
  it('are never delivered and stay before later messages for their sender', async () => {
    await write(held, id, 'One');
    await write(held, id, 'Two');
    await endHoldOf(app, held, 'dropped');
    expect(await lines(held, id)).toEqual(['1 One', '2 Two']);
    expect((await write(held, id, 'Three')).body.data.message.seq).toBe(3);
    expect(await lines(other, id)).toEqual(['1 Three']);
    expect(await lines(held, id)).toEqual(['1 One', '2 Two', '3 Three']);
    await write(other, id, 'Hello');
    expect(await lines(held, id, { after: '2' })).toEqual(['3 Three', '4 Hello']);
    expect(await notificationsOf(other)).toHaveLength(1);
  });

  it('start no conversation if the sanction forbids that', async () => {
    await write(held, id, 'One');
    await endHoldOf(app, held, 'dropped');
    await app.db.updateTable('account').set({ is_messaging_limited: true }).where('id', '=', held.id).execute();
    expect((await write(held, id, 'Two')).error.code).toBe('FORBIDDEN');
  });
});

describe('matches of a held account', () => {
  it('are created by the other person’s like of a delivered like, and their first message is held', async () => {
    const third = await makeMember(app);
    const early = await makeMember(app);
    await like(early, third);
    await holdAccount(app, early);
    const { matchId = '' } = (await like(third, early)).body.data;
    await write(early, matchId, 'One');
    expect(await lines(third, matchId)).toEqual([]);
    expect(await lines(early, matchId)).toEqual(['1 One']);
  });
});
