import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { strFromU8 } from 'fflate';
import * as calls from '#contract/messages/messages.ts';
import { answerMeeting, getConversation, type MeetingAnswer } from '#contract/messages/messages.ts';
import {
  conversationKeptDays,
  meetingAskedAgainDays,
  meetingAskedDays,
  meetingMessagesLeast,
} from '#contract/constants.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { deleteAccounts, makeAdministrator, makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, placeMatch, refusal } from '../../../test/likes.ts';
import { takeArchive } from '../../../test/archive.ts';
import { placeMessage, placeTalk } from '../../../test/messages.ts';
import { fileOf, fileReport } from '../../../test/moderation/reports.ts';
import { hashPassword } from '../auth/password/hashing.ts';

const app = startAppForTests();

const { match, unmatch, block } = likesIn(() => app);

const write = (who: TestMember, id: string, text = 'Hello') =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
const snooze = (who: { token?: string }, id: string, days: 0 | 1 | 7 | 30) =>
  app.call(calls.snoozeConversation, { ...who, params: { id }, body: { days } });
const list = async (who: TestMember, query: { only?: 'snoozed' } = {}) =>
  (await app.call(calls.listConversations, { token: who.token, query })).body.data.conversations;
const listed = async (who: TestMember, query: { only?: 'snoozed' } = {}) =>
  (await list(who, query)).map(({ _id }) => _id);
const unread = async (who: TestMember) =>
  (await app.call(calls.countUnread, { token: who.token })).body.data.conversations;
const notified = async (who: TestMember) =>
  (
    await app.db
      .selectFrom('notification')
      .select('id')
      .where('account_id', '=', who.id)
      .where('kind', '=', 'message')
      .execute()
  ).length;
async function pair(): Promise<{ ada: TestMember; bo: TestMember; id: string }> {
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  return { ada, bo, id: await match(ada, bo) };
}

describe('PUT /matches/{id}/snooze', () => {
  it('moves a conversation to the snoozed ones until the time is over', async () => {
    const { ada, bo, id } = await pair();
    await write(bo, id);
    const { body } = await snooze(ada, id, 1);
    const until = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    expect(body.data.snoozedUntil).toBe(until);
    expect(await listed(ada)).toEqual([]);
    expect(await list(ada, { only: 'snoozed' })).toMatchObject([{ _id: id, snoozedUntil: until, unread: 1 }]);
    const one = await app.call(calls.getConversation, { token: ada.token, params: { id } });
    expect(one.body.data.conversation.snoozedUntil).toBe(until);
    app.clock.advance(86_400);
    const later = { ...ada, ...(await signIn(app, ada.id)) };
    expect(await list(later)).toMatchObject([{ _id: id, unread: 1 }]);
    expect((await list(later))[0]?.snoozedUntil).toBeUndefined();
    expect(await listed(later, { only: 'snoozed' })).toEqual([]);
  });

  it('changes nothing for the other person', async () => {
    const { ada, bo, id } = await pair();
    await write(ada, id);
    const before = await list(bo);
    const history = () => app.call(calls.listMessages, { token: bo.token, params: { id } });
    const messages = (await history()).raw;
    await snooze(ada, id, 7);
    expect(await list(bo)).toEqual(before);
    expect((await history()).raw).toBe(messages);
    expect(await unread(bo)).toBe(1);
  });

  it('excludes its messages from counts and notifications, including earlier ones', async () => {
    const { ada, bo, id } = await pair();
    await write(bo, id);
    expect([await unread(ada), await notified(ada)]).toEqual([1, 1]);
    await snooze(ada, id, 7);
    await write(bo, id, 'Are you there?');
    expect([await unread(ada), await notified(ada)]).toEqual([0, 0]);
    await snooze(ada, id, 0);
    expect([await unread(ada), await listed(ada)]).toEqual([1, [id]]);
    await write(bo, id, 'Hello again');
    expect(await notified(ada)).toBe(1);
  });

  it('ends when the member writes', async () => {
    const { ada, id } = await pair();
    await snooze(ada, id, 30);
    await write(ada, id);
    expect([await listed(ada), await listed(ada, { only: 'snoozed' })]).toEqual([[id], []]);
  });

  it('can be repeated and changed, even by parallel requests', async () => {
    const { ada, id } = await pair();
    const all = await Promise.all([snooze(ada, id, 7), snooze(ada, id, 7), snooze(ada, id, 7)]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await snooze(ada, id, 0)).body.data.snoozedUntil).toBeNull();
    expect((await snooze(ada, id, 0)).status).toBe(200);
    expect(await listed(ada)).toEqual([id]);
  });

  it('rejects strangers, ended matches, visitors and other numbers of days', async () => {
    const { ada, bo, id } = await pair();
    expect((await snooze(await makeMember(app), id, 1)).status).toBe(404);
    expect((await snooze({}, id, 1)).status).toBe(401);
    expect((await snooze(ada, 'nothing', 1)).status).toBe(404);
    for (const days of [2, -1, 1.5, '1', null])
      expect((await snooze(ada, id, days as 1)).status, String(days)).toBe(400);
    await unmatch(ada, id);
    expect((await snooze(bo, id, 1)).status).toBe(404);
    const other = await pair();
    await block(other.ada, other.bo);
    expect((await snooze(other.bo, other.id, 1)).status).toBe(404);
  });
});

