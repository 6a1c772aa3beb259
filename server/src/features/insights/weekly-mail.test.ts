import { beforeAll, describe, expect, it } from 'vitest';
import { putWeeklyMail, getWeeklyMail } from '#contract/insights/weekly-mail.ts';
import { unsubscribe } from '#contract/notifications.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { addJob } from '#platform/jobs/jobs.ts';

const app = startAppForTests();
let reader: TestMember;
beforeAll(async () => {
  // A Monday.
  app.clock.set(new Date('2026-06-15T06:40:00Z'));
  reader = await makeMember(app, {
    staffRole: 'analyst',
    email: 'reader@staff.test',
    createdAt: new Date('2026-05-01'),
  });
  await Promise.all(Array.from({ length: 12 }, () => makeMember(app, { createdAt: new Date('2026-06-10') })));
  await Promise.all(Array.from({ length: 8 }, () => makeMember(app, { createdAt: new Date('2026-06-03') })));
});

const want = (by: TestMember, isWanted: boolean) => app.call(putWeeklyMail, { token: by.token, body: { isWanted } });
const isWanted = async (by: TestMember) => (await app.call(getWeeklyMail, { token: by.token })).body.data.isWanted;
const send = async () => {
  await app.app.background.tasks['insights.mailWeek']?.({}, {} as never);
};
const count = async () => {
  await addJob(app.db, 'insights.rollUp', {}, { jobKey: 'insights.rollUp' });
  await app.drain('insights.rollUp');
};

// Several Mondays in a row.
describe('the Monday email', { shuffle: false }, () => {
  it('waits until the last week is counted', async () => {
    await expect(send()).rejects.toThrow('not counted yet');
  });

  it('is sent once to those who subscribed, with last week and the week before', async () => {
    await count();
    const other = await makeModerator(app, { email: 'other@staff.test' });
    await want(reader, true);
    await want(reader, true);
    expect(await isWanted(reader)).toBe(true);
    expect(await isWanted(other)).toBe(false);
    await send();
    await send();
    await app.drain('mail.send');
    const mails = await app.outbox('reader@staff.test');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('Sign-ups: 12, 50 % more than the week before.');
    expect(mails[0]?.text).toContain('THE WEEK FROM JUNE 8');
    expect(await app.outbox('other@staff.test')).toEqual([]);
  });

  it('is sent again the next Monday, unless the reader left the team or unsubscribed', async () => {
    app.clock.advance(7 * 86_400);
    await count();
    await app.db.updateTable('account').set({ staff_role: null }).where('id', '=', reader.id).execute();
    await send();
    expect(await app.outbox('reader@staff.test')).toHaveLength(1);
    await app.db.updateTable('account').set({ staff_role: 'analyst' }).where('id', '=', reader.id).execute();
    await send();
    expect(await app.outbox('reader@staff.test')).toHaveLength(2);
  });

  it('is stopped by the link in it', async () => {
    const [mail] = await app.outbox('reader@staff.test');
    const page = mail?.links.find((link) => link.includes('/app/unsubscribe#')) ?? '';
    const token = decodeURIComponent(new URL(page).hash.slice(1));
    const answer = await app.call(unsubscribe, { query: { token } });
    expect(answer.body.data.kinds).toEqual(['insights']);
    expect(await app.db.selectFrom('insight_mail').selectAll().execute()).toEqual([]);
    expect((await app.call(unsubscribe, { query: { token } })).status).toBe(200);
  });
});
