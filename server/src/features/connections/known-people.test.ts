import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBlocks } from '#contract/connections.ts';
import * as calls from '#contract/known-people.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { makeMember, makeModerator, signIn, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { fileReport } from '../../../test/reports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const { like, match, unmatch, block, unblock } = likesIn(() => app);
const add = (who: { token?: string }, ...addresses: string[]) =>
  app.call(calls.putKnownPeople, { ...who, body: { addresses } });
const remove = (who: { token?: string }, address: string) =>
  app.call(calls.removeKnownPerson, { ...who, body: { address } });
const sees = async (who: TestMember, other: TestMember) =>
  (await app.call(getUser, { token: who.token, params: { id: other.id } })).status === 200;
const both = async (one: TestMember, other: TestMember) => [await sees(one, other), await sees(other, one)];
const people = async () => [await makeMember(app), await makeMember(app)] as const;
/** What the queued jobs hide, as if their time had come. */
const hide = () => app.drainLater();
const addLater = async (who: TestMember, ...given: string[]) => {
  const answer = await add(who, ...given);
  await hide();
  return answer;
};
/** A member whose session began now. */
const again = async (who: TestMember) => ({ ...who, ...(await signIn(app, who.id)) });
const afterDays = async (days: number) => {
  app.clock.advance(days * 86_400);
  await app.app.background.tasks['connections.liftRemoved']?.({}, {} as never);
};
const addresses = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}${n}@x.test`);

describe('PUT /known-people', () => {
  it('hides a member with the address and the caller from each other', async () => {
    const [ada, bo] = await people();
    expect(await both(ada, bo)).toEqual([true, true]);
    const { body } = await add(ada, bo.email.toUpperCase(), 'stranger@x.test', bo.email);
    expect(body.data).toEqual({ count: 2, left: 18 });
    await hide();
    expect(await both(ada, bo)).toEqual([false, false]);
    expect((await app.call(listBlocks, { token: ada.token })).body.data.blocks).toEqual([]);
  });

  it('hides at a random time between 6 and 48 hours later, and queues as much for an address of no one', async () => {
    const [ada, bo] = await people();
    const [cy] = await people();
    await hide();
    const queued = async () => {
      const { rows } = await app.pool.query<{ hours: number; length: number }>(
        `select extract(epoch from run_at - now())::float / 3600 as hours, length(payload::text)::int as length
          from graphile_worker._private_jobs where payload->>'knowerId' is not null`,
      );
      return rows;
    };
    await add(ada, bo.email);
    const [own] = await queued();
    await add(cy, 'no.one.has.this@x.test', ...addresses(9, 'none'));
    const all = await queued();
    expect(all).toHaveLength(11);
    expect(new Set(all.map(({ length }) => length))).toEqual(new Set([own?.length]));
    for (const { hours } of all) expect([hours > 5.9, hours < 48.1]).toEqual([true, true]);
    expect(new Set(all.map(({ hours }) => hours.toFixed(3))).size).toBeGreaterThan(5);
    expect(await both(ada, bo)).toEqual([true, true]);
    await add(ada, bo.email);
    expect(await queued()).toHaveLength(11);
    await hide();
    expect(await both(ada, bo)).toEqual([false, false]);
  });

  it('does not hide who removed the address before, or who others added before', async () => {
    const [ada, bo] = await people();
    const cy = await makeMember(app);
    await add(ada, bo.email);
    await remove(ada, bo.email);
    await addLater(cy, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
    expect(await both(cy, bo)).toEqual([false, false]);
  });

  it('answers alike whether or not someone has the address, and stores no address', async () => {
    const [ada, bo] = await people();
    const [cy] = await people();
    const [one, other] = [await add(ada, bo.email), await add(cy, 'noone.at.all@x.test')];
    expect(one.raw).toBe(other.raw);
    const { rows } = await app.pool.query('select known_address::text as row from known_address');
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  it('hides someone who proves the address later, or changes to it', async () => {
    const ada = await makeMember(app);
    await add(ada, 'later@x.test', 'changed@x.test');
    const bo = await makeMember(app, { email: 'later@x.test', verified: false });
    await app.drainLater();
    await app.db.updateTable('account').set({ email_verified_at: app.clock.now() }).where('id', '=', bo.id).execute();
    const cy = await makeMember(app);
    await app.db.updateTable('account').set({ email: 'changed@x.test' }).where('id', '=', cy.id).execute();
    expect([await sees(ada, bo), await sees(ada, cy)]).toEqual([true, true]);
    await app.drainLater();
    expect(await both(ada, bo)).toEqual([false, false]);
    expect(await both(ada, cy)).toEqual([false, false]);
    await app.db.updateTable('account').set({ email: 'changed.again@x.test' }).where('id', '=', cy.id).execute();
    await app.drainLater();
    expect(await both(ada, cy)).toEqual([false, false]);
  });

  it('does not hide accounts that have not proven the address', async () => {
    const ada = await makeMember(app);
    const bo = await makeMember(app, { email: 'unproven@x.test', verified: false });
    await addLater(ada, bo.email);
    const { rows } = await app.pool.query('select from block where blocked_id = $1', [bo.id]);
    expect(rows).toEqual([]);
  });

  it('keeps matches, whose end would reveal the address, until they end', async () => {
    const [ada, bo] = await people();
    const id = await match(ada, bo);
    await addLater(ada, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
    await unmatch(bo, id);
    expect(await both(ada, bo)).toEqual([false, false]);
  });

  it('ignores the own address', async () => {
    const ada = await makeMember(app);
    expect((await add(ada, ada.email)).body.data.count).toBe(1);
    expect(await sees(ada, ada)).toBe(true);
  });

  it('allows 20 new addresses a day, however often some are removed, and 500 in all', async () => {
    let ada = await makeMember(app);
    expect((await add(ada, ...addresses(20, 'a'))).body.data).toEqual({ count: 20, left: 0 });
    expect((await add(ada, 'a1@x.test')).status).toBe(200);
    await remove(ada, 'a1@x.test');
    expect((await add(ada, 'b@x.test')).status).toBe(429);
    expect((await add(ada, 'a1@x.test')).body.data).toEqual({ count: 20, left: 0 });
    for (let day = 1; day < 25; day += 1) {
      app.clock.advance(86_400);
      ada = await again(ada);
      await add(ada, ...addresses(20, `day${day}-`));
    }
    app.clock.advance(86_400);
    ada = await again(ada);
    expect((await add(ada, 'x2@x.test')).status).toBe(400);
    await remove(ada, 'a1@x.test');
    expect((await add(ada, 'x1@x.test')).body.data.count).toBe(500);
  });

  it('counts concurrent requests together', async () => {
    const ada = await makeMember(app);
    const all = await Promise.all(['a', 'b', 'c'].map((mark) => add(ada, ...addresses(10, mark))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    expect((await app.call(calls.getKnownPeople, { token: ada.token })).body.data).toEqual({ count: 20, left: 0 });
  });

  it('works for two people who add each other at once, and beside a new match', async () => {
    const [ada, bo] = await people();
    expect((await Promise.all([add(ada, bo.email), add(bo, ada.email)])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    await hide();
    expect(await both(ada, bo)).toEqual([false, false]);
    for (let n = 0; n < 5; n += 1) {
      const [cy, dan] = await people();
      await like(cy, dan);
      await add(cy, dan.email);
      const [, liked] = await Promise.all([hide(), like(dan, cy)]);
      expect(await both(cy, dan)).toEqual(liked.status === 201 ? [true, true] : [false, false]);
    }
  });

  it('refuses staff, visitors and what is no address', async () => {
    const ada = await makeMember(app);
    for (const given of [[], ['nothing'], addresses(21, 'a'), ["a'--@x"], ['a\0@x.test']])
      expect((await add(ada, ...given)).status, given.join(' ')).toBe(400);
    expect((await add({}, 'a@x.test')).status).toBe(401);
    expect((await add(await makeModerator(app), 'a@x.test')).status).toBe(403);
  });
});

describe('POST /known-people/remove', () => {
  it('shows the two to each other again 30 days later', async () => {
    let [ada, bo] = await people();
    await addLater(ada, bo.email, 'other@x.test');
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
    await afterDays(29);
    [ada, bo] = [await again(ada), await again(bo)];
    expect(await both(ada, bo)).toEqual([false, false]);
    await afterDays(1);
    [ada, bo] = [await again(ada), await again(bo)];
    expect(await both(ada, bo)).toEqual([true, true]);
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
    const { rows } = await app.pool.query('select from known_address where account_id = $1', [ada.id]);
    expect(rows).toHaveLength(1);
  });

  it('keeps the two hidden when the address is added again in the meantime', async () => {
    let [ada, bo] = await people();
    await addLater(ada, bo.email);
    await remove(ada, bo.email);
    await afterDays(20);
    ada = await again(ada);
    expect((await add(ada, bo.email)).body.data).toEqual({ count: 1, left: 20 });
    await afterDays(31);
    [ada, bo] = [await again(ada), await again(bo)];
    expect(await both(ada, bo)).toEqual([false, false]);
  });

  it('leaves blocks for other reasons', async () => {
    const [ada, bo] = await people();
    await addLater(ada, bo.email);
    await block(ada, bo);
    const [cy, dan] = await people();
    await addLater(cy, dan.email);
    await fileReport(app, cy, { reportedUser: dan.id });
    const [eve, fay] = await people();
    await fileReport(app, eve, { reportedUser: fay.id });
    await addLater(eve, fay.email);
    await Promise.all([remove(ada, bo.email), remove(cy, dan.email), remove(eve, fay.email)]);
    await afterDays(30);
    expect(await sees(await again(ada), bo)).toBe(false);
    expect(await sees(await again(cy), dan)).toBe(false);
    expect(await sees(await again(eve), fay)).toBe(false);
  });

  it('leaves what the other person stored', async () => {
    const [ada, bo] = await people();
    await addLater(ada, bo.email);
    await addLater(bo, ada.email);
    await remove(ada, bo.email);
    await afterDays(30);
    expect(await both(await again(ada), await again(bo))).toEqual([false, false]);
  });
});

describe('DELETE /known-people', () => {
  it('removes all addresses of the caller only', async () => {
    const [ada, bo] = await people();
    const cy = await makeMember(app);
    await addLater(ada, bo.email);
    await addLater(cy, bo.email);
    expect((await app.call(calls.clearKnownPeople, { token: ada.token })).body.data.count).toBe(0);
    await afterDays(30);
    expect([await sees(await again(ada), bo), await sees(await again(cy), bo)]).toEqual([true, false]);
  });
});

describe('DELETE /blocks/{userId}', () => {
  it.each([
    [
      'before the block',
      async (ada: TestMember, bo: TestMember) => [await addLater(ada, bo.email), await block(ada, bo)],
    ],
    [
      'after the block',
      async (ada: TestMember, bo: TestMember) => [await block(ada, bo), await addLater(ada, bo.email)],
    ],
    ['and no block', async (ada: TestMember, bo: TestMember) => [await addLater(ada, bo.email)]],
  ])('does not lift what an address hides that was stored %s', async (_, act) => {
    const [ada, bo] = await people();
    await act(ada, bo);
    await unblock(ada, bo);
    expect(await both(ada, bo)).toEqual([false, false]);
    expect((await app.call(listBlocks, { token: ada.token })).body.data.blocks).toEqual([]);
    await remove(ada, bo.email);
    await afterDays(30);
    expect(await both(await again(ada), await again(bo))).toEqual([true, true]);
  });
});
