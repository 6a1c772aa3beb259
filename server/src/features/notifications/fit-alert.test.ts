import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { noPreferences } from '#contract/discovery.ts';
import {
  listNotifications,
  type NotificationChoice,
  putNotificationSettings,
  readNotifications,
  unsubscribe,
} from '#contract/notifications.ts';
import { putSavedFilters } from '#contract/saved-filters.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { type MemberOptions, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { holdAccount } from '../../../test/moderation/holds.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
let ada: TestMember;
/** Noon on a Tuesday, later in each test, because the areas with members are cached. */
let noon = new Date('2026-06-16T12:00:00.000Z');
beforeEach(async () => {
  await deleteAllMembers(app);
  noon = secondsAfter(noon, 21 * day);
  app.clock.set(noon);
  ada = await meet({ gender: 'woman', seeking: ['man'] });
});

const day = 86_400;
const { meet, prefer } = cardsIn(() => app);
const { block, pass } = likesIn(() => app);
const man = (options: MemberOptions = {}) => meet({ gender: 'man', seeking: ['woman'], ...options });
const daily: NotificationChoice = { mail: 'daily', push: false };
/** Tokens are valid for a shorter time than the tests take. */
const ofAda = async () => (await signIn(app, ada.id)).token;
const choose = async (fit: NotificationChoice) =>
  app.call(putNotificationSettings, { token: await ofAda(), body: { settings: { fit } } });
/** Runs the due jobs after this many days, some minutes apart; no one's visits count as activity. */
async function after(days: number): Promise<void> {
  app.clock.advance(days * day);
  await app.pool.query("update presence set last_active_at = '2026-01-01' where account_id = $1", [ada.id]);
  await app.pool.query('update discovery_row set last_active_on = $1', [app.clock.now()]);
  await addJob(app.db, 'notifications.fit', {});
  await app.drain();
  app.clock.advance(300);
  await addJob(app.db, 'notifications.mail', {});
  await app.drain();
}
async function begin(choice = daily): Promise<void> {
  await choose(choice);
  await after(0);
}
const mails = async () => await app.outbox(ada.email);
/** The number of people in each mail, newest first. */
const counts = async () =>
  (await mails()).map(({ text }) =>
    text.includes('One new person fits') ? 1 : Number(/(\d+) new people/.exec(text)?.[1]),
  );

