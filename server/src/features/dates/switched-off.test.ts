import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '#contract/dates.ts';
import { snoozeConversation } from '#contract/messages.ts';
import { listNotifications } from '#contract/notifications.ts';
import { agree, letBothWrite, sharedToken, suggest } from '../../../test/dates.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { switchParts } from '../../../test/parts.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { datesData } from './public.ts';

const app = startAppForTests();
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

/** Switches dates off, and runs what follows, twice. */
async function switchOff(): Promise<void> {
  await switchParts(app, { dates: false });
  await app.drainLater();
  await switchParts(app, { dates: false });
  await app.drainLater();
}

describe('when dates are switched off', () => {
  it('a date to come ends with one notice to each of the two, who still see it', async () => {
    const id = await agree(app, ada, bo, matchId);
    await switchOff();
    for (const who of both()) {
      expect((await unread(who)).map(({ subjectId }) => subjectId)).toEqual([id]);
      expect(await seen(who)).toMatchObject({ canPlan: false, date: null, canceled: { _id: id } });
    }
    expect(await datesData(app.db, ada.id)).toMatchObject([{ place: 'Café Luz', state: 'canceled' }]);
  });

  it('a suggestion ends with a notice to each, except who has set the conversation aside', async () => {
    const id = await suggest(app, ada, matchId);
    await app.call(snoozeConversation, { token: bo.token, params: { id: matchId }, body: { days: 7 } });
    await switchOff();
    expect((await unread(ada)).map(({ subjectId }) => subjectId)).toEqual([id]);
    expect(await seen(ada)).toEqual({ canPlan: false, date: null });
    expect((await unread(bo)).map(({ at }) => at)).not.toContain((await unread(ada))[0]?.at);
  });

  it('links for friends and check-ins of dates to come end', async () => {
    const id = await agree(app, ada, bo, matchId);
    const token = await sharedToken(app, ada, id);
    await switchOff();
    expect((await app.call(calls.openSharedDate, { body: { token } })).status).toBe(404);
    expect(await app.db.selectFrom('date_check_in').select('plan_id').where('plan_id', '=', id).execute()).toEqual([]);
  });

  it.each([
    ['has begun', -600, 'accepted'],
    ['is about to begin', 600, 'canceled'],
  ])('those who meet on a date that %s keep their link and are asked how it went', async (_, seconds, state) => {
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
