import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compatibilityBand, deleteAnswer, putAnswer } from '#contract/compatibility/compatibility.ts';
import { questions } from '#contract/compatibility/questions.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { answersTo, haveAnswered } from '../../../test/answers.ts';
import { cardsIn, forgetEverybody } from '../../../test/cards.ts';
import { signIn, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';

let app: TestApp;
let ada: TestMember;
let bo: TestMember;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  await forgetEverybody(app);
  app.clock.set(new Date('2026-06-15T23:50:00Z'));
  [ada, bo] = [await meet(), await meet()];
});
afterAll(() => app.close());

const { meet, cardsOf } = cardsIn(() => app);
/** The score on profile and card, which must be the same, and how many answers both gave. */
async function shown(viewer: TestMember, other: TestMember) {
  const { token } = viewer;
  const profile = (await app.call(getUser, { token, params: { id: other.id } })).body.data;
  const card = (await cardsOf(viewer)).find(({ user }) => user._id === other.id);
  const told = { score: profile.compatibilityScore, band: profile.compatibilityBand };
  expect({ score: card?.compatibilityScore, band: card?.compatibilityBand }).toEqual(told);
  expect(told.band).toBe(compatibilityBand(told.score));
  return { score: told.score, common: card?.commonAnswers };
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
  test('appears from five common answers on, in steps of five, the same for both, on card and profile', async () => {
    await haveAnswered(app, ada, answersTo(12, 0, 0));
    for (const [count, score] of [
      [0, null],
      [4, null],
      [5, 80],
      [7, 85],
      [9, 90],
      [12, 90],
    ] as const) {
      await haveAnswered(app, bo, answersTo(count, 0, 0));
      expect(await shown(ada, bo)).toEqual({ score, common: count });
      expect(await shown(bo, ada)).toEqual({ score, common: count });
    }
  });

  test('is low, good or high, or missing when nothing matters to one of them', async () => {
    await haveAnswered(app, ada, answersTo(10, 0, 0));
    await haveAnswered(app, bo, answersTo(10, 1, 1));
    expect((await shown(ada, bo)).score).toBe(0);
    await haveAnswered(app, bo, { ...answersTo(10, 1, 0), ...answersTo(5, 0, 0) });
    expect((await shown(ada, bo)).score).toBe(60);
    await haveAnswered(app, bo, answersTo(10, 0, 0, 'irrelevant'));
    expect((await shown(ada, bo)).score).toBeNull();
  });

  test('changes the day after an answer is given, changed or removed', async () => {
    for (const one of [ada, bo]) await haveAnswered(app, one, answersTo(5, 0, 0));
    const before = await shown(ada, bo);
    expect(before).toEqual({ score: 80, common: 5 });
    for (const index of [5, 6]) for (const one of [ada, bo]) await answer(one, index, 0);
    await answer(bo, 0, 1);
    await answer(ada, 1, 1);
    expect([await shown(ada, bo), await shown(bo, ada)]).toEqual([before, before]);
    await until('2026-06-16T00:00:00Z');
    const after = await shown(ada, bo);
    expect(after).toEqual({ score: 70, common: 7 });
    const questionId = questions[2]?.id ?? '';
    await app.call(deleteAnswer, { token: bo.token, params: { questionId } });
    await answer(bo, 0, 0);
    expect(await shown(ada, bo)).toEqual(after);
    await until('2026-06-17T00:00:00Z');
    expect((await shown(ada, bo)).common).toBe(6);
  });

  test('appears the day after the first answers', async () => {
    await haveAnswered(app, ada, answersTo(6, 0, 0));
    for (let index = 0; index < 6; index += 1) await answer(bo, index, 0);
    expect(await shown(ada, bo)).toEqual({ score: null, common: 0 });
    await until('2026-06-16T00:00:00Z');
    expect(await shown(ada, bo)).toEqual({ score: 85, common: 6 });
  });
});
