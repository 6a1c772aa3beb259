import { type Language, languages, usualLanguage } from '../languages.ts';

/** All languages, the first one of the service before the others. */
export const languagesInOrder = (): Language[] => [usualLanguage, ...languages.filter((one) => one !== usualLanguage)];

/** A text of the owner in some of the languages. */
export type Words = Partial<Record<Language, string>>;

/** The language in which readers of another one see a text: theirs, or else the service's first language, or else any available one. */
export const languageIn = (words: Words, language: Language): Language =>
  [language, ...languagesInOrder()].find((one) => (words[one] ?? '') !== '') ?? language;

/** The text in a language; where it is missing, the one in the service's first language, or else any. Empty if there is none. */
export const inWords = (words: Words, language: Language): string => words[languageIn(words, language)] ?? '';
