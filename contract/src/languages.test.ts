import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Language, languageFor, languages, setUsualLanguage } from './languages.ts';
import { figuresIn } from './service/figures.ts';
import { inWords, languageIn, languagesInOrder, type Words } from './service/words.ts';

beforeEach(() => setUsualLanguage('en'));
afterEach(() => setUsualLanguage('en'));

describe('the first language of the service', () => {
  it.each<[string, Language, string[], Language]>([
    ['a reader of unknown languages', 'de', ['cs', 'plt-MG'], 'de'],
    ['a reader without any', 'ar', [], 'ar'],
    ['a tag that is none', 'pt-BR', ['*', '', 'den'], 'pt-BR'],
    ['none whose browser names English', 'de', ['cs', 'EN-gb'], 'en'],
    ['none whose browser names another one second', 'de', ['cs', 'fr-CA', 'de'], 'fr'],
    ['a reader of unknown languages, English by default', 'en', ['cs'], 'en'],
  ])('is for %s', (_who, first, tags, language) => {
    setUsualLanguage(first);
    expect(languageFor(tags)).toBe(language);
  });

  it.each<[string, Words, string]>([
    ['their own', { en: 'Hello', de: 'Hallo', fr: 'Bonjour' }, 'Bonjour'],
    ['the first one', { en: 'Hello', de: 'Hallo' }, 'Hallo'],
    ['any, where the first one is empty', { de: '', tr: 'Merhaba' }, 'Merhaba'],
    ['English before any other', { ar: 'مرحبا', en: 'Hello' }, 'Hello'],
    ['nothing where there is none', {}, ''],
  ])('is German, and readers of French see %s', (_what, words, shown) => {
    const language = 'fr';
    setUsualLanguage('de');
    expect(inWords(words, language)).toBe(shown);
    expect(words[languageIn(words, language)] ?? '').toBe(shown);
    const figures = Object.fromEntries(Object.entries(words).map(([one, value]) => [one, [{ value, label: value }]]));
    expect(figuresIn(figures, language)).toEqual(shown === '' ? [] : [{ value: shown, label: shown }]);
  });

  it('leads the others, each of which is there once', () => {
    expect(languagesInOrder()).toEqual(languages);
    setUsualLanguage('tr');
    expect(languagesInOrder()).toEqual(['tr', ...languages.filter((one) => one !== 'tr')]);
  });
});
