import { type Language, languages } from '../languages.ts';

/** A text of the owner in some of the languages. */
export type Words = Partial<Record<Language, string>>;

/** The text in a language; where it is missing, the English one, or else any. Empty if there is none. */
export const inWords = (words: Words, language: Language): string =>
  [language, 'en' as const, ...languages].map((one) => words[one] ?? '').find((text) => text !== '') ?? '';
