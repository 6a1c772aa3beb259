import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '#contract/dates.ts';
import { getConversation, listMessages, sendMessage } from '#contract/messages/messages.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { listNotifications } from '#contract/notifications.ts';
import { agree, sharedToken, suggest } from '../../../test/dates.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, refusal } from '../../../test/likes.ts';
import { placeTalk } from '../../../test/messages.ts';
import { fileReport, fileOf } from '../../../test/moderation/reports.ts';
import { connect, listenTo } from '../../../test/sockets.ts';

const app = startAppForTests();
let here: string;
let ada: TestMember;
let bo: TestMember;
let matchId: string;
let id: string;
beforeAll(async () => {
  here = await listenTo(app);
});
beforeEach(async () => {
  [ada, bo] = [await makeMember(app, { firstName: 'Ada' }), await makeMember(app, { firstName: 'Bo' })];
  matchId = await match(ada, bo);
  await write(ada, 'Shall we meet?');
  await write(bo, 'Yes, alone.');
  id = await agree(app, ada, bo, matchId);
});

const { match, unmatch, block, matches } = likesIn(() => app);
let written = 0;
async function write(who: TestMember, text: string): Promise<void> {
  written += 1;
  const body = { clientId: `check-in-${written}`, text };
  await app.call(sendMessage, { token: who.token, params: { id: matchId }, body });
}
const begin = (hours: number, plan = id) =>
  app.pool.query(
    `with moved as (update date_plan set at = $2::timestamptz - make_interval(hours => $3) where id = $1 returning id, at)
      update date_check_in k set due_at = moved.at + interval '2 hours' from moved where k.plan_id = moved.id`,
    [plan, app.clock.now(), hours],
  );
const ask = () => app.app.background.tasks['dates.ask']?.({}, {} as never);
const news = async (of: TestMember) =>
  (await app.call(listNotifications, { token: of.token })).body.data.notifications
    .filter(({ kind, isRead }) => kind === 'date' && !isRead)
    .map(({ subjectId }) => subjectId);
const clearNews = () => app.db.deleteFrom('notification').where('kind', '=', 'date').execute();
const look = (by: TestMember) => app.call(calls.getCheckIn, { token: by.token, params: { id } });
const answer = (by: TestMember, given: 'good' | 'help') =>
  app.call(calls.answerCheckIn, { token: by.token, params: { id }, body: { answer: given } });
const choose = (by: TestMember, checksIn: boolean) =>
  app.call(calls.putCheckIn, { token: by.token, params: { id }, body: { checksIn } });
const rows = () => app.db.selectFrom('date_check_in').selectAll().where('plan_id', '=', id).execute();
const reportsAbout = ({ id: reported }: TestMember) =>
  app.db.selectFrom('report').selectAll().where('reported_id', '=', reported).execute();

