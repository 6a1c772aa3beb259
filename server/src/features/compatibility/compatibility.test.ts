import { beforeEach, describe, expect, test } from 'vitest';
import {
  bandScores,
  type CompatibilityAnswer,
  type CompatibilityBand,
  deleteAnswer,
  getAnswers,
  putAnswer,
  questions,
} from '#contract/compatibility.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { putPreferences } from '#contract/discovery.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { makeMember, type MemberOptions, signIn, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { answersTo, haveAnswered } from '../../../test/answers.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../test/cards.ts';

const app = startAppForTests();

type Given = BodyInput<typeof putAnswer>;
const put = (by: TestMember, questionId: string, body: Given) =>
  app.call(putAnswer, { token: by.token, params: { questionId }, body });
const take = (by: TestMember, questionId: string) =>
  app.call(deleteAnswer, { token: by.token, params: { questionId } });
const read = async (by: TestMember) => (await app.call(getAnswers, { token: by.token })).body.data.answers;
const tidy: Given = { answer: 'lived-in', accepted: ['strict', 'lived-in'], importance: 'very' };
const half: Given = { answer: 'half', accepted: ['half', 'time'], importance: 'somewhat' };
const jealous: Given = { answer: 'twinge', accepted: ['twinge'], importance: 'a-little' };

describe('a member’s answers', () => {
  test('start empty, are stored as given, and are returned in question order', async () => {
    const ada = await makeMember(app);
    expect(await read(ada)).toEqual([]);
    await put(ada, 'flirting', jealous);
    const answers: CompatibilityAnswer[] = [
      { questionId: 'tidiness', ...tidy },
      { questionId: 'flirting', ...jealous },
    ];
    expect((await put(ada, 'tidiness', tidy)).body.data.answers).toEqual(answers);
    expect(await read(ada)).toEqual(answers);
  });

  test('can be changed one by one; the last change counts', async () => {
    const ada = await makeMember(app);
    await put(ada, 'tidiness', tidy);
    await put(ada, 'flirting', jealous);
    const changed: Given = { answer: 'blind', accepted: ['strict'], importance: 'mandatory' };
    await put(ada, 'tidiness', changed);
    expect(await read(ada)).toEqual([
      { questionId: 'tidiness', ...changed },
      { questionId: 'flirting', ...jealous },
    ]);
  });

  test('can be removed one by one; removing a missing answer changes nothing', async () => {
    const ada = await makeMember(app);
    expect((await take(ada, 'tidiness')).body.data.answers).toEqual([]);
    await put(ada, 'tidiness', tidy);
    await put(ada, 'flirting', jealous);
    const left = [{ questionId: 'flirting', ...jealous }];
    expect((await take(ada, 'tidiness')).body.data.answers).toEqual(left);
    expect((await take(ada, 'tidiness')).body.data.answers).toEqual(left);
    expect(await read(ada)).toEqual(left);
  });

  test('list each accepted option once, in order', async () => {
    const ada = await makeMember(app);
    const given: Given = { ...tidy, accepted: ['relaxed', 'strict', 'relaxed', 'strict'] };
    const [answer] = (await put(ada, 'tidiness', given)).body.data.answers;
    expect(answer?.accepted).toEqual(['strict', 'relaxed']);
  });

  test('may accept no option when the question is irrelevant to the member', async () => {
    const ada = await makeMember(app);
    const [answer] = (await put(ada, 'tidiness', { ...tidy, accepted: [], importance: 'irrelevant' })).body.data
      .answers;
    expect(answer).toMatchObject({ accepted: [], importance: 'irrelevant' });
  });

  test('can be given to all questions', async () => {
    const ada = await makeMember(app);
    for (const { id, options } of questions) {
      const ids = options.map((option) => option.id);
      expect((await put(ada, id, { answer: ids[0] ?? '', accepted: ids, importance: 'very' })).status, id).toBe(200);
    }
    expect((await read(ada)).map(({ questionId }) => questionId)).toEqual(questions.map(({ id }) => id));
  });

  test('are private and deleted with the account', async () => {
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    await put(ada, 'tidiness', tidy);
    expect(await read(bo)).toEqual([]);
    await take(bo, 'tidiness');
    expect(await read(ada)).toHaveLength(1);
    await app.db.deleteFrom('account').where('id', '=', ada.id).execute();
    const kept = await app.db.selectFrom('answer_sheet').where('account_id', '=', ada.id).selectAll().execute();
    expect(kept).toEqual([]);
  });

  test('leave out retired questions', async () => {
    const ada = await makeMember(app);
    const answers = JSON.stringify({ 'asked-once': ['yes', ['yes'], 'very'] });
    await app.db
      .insertInto('answer_sheet')
      .values({ account_id: ada.id, answers, updated_at: app.clock.now() })
      .execute();
    expect((await put(ada, 'tidiness', tidy)).body.data.answers).toEqual([{ questionId: 'tidiness', ...tidy }]);
  });
});

