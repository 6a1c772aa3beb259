import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { datePlanKeptDays, datesSuggestedPerDay } from '#contract/constants.ts';
import * as calls from '#contract/dates.ts';
import { sendMessage, snoozeConversation } from '#contract/messages/messages.ts';
import { listNotifications } from '#contract/notifications.ts';
import { takeArchive } from '../../../test/archive.ts';
import { agree, letBothWrite, suggest, suggestion } from '../../../test/dates.ts';
import { deleteAccounts, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn, refusal } from '../../../test/likes.ts';
import { connect, listenTo } from '../../../test/sockets.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { datesData } from './public.ts';

const password = 'correct horse battery';
const app = startAppForTests();
let here: string;
let passwordHash: string;
let ada: TestMember;
let bo: TestMember;
let matchId: string;
beforeAll(async () => {
  here = await listenTo(app);
  passwordHash = await hashPassword(password);
});
beforeEach(async () => {
  ada = await makeMember(app, { firstName: 'Ada', passwordHash });
  bo = await makeMember(app, { firstName: 'Bo' });
  matchId = await match(ada, bo);
  await letBothWrite(app, matchId);
});

const { match, unmatch, block } = likesIn(() => app);
const propose = (by: TestMember, more = {}, id = matchId) =>
  app.call(calls.proposeDate, { token: by.token, params: { id }, body: suggestion(app, more) });
const accept = (by: TestMember, id: string, checksIn = true) =>
  app.call(calls.acceptDate, { token: by.token, params: { id }, body: { checksIn } });
const cancel = (by: TestMember, id: string) => app.call(calls.cancelDate, { token: by.token, params: { id } });
const seen = async (by: TestMember) =>
  (await app.call(calls.getDate, { token: by.token, params: { id: matchId } })).body.data;
const news = async (of: TestMember) =>
  (await app.call(listNotifications, { token: of.token })).body.data.notifications.filter(
    ({ kind }) => kind === 'date',
  );
const plans = () =>
  app.db.selectFrom('date_plan').select('state').where('conversation_id', '=', matchId).orderBy('created_at').execute();
const missing = '00000000-0000-4000-8000-000000000000';

