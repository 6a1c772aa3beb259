import { beforeEach, describe, expect, test } from 'vitest';
import type { CardView, MatchReason, ReasonKind } from '#contract/discovery.ts';
import { editProfile, getProfile, getUser } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { answersTo, haveAnswered } from '../../../test/answers.ts';
import { type Person, randomPerson } from '../../../test/card-oracle.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import type { MemberOptions, TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { endPremium } from '../../../test/likes.ts';
import { randomOf } from '../../../test/random.ts';

const app = startAppForTests();
beforeEach(async () => {
  await deleteAllMembers(app);
  app.clock.advance(301);
});

const { meet, prefer, cardsOf } = cardsIn(() => app);
const dayMs = 86_400_000;

interface Known extends TestMember {
  wishes: Person['wishes'];
  joinedAt: Date;
  vip: boolean;
}

async function join(person: Person, number: number): Promise<Known> {
  const { gender, seeking, birthDate, details, vip } = person;
  const joinedAt = new Date(app.clock.now().getTime() - (number % 3) * 20 * dayMs);
  const member = await meet({ gender, seeking, birthDate, details, vip, createdAt: joinedAt });
  const wishes = { age: person.wishes.age ?? null };
  await prefer(member, wishes);
  if (number % 2 === 0) await haveAnswered(app, member, answersTo(8 + (number % 5), 0, number % 3 === 0 ? 1 : 0));
  return { ...member, wishes, joinedAt, vip };
}

const wish = (answer: string | null) =>
  answer === 'want' || answer === 'have-and-want-more' ? 'want' : answer === 'do-not-want' ? answer : null;
const areAllIn = (words: readonly string[], list: readonly string[]) => words.every((word) => list.includes(word));
const isIn = (age: number | null, range: Person['wishes']['age']) =>
  range != null && age !== null && age >= range.min && age <= range.max;

/** Whether a reason is true, judged by both profiles and filters. */
function holds(reason: MatchReason, own: OwnUser, viewer: Known, card: CardView, other: Known): boolean {
  const { user } = card;
  switch (reason.kind) {
    case 'goal':
      return user.goal === reason.goal && own.goal === reason.goal;
    case 'ages':
      return reason.viewerAge === own.age && isIn(own.age, other.wishes.age) && isIn(user.age, viewer.wishes.age);
    case 'answers':
      return card.compatibilityBand === 'high';
    case 'languages':
      return areAllIn(reason.languages, user.languages) && areAllIn(reason.languages, own.languages);
    case 'children':
      return wish(user.children) === reason.wish && wish(own.children) === reason.wish;
    case 'smoking':
      return user.smoking === 'never' && own.smoking === 'never';
    case 'interests':
      return areAllIn(reason.interests, user.interests) && areAllIn(reason.interests, own.interests);
    case 'new-here':
      return app.clock.now().getTime() - other.joinedAt.getTime() <= 30 * dayMs;
    case 'near':
      return reason.distance === card.distanceFormatted && (card.distance ?? 99) <= 10;
    case 'newcomer':
      return app.clock.now().getTime() - other.joinedAt.getTime() <= 30 * dayMs;
    case 'musts':
      // Only for people who live farther away than any here.
      return false;
    case 'premium':
      return other.vip;
    case 'active':
      return user.lastActive !== null;
  }
}

describe('the reasons on a card', () => {
  test('are true for both profiles, at most three plus premium, and differ between neighbours', async () => {
    const random = randomOf(7);
    const members: Known[] = [];
    for (let number = 0; number < 70; number += 1) members.push(await join(randomPerson(random), number));
    const facts = new Set<ReasonKind>(['interests', 'near', 'newcomer']);
    const shownKinds = new Set<ReasonKind>();
    let cards = 0;
    for (const viewer of members) {
      const own = (await app.call(getProfile, { token: viewer.token })).body.userData.user;
      const page = await cardsOf(viewer);
      for (const [index, card] of page.entries()) {
        const other = members.find(({ id }) => id === card.user._id);
        if (other === undefined) throw new Error('a card shows an unknown member');
        cards += 1;
        const kinds = card.reasons.map(({ kind }) => kind);
        for (const reason of card.reasons) {
          shownKinds.add(reason.kind);
          expect([reason, holds(reason, own, viewer, card, other)]).toEqual([reason, true]);
        }
        expect(new Set(kinds).size).toBe(kinds.length);
        expect(kinds.filter((kind) => kind !== 'premium').length).toBeLessThanOrEqual(3);
        const before = page[index - 1]?.reasons[0]?.kind;
        // A card without a reason shows a fact, which may be its neighbour's.
        if (before !== undefined && !facts.has(before)) expect(kinds[0]).not.toBe(before);
      }
    }
    expect(cards).toBeGreaterThan(400);
    const common: ReasonKind[] = [
      'goal',
      'ages',
      'answers',
      'languages',
      'children',
      'smoking',
      'interests',
      'near',
      'newcomer',
      'premium',
    ];
    expect([...shownKinds].filter((kind) => kind !== 'new-here').sort()).toEqual(common.sort());
  });

  test('disappear when they are no longer true, even from an older deck', async () => {
    const same: MemberOptions = {
      details: { goal: 'long-term', smoking: 'never', children: 'want', interests: ['tea'], languages: ['cs'] },
    };
    const [viewer, other] = [await meet(same), await meet({ ...same, vip: true })];
    await prefer(viewer, { age: { min: 30, max: 42, required: false } });
    await prefer(other, { age: { min: 30, max: 42, required: false } });
    const kinds = async () => (await cardsOf(viewer))[0]?.reasons.map(({ kind }) => kind) ?? [];
    const before = await kinds();
    expect(before).toHaveLength(4);
    const changes = {
      goal: null,
      smoking: null,
      children: 'open' as const,
      interests: null,
      languages: ['de' as const],
    };
    await app.call(editProfile, { token: other.token, body: changes });
    expect(await kinds()).toEqual(before.filter((kind) => kind === 'ages' || kind === 'premium'));
    await prefer(other, { age: { min: 18, max: 20, required: false } });
    await endPremium(app, other);
    expect(await kinds()).toEqual(['near']);
  });
});