describe('the alert about new people who fit', () => {
  it('is off at first', async () => {
    await after(1);
    await man();
    await after(1);
    expect(await counts()).toEqual([]);
    expect(await app.db.selectFrom('fit_alert').selectAll().execute()).toEqual([]);
  });

  it('says how many new people fit since the last ones the member saw, and lists it', async () => {
    await man();
    await begin();
    await after(1);
    expect(await counts()).toEqual([]);
    await Promise.all([man(), man(), man()]);
    await after(1);
    await after(1);
    expect(await counts()).toEqual([3]);
    expect((await mails())[0]?.text).toContain('3 new people fit what you look for.');
    await man();
    await after(1);
    expect(await counts()).toEqual([4, 3]);
    const listed = (await app.call(listNotifications, { token: await ofAda() })).body.data.notifications;
    expect(listed).toMatchObject([{ kind: 'fit', people: 4, subjectId: null, isRead: false }]);
    await app.call(readNotifications, { token: await ofAda(), body: { kind: 'fit' } });
    await man();
    await after(1);
    expect(await counts()).toEqual([1, 4, 3]);
  });

  it('is sent at most once a day, even if it is turned off and on in between', async () => {
    await begin();
    await man();
    await after(1);
    await man();
    await choose({ mail: 'never', push: false });
    await begin();
    await man();
    await after(0.1);
    expect(await counts()).toEqual([1]);
    await after(1);
    expect(await counts()).toEqual([2, 1]);
  });

  it('is sent once a week if the member chose that', async () => {
    await begin({ mail: 'weekly', push: false });
    await man();
    await after(1);
    await man();
    await after(1);
    expect(await counts()).toEqual([]);
    await after(5);
    expect(await counts()).toEqual([2]);
  });

  it.each<[string, (him: TestMember) => Promise<unknown>]>([
    ['they blocked', (him) => block(ada, him)],
    ['who blocked them', (him) => block(him, ada)],
    ['they passed on', (him) => pass(ada, him)],
    ['who is hidden', (him) => app.pool.query('update account set is_hidden = true where id = $1', [him.id])],
    ['whose requirements they miss', (him) => prefer(him, { age: { min: 90, max: 99, required: true } })],
    [
      'who miss theirs',
      (him) => app.pool.query("update profile set birth_date = '1940-01-01' where account_id = $1", [him.id]),
    ],
  ])('does not count people %s', async (_, change) => {
    await prefer(ada, { age: { min: 18, max: 60, required: true } });
    await begin();
    await change(await man());
    await after(1);
    expect(await counts()).toEqual([]);
  });

  it('counts only people who joined, not those added by other filters', async () => {
    await prefer(ada, { distance: { maxKm: 50, required: true } });
    await man(brno);
    await begin();
    await prefer(ada, { distance: { maxKm: 500, required: true } });
    await after(1);
    expect(await counts()).toEqual([]);
    await man(brno);
    await after(1);
    expect(await counts()).toEqual([1]);
  });

  it('counts a returning member who was not counted before', async () => {
    const bo = await man();
    await app.pool.query('update account set is_hidden = true where id = $1', [bo.id]);
    await begin();
    await app.pool.query('update account set is_hidden = false where id = $1', [bo.id]);
    await after(1);
    expect(await counts()).toEqual([1]);
  });

  it('also checks a saved filter with an alert', async () => {
    const { order: _, elsewhere: __, ...any } = noPreferences;
    const far = { name: 'Far', preferences: { ...any, distance: { maxKm: 500, required: true } }, hasAlert: true };
    await prefer(ada, { distance: { maxKm: 50, required: true } });
    const save = async (hasAlert: boolean) =>
      app.call(putSavedFilters, { token: await ofAda(), body: { filters: [{ ...far, hasAlert }] } });
    await save(false);
    await begin();
    await man(brno);
    await after(1);
    expect(await counts()).toEqual([]);
    await save(true);
    await after(1);
    await man(brno);
    await after(1);
    expect(await counts()).toEqual([1]);
  });

  it.each([
    ['paused', sql`update profile set paused_at = now() where account_id = `],
    ['deactivated', sql`update account set is_active = false, deactivated_at = now() where id = `],
    ['hidden', sql`update account set is_hidden = true where id = `],
    ['leaving', sql`update account set leaving_since = now() where id = `],
  ])('tells nothing to someone who is %s', async (_, change) => {
    await begin();
    await app.sql`${change} ${ada.id}::uuid`;
    await man();
    await after(1);
    expect(await counts()).toEqual([]);
  });

  it('is not sent to a held member', async () => {
    await begin();
    await holdAccount(app, ada);
    await man();
    await after(1);
    expect(await counts()).toEqual([]);
  });

  it('waits until the quiet hours end', async () => {
    await begin();
    const quiet = { from: '00:00', to: '23:00', zone: 'UTC' };
    await app.call(putNotificationSettings, { token: ada.token, body: { quiet } });
    await man();
    await after(1);
    expect(await counts()).toEqual([]);
    app.clock.set(secondsAfter(noon, day + 11 * 3600 + 60));
    await after(0);
    expect(await counts()).toEqual([1]);
  });

  it('can be stopped with the link in its email', async () => {
    await begin();
    await man();
    await after(1);
    const token = /unsubscribe#([^\s"]+)/.exec((await mails())[0]?.text ?? '')?.[1] ?? '';
    const ended = await app.call(unsubscribe, { query: { token: decodeURIComponent(token) } });
    expect(ended.body.data.kinds).toEqual(['fit']);
    await man();
    await after(1);
    expect(await counts()).toEqual([1]);
    expect(await app.db.selectFrom('fit_alert').selectAll().execute()).toEqual([]);
  });
});