describe('POST /matches/{id}/dates', () => {
  it('shows the suggestion to both members, each with their own choices, and notifies the other one', async () => {
    const { date } = (await propose(ada)).body.data;
    expect(date).toEqual({
      _id: date._id,
      from: ada.id,
      ...{ place: 'Café Luz', zone: 'Europe/Lisbon', note: 'I bring the umbrella.', state: 'proposed' },
      at: suggestion(app).at,
      ...{ checksIn: true, mayCheckIn: false, link: null, name: null },
    });
    expect(await seen(bo)).toEqual({ canPlan: true, date: { ...date, checksIn: false } });
    expect((await news(bo)).map(({ subjectId, user }) => [subjectId, user?._id])).toEqual([[date._id, ada.id]]);
    expect(await news(ada)).toEqual([]);
  });

  it('sends neither answers nor the end to a member who has muted the conversation', async () => {
    await app.call(snoozeConversation, { token: bo.token, params: { id: matchId }, body: { days: 7 } });
    const first = await suggest(app, ada, matchId);
    expect(await news(bo)).toEqual([]);
    expect((await seen(bo)).date?._id).toBe(first);
    await app.call(snoozeConversation, { token: ada.token, params: { id: matchId }, body: { days: 7 } });
    await accept(bo, first);
    expect(await news(ada)).toEqual([]);
    await cancel(ada, first);
    expect(await news(bo)).toEqual([]);
    await app.call(snoozeConversation, { token: bo.token, params: { id: matchId }, body: { days: 0 } });
    await suggest(app, ada, matchId);
    expect(await news(bo)).toHaveLength(1);
  });

  it('replaces the open suggestion, which can no longer be accepted', async () => {
    const first = await suggest(app, ada, matchId);
    const second = await suggest(app, bo, matchId, { place: 'Museum' });
    expect((await seen(ada)).date).toMatchObject({ _id: second, place: 'Museum', state: 'proposed' });
    expect((await plans()).map(({ state }) => state).sort()).toEqual(['proposed', 'replaced']);
    expect((await accept(bo, first)).status).toBe(404);
  });

  it('returns 409 while a date is agreed, until two hours after it began', async () => {
    const id = await agree(app, ada, bo, matchId);
    expect([(await propose(ada)).status, (await propose(bo)).status]).toEqual([409, 409]);
    await begin(id, 1);
    expect((await propose(bo)).status).toBe(409);
    await begin(id, 2);
    expect((await propose(bo)).status).toBe(201);
  });

  it('returns 429 after ten suggestions to one match within a day', async () => {
    for (let n = 0; n < datesSuggestedPerDay; n += 1) await suggest(app, ada, matchId);
    expect((await propose(ada)).status).toBe(429);
    expect((await propose(bo)).status).toBe(201);
  });

  it('keeps one open plan when both suggest at the same time', async () => {
    const both = await Promise.all([propose(ada), propose(bo), propose(ada)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await plans()).filter(({ state }) => state === 'proposed')).toHaveLength(1);
  });

  it.each([
    ['at', { at: '2026-06-15T11:59:00.000Z' }],
    ['at', { at: '2028-01-01T00:00:00.000Z' }],
    ['at', { at: 'tomorrow' }],
    ['zone', { zone: 'Mars/Olympus' }],
    ['zone', { zone: '../../etc/passwd' }],
    ['place', { place: '  \u200b ' }],
    ['place', { place: 'x'.repeat(121) }],
    ['note', { note: 'x'.repeat(301) }],
  ])('returns 400 about %s for %o', async (field, more) => {
    const { status, error } = await propose(ada, more);
    expect([status, error.errors?.map((one) => one.field)]).toEqual([400, [field]]);
  });

  it('returns 409 until both have written, which the conversation shows beforehand', async () => {
    await app.db
      .updateTable('conversation')
      .set({ low_sent: 0, high_sent: 0, is_answered: false, opened_by: ada.id })
      .where('id', '=', matchId)
      .execute();
    for (const who of [ada, bo]) {
      expect((await propose(who)).status).toBe(409);
      expect(await seen(who)).toEqual({ canPlan: false, date: null });
    }
  });

  it.each(['the next message', 'the release'])(
    'holds a suggestion back with the messages of a held member, who does not notice, until %s',
    async (how) => {
      const held = await makeMember(app);
      const id = await match(held, bo);
      await holdAccount(app, held);
      const write = (who: TestMember) =>
        app.call(sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });
      await write(held);
      const seenBy = async (who: TestMember) =>
        (await app.call(calls.getDate, { token: who.token, params: { id } })).body.data;
      expect([await seenBy(held), await seenBy(bo)]).toMatchObject([{ canPlan: false }, { canPlan: false }]);
      await write(bo);
      const { date } = (await propose(held, {}, id)).body.data;
      expect(await seenBy(held)).toEqual({ canPlan: true, date });
      const nothing = { canPlan: false, date: null };
      expect([await seenBy(bo), await news(bo), await datesData(app.db, bo.id)]).toEqual([nothing, [], []]);
      expect(refusal(await accept(bo, date._id))).toBe(refusal(await accept(bo, missing)));
      const theirs = await connect(here, bo.token);
      const suggestedAt = app.clock.now();
      app.clock.advance(60);
      await (how === 'the release' ? endHoldOf(app, held, 'released') : write(held));
      await app.drain();
      expect(await seenBy(bo)).toEqual({ canPlan: true, date: { ...date, checksIn: false } });
      expect((await news(bo)).map(({ subjectId }) => subjectId)).toEqual([date._id]);
      await expect.poll(() => theirs.heard.map(({ kind }) => kind)).toContain('date');
      expect(await datesData(app.db, bo.id)).toMatchObject([{ createdAt: app.clock.now() }]);
      expect((await accept(bo, date._id)).status).toBe(200);
      theirs.socket.close();
      app.clock.set(suggestedAt);
    },
  );
});

