import { type Language, languages } from '../languages.ts';

/** A text of the owner in some of the languages. */
export type Words = Partial<Record<Language, string>>;

/** The language in which readers of another one see a text: theirs, or else English, or else any available one. */
export const languageIn = (words: Words, language: Language): Language =>
  [language, 'en' as const, ...languages].find((one) => (words[one] ?? '') !== '') ?? language;

/** The text in a language; where it is missing, the English one, or else any. Empty if there is none. */
export const inWords = (words: Words, language: Language): string => words[languageIn(words, language)] ?? '';
