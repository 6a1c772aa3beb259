import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '#contract/dates.ts';
import { setProfilePicture } from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { snoozeConversation } from '#contract/messages/messages.ts';
import { listNotifications } from '#contract/notifications.ts';
import { agree, letBothWrite, sharedToken, suggest } from '../../../test/dates.ts';
import { deleteAccounts, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn, refusal } from '../../../test/likes.ts';
import { upload } from '../../../test/pictures.ts';
import { fileReport } from '../../../test/moderation/reports.ts';
import { switchParts } from '../../../test/parts.ts';
import { datesData } from './public.ts';

const app = startAppForTests();

describe('sharing a date', () => {
  let ada: TestMember;
  let bo: TestMember;
  let matchId: string;
  let id: string;
  let token: string;
  let ended: string;

  beforeEach(async () => {
    [ada, bo] = [await makeMember(app, { firstName: 'Ada' }), await makeMember(app, { firstName: 'Bo' })];
    matchId = await match(ada, bo);
    await letBothWrite(app, matchId);
    id = await agree(app, ada, bo, matchId);
    token = await sharedToken(app, ada, id);
    ended = refusal(await open('nonsense'));
  });

  const { match, unmatch, block } = likesIn(() => app);
  const open = (given: string) => app.call(calls.openSharedDate, { body: { token: given } });
  const share = (by: TestMember, plan = id) => app.call(calls.shareDate, { token: by.token, params: { id: plan } });
  const endShare = (by: TestMember) => app.call(calls.endDateShare, { token: by.token, params: { id } });
  const dateOf = async (who: TestMember) =>
    (await app.call(calls.getDate, { token: who.token, params: { id: matchId } })).body.data.date;
  const setAccount = (who: TestMember, changes: object) =>
    app.db.updateTable('account').set(changes).where('id', '=', who.id).execute();
  const rename = (name: string) =>
    app.db.updateTable('profile').set({ first_name: name }).where('account_id', '=', bo.id).execute();
  const move = (hours: number) =>
    app.pool.query('update date_plan set at = $2 where id = $1', [id, secondsAfter(app.clock.now(), hours * 3600)]);

  describe('a link for a friend', () => {
    it('shows first names, the picture, the time and the place, and nothing else', async () => {
      const answered = await open(token);
      expect(answered.body.data.date).toMatchObject({
        ...{ by: 'Ada', name: 'Bo', place: 'Café Luz', zone: 'Europe/Lisbon' },
        at: '2026-06-17T12:00:00.000Z',
      });
      expect(answered.headers['cache-control']).toBe('no-store');
      expect(answered.headers['referrer-policy']).toBe('no-referrer');
      for (const secret of [bo.id, ada.id, bo.email, matchId, 'umbrella', '/media/'])
        expect(answered.raw).not.toContain(secret);
    });

    it('contains the approved picture itself from 24 hours before the date, so that no picture address outlives it', async () => {
      const sent = await upload(app, bo);
      await app.call(setProfilePicture, { token: bo.token, body: { imageData: { publicId: sent.publicId } } });
      await app.call(decidePicture, {
        token: (await makeModerator(app)).token,
        params: { publicId: sent.publicId },
        body: { verdict: 'approved' },
      });
      const pictureAt = async (hours: number) => {
        await move(hours);
        return (await open(token)).body.data.date.picture;
      };
      expect([await pictureAt(360 * 24), await pictureAt(24.1)]).toEqual([null, null]);
      for (const hours of [24, 0, -23]) expect(await pictureAt(hours)).toMatch(/^data:image\/webp;base64,UklGR/);
    });

    it('stays the same until it is ended, and is then replaced by another one', async () => {
      const [one, two] = await Promise.all([share(ada), share(ada)]);
      expect(one.body.data.date.link).toBe(two.body.data.date.link);
      expect(new URL(one.body.data.date.link ?? '').hash).toBe(`#${token}`);
      await endShare(ada);
      await endShare(ada);
      expect(refusal(await open(token))).toBe(ended);
      const next = await sharedToken(app, ada, id);
      expect(next).not.toBe(token);
      expect([(await open(next)).status, (await open(token)).status]).toEqual([200, 404]);
    });

    it('is never shown to the other person, who has a link of their own', async () => {
      expect((await dateOf(bo))?.link).toBeNull();
      expect((await dateOf(ada))?.link).toContain(token);
      const theirs = await sharedToken(app, bo, id);
      expect((await open(theirs)).body.data.date).toMatchObject({ by: 'Bo', name: 'Ada' });
      await endShare(bo);
      expect((await open(token)).status).toBe(200);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['the date is canceled by its sharer', () => app.call(calls.cancelDate, { token: ada.token, params: { id } })],
      ['the date is canceled by the other', () => app.call(calls.cancelDate, { token: bo.token, params: { id } })],
      ['the sharer unmatches', () => unmatch(ada, matchId)],
      ['the sharer blocks', () => block(ada, bo)],
      ['the sharer is deactivated', () => setAccount(ada, { is_active: false, deactivated_at: app.clock.now() })],
      ['the sharer leaves', () => setAccount(ada, { leaving_since: app.clock.now() })],
      ['the sharer is deleted', () => deleteAccounts(app, ada.id)],
      ['24 hours are over', () => move(-24)],
    ])('ends when %s, with the answer of a forged one', async (_, end) => {
      expect((await open(token)).status).toBe(200);
      await end();
      expect(refusal(await open(token))).toBe(ended);
    });

    it('still works in the last hour of its 24 hours', async () => {
      await move(-23);
      expect((await open(token)).status).toBe(200);
    });

    const acts: [string, () => Promise<unknown>][] = [
      ['unmatches', () => unmatch(bo, matchId)],
      ['blocks', () => block(bo, ada)],
      ['reports and hides', () => fileReport(app, bo, { reportedUser: ada.id })],
      ['has the sharer held', () => holdAccount(app, ada)],
      ['is held', () => holdAccount(app, bo)],
      ['is deactivated', () => setAccount(bo, { is_active: false, deactivated_at: app.clock.now() })],
      ['leaves', () => setAccount(bo, { leaving_since: app.clock.now() })],
      ['renames themselves', () => rename('Other')],
      ['blocks and renames themselves', async () => [await block(bo, ada), await rename('Other')]],
      ['cancels', () => app.call(calls.cancelDate, { token: bo.token, params: { id } })],
    ];
    const cases = [48, -0.3].flatMap((hours) => acts.map(([act, run]) => [act, hours, run] as const));
    it.each(cases.filter(([act, hours]) => act !== 'cancels' || hours < 0))(
      'stays with the plan and the check-in when the other person %s %d hours before it',
      async (act, hours, run) => {
        await move(hours);
        const before = [(await open(token)).raw, await dateOf(ada)];
        await run();
        expect((await open(token)).raw).toBe(before[0]);
        if (act !== 'cancels') expect(await dateOf(ada)).toEqual(before[1]);
        await move(-0.5);
        const checkIn = await app.call(calls.getCheckIn, { token: ada.token, params: { id } });
        expect(checkIn.body.data.checkIn).toMatchObject({ name: 'Bo', state: 'waits' });
        expect((await endShare(ada)).body.data.date.link).toBeNull();
        expect(refusal(await open(token))).toBe(ended);
      },
    );
    it('remains after the other account is deleted, without their note, until its sharer ends it', async () => {
      await app.call(calls.cancelDate, { token: ada.token, params: { id } });
      id = await agree(app, bo, ada, matchId, { note: 'Ring twice' });
      token = await sharedToken(app, ada, id);
      const before = (await open(token)).raw;
      await deleteAccounts(app, bo.id);
      expect((await open(token)).raw).toBe(before);
      expect(await dateOf(ada)).toMatchObject({
        from: null,
        name: 'Bo',
        note: null,
        place: 'Café Luz',
        checksIn: false,
      });
      expect((await endShare(ada)).status).toBe(200);
      expect(refusal(await open(token))).toBe(ended);
    });

    it('is deleted with the second account of a date, whether both are deleted at once or not', async () => {
      await sharedToken(app, bo, id);
      await deleteAccounts(app, ada.id);
      await deleteAccounts(app, bo.id);
      const [cy, di] = [await makeMember(app), await makeMember(app)];
      const theirs = await match(cy, di);
      await letBothWrite(app, theirs);
      await sharedToken(app, cy, await agree(app, cy, di, theirs));
      await deleteAccounts(app, cy.id, di.id);
      const { rows } = await app.pool.query('select from date_plan where conversation_id = any ($1)', [
        [matchId, theirs],
      ]);
      expect(rows).toEqual([]);
    });

    it.each([
      ['the daily clean-up', 'dates.cleanUp'],
      ['the end of the conversation', 'delete from conversation where id = $1'],
    ])('outlives %s when it is for a date that the other person ended', async (_, work) => {
      await move(30 * 24);
      const before = (await open(token)).raw;
      await block(bo, ada);
      await app.pool.query(`update date_plan set decided_at = decided_at - interval '8 days' where id = $1`, [id]);
      if (work.startsWith('delete')) await app.pool.query(work, [matchId]);
      else await app.app.background.tasks[work]?.({}, {} as never);
      expect([(await open(token)).raw, (await dateOf(ada))?.place]).toEqual([before, 'Café Luz']);
    });

    const hiding = acts.filter(([act]) => ['unmatches', 'blocks', 'is deactivated', 'leaves'].includes(act));
    it.each([...hiding, ['is deleted for good', () => deleteAccounts(app, bo.id)] as const])(
      'ends when its sharer cancels the date after the other person %s, without notifying them',
      async (_, act) => {
        await act();
        await app.db.deleteFrom('notification').where('account_id', '=', bo.id).execute();
        const cancel = () => app.call(calls.cancelDate, { token: ada.token, params: { id } });
        expect((await cancel()).status).toBe(200);
        expect(refusal(await open(token))).toBe(ended);
        const gone = await app.call(calls.getDate, { token: ada.token, params: { id: matchId } });
        expect([gone.status, (await cancel()).status]).toEqual([404, 404]);
        const { rows } = await app.pool.query(
          `select account_id from date_check_in where plan_id = $1 and account_id = $2
         union all select account_id from notification where account_id = $3`,
          [id, ada.id, bo.id],
        );
        expect(rows).toEqual([]);
      },
    );

    it.each(hiding)('still lets its sharer choose the check-in after the other person %s', async (_, act) => {
      await act();
      await rename('Other');
      const choose = (checksIn: boolean) =>
        app.call(calls.putCheckIn, { token: ada.token, params: { id }, body: { checksIn } });
      for (const checksIn of [false, true]) expect((await choose(checksIn)).body.data.date.checksIn).toBe(checksIn);
      await move(-0.5);
      const checkIn = await app.call(calls.getCheckIn, { token: ada.token, params: { id } });
      expect(checkIn.body.data.checkIn).toMatchObject({ name: 'Bo', state: 'waits' });
    });

    it.each(acts.slice(0, 2))('stays hidden from the other person after they %s', async (_, run) => {
      await run();
      expect((await app.call(calls.getCheckIn, { token: bo.token, params: { id } })).status).toBe(404);
      expect((await app.call(calls.getDate, { token: bo.token, params: { id: matchId } })).status).toBe(404);
      const { rows } = await app.pool.query('select account_id from date_check_in where plan_id = $1', [id]);
      expect(rows).toEqual([{ account_id: ada.id }]);
    });

    it.each([
      '',
      '.',
      `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.${'A'.repeat(32)}`,
      "' or 1=1 --.x",
      '\u0000',
      'x'.repeat(512),
    ])('is forged as %j', async (given) => {
      expect([400, 404]).toContain((await open(given)).status);
    });

    it('cannot be changed', async () => {
      const [share = '', signature = ''] = token.split('.');
      const other = await sharedToken(app, bo, id);
      for (const given of [
        share,
        `${share}.`,
        `${share}.${signature}.`,
        `${share}.${signature.slice(1)}`,
        `${share.toUpperCase()}.${signature}`,
        `${share}.${other.split('.')[1] ?? ''}`,
      ])
        expect(refusal(await open(given)), given).toBe(ended);
    });
  });

  describe('POST /dates/{id}/share', () => {
    it('returns 409 before both have agreed', async () => {
      await app.call(calls.cancelDate, { token: ada.token, params: { id } });
      expect((await share(ada, await suggest(app, ada, matchId))).status).toBe(409);
    });
  });
});

