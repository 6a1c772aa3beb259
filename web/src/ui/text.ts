import { setupI18n } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import { compileMessage } from './message-compiler.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
i18n.setMessagesCompiler(compileMessage);

const onLanguageChange = (listener: () => void) => i18n.on('change', listener);
const currentLocale = () => i18n.locale;

type Values = Record<string, string | number>;

/** Turns an English text (which is its own message id) into the reader's language; `{name}` and plurals are filled in. */
export type Translate = (text: string, values?: Values) => string;

const translate: Translate = (text, values) => i18n._(text, values);

/** The reader's language, for `Intl`. */
export function useLocale(): string {
  return useSyncExternalStore(onLanguageChange, currentLocale);
}

/** The translation function of the reader's language; the component is drawn anew when the language changes. */
export function useText(): Translate {
  useLocale();
  return translate;
}