describe('POST /dates/{id}/accept', () => {
  it('agrees the date for both, and only the person who received the suggestion can use it', async () => {
    const id = await suggest(app, ada, matchId);
    const eve = await makeMember(app);
    expect((await accept(ada, id)).status).toBe(409);
    expect((await accept(eve, id)).status).toBe(404);
    const { date } = (await accept(bo, id, false)).body.data;
    expect(date).toMatchObject({ state: 'accepted', checksIn: false });
    expect((await seen(ada)).date).toMatchObject({ state: 'accepted', checksIn: true });
    expect((await news(ada)).map(({ subjectId, user }) => [subjectId, user?._id])).toEqual([[id, bo.id]]);
    expect((await news(bo)).map(({ isRead }) => isRead)).toEqual([true]);
  });

  it('changes nothing when repeated, even at the same time', async () => {
    const id = await suggest(app, ada, matchId);
    const all = await Promise.all([accept(bo, id), accept(bo, id), accept(bo, id, false)]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await news(ada)).toHaveLength(1);
  });

  it('returns 409 once the time has passed', async () => {
    const id = await suggest(app, ada, matchId);
    await begin(id, 1);
    expect((await accept(bo, id)).status).toBe(409);
  });

  it('returns 404 after a cancellation, an unmatch, and a block', async () => {
    const id = await suggest(app, ada, matchId);
    await cancel(ada, id);
    const gone = refusal(await accept(bo, id));
    expect(gone).toBe(refusal(await accept(bo, missing)));
    const again = await suggest(app, ada, matchId);
    await unmatch(ada, matchId);
    expect(refusal(await accept(bo, again))).toBe(gone);
  });
});

/** Moves a date so that it began this many hours ago. */
const begin = (id: string, hours: number) =>
  app.pool.query(
    `with moved as (update date_plan set at = $2::timestamptz - make_interval(hours => $3) where id = $1 returning id, at)
      update date_check_in k set due_at = moved.at + interval '2 hours' from moved where k.plan_id = moved.id`,
    [id, app.clock.now(), hours],
  );

describe('POST /dates/{id}/cancel', () => {
  it('ends the date for both and notifies the other person, once', async () => {
    const id = await agree(app, ada, bo, matchId);
    const all = await Promise.all([cancel(bo, id), cancel(bo, id)]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await seen(ada)).date).toBeNull();
    expect((await news(ada)).filter(({ isRead }) => !isRead)).toHaveLength(1);
  });
});

describe('GET /dates/{id}/calendar', () => {
  const file = (by: TestMember, id: string) => app.call(calls.getDateCalendar, { token: by.token, params: { id } });

  it('returns a calendar file in which texts cannot start another property', async () => {
    const id = await suggest(app, ada, matchId, {
      place: `Bar; "Two, Three" \\ Four ${'ü'.repeat(60)}`,
      note: 'Line\r\nBEGIN:VALARM\nACTION:AUDIO',
      at: '2026-06-17T12:00:00.000Z',
    });
    const { raw, headers } = await file(bo, id);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    const lines = raw.split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    const whole = raw.replaceAll('\r\n ', '').split('\r\n');
    expect(whole).toContain('DTSTART:20260617T120000Z');
    expect(whole).toContain('SUMMARY:Date with Ada');
    expect(whole).toContain(`LOCATION:Bar\\; "Two\\, Three" \\\\ Four ${'ü'.repeat(60)}`);
    expect(whole).toContain('DESCRIPTION:Line\\nBEGIN:VALARM\\nACTION:AUDIO');
    expect(whole).toContain('STATUS:TENTATIVE');
    expect(whole.filter((line) => /^(BEGIN|END):/.test(line))).toHaveLength(4);
  });

  const property = async (by: TestMember, id: string, name: string) =>
    new RegExp(`^${name}:(.*)$`, 'm').exec((await file(by, id)).raw.replaceAll('\r\n', '\n'))?.[1];

  it('updates and removes the same calendar entry until the date starts', async () => {
    const sequences: number[] = [];
    const entryOf = async (id: string) => {
      sequences.push(Number(await property(bo, id, 'SEQUENCE')));
      expect(await property(ada, id, 'UID')).toBe(await property(bo, id, 'UID'));
      app.clock.advance(60);
      return [await property(bo, id, 'UID'), await property(bo, id, 'STATUS'), await property(bo, id, 'METHOD')];
    };
    const first = await suggest(app, ada, matchId);
    const [uid] = await entryOf(first);
    await accept(bo, first);
    expect(await entryOf(first)).toEqual([uid, 'CONFIRMED', undefined]);
    await cancel(ada, first);
    expect(await entryOf(first)).toEqual([uid, 'CANCELLED', 'CANCEL']);
    const second = await agree(app, bo, ada, matchId);
    expect(await entryOf(second)).toEqual([uid, 'CONFIRMED', undefined]);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(sequences).size).toBe(sequences.length);
    await begin(second, 25);
    expect(await entryOf(await agree(app, bo, ada, matchId))).not.toContain(uid);
  });

  it('is offered to both after an agreed date was canceled, until its time or another suggestion', async () => {
    const id = await agree(app, ada, bo, matchId);
    await cancel(ada, id);
    for (const one of [ada, bo]) expect((await seen(one)).canceled).toMatchObject({ _id: id, zone: 'Europe/Lisbon' });
    const next = await suggest(app, ada, matchId);
    expect((await seen(bo)).canceled).toBeUndefined();
    expect((await file(bo, id)).status).toBe(404);
    await cancel(bo, next);
    expect((await seen(bo)).canceled?._id).toBe(id);
    expect((await file(bo, next)).status).toBe(404);
    await begin(id, 0);
    expect((await seen(bo)).canceled).toBeUndefined();
    expect((await file(bo, id)).status).toBe(404);
  });

  it('returns 404 to others, and after the match has ended', async () => {
    const id = await agree(app, ada, bo, matchId);
    expect((await file(await makeMember(app), id)).status).toBe(404);
    await unmatch(ada, matchId);
    expect((await file(ada, id)).status).toBe(404);
  });
});

