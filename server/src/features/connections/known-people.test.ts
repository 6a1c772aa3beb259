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
const addresses = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}${n}@x.test`);

describe('PUT /known-people', () => {
  it('hides a member with the address and the caller from each other', async () => {
    const [ada, bo] = await people();
    expect(await both(ada, bo)).toEqual([true, true]);
    const { body } = await add(ada, bo.email.toUpperCase(), 'stranger@x.test', bo.email);
    expect(body.data).toEqual({ count: 2, left: 98 });
    expect(await both(ada, bo)).toEqual([false, false]);
    expect((await app.call(listBlocks, { token: ada.token })).body.data.blocks).toEqual([]);
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
    await add(ada, bo.email);
    const { rows } = await app.pool.query('select from block where blocked_id = $1', [bo.id]);
    expect(rows).toEqual([]);
  });

  it('keeps matches, whose end would reveal the address, until they end', async () => {
    const [ada, bo] = await people();
    const id = await match(ada, bo);
    await add(ada, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
    await unmatch(bo, id);
    expect(await both(ada, bo)).toEqual([false, false]);
  });

  it('ignores the own address', async () => {
    const ada = await makeMember(app);
    expect((await add(ada, ada.email)).body.data.count).toBe(1);
    expect(await sees(ada, ada)).toBe(true);
  });

  it('allows 100 new addresses a day, however often some are removed, and 500 in all', async () => {
    let ada = await makeMember(app);
    expect((await add(ada, ...addresses(100, 'a'))).body.data).toEqual({ count: 100, left: 0 });
    expect((await add(ada, 'a1@x.test')).status).toBe(200);
    await remove(ada, 'a1@x.test');
    expect((await add(ada, 'b@x.test')).status).toBe(429);
    for (const mark of ['b', 'c', 'd', 'e']) {
      app.clock.advance(86_400);
      ada = { ...ada, ...(await signIn(app, ada.id)) };
      await add(ada, ...addresses(100, mark));
    }
    app.clock.advance(86_400);
    ada = { ...ada, ...(await signIn(app, ada.id)) };
    expect((await add(ada, 'x1@x.test')).body.data.count).toBe(500);
    expect((await add(ada, 'x2@x.test')).status).toBe(400);
  });

  it('counts concurrent requests together', async () => {
    const ada = await makeMember(app);
    const all = await Promise.all(['a', 'b', 'c'].map((mark) => add(ada, ...addresses(50, mark))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    expect((await app.call(calls.getKnownPeople, { token: ada.token })).body.data).toEqual({ count: 100, left: 0 });
  });

  it('works for two people who add each other at once, and beside a new match', async () => {
    const [ada, bo] = await people();
    expect((await Promise.all([add(ada, bo.email), add(bo, ada.email)])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    for (let n = 0; n < 5; n += 1) {
      const [cy, dan] = await people();
      await like(cy, dan);
      const [added, liked] = await Promise.all([add(cy, dan.email), like(dan, cy)]);
      expect([added.status, await both(cy, dan)]).toEqual([200, liked.status === 201 ? [true, true] : [false, false]]);
    }
  });

  it('refuses staff, visitors and what is no address', async () => {
    const ada = await makeMember(app);
    for (const given of [[], ['nothing'], addresses(101, 'a'), ["a'--@x"], ['a\0@x.test']])
      expect((await add(ada, ...given)).status, given.join(' ')).toBe(400);
    expect((await add({}, 'a@x.test')).status).toBe(401);
    expect((await add(await makeModerator(app), 'a@x.test')).status).toBe(403);
  });
});

describe('POST /known-people/remove', () => {
  it('shows the two to each other again', async () => {
    const [ada, bo] = await people();
    await add(ada, bo.email, 'other@x.test');
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
    expect(await both(ada, bo)).toEqual([true, true]);
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
  });

  it('leaves blocks for other reasons', async () => {
    const [ada, bo] = await people();
    await add(ada, bo.email);
    await block(ada, bo);
    await remove(ada, bo.email);
    expect(await sees(ada, bo)).toBe(false);
    const [cy, dan] = await people();
    await add(cy, dan.email);
    await fileReport(app, cy, { reportedUser: dan.id });
    await remove(cy, dan.email);
    expect(await sees(cy, dan)).toBe(false);
  });

  it('leaves what the other person stored', async () => {
    const [ada, bo] = await people();
    await add(ada, bo.email);
    await add(bo, ada.email);
    await remove(ada, bo.email);
    expect(await both(ada, bo)).toEqual([false, false]);
  });
});

describe('DELETE /known-people', () => {
  it('removes all addresses of the caller only', async () => {
    const [ada, bo] = await people();
    const cy = await makeMember(app);
    await add(ada, bo.email);
    await add(cy, bo.email);
    expect((await app.call(calls.clearKnownPeople, { token: ada.token })).body.data.count).toBe(0);
    expect([await sees(ada, bo), await sees(cy, bo)]).toEqual([true, false]);
  });
});

describe('DELETE /blocks/{userId}', () => {
  it('does not lift what an address hides', async () => {
    const [ada, bo] = await people();
    await add(ada, bo.email);
    await unblock(ada, bo);
    expect(await sees(ada, bo)).toBe(false);
  });
});