describe('the question how a date went', () => {
  it('comes once, two hours after the start, to members who want it', async () => {
    await choose(bo, false);
    await clearNews();
    await begin(1);
    await ask();
    expect([await news(ada), await news(bo)]).toEqual([[], []]);
    await begin(2);
    await Promise.all([ask(), ask()]);
    await ask();
    expect([await news(ada), await news(bo)]).toEqual([[id], []]);
  });

  it('is mailed and pushed even while the notification of the accepted date is unread', async () => {
    const due = () =>
      app.db
        .selectFrom('notification')
        .select(['id', 'read_at', 'mail_due_at'])
        .where('account_id', '=', ada.id)
        .where('kind', '=', 'date')
        .orderBy('read_at')
        .execute();
    await app.db.updateTable('notification').set({ mail_due_at: null }).where('account_id', '=', ada.id).execute();
    const [accepted] = await due();
    expect(accepted?.read_at).toBeNull();
    await begin(2);
    await ask();
    const [earlier, question, ...more] = await due();
    expect(more).toEqual([]);
    expect(earlier).toMatchObject({ id: accepted?.id, mail_due_at: null, read_at: app.clock.now() });
    expect(question).toMatchObject({ read_at: null, mail_due_at: new Date(app.clock.now().getTime() + 120_000) });
  });

  it('can be answered as soon as the date has started', async () => {
    expect((await look(ada)).body.data.checkIn.state).toBe('none');
    expect((await answer(ada, 'help')).status).toBe(404);
    await begin(0);
    expect((await look(ada)).body.data.checkIn).toEqual({
      ...{ matchId, name: 'Bo', place: 'Café Luz', zone: 'Europe/Lisbon', state: 'waits' },
      at: app.clock.now().toISOString(),
    });
  });

  it('never comes for a date that was not accepted', async () => {
    await app.call(calls.cancelDate, { token: ada.token, params: { id } });
    id = await suggest(app, ada, matchId);
    await clearNews();
    await begin(3);
    await ask();
    expect([await news(ada), await news(bo)]).toEqual([[], []]);
    expect((await answer(ada, 'help')).status).toBe(404);
  });

  it('never comes for a date that was canceled before it began', async () => {
    await app.call(calls.cancelDate, { token: bo.token, params: { id } });
    await clearNews();
    await begin(3);
    await ask();
    expect(await news(ada)).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['cancels', () => app.call(calls.cancelDate, { token: bo.token, params: { id } })],
    ['unmatches', () => unmatch(bo, matchId)],
    ['blocks', () => block(bo, ada)],
  ])('still comes when the other person %s during the date', async (_, act) => {
    await begin(1);
    await act();
    await begin(3);
    await ask();
    expect(await news(ada)).toContain(id);
    expect((await look(ada)).body.data.checkIn).toMatchObject({ name: 'Bo', state: 'waits' });
    expect((await answer(ada, 'help')).body.data.reportId).not.toBeNull();
    expect(await reportsAbout(bo)).toHaveLength(1);
  });

  it('still comes when the date is canceled in its last hour before the start, but not when it is canceled earlier', async () => {
    await begin(-1);
    await app.call(calls.cancelDate, { token: bo.token, params: { id } });
    expect((await rows()).map(({ account_id }) => account_id).sort()).toEqual([ada.id, bo.id].sort());
  });

  it('shows only the former first name of a person who blocked the member', async () => {
    await begin(1);
    await block(bo, ada);
    await app.db.updateTable('profile').set({ first_name: 'Renamed' }).where('account_id', '=', bo.id).execute();
    await begin(3);
    await ask();
    const { notifications } = (await app.call(listNotifications, { token: ada.token })).body.data;
    // The mail that the date was agreed, and the question.
    expect(notifications.filter(({ kind }) => kind === 'date').map(({ user }) => user)).toEqual([null, null]);
    const seen = await look(ada);
    expect(seen.body.data.checkIn.name).toBe('Bo');
    expect(seen.raw).not.toContain('Renamed');
    expect(seen.raw).not.toContain(bo.id);
  });

  it('returns 404 to others, 403 to staff, and the same 404 to members without a check-in once the match has ended', async () => {
    const [eve, moderator] = [await makeMember(app), await makeModerator(app)];
    await begin(1);
    const unknown = refusal(await look(eve));
    expect(unknown).toMatch(/^404 /);
    expect((await look(moderator)).status).toBe(403);
    expect((await answer(eve, 'help')).status).toBe(404);
    expect((await answer(moderator, 'help')).status).toBe(403);
    await answer(ada, 'good');
    await block(bo, ada);
    expect(refusal(await look(ada))).toBe(unknown);
    expect((await answer(ada, 'help')).status).toBe(404);
  });
});

describe('“All good”', () => {
  it('deletes the check-in and its notification, even when pressed repeatedly', async () => {
    await begin(2);
    await ask();
    const both = await Promise.all([answer(ada, 'good'), answer(ada, 'good')]);
    expect(both.map(({ body }) => body.data)).toEqual(Array(2).fill({ asksMeeting: false, reportId: null }));
    expect((await rows()).map(({ account_id }) => account_id)).toEqual([bo.id]);
    expect([await news(ada), await news(bo)]).toEqual([[], [id]]);
    expect(await reportsAbout(bo)).toEqual([]);
    expect((await look(ada)).body.data.checkIn.state).toBe('none');
  });

  it('may be followed by the question whether the two met', async () => {
    await placeTalk(app, matchId);
    await begin(2);
    expect((await answer(ada, 'good')).body.data.asksMeeting).toBe(true);
    await unmatch(ada, matchId);
    expect((await answer(ada, 'good')).body.data.asksMeeting).toBe(false);
  });
});

