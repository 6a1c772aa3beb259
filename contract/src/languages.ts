import * as z from 'zod/mini';

/** The languages of the interface, mails and errors, by their names in themselves; staff pages are in English and German. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  ar: 'العربية',
} as const;

export type Language = keyof typeof languageNames;

export const languages = Object.keys(languageNames) as Language[];

export const languageSchema = z.enum(languages);

/** The first of a reader's language tags that the service speaks, in any region; English if it speaks none. */
export function languageFor(tags: readonly string[]): Language {
  const spoken = tags.flatMap((tag) =>
    languages.filter((one) => one.split('-')[0] === tag.toLowerCase().split('-')[0]),
  );
  return spoken[0] ?? 'en';
}

/** The direction in which a language is written. */
export const directionOf = (language: Language): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr');