describe('changes to answers that already count', () => {
  const asked = questions.slice(0, 6).map(({ id, options }) => ({ id, options: options.map((option) => option.id) }));
  const giveAt = (by: TestMember, index: number, place: number) => {
    const { id = '', options = [] } = asked[index] ?? {};
    const option = options[place] ?? '';
    return put(by, id, { answer: option, accepted: [option], importance: 'very' });
  };

  /** A member whose first five answers have counted for a day. */
  const answered = async () => {
    const ada = await makeMember(app);
    for (let index = 0; index < 5; index += 1) expect((await giveAt(ada, index, 0)).status).toBe(200);
    await tomorrow(ada);
    return ada;
  };

  const tomorrow = async (ada: TestMember, days = 1) => {
    app.clock.advance(days * 86_400);
    Object.assign(ada, await signIn(app, ada.id));
  };

  test('are limited to three in seven days; first answers, same-day corrections and unchanged answers are free', async () => {
    const ada = await answered();
    expect((await giveAt(ada, 0, 0)).status).toBe(200);
    for (const index of [0, 1, 2]) expect((await giveAt(ada, index, 1)).status).toBe(200);
    expect((await giveAt(ada, 0, 2)).status).toBe(200);
    const before = await read(ada);
    const refused = await giveAt(ada, 3, 1);
    expect([refused.status, refused.error.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(refused.error.message).toContain('You can change 3 answers a week.');
    expect(await read(ada)).toEqual(before);
    expect((await giveAt(ada, 5, 0)).status).toBe(200);
    expect((await giveAt(ada, 5, 1)).status).toBe(200);
    await tomorrow(ada, 6);
    expect((await giveAt(ada, 3, 1)).status).toBe(429);
    await tomorrow(ada);
    expect((await giveAt(ada, 3, 1)).status).toBe(200);
  });

  test('include answering a deleted question again, but not restoring an answer deleted on the same day', async () => {
    const ada = await answered();
    const delAt = (index: number) => take(ada, asked[index]?.id ?? '');
    await delAt(0);
    expect((await giveAt(ada, 0, 0)).status).toBe(200);
    for (const index of [0, 1, 2, 3]) await delAt(index);
    expect(await read(ada)).toHaveLength(1);
    expect((await giveAt(ada, 0, 1)).status).toBe(200);
    await tomorrow(ada);
    for (const index of [1, 2]) expect((await giveAt(ada, index, 0)).status).toBe(200);
    expect((await giveAt(ada, 3, 0)).status).toBe(429);
    expect((await delAt(4)).status).toBe(200);
  });

  test('are limited to three when sent at the same time', async () => {
    const ada = await answered();
    const sent = await Promise.all([0, 1, 2, 3, 4].map((index) => giveAt(ada, index, 1)));
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('concurrent changes to answers', () => {
  test('store the answers to all questions', async () => {
    const ada = await makeMember(app);
    const answers = await Promise.all(
      questions.map(({ id, options: [option] }) =>
        put(ada, id, { answer: option?.id ?? '', accepted: [option?.id ?? ''], importance: 'somewhat' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await read(ada)).toHaveLength(questions.length);
  });

  test('store one answer while another is removed', async () => {
    const ada = await makeMember(app);
    await put(ada, 'tidiness', tidy);
    await Promise.all([take(ada, 'tidiness'), put(ada, 'flirting', jealous), put(ada, 'chores', half)]);
    expect((await read(ada)).map(({ questionId }) => questionId)).toEqual(['chores', 'flirting']);
  });

  test('keep exactly one of two answers to the same question', async () => {
    const ada = await makeMember(app);
    const other: Given = { answer: 'blind', accepted: ['blind'], importance: 'a-little' };
    await Promise.all([put(ada, 'tidiness', tidy), put(ada, 'tidiness', other)]);
    const [answer, ...more] = await read(ada);
    expect(more).toEqual([]);
    expect([tidy, other].map((given) => ({ questionId: 'tidiness', ...given }))).toContainEqual(answer);
  });
});

describe('the answer endpoints', () => {
  test.each(['nothing', 'Tidiness', 'tidiness ', '__proto__', 'constructor', 'toString', "' or 1=1 --", '%', '..'])(
    'return 404 for the unknown question %j',
    async (questionId) => {
      const ada = await makeMember(app);
      expect((await put(ada, questionId, tidy)).status).toBe(404);
      expect((await take(ada, questionId)).status).toBe(404);
      expect(await read(ada)).toEqual([]);
    },
  );

  test.each<[Record<string, unknown>, string]>([
    [{ answer: 'half' }, 'answer'],
    [{ answer: '' }, 'answer'],
    [{ answer: null }, 'answer'],
    [{ answer: ['blind'] }, 'answer'],
    [{ answer: '__proto__' }, 'answer'],
    [{ accepted: [] }, 'accepted'],
    [{ accepted: ['blind', 'half'] }, 'accepted'],
    [{ accepted: ['blind', 1] }, 'accepted.1'],
    [{ accepted: ['strict', 'lived-in', 'relaxed', 'blind', 'strict'] }, 'accepted'],
    [{ accepted: 'blind' }, 'accepted'],
    [{ importance: 'enormous' }, 'importance'],
    [{ importance: 250 }, 'importance'],
    [{ importance: undefined }, 'importance'],
    [{ importance: 'irrelevant', accepted: ['half'] }, 'accepted'],
  ])('reject %j with a field error and keep the previous answer', async (wrong, field) => {
    const ada = await makeMember(app);
    await put(ada, 'tidiness', tidy);
    const refused = await put(ada, 'tidiness', { ...tidy, ...wrong });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
    expect(refused.error.message.length).toBeGreaterThan(5);
    expect(await read(ada)).toEqual([{ questionId: 'tidiness', ...tidy }]);
  });
});

describe('the shown compatibility', () => {
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
  ] as const)('sorts People by the shown compatibility, if the viewer %s another age', async (_, required, first) => {
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
