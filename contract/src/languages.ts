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

/** The service's first language, which its owner chooses for readers whose own is unknown or not offered; only `setUsualLanguage` changes it. */
export let usualLanguage: Language = 'en';

/** Sets the first language from now on. */
export function setUsualLanguage(next: Language = 'en'): void {
  usualLanguage = next;
}

/** The first of a reader's language tags that the service speaks, in any region; its own first language if it speaks none. */
export function languageFor(tags: readonly string[]): Language {
  const spoken = tags.flatMap((tag) =>
    languages.filter((one) => one.split('-')[0] === tag.toLowerCase().split('-')[0]),
  );
  return spoken[0] ?? usualLanguage;
}

/** The direction in which a language is written. */
export const directionOf = (language: Language): 'rtl' | 'ltr' => (language === 'ar' ? 'rtl' : 'ltr');