describe('meetings', () => {
  const password = 'correct horse battery';
  let passwordHash: string;
  let ada: TestMember;
  let bo: TestMember;
  let id: string;

  beforeAll(async () => {
    passwordHash = await hashPassword(password);
  });

  beforeEach(async () => {
    [ada, bo] = [await makeMember(app, { passwordHash }), await makeMember(app, { firstName: 'Bo' })];
    id = await match(ada, bo);
    await placeTalk(app, id);
  });

  /** Makes the match and its answers this many days older. */
  async function days(count: number): Promise<void> {
    const later = [id, `${count} days`];
    await app.pool.query('update conversation set began_at = began_at - $2::interval where id = $1', later);
    await app.pool.query(
      `update meeting_answer set first_answered_at = first_answered_at - $2::interval, answered_at = answered_at - $2::interval
      where conversation_id = $1`,
      later,
    );
  }

  const say = (who: TestMember, met: MeetingAnswer, meetAgain?: boolean) =>
    app.call(answerMeeting, {
      token: who.token,
      params: { id },
      body: { met, ...(meetAgain !== undefined && { meetAgain }) },
    });
  const isAsked = async (who: TestMember) =>
    (await app.call(getConversation, { token: who.token, params: { id } })).body.data.conversation.asksMeeting;
  const change = (changes: { began_at?: Date; low_sent?: number }) =>
    app.db.updateTable('conversation').set(changes).where('id', '=', id).execute();
  const kept = () =>
    app.db
      .selectFrom('meeting_answer')
      .select(['account_id', 'answer', 'meet_again'])
      .where('conversation_id', '=', id)
      .execute();
  const exported = async () => {
    const files = await takeArchive(app, ada.token, { password });
    return JSON.parse(strFromU8(files['meetings.json'] ?? new Uint8Array())) as unknown;
  };

  describe('the question whether members met', () => {
    test('is asked a week after the match, once both have written enough, until each has answered', async () => {
      expect([await isAsked(ada), await isAsked(bo)]).toEqual([true, true]);
      const answered = await say(ada, 'yes');
      expect(answered.body.data).toEqual({ asksMeeting: false });
      expect([await isAsked(ada), await isAsked(bo)]).toEqual([false, true]);
      await days(30);
      expect([await isAsked(ada), await isAsked(bo)]).toEqual([false, true]);
    });

    test('is not asked earlier, much later, or when one of the two hardly wrote', async () => {
      const agoDays = (count: number) => new Date(app.clock.now().getTime() - count * 86_400_000);
      const asked: boolean[] = [];
      for (const began_at of [agoDays(meetingAskedDays.from - 0.01), agoDays(meetingAskedDays.to)]) {
        await change({ began_at });
        asked.push(await isAsked(ada));
        expect((await say(ada, 'yes')).status).toBe(404);
      }
      await change({ began_at: agoDays(meetingAskedDays.from), low_sent: meetingMessagesLeast - 1 });
      asked.push(await isAsked(ada), await isAsked(bo));
      expect((await say(ada, 'yes')).status).toBe(404);
      expect(asked).toEqual([false, false, false, false]);
    });

    test('is asked again two weeks after they answered "not yet"', async () => {
      await say(ada, 'not-yet');
      await days(meetingAskedAgainDays - 1);
      expect(await isAsked(ada)).toBe(false);
      await say(ada, 'not-yet');
      await days(1);
      expect(await isAsked(ada)).toBe(true);
      await say(ada, 'not-yet');
      expect(await isAsked(ada)).toBe(false);
      await days(meetingAskedAgainDays);
      expect(await isAsked(ada)).toBe(false);
    });

    test('is never asked again after it was skipped', async () => {
      await say(ada, 'skip');
      await days(meetingAskedAgainDays);
      expect(await isAsked(ada)).toBe(false);
    });

    test('is never asked about a reported person, while the other person is asked as before', async () => {
      await fileReport(app, ada, { problem_type: 'Other', reportedUser: bo.id, hideFromEachOther: false });
      expect([await isAsked(ada), await isAsked(bo)]).toEqual([false, true]);
      expect((await say(ada, 'yes')).status).toBe(404);
      expect((await say(bo, 'yes')).status).toBe(200);
    });
  });

  describe('an answer to whether members met', () => {
    test('is replaced by a later one, and stored once even if it is sent several times at once', async () => {
      await Promise.all(Array.from({ length: 5 }, () => say(ada, 'yes')));
      await say(ada, 'yes', true);
      expect(await kept()).toEqual([{ account_id: ada.id, answer: 'yes', meet_again: true }]);
      await say(ada, 'not-yet', true);
      expect(await kept()).toEqual([{ account_id: ada.id, answer: 'not-yet', meet_again: null }]);
    });

    test.each([
      ['a stranger', () => makeMember(app)],
      ['members who unmatched', async () => (await unmatch(ada, id), ada)],
      ['members who were unmatched', async () => (await unmatch(ada, id), bo)],
      ['members who blocked them', async () => (await block(ada, bo), ada)],
      ['members whose match is leaving', async () => (await leave(bo), ada)],
    ])('gets the same 404 from %s as for an unknown match', async (_, who) => {
      const refused = await say(await who(), 'yes');
      const missing = await app.call(answerMeeting, {
        token: ada.token,
        params: { id: ada.id },
        body: { met: 'yes' },
      });
      expect(refusal(refused)).toBe(refusal(missing));
      expect(refused.status).toBe(404);
    });

    test('is in the data export of its author only, with the name while the two see each other', async () => {
      await say(bo, 'yes', false);
      expect(await exported()).toEqual([]);
      await say(ada, 'yes', true);
      const own = { met: 'yes', meetAgain: true, answeredAt: app.clock.now().toISOString() };
      expect(await exported()).toEqual([{ name: 'Bo', ...own }]);
      await leave(bo);
      expect(await exported()).toEqual([{ name: null, ...own }]);
    });

    test('is deleted with the match and with either account', async () => {
      await say(ada, 'yes', true);
      await unmatch(bo, id);
      expect(await kept()).toEqual([]);
      const cy = await makeMember(app);
      id = await match(ada, cy);
      await placeTalk(app, id);
      await say(ada, 'yes', true);
      await deleteAccounts(app, cy.id);
      expect(await kept()).toEqual([]);
    });
  });

  async function leave({ id: accountId }: TestMember): Promise<void> {
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', accountId).execute();
  }
});

