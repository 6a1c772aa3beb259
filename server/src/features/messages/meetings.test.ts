import { strFromU8 } from 'fflate';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meetingAskedAgainDays, meetingAskedDays, meetingMessagesLeast } from '#contract/constants.ts';
import { answerMeeting, getConversation, type MeetingAnswer } from '#contract/messages.ts';
import { takeArchive } from '../../../test/archive.ts';
import { deleteAccounts, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, refusal } from '../../../test/likes.ts';
import { placeTalk } from '../../../test/messages.ts';
import { fileReport } from '../../../test/reports.ts';
import { hashPassword } from '../auth/password/hashing.ts';

const password = 'correct horse battery';
const app = startAppForTests();
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

const { match, unmatch, block } = likesIn(() => app);
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

  test('is never asked about someone they reported, while the other person is asked as before', async () => {
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
