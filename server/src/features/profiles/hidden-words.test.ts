import { beforeEach, describe, expect, it } from 'vitest';
import { likesReceived } from '#contract/connections.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { getHiddenWords, hiddenWordsMax, putHiddenWords } from '#contract/profiles/hidden-words.ts';
import { editProfile, searchUsers } from '#contract/profiles/profiles.ts';
import { cardsIn, deleteAllMembers } from '../../../test/cards.ts';
import { makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

const app = startAppForTests();
beforeEach(() => deleteAllMembers(app));

const { meet, idsFor, deckOf, prefer } = cardsIn(() => app);
const { like } = likesIn(() => app);
const put = (who: { token?: string }, ...words: string[]) => app.call(putHiddenWords, { ...who, body: { words } });
const get = async (who: TestMember) => (await app.call(getHiddenWords, { token: who.token })).body.data.words;
const ofMan = { gender: 'man', seeking: ['woman'] } as const;
const meetAda = () => meet({ gender: 'woman', seeking: ['man'], vip: true });
const meetBo = (bio: string) => meet({ ...ofMan, seeking: ['woman'], bio });
const found = async (who: TestMember) =>
  (await app.call(searchUsers, { token: who.token, query: {} })).body.data.users.map(({ _id }) => _id);

/** How many profiles an act searches for hidden words. */
async function countLooks(act: () => Promise<unknown>): Promise<number> {
  await app.pool.query(`
    create sequence if not exists looks;
    alter function logic.has_hidden_word rename to looked_for;
    create function logic.has_hidden_word(pattern text, person uuid) returns boolean language plpgsql stable strict as $$
    begin
      perform nextval('looks');
      return logic.looked_for(pattern, person);
    end $$`);
  const last = async () => (await app.pool.query<{ n: number }>(`select nextval('looks')::int as n`)).rows[0]?.n ?? NaN;
  const before = await last();
  await act();
  const looks = (await last()) - before - 1;
  await app.pool.query(`
    drop function logic.has_hidden_word; alter function logic.looked_for rename to has_hidden_word`);
  return looks;
}

describe('PUT /settings/hidden-words', () => {
  it.each(['!!', '- -', '…?', '.*', '((((', '%%', '[='])(
    'refuses %j, which no text could contain, and keeps the words as they were',
    async (word) => {
      const ada = await meetAda();
      await put(ada, 'Crypto');
      const refused = await put(ada, 'Bitcoin', word);
      expect([refused.status, refused.error.errors]).toEqual([
        400,
        [{ field: 'words', msg: `“${word}” can't be found in texts. Use letters, digits or emojis.` }],
      ]);
      expect(await get(ada)).toEqual(['Crypto']);
    },
  );

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

  it('rejects too many, too short and too long words, visitors and staff', async () => {
    const ada = await meetAda();
    for (const words of [
      ['a'],
      [' é '],
      ['x'.repeat(41)],
      Array.from({ length: hiddenWordsMax + 1 }, (_, n) => `w${n}`),
    ])
      expect((await put(ada, ...words)).status).toBe(400);
    expect((await put(ada, ...Array.from({ length: hiddenWordsMax }, (_, n) => `w${n}`))).status).toBe(200);
    expect((await put({}, 'word')).status).toBe(401);
    expect((await put(await makeModerator(app), 'word')).status).toBe(403);
  });

  it.each(['[[:alpha:]]+', '\\y', "'; drop table account; --", '(?:a+)+$'])(
    'treats %s as text, not as a pattern',
    async (word) => {
      const ada = await meetAda();
      const bo = await meetBo('An ordinary sentence');
      expect((await put(ada, word)).status).toBe(200);
      expect(await idsFor(ada)).toEqual([bo.id]);
    },
  );

  it.each(['❤️', '🍆', '血'])('accepts %s, a single character that is a word', async (word) => {
    const ada = await meetAda();
    expect((await put(ada, word)).body.data.words).toEqual([word]);
  });

  it('survives the same change sent several times at once', async () => {
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
    ['غبي', 'أنت غـــبـــي'],
    ['scheiße', 'SO EINE SCHEISSE'],
    ['🍆', 'Send me 🍆'],
    ['血', '流血了'],
  ])('%s hides people who say: %s', async (word, bio) => {
    const [ada, bo, cy] = [await meetAda(), await meetBo(bio), await meetBo('I bake bread')];
    expect(new Set(await idsFor(ada))).toEqual(new Set([bo.id, cy.id]));
    await put(ada, word);
    expect(await idsFor(ada)).toEqual([cy.id]);
    expect(await found(ada)).toEqual([cy.id]);
  });

  it('does not match parts of words or numbers', async () => {
    const [ada, bo] = [await meetAda(), await meetBo('Exciting texts for 455 euros')];
    await put(ada, 'ex', 'ass');
    expect(await idsFor(ada)).toEqual([bo.id]);
  });

  it('is found after a change of text comparison, once texts have been stored again', async () => {
    const [ada] = [await meetAda(), await meetBo('I love Cafés')];
    await put(ada, 'cafés');
    await app.pool.query(
      `update hidden_words set pattern = ' other '; delete from installation where name = 'folding'`,
    );
    expect(await idsFor(ada)).toHaveLength(1);
    await app.app.background.tasks['profiles.refold']?.({}, {} as never);
    expect(await idsFor(ada)).toEqual([]);
  });

  it('hides names and answers too, until the word is removed', async () => {
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

  it('hides received likes, but not in the number that free members see, which would reveal who likes them', async () => {
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

  const pagesOf = async (who: TestMember, query: QueryInput<typeof searchUsers>, limit: number) => {
    const pages: string[][] = [];
    for (let hasNext = true; hasNext && pages.length < 20;) {
      const page = { page: String(pages.length + 1), limit: String(limit) };
      const { data } = (await app.call(searchUsers, { token: who.token, query: { ...query, ...page } })).body;
      pages.push(data.users.map(({ _id }) => _id));
      hasNext = data.pagination.hasNext === true;
    }
    return pages;
  };

  it.each<[string, QueryInput<typeof searchUsers>]>([
    ['the newest', {}],
    ['a name', { search: 'bobo' }],
    ['a common name', { search: 'o' }],
    ['the last active', { sortBy: 'lastActive' }],
    ['people online', { onlineNow: 'true' }],
    ['the best fit', { sortBy: 'compatibility' }],
    ['a city', { city: 'Prague', gender: 'man' }],
  ])('leaves full pages without gaps in a search for %s, and is looked for on those only', async (_, query) => {
    const [ada, control] = [await meetAda(), await meetAda()];
    const people: TestMember[] = [];
    for (let n = 0; n < 40; n += 1) {
      app.clock.advance(1);
      const bio = n % 3 === 0 || n < 5 ? 'I trade crypto' : 'I bake bread';
      people.push(await meet({ ...ofMan, seeking: ['woman'], bio, firstName: 'Bobo', city: 'Prague', online: true }));
    }
    await put(ada, 'crypto');
    const all = (await pagesOf(control, query, 50)).flat().filter((id) => id !== ada.id);
    expect(all).toHaveLength(40);
    const said = new Map(people.map(({ id }, n) => [id, n % 3 === 0 || n < 5]));
    const wanted = all.filter((id) => said.get(id) === false);
    const pages = await pagesOf(ada, query, 6);
    expect(pages.flat().filter((id) => id !== control.id)).toEqual(wanted);
    expect(pages.slice(0, -1).map(({ length }) => length)).toEqual(Array.from({ length: pages.length - 1 }, () => 6));
    const looks = await countLooks(() => app.call(searchUsers, { token: ada.token, query: { ...query, limit: '6' } }));
    expect(looks).toBeGreaterThanOrEqual(7);
    expect(looks).toBeLessThanOrEqual(18);
  });

  it('removes only people sorted by fit from a search by fit', async () => {
    const ada = await meetAda();
    await app.pool.query(`
      with made as (
        insert into account (email, created_at, email_verified_at)
        select 'crowd' || n || '@crowd.test', timestamptz '2020-01-01' + n * interval '1 minute', now() from generate_series(1, 560) n
        returning id, created_at
      )
      insert into profile (account_id, first_name, bio, gender, birth_date, seeking, city, country, picture_count)
      select id, 'Bo', case when extract(minute from created_at)::int % 4 = 0 then 'I trade crypto' end,
        'man', '1980-01-01', '{woman}', 'Rome', 'Italy', 1 from made`);
    await put(ada, 'crypto');
    const pages = await pagesOf(ada, { sortBy: 'compatibility' }, 40);
    expect(new Set(pages.flat()).size).toBe(420);
    expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: 10 }, () => 40), 20]);
  });

  it('is ignored when counting what filters exclude', async () => {
    const ada = await meetAda();
    for (let n = 0; n < 10; n += 1) await meetBo(n < 4 ? 'I trade crypto' : 'I bake bread');
    await put(ada, 'crypto');
    await prefer(ada, { photoVerifiedOnly: true });
    expect((await deckOf(ada)).empty?.perFilter).toEqual([{ filter: 'photoVerified', removed: 10 }]);
  });

  it('is searched for in at most 4,000 letters', async () => {
    const bo = await meetBo('\u{FDFA}'.repeat(1000));
    const { rows } = await app.pool.query('select length(form) from profile_words where account_id = $1', [bo.id]);
    expect(rows).toEqual([{ length: 4000 }]);
  });

  it('changes nothing for the other person', async () => {
    const [ada, bo] = [await meetAda(), await meetBo('I trade crypto')];
    await put(ada, 'crypto');
    expect(await idsFor(bo)).toEqual([ada.id]);
    expect(await found(bo)).toEqual([ada.id]);
    expect((await like(bo, ada)).body.data.outcome).toBe('sent');
  });
});