describe('when dates are switched off', () => {
  let ada: TestMember;
  let bo: TestMember;
  let matchId: string;

  beforeEach(async () => {
    [ada, bo] = [await makeMember(app, { firstName: 'Ada' }), await makeMember(app, { firstName: 'Bo' })];
    matchId = await match(ada, bo);
    await letBothWrite(app, matchId);
  });

  afterEach(() => switchParts(app, {}));
  const { match } = likesIn(() => app);
  const both = () => [ada, bo];
  const seen = async (by: TestMember) =>
    (await app.call(calls.getDate, { token: by.token, params: { id: matchId } })).body.data;
  const unread = async (of: TestMember) =>
    (await app.call(listNotifications, { token: of.token })).body.data.notifications.filter(
      ({ kind, isRead }) => kind === 'date' && !isRead,
    );
  const begins = (id: string, seconds: number) =>
    app.db
      .updateTable('date_plan')
      .set({ at: secondsAfter(app.clock.now(), seconds) })
      .where('id', '=', id)
      .execute();
  /** Switches dates off, and runs the resulting jobs twice. */
  async function switchOff(): Promise<void> {
    await switchParts(app, { dates: false });
    await app.drainLater();
    await switchParts(app, { dates: false });
    await app.drainLater();
  }

  it('an upcoming date ends, and each of the two gets one notification and still sees it', async () => {
    const id = await agree(app, ada, bo, matchId);
    await switchOff();
    for (const who of both()) {
      expect((await unread(who)).map(({ subjectId }) => subjectId)).toEqual([id]);
      expect(await seen(who)).toMatchObject({ canPlan: false, date: null, canceled: { _id: id } });
    }
    expect(await datesData(app.db, ada.id)).toMatchObject([{ place: 'Café Luz', state: 'canceled' }]);
  });

  it('a suggestion ends, and each of the two is notified, except a member who muted the conversation', async () => {
    const id = await suggest(app, ada, matchId);
    await app.call(snoozeConversation, { token: bo.token, params: { id: matchId }, body: { days: 7 } });
    await switchOff();
    expect((await unread(ada)).map(({ subjectId }) => subjectId)).toEqual([id]);
    expect(await seen(ada)).toEqual({ canPlan: false, date: null });
    expect((await unread(bo)).map(({ at }) => at)).not.toContain((await unread(ada))[0]?.at);
  });

  it('links for friends and check-ins of upcoming dates end', async () => {
    const id = await agree(app, ada, bo, matchId);
    const token = await sharedToken(app, ada, id);
    await switchOff();
    expect((await app.call(calls.openSharedDate, { body: { token } })).status).toBe(404);
    expect(await app.db.selectFrom('date_check_in').select('plan_id').where('plan_id', '=', id).execute()).toEqual([]);
  });

  it.each([
    ['has begun', -600, 'accepted'],
    ['is about to begin', 600, 'canceled'],
  ])('members of a date that %s keep their link and are asked how it went', async (_, seconds, state) => {
    const id = await agree(app, ada, bo, matchId);
    const token = await sharedToken(app, ada, id);
    await begins(id, seconds);
    await switchOff();
    expect(await datesData(app.db, bo.id)).toMatchObject([{ state, checksIn: true }]);
    expect((await app.call(calls.openSharedDate, { body: { token } })).status).toBe(200);
  });

  it('dates can be planned again once they are switched on, and the ended one stays ended', async () => {
    await agree(app, ada, bo, matchId);
    await switchOff();
    await switchParts(app, {});
    expect(await seen(bo)).toMatchObject({ canPlan: true, date: null });
    const again = await suggest(app, bo, matchId);
    await app.drainLater();
    expect((await seen(ada)).date?._id).toBe(again);
  });
});