describe('retention of messages', () => {
  // Rows of the whole tables are counted.
  beforeAll(() => app.sql`truncate conversation cascade`);

  let ada: TestMember;

  beforeAll(async () => {
    ada = await makeMember(app);
  });

  const { unmatch } = likesIn(() => app);
  const cleanUp = () => app.app.background.tasks['messages.cleanUp']?.({}, {} as never);
  const agoMs = (days: number) => app.clock.now().getTime() - days * 86_400_000;

  /** A conversation of Ada's with one message that was changed. It ended this many days ago, or not at all. */
  async function conversation(endedDaysAgo: number | null, word = 'Hello'): Promise<string> {
    const bo = await makeMember(app);
    const id = await placeMatch(app, ada, bo);
    await placeMessage(app, id, bo, word);
    await app.db
      .insertInto('message_trace')
      .values({ conversation_id: id, seq: 1, replaced_at: app.clock.now(), body: `${word} before` })
      .execute();
    if (endedDaysAgo === null) return id;
    await unmatch(bo, id);
    const ended_at = new Date(agoMs(endedDaysAgo));
    await app.db.updateTable('conversation').set({ ended_at }).where('id', '=', id).execute();
    return id;
  }

  async function kept(table: 'conversation' | 'message' | 'message_trace'): Promise<number> {
    const { n } = await app.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  test('the cleanup deletes messages half a year after the match ended, and not earlier', async () => {
    await conversation(null);
    await conversation(conversationKeptDays - 0.01);
    const gone = await conversation(conversationKeptDays);
    await cleanUp();
    expect([await kept('conversation'), await kept('message'), await kept('message_trace')]).toEqual([2, 2, 2]);
    const left = await app.db.selectFrom('conversation').select('id').where('id', '=', gone).execute();
    expect(left).toEqual([]);
  });

  test('the cleanup deletes any number of messages in batches', async () => {
    const [bo, before] = [await makeMember(app), await kept('conversation')];
    await app.pool.query(
      `insert into conversation (id, low_id, high_id, began_at, last_at, ended_at)
      select gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $3, $3, $3
      from generate_series(1, 130)`,
      [ada.id, bo.id, new Date(agoMs(400))],
    );
    await cleanUp();
    expect(await kept('conversation')).toBe(before);
  });

  test('the cleanup keeps the copies in reports', async () => {
    const id = await conversation(conversationKeptDays, 'CANARYWORD');
    const body = {
      problem_type: 'Harassment' as const,
      description: 'Text',
      evidence: [{ type: 'message' as const, id }],
    };
    const filed = await app.call(createReport, { token: ada.token, body });
    await cleanUp();
    const { evidence } = await fileOf(app, await makeAdministrator(app), filed.body.data.report._id);
    expect(evidence[0]?.messages.map(({ text, before }) => [text, before.length])).toEqual([['CANARYWORD', 1]]);
    const again = await app.call(createReport, { token: ada.token, body });
    expect(again.status).toBe(201);
    const second = await fileOf(app, await makeAdministrator(app), again.body.data.report._id);
    expect(second.evidence).toEqual([]);
  });
});
