import { describe, expect, it } from 'vitest';
import { folded, sameLetters } from '#contract/folding.ts';
import { wordForm } from '#contract/profiles/hidden-words.ts';
import { startAppForTests } from '../../../test/harness.ts';

const app = startAppForTests();

async function inDatabase(expression: string, texts: string[]): Promise<string[]> {
  const { rows } = await app.pool.query<{ form: string }>(
    `select ${expression} as form from unnest($1::text[]) with ordinality as given (text, at) order by at`,
    [texts],
  );
  return rows.map(({ form }) => form);
}

/** The letters and marks that people write, by script. */
const scripts: Record<string, string> = {
  Latin: ' -~\u00a1-\u017f\u0180-\u024f\u0250-\u02af\u1e00-\u1eff',
  Cyrillic: '\u0400-\u045f\u0490-\u04ff',
  Greek: '\u0386-\u038a\u038e-\u03a1\u03a3-\u03ce\u1f00-\u1f15',
  Arabic: '\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06f0-\u06f9\ufe80-\ufefc',
  Hebrew: '\u0591-\u05c7\u05d0-\u05ea\u05f3\u05f4\ufb2a-\ufb36',
  Devanagari: '\u0900-\u0963\u0966-\u097f',
  Bengali: '\u0985-\u098c\u0993-\u09a8\u09be-\u09c4\u09dc\u09dd\u09e6-\u09ef',
  Tamil: '\u0b92-\u0b95\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0be6-\u0bef',
  Thai: '\u0e01-\u0e3a\u0e40-\u0e5b',
  Lao: '\u0e94-\u0e97\u0eb0-\u0eb9\u0ed0-\u0ed9',
  Burmese: '\u1000-\u1049',
  Khmer: '\u1780-\u17d3\u17e0-\u17e9',
  Georgian: '\u10d0-\u10fa\u1c90-\u1cba',
  Armenian: '\u0531-\u0556\u0561-\u0587',
  Hangul: '\u1100-\u1112\u1161-\u1175\u11a8-\u11c2\u3131-\u3163\uac00-\ud7a3\uffa1-\uffbe',
  Kana: '\u3041-\u3096\u3099-\u309c\u30a1-\u30fc\uff66-\uff9f',
  Han: '\u4e00-\u9fa5\uf900-\ufa2d齋齊邊邉澤濱髙﨑嵜廣櫻黑榮惠國學眞齒嶋臺',
  signs: '\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u213f\u3000-\u3011\uff01-\uff5e',
  invisible: '\u0300-\u034f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u00ad',
  emoji: '❤☀☺👍🍆🏽👩💻\u200d\ufe0f🇩🇪1\u20e3',
};

const lettersOf = Object.values(scripts).map((ranges) =>
  [...ranges.matchAll(/(.)(?:-(.))?/gsu)].flatMap(([, first = '', last = first]) => {
    const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
  }),
);

/** Texts of one script each, with other characters in between. The same seed makes the same texts. */
function randomTexts(count: number, seed: number): string[] {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = (letters: readonly string[] = []) => letters[below(letters.length)] ?? '';
  return Array.from({ length: count }, (_, index) =>
    Array.from({ length: 1 + below(16) }, () =>
      below(6) === 0
        ? one([' ', ' ', '4', '@', '$', 'a', 'S', 'i', '.', "'", one(lettersOf[below(lettersOf.length)])])
        : one(lettersOf[index % lettersOf.length]),
    ).join(''),
  );
}

describe.each<[string, string, (text: string) => string]>([
  ['folded', 'folded(text)', folded],
  ['wordForm', 'logic.word_form(text)', wordForm],
])('%s', (_, expression, inCode) => {
  it('equals its SQL function for 10,000 texts in 17 scripts, with signs and emoji', async () => {
    const texts = randomTexts(10_000, 1);
    const forms = await inDatabase(expression, texts);
    const others = texts.filter((text, index) => inCode(text) !== forms[index]);
    expect(others.slice(0, 5).map((text) => ({ text, code: inCode(text), sql: forms[texts.indexOf(text)] }))).toEqual(
      [],
    );
  });

  it('equals its SQL function for every letter with several forms', async () => {
    const letters = [...sameLetters.keys()];
    expect(await inDatabase(expression, letters)).toEqual(letters.map(inCode));
  });
});

describe('folded', () => {
  it.each([
    ['SCHEISSE', 'scheiße', 'SCHEIẞE'],
    ['Łukasz', 'lukasz', 'ŁUKASZ'],
    ['Søren', 'soren', 'SØREN'],
    ['Đặng', 'dang', 'ĐẶNG'],
    ['İLKER', 'ilker', 'ılker'],
    ['Ægir', 'aegir', 'ÆGIR'],
    ['ΝΑΟΣ', 'ναός', 'ναοσ'],
    ['Фёдор', 'федор', 'ФЁДОР'],
    ['Сергей', 'сергеи', 'Сергей'],
    ['غبي', 'غـــبـــي', 'غَبِي'],
    ['أحمد', 'احمد', 'ٱحمد'],
    ['علی', 'علي', 'على'],
    ['שָׁלוֹם', 'שלום', 'שלו\u200fם'],
    ['ज़रूरत', 'जरूरत', 'ज\u093cरूरत'],
    ['पाँच', 'पांच', 'पाँ\u200dच'],
    ['คำ', 'ค\u0e4d\u0e32', 'คำ\u200b'],
    ['カード', 'ｶｰﾄﾞ', 'カート\u3099'],
    ['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8', '한\u2060국'],
    ['Ａｄａ', 'ada', 'a\u200bda'],
    ['❤', '❤\ufe0f', '❤\ufe0e'],
    ['Pubs  One', 'pubs one', 'PUBS\u3000One'],
    ['O’Brien', "o'brien", 'Oʼbrien'],
    ['٠٩', '09', '０９'],
    ['១២', '12', '၁၂'],
    ['齋藤', '斎藤', '斎\ufe00藤'],
  ])('makes %s, %s and %s the same', (...spellings) => {
    expect(new Set(spellings.map(folded)).size).toBe(1);
  });

  it.each([
    ['сор', 'cop'],
    ['か', 'が'],
    ['سن', 'شن'],
    ['ค่า', 'ค้า'],
  ])('keeps %s and %s different', (one, other) => {
    expect(folded(one)).not.toBe(folded(other));
  });
});
