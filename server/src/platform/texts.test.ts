import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { msg, plural } from '@lingui/core/runtime-macro';
import { describe, expect, it, test } from 'vitest';
import { emailSchema } from '#contract/text.ts';
import { inOneSentence } from '#contract/said.ts';
import { type Language, languages } from '#contract/languages.ts';
import { translationsOf } from '../../test/catalogues.ts';
import { inLanguage } from './process/log.ts';
import { longDate, requestedLanguage, storedText, textOf } from './texts.ts';

test('a text keeps what a person typed unchanged', () => {
  const name = String.raw`\x41\u202e\\`;
  expect(textOf(msg`Hello ${{ name }}`)).toBe(`Hello ${name}`);
});

describe('a translated text', () => {
  it.each(languages)('has every translation that exists in %s', async (language) => {
    const texts = await translationsOf(language);
    const plain = [...texts].filter(([english, text]) => !/[{\\]/.test(english + text));
    expect(plain.length > 0 || texts.size === 0).toBe(true);
    const idOf = (english: string) => generateMessageId(english) as string;
    for (const [message, text] of language === 'en' ? [] : plain)
      expect(textOf({ id: idOf(message), message }, {}, language)).toBe(text.replaceAll("''", "'"));
  });

  it('is in English if its translation is missing or broken', () => {
    expect(textOf(msg`Said only ${{ where: 'here' }}`, undefined, 'de')).toBe('Said only here');
    expect(textOf({ id: 'none', message: 'Hello {name' }, {}, 'de')).toBe('Hello {name');
  });

  it('uses the plural forms of its language', () => {
    const cases = (count: string) =>
      msg`${plural({ count }, { one: '1 case is overdue.', other: '{count} cases are overdue.' })}`;
    expect(['1', '2'].map((count) => textOf(cases(count), undefined, 'de'))).toEqual([
      '1 Fall ist überfällig.',
      '2 Fälle sind überfällig.',
    ]);
  });

  it('that was stored in English is translated only if it is one of ours', () => {
    const read = (stored: string) => inLanguage('de', () => storedText(stored));
    expect(read('A reporter')).toBe('Eine meldende Person');
    expect(read(String.raw`Wrote {name}, '{' and \x41`)).toBe(String.raw`Wrote {name}, '{' and \x41`);
  });

  it('shows days and times in the words of its language', () => {
    const at = (language: Language) => textOf(msg`At ${{ at: '2026-01-05, 21:23 UTC' }}`, undefined, language);
    expect([at('en'), at('de')]).toEqual(['At 2026-01-05, 21:23 UTC', 'At 5. Januar 2026, 21:23 UTC']);
  });

  it('keeps the direction of values separate from its own in Arabic', () => {
    expect(textOf(msg`Only ${{ phone: '+43 1 23' }} and ${{ name: 'Ada' }}`, undefined, 'ar')).toBe(
      'Only \u2068+43 1 23\u2069 and Ada',
    );
  });

  it.each([
    ['en', '5 January 2026', 'a, b, and c', 'Use an address like name@example.org'],
    ['de', '5. Januar 2026', 'a, b und c', 'Gib eine Adresse wie name@example.org ein'],
  ] as const)('is in %s while work runs for people who read that language', (language, date, list, error) => {
    inLanguage(language, () => {
      expect(longDate(new Date('2026-01-05'))).toBe(date);
      expect(inOneSentence(['a', 'b', 'c'])).toBe(list);
      expect(emailSchema.safeParse('none').error?.issues[0]?.message).toBe(error);
    });
  });
});

describe('Accept-Language', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['DE-de', 'de'],
    ['en;q=0.5, de;q=0.8', 'de'],
    ['cs, de;q=0.3, pl;q=0.4', 'pl'],
    ['de;q=0, en', 'en'],
    ['de;q=0', 'en'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['ar-EG', 'ar'],
    ['cs', 'en'],
    ['plt-MG', 'en'],
    ['arn, es-CL;q=0.9', 'es'],
    ['trv, den;q=0.8', 'en'],
    ['*', 'en'],
    ['de;q=high', 'en'],
    [';;,,q=1;;q=', 'en'],
    [`${'cs,'.repeat(5000)}de`, 'en'],
  ])('%s asks for %s', (header, language) => {
    expect(requestedLanguage(header)).toBe(language);
  });
});
