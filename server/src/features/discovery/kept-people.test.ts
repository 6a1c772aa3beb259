import { beforeEach, describe, expect, it } from 'vitest';
import { getUser } from '#contract/profiles/profiles.ts';
import { answersTo, haveAnswered } from '../../../test/answers.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
beforeEach(() => deleteAllMembers(app));

const { meet, deckOf, cardsOf, idsFor } = cardsIn(() => app);
const { block, unblock } = likesIn(() => app);

const change = (table: 'account' | 'profile' | 'presence', id: string, values: object) =>
  app.db
    .updateTable(table)
    .set(values)
    .where(table === 'account' ? 'id' : 'account_id', '=', id)
    .execute();

/** The viewer's only card. */
async function cardOf(viewer: TestMember) {
  const [card] = await cardsOf(viewer);
  return card?.user;
}

describe('a card that was served before', () => {
  it('shows exactly what the person’s profile page shows', async () => {
    const viewer = await meet();
    const { id } = await meet({
      bio: 'Quotes " and \\ and ünïcödé \u2028 ✨',
      online: true,
      details: { heightCm: 170 },
    });
    for (let asked = 0; asked < 2; asked += 1)
      expect(await cardOf(viewer)).toEqual(
        (await app.call(getUser, { token: viewer.token, params: { id } })).body.data.user,
      );
  });

  it('lists each picture only once on request', async () => {
    const viewer = await meet();
    await meet();
    const [whole] = (await deckOf(viewer)).cards;
    const [once] = (await deckOf(viewer, { pictures: 'once' })).cards;
    expect(once).toEqual({ ...whole, user: { ...whole?.user, more_pictures: [] } });
  });

  it('shows changes of the profile, its pictures, activity and age immediately', async () => {
    const viewer = await meet();
    const { id } = await meet({ bio: 'before', birthDate: '1990-06-16' });
    expect(await cardOf(viewer)).toMatchObject({ bio: 'before', age: 35, isOnline: false });
    expect((await cardOf(viewer))?.pictures).toHaveLength(1);
    await change('profile', id, { bio: 'after' });
    await change('presence', id, { online: true });
    expect(await cardOf(viewer)).toMatchObject({ bio: 'after', isOnline: true });
    await app.pool.query(`update picture set state = 'rejected', place = null, reason = 'x' where account_id = $1`, [
      id,
    ]);
    await app.pool.query('update profile set picture_count = 1 where account_id = $1', [id]);
    expect(await cardOf(viewer)).toMatchObject({ pictures: [], profilePicture: null });
    await change('profile', id, { show_last_active: false });
    expect(await cardOf(viewer)).toMatchObject({ isOnline: null, lastActive: null });
    app.clock.advance(86_400);
    await change('presence', id, { last_active_at: app.clock.now() });
    // Access tokens expire after minutes.
    const { token } = await signIn(app, viewer.id);
    expect((await cardOf({ ...viewer, token }))?.age).toBe(36);
  });

  it('compares the answers that both have given by now', async () => {
    const [viewer, other] = [await meet(), await meet()];
    const bandOf = async () => (await cardsOf(viewer))[0]?.compatibilityBand;
    expect(await bandOf()).toBeNull();
    await haveAnswered(app, viewer, answersTo(12, 0, 0));
    expect(await bandOf()).toBeNull();
    await haveAnswered(app, other, answersTo(12, 0, 0));
    expect(await bandOf()).toBe('high');
    await haveAnswered(app, viewer, answersTo(12, 0, 1));
    expect(await bandOf()).not.toBe('high');
  });

  it('has picture addresses signed for its viewer only', async () => {
    const viewers = [
      await meet({ gender: 'woman', seeking: ['man'] }),
      await meet({ gender: 'woman', seeking: ['man'] }),
    ];
    await meet({ gender: 'man', seeking: ['woman'] });
    for (const viewer of viewers) {
      const user = await cardOf(viewer);
      const addresses = [
        user?.profilePicture,
        ...(user?.pictures ?? []).flatMap(({ url, thumbnailUrl }) => [url, thumbnailUrl]),
      ];
      expect(addresses.every((address) => address?.includes(`for=${viewer.id}&`) === true)).toBe(true);
    }
  });

  it('never shows a person after they were blocked, hidden or suspended, even with many parallel requests', async () => {
    const viewers = await Promise.all(Array.from({ length: 4 }, () => meet()));
    const [viewer] = viewers as [TestMember];
    const { id } = await meet();
    const person = { id } as TestMember;
    const hide: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [() => block(viewer, person), () => unblock(viewer, person)],
      [
        () => change('account', id, { is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'spam' }),
        () => change('account', id, { is_active: true, deactivated_at: null, deactivation_reason: null }),
      ],
      [
        () => change('account', id, { leaving_since: app.clock.now() }),
        () => change('account', id, { leaving_since: null }),
      ],
    ];
    for (const [away, back] of hide) {
      for (let round = 0; round < 3; round += 1) {
        expect(await idsFor(viewer)).toContain(id);
        const asking = viewers.flatMap((one) => [idsFor(one), idsFor(one)]);
        await away();
        const after = await Promise.all([idsFor(viewer), idsFor(viewer), idsFor(viewer)]);
        expect(after.flat()).not.toContain(id);
        await Promise.all(asking);
        await back();
      }
    }
    await app.db.deleteFrom('account').where('id', '=', id).execute();
    expect(await idsFor(viewer)).not.toContain(id);
  });
});
