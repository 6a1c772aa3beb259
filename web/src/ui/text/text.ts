import { setupI18n } from '@lingui/core';
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

/** The reader's language with their region, for `Intl`. */
export const locale = regionalTag(i18n.locale, navigator.languages);

/** Turns an English text (which is its own message id) into the reader's language; `{name}` and plurals are filled in. */
export function t(text: string, values?: Record<string, string | number>): string {
  return i18n._(text, values);
}

export type Translate = typeof t;
export const useText = () => t;
export const useLocale = () => locale;