describe('a planned date', () => {
  it('reaches the devices of both, while each member’s own choices reach only their own devices', async () => {
    const [hers, his] = [await connect(here, ada.token), await connect(here, bo.token)];
    const heard = () => [hers, his].map((device) => device.heard.filter(({ kind }) => kind === 'date').length);
    const id = await agree(app, ada, bo, matchId);
    await expect.poll(heard).toEqual([2, 2]);
    await app.call(calls.shareDate, { token: ada.token, params: { id } });
    await app.call(calls.putCheckIn, { token: ada.token, params: { id }, body: { checksIn: false } });
    await app.call(calls.endDateShare, { token: ada.token, params: { id } });
    await expect.poll(heard).toEqual([5, 2]);
    hers.socket.close();
    his.socket.close();
  });

  it('is no longer shown a day after it began', async () => {
    const id = await agree(app, ada, bo, matchId);
    await begin(id, 23);
    expect((await seen(ada)).date?._id).toBe(id);
    await begin(id, 25);
    expect((await seen(ada)).date).toBeNull();
    expect((await propose(bo)).status).toBe(201);
  });

  it('ends with the match, and its notifications are hidden', async () => {
    await agree(app, ada, bo, matchId);
    await block(bo, ada);
    expect((await plans()).map(({ state }) => state)).toEqual(['canceled']);
    expect([await news(ada), await news(bo)]).toEqual([[], []]);
    expect((await app.call(calls.getDate, { token: ada.token, params: { id: matchId } })).status).toBe(404);
  });

  it('is deleted a week after the date or its end, and with either account', async () => {
    const id = await agree(app, ada, bo, matchId);
    await app.drain('dates.cleanUp');
    const clean = () => app.app.background.tasks['dates.cleanUp']?.({}, {} as never);
    await begin(id, datePlanKeptDays * 24 - 1);
    await clean();
    expect(await plans()).toHaveLength(1);
    await begin(id, datePlanKeptDays * 24);
    await clean();
    expect(await plans()).toEqual([]);
    const canceled = await suggest(app, ada, matchId);
    await cancel(ada, canceled);
    await app.pool.query(`update date_plan set decided_at = decided_at - interval '7 days' where id = $1`, [canceled]);
    await clean();
    expect(await plans()).toEqual([]);
    await agree(app, ada, bo, matchId);
    await deleteAccounts(app, bo.id);
    expect(await plans()).toEqual([]);
  });

  it('is in the data export, without the other person’s note', async () => {
    await suggest(app, ada, matchId);
    const id = await suggest(app, bo, matchId, { note: 'A secret note' });
    await accept(ada, id);
    await app.call(calls.shareDate, { token: ada.token, params: { id } });
    const files = await takeArchive(app, ada.token, { password });
    const dates = (JSON.parse(strFromU8(files['dates.json'] ?? new Uint8Array())) as { state: string }[]).toSorted(
      (a, b) => b.state.localeCompare(a.state),
    );
    const shared = { name: 'Bo', place: 'Café Luz', zone: 'Europe/Lisbon' };
    expect(dates).toMatchObject([
      { ...shared, note: 'I bring the umbrella.', state: 'replaced', isMine: true, sharedAt: null },
      { ...shared, note: null, state: 'accepted', isMine: false, checksIn: true },
    ]);
    expect((dates[1] as { state: string; sharedAt?: string }).sharedAt).not.toBeNull();
    expect(JSON.stringify(dates)).not.toContain('secret');
  });
});
