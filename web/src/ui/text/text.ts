import { setupI18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { compileMessage } from './message-compiler.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
i18n.setMessagesCompiler(compileMessage);

/**
 * The tag for `Intl` of a language that texts are shown in: with the region of the first of the reader's own tags in that language, so
 * that who reads English in Britain gets British dates; without a region where they name none.
 */
export function regionalTag(language: string, ownTags: readonly string[]): string {
  const regional = new RegExp(`^${language}-([A-Z]{2}|[0-9]{3})$`);
  return ownTags.find((tag) => regional.test(tag)) ?? language;
}

const readLocale = () => regionalTag(i18n.locale, navigator.languages);
let locale = readLocale();
i18n.on('change', () => {
  locale = readLocale();
});
const onLanguageChange = (listener: () => void) => i18n.on('change', listener);
const currentLocale = () => locale;

type Values = Record<string, string | number>;

/** Turns an English text (which is its own message id) into the reader's language; `{name}` and plurals are filled in. */
export type Translate = (text: string, values?: Values) => string;

const translate: Translate = (text, values) => i18n._(text, values);

/** The reader's language with their region, for `Intl`. */
export function useLocale(): string {
  return useSyncExternalStore(onLanguageChange, currentLocale);
}

/** The translation function of the reader's language; the component is drawn anew when the language changes. */
export function useText(): Translate {
  useLocale();
  return translate;
}
