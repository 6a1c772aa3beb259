import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { likesReceived } from '#contract/connections.ts';
import { getHiddenWords, hiddenWordsMax, putHiddenWords } from '#contract/profiles/hidden-words.ts';
import { editProfile, searchUsers } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(() => deleteAllMembers(app));

const { meet, idsFor } = cardsIn(() => app);
const { like } = likesIn(() => app);
const put = (who: { token?: string }, ...words: string[]) => app.call(putHiddenWords, { ...who, body: { words } });
const get = async (who: TestMember) => (await app.call(getHiddenWords, { token: who.token })).body.data.words;
const ofMan = { gender: 'man', seeking: ['woman'] } as const;
const meetAda = () => meet({ gender: 'woman', seeking: ['man'], vip: true });
const meetBo = (bio: string) => meet({ ...ofMan, seeking: ['woman'], bio });
const found = async (who: TestMember) =>
  (await app.call(searchUsers, { token: who.token, query: {} })).body.data.users.map(({ _id }) => _id);

describe('PUT /settings/hidden-words', () => {
  it('stores the words as typed, once in any spelling, and replaces them', async () => {
    const ada = await meetAda();
    expect((await put(ada, 'Crypto', 'crypt0', 'night  life')).body.data.words).toEqual(['Crypto', 'night  life']);
    expect(await get(ada)).toEqual(['Crypto', 'night  life']);
    await put(ada, 'ghosting');
    expect(await get(ada)).toEqual(['ghosting']);
    await put(ada);
    expect(await get(ada)).toEqual([]);
    expect(await app.db.selectFrom('hidden_words').select('account_id').execute()).toEqual([]);
  });

  it('refuses too many, too short and too long words, visitors and staff', async () => {
    const ada = await meetAda();
    for (const words of [
      ['a'],
      [' a '],
      ['x'.repeat(41)],
      Array.from({ length: hiddenWordsMax + 1 }, (_, n) => `w${n}`),
    ])
      expect((await put(ada, ...words)).status).toBe(400);
    expect((await put(ada, ...Array.from({ length: hiddenWordsMax }, (_, n) => `w${n}`))).status).toBe(200);
    expect((await put({}, 'word')).status).toBe(401);
    expect((await put(await makeModerator(app), 'word')).status).toBe(403);
  });

  it.each(['.*', '((((', '[[:alpha:]]+', '\\y', "'; drop table account; --", '(?:a+)+$', '%%', '[='])(
    'treats %s as text, not as a pattern',
    async (word) => {
      const ada = await meetAda();
      const bo = await meetBo('An ordinary sentence');
      expect((await put(ada, word)).status).toBe(200);
      expect(await idsFor(ada)).toEqual([bo.id]);
    },
  );

  it('survives the same change several times at once', async () => {
    const ada = await meetAda();
    const all = await Promise.all(Array.from({ length: 5 }, () => put(ada, 'crypto')));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await get(ada)).toEqual(['crypto']);
  });
});

describe('a hidden word', () => {
  it.each([
    ['crypto', 'I trade CRYPTO all day'],
    ['crypto', 'I trade crypt0 all day'],
    ['crypto', 'I trade crурtо all day'],
    ['night life', 'I love night-life.'],
    ['café', 'Cafe?'],
    ['加密', '我喜欢加密货币'],
  ])('%s hides people who say: %s', async (word, bio) => {
    const [ada, bo, cy] = [await meetAda(), await meetBo(bio), await meetBo('I bake bread')];
    expect(new Set(await idsFor(ada))).toEqual(new Set([bo.id, cy.id]));
    await put(ada, word);
    expect(await idsFor(ada)).toEqual([cy.id]);
    expect(await found(ada)).toEqual([cy.id]);
  });

  it('does not match parts of words', async () => {
    const [ada, bo] = [await meetAda(), await meetBo('Exciting texts')];
    await put(ada, 'ex');
    expect(await idsFor(ada)).toEqual([bo.id]);
  });

  it('hides names and answers too, and no longer once they are gone', async () => {
    const ada = await meetAda();
    const prompts = [{ prompt: 'teach-me' as const, answer: 'Crypto trading' }];
    const bo = await meet({ ...ofMan, seeking: ['woman'], firstName: 'Kevin', details: { prompts } });
    await put(ada, 'kevin');
    expect(await idsFor(ada)).toEqual([]);
    await put(ada, 'crypto');
    expect(await idsFor(ada)).toEqual([]);
    await app.call(editProfile, { token: bo.token, body: { prompts: [] } });
    expect(await idsFor(ada)).toEqual([bo.id]);
  });

  it('hides received likes, but leaves the number that free members see, which would reveal who likes them', async () => {
    const [ada, bo] = [await meetAda(), await meetBo('I trade crypto')];
    const free = await meet({ gender: 'woman', seeking: ['man'] });
    for (const one of [ada, free]) await like(bo, one);
    const received = async (who: TestMember) =>
      (await app.call(likesReceived, { token: who.token, query: {} })).body.data;
    expect((await received(ada)).likes).toHaveLength(1);
    for (const one of [ada, free]) await put(one, 'crypto');
    expect(await received(ada)).toMatchObject({ count: 0, likes: [] });
    expect((await received(free)).count).toBe(1);
  });

  it('changes nothing for the other person', async () => {
    const [ada, bo] = [await meetAda(), await meetBo('I trade crypto')];
    await put(ada, 'crypto');
    expect(await idsFor(bo)).toEqual([ada.id]);
    expect(await found(bo)).toEqual([ada.id]);
    expect((await like(bo, ada)).body.data.outcome).toBe('sent');
  });
});
