import { describe, expect, it } from 'vitest';
import { listBlocks } from '#contract/connections.ts';
import * as calls from '#contract/known-people.ts';
import { listNotifications } from '#contract/notifications.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { makeMember, makeModerator, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { differences, whatMemberSees } from '../../../test/moderation/held-world.ts';
import { endHoldOf, holdAccount } from '../../../test/moderation/holds.ts';
import { givePremium, likesIn } from '../../../test/likes.ts';
import { fileReport } from '../../../test/moderation/reports.ts';

const app = startAppForTests();

const likes = likesIn(() => app);
const { like, pass, undo, withdraw, match, unmatch, block, unblock, received, sent, matches } = likes;
const { meet, idsFor } = cardsIn(() => app);
const add = (who: { token?: string }, ...addresses: string[]) =>
  app.call(calls.putKnownPeople, { ...who, body: { addresses } });
const remove = (who: { token?: string }, address: string) =>
  app.call(calls.removeKnownPerson, { ...who, body: { address } });
const sees = async (who: TestMember, other: TestMember) =>
  (await app.call(getUser, { token: who.token, params: { id: other.id } })).status === 200;
/** Whether the person who stored an address sees its owner, and the owner sees them. */
const both = async (one: TestMember, other: TestMember) => [await sees(one, other), await sees(other, one)];
const oneWay = [true, false];
const people = async () => [await makeMember(app), await makeMember(app)] as const;
/** Adds addresses and waits until people are hidden. */
const addNow = async (who: TestMember, ...given: string[]) => {
  const answer = await add(who, ...given);
  await app.drain();
  return answer;
};
/** A member whose session began now. */
const again = async (who: TestMember) => ({ ...who, ...(await signIn(app, who.id)) });
const addresses = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}${n}@x.test`);

describe('PUT /known-people', () => {
  it('hides the caller from the owner of an address, and no one from the caller', async () => {
    const [ada, bo] = await people();
    expect(await both(ada, bo)).toEqual([true, true]);
    const { body } = await add(ada, bo.email.toUpperCase(), 'stranger@x.test', bo.email);
    expect(body.data).toEqual({ count: 2, left: 18 });
    await app.drain();
    expect(await both(ada, bo)).toEqual(oneWay);
    expect((await app.call(listBlocks, { token: ada.token })).body.data.blocks).toEqual([]);
  });

  it('hides the caller from the owner in every list', async () => {
    await deleteAllMembers(app);
    const [ada, bo] = [await meet(), await meet({ vip: true })];
    await like(ada, bo, { note: 'Hello you' });
    const seen = async () =>
      [...(await whatMemberSees(app, bo, ({ path }) => [path.startsWith('/auth/user/') ? ada.id : bo.id]))]
        .filter(([url, answer]) => !url.includes(ada.id) && answer.includes(ada.id))
        .map(([url]) => url.split('?')[0]);
    expect(await seen()).toEqual(
      expect.arrayContaining(['discovery', 'likes/received', 'auth/search-users'].map((path) => `/api/v1/${path}`)),
    );
    await addNow(ada, bo.email);
    expect(await seen()).toEqual([]);
    expect((await like(bo, ada)).status).toBe(404);
  });

  it('shows the caller the same as before, no matter who has the addresses', async () => {
    await deleteAllMembers(app);
    const [ada, control] = [await meet({ vip: true }), await meet({ vip: true })];
    const each = async <T>(act: (one: TestMember) => Promise<T>): Promise<[T, T]> => [
      await act(ada),
      await act(control),
    ];
    const gone = await meet({ deactivated: 'A test' });
    const members = [gone, ...(await Promise.all(Array.from({ length: 22 }, () => meet())))];
    const member = (at: number): TestMember => members[at] ?? expect.fail();
    const [premium, liker, liked, passer, passed] = [member(1), member(2), member(3), member(4), member(5)];
    const [knower, held, blocker] = [member(6), member(7), member(8)];
    await givePremium(app, premium);
    await app.db.updateTable('profile').set({ incognito: true }).where('account_id', '=', premium.id).execute();
    await each((one) => like(premium, one));
    await each((one) => like(liker, one, { note: 'Hello you' }));
    await each((one) => like(one, liked, { note: 'Hello you' }));
    await each((one) => pass(passer, one));
    await each((one) => pass(one, passed));
    await addNow(knower, ada.email, control.email);
    await holdAccount(app, held);
    await each((one) => like(held, one));
    await each((one) => block(blocker, one));
    const unproven = await meet({ verified: false });
    const changed = await meet();
    const before = changed.email;
    await app.db.updateTable('account').set({ email: 'changed@x.test' }).where('id', '=', changed.id).execute();
    await app.drainLater();
    const all = [...members, unproven, changed];
    const given = [...all.map(({ email }) => email), before, 'changed@x.test', ...addresses(23, 'none')];
    expect(given).toHaveLength(50);
    const seenBy = async (one: TestMember) => {
      await app.db.deleteFrom('deck').execute();
      return await whatMemberSees(app, one, ({ path }) =>
        path === '/known-people' ? [] : path.startsWith('/auth/user/') ? all.map(({ id }) => id) : [one.id],
      );
    };
    const [own, others] = await each(seenBy);
    while (given.length > 0) {
      await app.db.deleteFrom('known_address_count').execute();
      expect((await add(ada, ...given.splice(0, calls.knownPeoplePerDay))).status).toBe(200);
    }
    await app.drainLater();
    expect(differences(own, await seenBy(ada))).toEqual([]);
    expect(differences(others, await seenBy(control))).toEqual([]);
    // Proves that the checks above did not pass only because nothing was hidden.
    const { rows } = await app.pool.query('select from block where is_by_address_only and blocker_id = $1', [ada.id]);
    expect(rows).toHaveLength(24);
  });

  it('queues the same job for an address without an account', async () => {
    const [ada, bo] = await people();
    await app.drain();
    await add(ada, bo.email, ...addresses(9, 'none'));
    const { rows } = await app.pool.query<{ length: number }>(
      `select length(payload::text)::int as length from graphile_worker._private_jobs where payload->>'knowerId' is not null`,
    );
    expect(rows).toHaveLength(10);
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
  });

  it.each([
    ['bo.ek@gmail.com', 'b.oek+dates@googlemail.com', true],
    ['cyek+1@googlemail.com', 'Cy.Ek@gmail.com', true],
    ['di.ek@x.test', 'diek@x.test', false],
    ['ed+1@x.test', 'ed@x.test', false],
  ])('treats %s as the mailbox of %s only at Google, in either order', async (email, stored, isSame) => {
    const [ada, eve] = await people();
    await addNow(ada, stored);
    const bo = await makeMember(app, { email });
    await app.drainLater();
    await addNow(eve, stored);
    expect(await both(ada, bo)).toEqual([true, !isSame]);
    expect(await both(eve, bo)).toEqual([true, !isSame]);
    expect((await add(eve, email)).body.data.count).toBe(isSame ? 1 : 2);
    await remove(ada, email);
    await remove(ada, stored);
    expect(await both(ada, bo)).toEqual([true, true]);
  });

  it('keeps a caller visible who removed the address again, even when someone else adds it', async () => {
    const [ada, bo] = await people();
    const cy = await makeMember(app);
    await add(ada, bo.email);
    await remove(ada, bo.email);
    await addNow(cy, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
    expect(await both(cy, bo)).toEqual(oneWay);
  });

  it('answers the same whether or not the address has an account, and stores no address', async () => {
    const [ada, bo] = await people();
    const [cy] = await people();
    const [one, other] = [await add(ada, bo.email), await add(cy, 'noone.at.all@x.test')];
    expect(one.raw).toBe(other.raw);
    const { rows } = await app.pool.query('select known_address::text as row from known_address');
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  it('hides the caller from someone who verifies the address later, or changes to it', async () => {
    const ada = await makeMember(app);
    await add(ada, 'later@x.test', 'moved@x.test');
    const bo = await makeMember(app, { email: 'later@x.test', verified: false });
    await app.drainLater();
    await app.db.updateTable('account').set({ email_verified_at: app.clock.now() }).where('id', '=', bo.id).execute();
    const cy = await makeMember(app);
    await app.db.updateTable('account').set({ email: 'moved@x.test' }).where('id', '=', cy.id).execute();
    expect([await sees(bo, ada), await sees(cy, ada)]).toEqual([true, true]);
    await app.drainLater();
    expect(await both(ada, bo)).toEqual(oneWay);
    expect(await both(ada, cy)).toEqual(oneWay);
    await app.db.updateTable('account').set({ email: 'changed.again@x.test' }).where('id', '=', cy.id).execute();
    await app.drainLater();
    expect(await both(ada, cy)).toEqual(oneWay);
  });

  it('does not hide the caller from accounts that have not verified the address', async () => {
    const ada = await makeMember(app);
    const bo = await makeMember(app, { email: 'unproven@x.test', verified: false });
    await addNow(ada, bo.email);
    const { rows } = await app.pool.query('select from block where blocked_id = $1', [bo.id]);
    expect(rows).toEqual([]);
  });

  it('keeps matches until they end', async () => {
    const [ada, bo] = await people();
    const id = await match(ada, bo);
    await addNow(ada, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
    await unmatch(bo, id);
    expect(await both(ada, bo)).toEqual([false, false]);
  });

  it('ignores the caller’s own address', async () => {
    const ada = await makeMember(app);
    expect((await add(ada, ada.email)).body.data.count).toBe(1);
    expect(await sees(ada, ada)).toBe(true);
  });

  it('allows 20 new addresses a day, even if some are removed again, and 500 in total', async () => {
    let ada = await makeMember(app);
    expect((await add(ada, ...addresses(20, 'a'))).body.data).toEqual({ count: 20, left: 0 });
    expect((await add(ada, 'a1@x.test')).status).toBe(200);
    await remove(ada, 'a1@x.test');
    expect((await add(ada, 'a1@x.test')).status).toBe(429);
    expect((await add(ada, 'b@x.test')).status).toBe(429);
    for (let day = 1; day < 25; day += 1) {
      app.clock.advance(86_400);
      ada = await again(ada);
      await add(ada, ...addresses(20, `day${day}-`));
    }
    app.clock.advance(86_400);
    ada = await again(ada);
    expect((await add(ada, 'x1@x.test')).body.data.count).toBe(500);
    expect((await add(ada, 'x2@x.test')).status).toBe(400);
    await remove(ada, 'x1@x.test');
    expect((await add(ada, 'x2@x.test')).body.data.count).toBe(500);
  });

  it('counts parallel requests towards the same limit', async () => {
    const ada = await makeMember(app);
    const all = await Promise.all(['a', 'b', 'c'].map((mark) => add(ada, ...addresses(10, mark))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    expect((await app.call(calls.getKnownPeople, { token: ada.token })).body.data).toEqual({ count: 20, left: 0 });
  });

  it('works for two people who add each other at once, and at the same time as a new match', async () => {
    const [ada, bo] = await people();
    expect((await Promise.all([add(ada, bo.email), add(bo, ada.email)])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    await app.drain();
    expect(await both(ada, bo)).toEqual([false, false]);
    for (let n = 0; n < 5; n += 1) {
      const [cy, dan] = await people();
      await like(cy, dan);
      await add(cy, dan.email);
      const [, liked] = await Promise.all([app.drain(), like(dan, cy)]);
      expect(await both(cy, dan)).toEqual(liked.status === 201 ? [true, true] : oneWay);
    }
  });

  it('rejects staff, visitors and texts that are not addresses', async () => {
    const ada = await makeMember(app);
    for (const given of [[], ['nothing'], addresses(21, 'a'), ["a'--@x"], ['a\0@x.test']])
      expect((await add(ada, ...given)).status, given.join(' ')).toBe(400);
    expect((await add({}, 'a@x.test')).status).toBe(401);
    expect((await add(await makeModerator(app), 'a@x.test')).status).toBe(403);
  });
});

/** Two people see each other; the first one stores the other's address, or one without an account. */
interface Scenario {
  title: string;
  before?: (me: TestMember, other: TestMember) => Promise<unknown>;
  act: (me: TestMember, other: TestMember) => Promise<{ status: number; raw: string }[]>;
  /** Whether it creates a match, which the other person is notified of. */
  isMatch?: true;
}
const scenarios: Scenario[] = [
  {
    title: 'a like with a note, and again',
    act: async (me, other) => [await like(me, other, { note: 'Hello you' }), await like(me, other)],
  },
  { title: 'a like that is undone', act: async (me, other) => [await like(me, other), await undo(me)] },
  {
    title: 'a like that is withdrawn and sent again',
    act: async (me, other) => [await like(me, other), await withdraw(me, other), await like(me, other)],
  },
  { title: 'a pass, then a like', act: async (me, other) => [await pass(me, other), await like(me, other)] },
  { title: 'a like, then a pass', act: async (me, other) => [await like(me, other), await pass(me, other)] },
  {
    title: 'a like of someone who passed',
    before: (me, other) => pass(other, me),
    act: async (me, other) => [await like(me, other)],
  },
  {
    title: 'a like of someone whose like is held',
    before: async (me, other) => {
      await holdAccount(app, other);
      await like(other, me);
    },
    act: async (me, other) => [await like(me, other)],
  },
  {
    title: 'a like that was held, once it is released',
    act: async (me, other) => {
      await holdAccount(app, me);
      const liked = await like(me, other, { note: 'Hello you' });
      await endHoldOf(app, me, 'released');
      return [liked];
    },
  },
  {
    title: 'a like that was sent before and is sent again',
    before: (me, other) => like(me, other),
    act: async (me, other) => [await like(me, other)],
  },
  {
    title: 'a like back',
    before: (me, other) => like(other, me),
    act: async (me, other) => [await like(me, other)],
    isMatch: true,
  },
];

describe('the caller’s view after adding an address', () => {
  it.each(scenarios)(
    'is the same for $title, whether or not the address has an account',
    async ({ before, act, isMatch }) => {
      const run = async (isOwner: boolean) => {
        const [me, other] = [await makeMember(app, { firstName: 'Ada' }), await makeMember(app, { firstName: 'Bo' })];
        await before?.(me, other);
        await addNow(me, isOwner ? other.email : 'no.one.has.this@x.test');
        const answers = (await act(me, other)).map(({ status, raw }) => `${status} ${raw}`);
        await app.drain();
        const profile = await app.call(getUser, { token: me.token, params: { id: other.id } });
        const news = await app.call(listNotifications, { token: me.token });
        const learned = await app.pool.query('select liked from training_event where viewer_id = $1', [me.id]);
        const seen = [await sent(me), await received(me), await matches(me), profile.raw, news.raw, learned.rows];
        const text = JSON.stringify([answers, seen]).replaceAll(me.id, 'me').replaceAll(other.id, 'other');
        return { me, other, text: text.replaceAll(/[\da-f-]{36}|\/api\/[^"\\]*|placeholder\W+[\w/+=]*/g, '') };
      };
      const [stored, control] = [await run(true), await run(false)];
      expect(stored.text).toBe(control.text);
      expect(await sees(stored.other, stored.me)).toBe(isMatch === true);
      expect((await matches(stored.other)).length).toBe(isMatch === true ? 1 : 0);
      if (isMatch === true) return;
      expect((await received(stored.other)).count).toBe(0);
    },
  );
});

describe('POST /known-people/remove', () => {
  it('lets the owner see the caller again, and never delivers what was sent in the meantime', async () => {
    const [ada, bo] = [await meet(), await meet({ vip: true })];
    await addNow(ada, bo.email, 'other@x.test');
    await like(ada, bo, { note: 'Hello you' });
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
    expect(await both(ada, bo)).toEqual([true, true]);
    expect((await remove(ada, bo.email)).body.data.count).toBe(1);
    expect(await received(bo)).toMatchObject({ count: 0, likes: [] });
    expect((await sent(ada)).likes).toHaveLength(1);
    expect(await idsFor(bo)).toContain(ada.id);
    await withdraw(ada, bo);
    await like(ada, bo);
    expect((await received(bo)).count).toBe(1);
  });

  it('keeps the caller hidden when the address is added again', async () => {
    const [ada, bo] = await people();
    await addNow(ada, bo.email);
    await remove(ada, bo.email);
    expect((await addNow(ada, bo.email)).body.data).toEqual({ count: 1, left: 18 });
    expect(await both(ada, bo)).toEqual(oneWay);
  });

  it('takes precedence over a job that is hiding the caller', async () => {
    const [ada, bo] = await people();
    await add(ada, bo.email);
    await Promise.all([app.drain(), remove(ada, bo.email)]);
    expect(await both(ada, bo)).toEqual([true, true]);
  });

  it('keeps blocks that have other reasons', async () => {
    const [ada, bo] = await people();
    await addNow(ada, bo.email);
    await block(ada, bo);
    const [cy, dan] = await people();
    await addNow(cy, dan.email);
    await fileReport(app, cy, { reportedUser: dan.id });
    const [eve, fay] = await people();
    await fileReport(app, eve, { reportedUser: fay.id });
    await addNow(eve, fay.email);
    await Promise.all([remove(ada, bo.email), remove(cy, dan.email), remove(eve, fay.email)]);
    for (const pair of [[ada, bo] as const, [cy, dan] as const, [eve, fay] as const])
      expect(await both(...pair)).toEqual([false, false]);
  });

  it('keeps the addresses that the other person stored', async () => {
    const [ada, bo] = await people();
    await addNow(ada, bo.email);
    await addNow(bo, ada.email);
    await remove(ada, bo.email);
    expect(await both(ada, bo)).toEqual([false, true]);
  });
});

describe('DELETE /known-people', () => {
  it('removes only the caller’s addresses', async () => {
    const [ada, bo] = await people();
    const cy = await makeMember(app);
    await addNow(ada, bo.email);
    await addNow(cy, bo.email);
    expect((await app.call(calls.clearKnownPeople, { token: ada.token })).body.data.count).toBe(0);
    expect([await sees(bo, ada), await sees(bo, cy)]).toEqual([true, false]);
  });
});

describe('DELETE /blocks/{userId}', () => {
  it.each([
    [
      'before the block',
      async (ada: TestMember, bo: TestMember) => [await addNow(ada, bo.email), await block(ada, bo)],
    ],
    ['after the block', async (ada: TestMember, bo: TestMember) => [await block(ada, bo), await addNow(ada, bo.email)]],
    ['and no block', async (ada: TestMember, bo: TestMember) => [await addNow(ada, bo.email)]],
  ])('does not show people again who are hidden by an address that was stored %s', async (_, act) => {
    const [ada, bo] = await people();
    await act(ada, bo);
    await unblock(ada, bo);
    expect(await both(ada, bo)).toEqual(oneWay);
    expect((await app.call(listBlocks, { token: ada.token })).body.data.blocks).toEqual([]);
    await remove(ada, bo.email);
    expect(await both(ada, bo)).toEqual([true, true]);
  });
});