describe('“I need help”', () => {
  it('opens a critical case with the conversation, the profile and the plan', async () => {
    await begin(1);
    const { reportId } = (await answer(ada, 'help')).body.data;
    const moderator = await makeModerator(app);
    const { priority } = await app.db
      .selectFrom('moderation_case')
      .select('priority')
      .where('person_id', '=', bo.id)
      .executeTakeFirstOrThrow();
    expect(priority).toBe('critical');
    const file = (await app.call(getReportFile, { token: moderator.token, params: { id: reportId ?? '' } })).body.data;
    expect(file.report).toMatchObject({ problem_type: 'Harassment', priority: 'critical' });
    expect(file.reported?.person._id).toBe(bo.id);
    const of = (type: string) => file.evidence.filter((one) => one.type === type);
    expect(of('profile').map(({ profile }) => profile?.firstName)).toEqual(['Bo']);
    expect(of('message').flatMap(({ messages }) => messages.map(({ by, text }) => [by, text]))).toEqual([
      ['reporter', 'Shall we meet?'],
      ['reported', 'Yes, alone.'],
    ]);
    expect(of('date').map(({ isIntact, plans }) => [isIntact, plans])).toEqual([
      [
        true,
        [
          {
            ...{ by: 'reporter', place: 'Café Luz', zone: 'Europe/Lisbon', note: 'I bring the umbrella.' },
            ...{ state: 'accepted', at: '2026-06-15T11:00:00.000Z' },
          },
        ],
      ],
    ]);
  });

  it('opens only one case when pressed repeatedly or several times at once', async () => {
    await begin(1);
    const all = await Promise.all([answer(ada, 'help'), answer(ada, 'help'), answer(ada, 'help')]);
    expect(new Set(all.map(({ body }) => body.data.reportId)).size).toBe(1);
    expect(await reportsAbout(bo)).toHaveLength(1);
    expect((await look(ada)).body.data.checkIn.state).toBe('helped');
    await choose(ada, false);
    expect((await look(ada)).body.data.checkIn.state).toBe('helped');
  });

  it('is followed by no question and no email', async () => {
    await begin(1);
    await answer(ada, 'help');
    await begin(3);
    await ask();
    expect(await news(ada)).toEqual([]);
    await app.drain();
    expect(await app.outbox(ada.email)).toEqual([]);
  });

  it('changes nothing that the other person can see', async () => {
    await begin(1);
    const theirs = await sharedToken(app, bo, id);
    const hers = await sharedToken(app, ada, id);
    await app.drain();
    const seenBy = async () => {
      const at = { token: bo.token, params: { id: matchId } };
      const answers = [
        await app.call(calls.getDate, at),
        await app.call(calls.getCheckIn, { token: bo.token, params: { id } }),
        await app.call(getConversation, at),
        await app.call(listMessages, at),
        await app.call(listNotifications, { token: bo.token }),
        await app.call(calls.openSharedDate, { body: { token: theirs } }),
      ];
      return answers.map(({ status, raw }) => `${status} ${raw}`);
    };
    const before = await seenBy();
    const device = await connect(here, bo.token);
    await answer(ada, 'help');
    await app.drain();
    expect(await seenBy()).toEqual(before);
    expect(await app.outbox(bo.email)).toEqual([]);
    expect((await matches(ada)).map(({ user }) => user._id)).toEqual([bo.id]);
    await write(ada, 'Still here');
    await expect.poll(() => device.heard.map(({ kind }) => kind)).toContain('message');
    expect(device.heard.map(({ kind }) => kind)).toEqual(['message']);
    device.socket.close();
    // The friend needs the place most at this moment.
    expect((await app.call(calls.openSharedDate, { body: { token: hers } })).status).toBe(200);
  });
});

describe('PUT /dates/{id}/check-in', () => {
  it('changes only the caller’s own choice', async () => {
    await choose(ada, false);
    expect((await rows()).map(({ account_id }) => account_id)).toEqual([bo.id]);
    expect((await choose(ada, true)).body.data.date.checksIn).toBe(true);
    await choose(ada, true);
    expect(await rows()).toHaveLength(2);
    expect((await choose(await makeMember(app), true)).status).toBe(404);
  });
});

describe('a report about a conversation', () => {
  it('copies the plans in it, canceled ones too', async () => {
    await app.call(calls.cancelDate, { token: ada.token, params: { id } });
    await suggest(app, bo, matchId, { place: 'My place, or else', note: null });
    await unmatch(bo, matchId);
    const { _id } = await fileReport(app, ada, { evidence: [{ type: 'message', id: matchId }] });
    const { evidence } = (await fileOf(app, await makeModerator(app), _id)) as {
      evidence: { type: string; plans?: { by: string; place: string; state: string }[] }[];
    };
    expect(
      evidence.flatMap(({ plans = [] }) => plans.map(({ by, place, state }) => `${by} ${place} ${state}`)).sort(),
    ).toEqual(['reported My place, or else canceled', 'reporter Café Luz canceled']);
  });
});
