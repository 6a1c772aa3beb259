import { beforeEach, describe, expect, test } from 'vitest';
import { bandScores, type CompatibilityBand, deleteAnswer, putAnswer, questions } from '#contract/compatibility.ts';
import type { putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { answersTo, haveAnswered } from '../../../test/answers.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { type MemberOptions, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';

const app = startAppForTests();
let ada: TestMember;
let bo: TestMember;
beforeEach(async () => {
  await deleteAllMembers(app);
  app.clock.set(new Date('2026-06-15T23:50:00Z'));
  [ada, bo] = [await meet(), await meet()];
});

const { meet, prefer, cardsOf } = cardsIn(() => app);
/** The band on the profile and the card. Both must be the same, with no number beside it. */
async function shown(viewer: TestMember, other: TestMember) {
  const { token } = viewer;
  const profile = (await app.call(getUser, { token, params: { id: other.id } })).body.data;
  const card = (await cardsOf(viewer)).find(({ user }) => user._id === other.id);
  const { compatibilityScore: score, compatibilityBand: band } = profile;
  expect({ score: card?.compatibilityScore, band: card?.compatibilityBand }).toEqual({ score, band });
  expect(score).toBe(band === null ? null : bandScores[band]);
  expect(JSON.stringify(card)).not.toMatch(/common/i);
  return band;
}
const answer = async (by: TestMember, index: number, own: 0 | 1) => {
  const question = questions[index];
  if (question === undefined) throw new Error('there are fewer questions');
  const [option, wanted] = [question.options[own]?.id ?? '', question.options[0]?.id ?? ''];
  await app.call(putAnswer, {
    token: by.token,
    params: { questionId: question.id },
    body: { answer: option, accepted: [wanted], importance: 'very' },
  });
};
/** A later time, with both signed in again. */
async function until(moment: string): Promise<void> {
  app.clock.set(new Date(moment));
  for (const one of [ada, bo]) Object.assign(one, await signIn(app, one.id));
}

describe('the shown compatibility', () => {
  test('appears from ten shared questions on, the same for both, on card and profile', async () => {
    await haveAnswered(app, ada, answersTo(12, 0, 0));
    for (const [count, band] of [
      [0, null],
      [9, null],
      [10, 'high'],
      [12, 'high'],
    ] as const) {
      await haveAnswered(app, bo, answersTo(count, 0, 0));
      expect([await shown(ada, bo), await shown(bo, ada)]).toEqual([band, band]);
    }
  });

  test.each<[string, MemberOptions, BodyInput<typeof putPreferences>, CompatibilityBand | null]>([
    ['age', { birthDate: '1942-03-01' }, { age: { min: 25, max: 48, required: true } }, null],
    ['distance', brno, { distance: { maxKm: 50, required: true } }, null],
    ['interest', {}, { interests: { values: ['chess'], required: true } }, null],
    ['gender', {}, { seeking: ['non-binary'] }, null],
    ['age, only preferred', { birthDate: '1942-03-01' }, { age: { min: 25, max: 48, required: false } }, 'high'],
  ])(
    'is missing on the profiles of both if one is outside what the other requires: %s',
    async (_, who, needs, band) => {
      const dee = await meet(who);
      for (const one of [ada, dee]) await haveAnswered(app, one, answersTo(12, 0, 0));
      await prefer(ada, needs);
      for (const [viewer, other] of [
        [ada, dee],
        [dee, ada],
      ] as const) {
        const { data } = (await app.call(getUser, { token: viewer.token, params: { id: other.id } })).body;
        expect([data.compatibilityBand, data.compatibilityScore]).toEqual([band, band && bandScores[band]]);
      }
    },
  );

  test.each([
    ['requires', true, 'cy'],
    ['prefers', false, 'dee'],
  ] as const)('sorts People by what shows on profiles, if the viewer %s another age', async (_, required, first) => {
    const cy = await meet({ createdAt: new Date('2026-06-01') });
    const dee = await meet({ birthDate: '1942-03-01' });
    for (const one of [ada, cy, dee]) await haveAnswered(app, one, answersTo(12, 0, 0));
    await prefer(ada, { age: { min: 25, max: 48, required } });
    const query = { sortBy: 'compatibility' } as const;
    const { users } = (await app.call(searchUsers, { token: ada.token, query })).body.data;
    expect(users[0]?._id).toBe({ cy, dee }[first].id);
  });

  test('is low, good or high, and missing when nothing matters to one of the two', async () => {
    await haveAnswered(app, ada, answersTo(10, 0, 0));
    await haveAnswered(app, bo, answersTo(10, 1, 1));
    expect(await shown(ada, bo)).toBe('low');
    await haveAnswered(app, bo, answersTo(10, 1, 0));
    expect(await shown(ada, bo)).toBe('good');
    await haveAnswered(app, bo, answersTo(10, 0, 0));
    expect(await shown(ada, bo)).toBe('high');
    await haveAnswered(app, bo, answersTo(10, 0, 0, 'irrelevant'));
    expect(await shown(ada, bo)).toBeNull();
  });

  test('changes the day after an answer is given, changed or removed', async () => {
    for (const one of [ada, bo]) await haveAnswered(app, one, answersTo(10, 0, 0));
    for (const index of [0, 1, 2]) await answer(bo, index, 1);
    expect([await shown(ada, bo), await shown(bo, ada)]).toEqual(['high', 'high']);
    await until('2026-06-16T00:00:00Z');
    expect(await shown(ada, bo)).toBe('good');
    const questionId = questions[2]?.id ?? '';
    await app.call(deleteAnswer, { token: bo.token, params: { questionId } });
    expect(await shown(ada, bo)).toBe('good');
    await until('2026-06-17T00:00:00Z');
    expect(await shown(ada, bo)).toBeNull();
  });

  test('appears the day after the first answers are given', async () => {
    await haveAnswered(app, ada, answersTo(12, 0, 0));
    for (let index = 0; index < 12; index += 1) await answer(bo, index, 0);
    expect(await shown(ada, bo)).toBeNull();
    await until('2026-06-16T00:00:00Z');
    expect(await shown(ada, bo)).toBe('high');
  });
});