describe('a card without a reason', () => {
  const firstKinds = async (viewer: TestMember) => (await cardsOf(viewer)).map(({ reasons }) => reasons[0]?.kind);
  const longAgo = () => new Date(app.clock.now().getTime() - 31 * dayMs);

  test.each<[string, () => MemberOptions, ReasonKind | undefined]>([
    ['lives close by', () => ({ createdAt: longAgo() }), 'near'],
    ['has just joined far away', () => brno, 'newcomer'],
    ['is none of these', () => ({ ...brno, createdAt: longAgo() }), 'musts'],
  ])('shows a fact about someone who %s, except in the order of newest first', async (_, options, kind) => {
    const viewer = await meet();
    await meet(options());
    expect(await firstKinds(viewer)).toEqual([kind]);
    await prefer(viewer, { order: 'newest' });
    expect(await firstKinds(viewer)).toEqual([undefined]);
  });

  test('shows the shared reason of its neighbour behind a fact', async () => {
    const viewer = await meet({ details: { languages: ['cs'] } });
    for (let number = 0; number < 4; number += 1) await meet({ details: { languages: ['cs'] }, createdAt: longAgo() });
    const kinds = (await cardsOf(viewer)).map(({ reasons }) => reasons.map(({ kind }) => kind));
    expect(kinds).toEqual([['languages'], ['near', 'languages'], ['languages'], ['near', 'languages']]);
  });

  test('comes after the cards that have a reason', async () => {
    const facts = [{ goal: 'long-term' }, {}, {}, { children: 'want' }, {}, {}, { smoking: 'never' }] as const;
    const viewer = await meet({ details: { goal: 'long-term', children: 'want', smoking: 'never' } });
    for (const details of facts) await meet({ details, createdAt: longAgo() });
    expect((await firstKinds(viewer)).slice(0, 3).toSorted()).toEqual(['children', 'goal', 'smoking']);
  });
});

describe('a card', () => {
  const canaries = {
    email: 'canary-of-the-card@example.test',
    lastName: 'Canarylastname',
    birthDate: '1987-03-29',
    bio: 'Shown to members',
  };
  const plain = (value: unknown, { id }: TestMember) =>
    JSON.stringify(value)
      .replaceAll(id, 'ID')
      .replace(/[?&](until|sig)=[^"&]*/g, '');

  test('shows only card fields, equal to those of the profile', async () => {
    const viewer = await meet();
    const shown = await meet({ ...canaries, showLastActive: false, vip: true });
    await prefer(shown, {
      age: { min: 31, max: 77, required: true },
      heightCm: { min: 163, max: 187, required: false },
      elsewhere: null,
    });
    await haveAnswered(app, shown, { tidiness: ['canaryanswer', ['canaryaccepted'], 'very'] });
    const [card] = await cardsOf(viewer);
    expect(Object.keys(card ?? {}).sort()).toEqual([
      'compatibilityBand',
      'compatibilityScore',
      'distance',
      'distanceFormatted',
      'reasons',
      'user',
    ]);
    const profile = (await app.call(getUser, { token: viewer.token, params: { id: shown.id } })).body.data;
    expect(card?.user).toEqual(profile.user);
    expect([card?.user.isOnline, card?.user.lastActive]).toEqual([null, null]);
    const secrets = [canaries.email, canaries.lastName, canaries.birthDate, 'canary', '50.08', '163', '187', 'seeking'];
    // Ids and signatures are random each time and may contain any number.
    const words = plain(card, shown).replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID');
    expect(secrets.filter((secret) => words.includes(secret))).toEqual([]);
  });

  test('shows no trace of filters, learned scores and likes', async () => {
    const [viewer, shown, admirer] = [await meet(), await meet({ vip: true }), await meet()];
    const cardOf = async () =>
      plain(
        (await cardsOf(viewer)).find(({ user }) => user._id === shown.id),
        shown,
      );
    const before = await cardOf();
    expect(before).toContain('ID');
    await prefer(shown, { drinking: { values: ['never'], required: false }, order: 'newest' });
    await app.pool.query(
      `update discovery_row set bucket = 1, pending = 40, impressions = 90, cards_decided = 500 where account_id = $1`,
      [shown.id],
    );
    await app.pool.query(`insert into standing values ($1, 1, -2, 30, 2, 30, now()), ($2, 1, 2, 30, -2, 30, now())`, [
      shown.id,
      viewer.id,
    ]);
    await app.pool.query(
      `insert into decision (viewer_id, target_id, kind, decided_at, is_pending) values ($1, $2, 'like', now(), true)`,
      [admirer.id, shown.id],
    );
    expect(await cardOf()).toBe(before);
  });
});
