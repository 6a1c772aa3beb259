import { setupI18n } from '@lingui/core';
import { I18nProvider, useLingui } from '@lingui/react';
import type { ReactNode } from 'react';
import { compileMessage } from './message-compiler.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
i18n.setMessagesCompiler(compileMessage);

type Values = Record<string, string | number>;

/** Turns an English text (which is its own message id) into the reader's language; `{name}` and plurals are filled in. */
export type Translate = (text: string, values?: Values) => string;

/** The translation function of the reader's language; the component is drawn anew when the language changes. */
export function useText(): Translate {
  const { i18n: current } = useLingui();
  return (text, values) => current._(text, values);
}

/** The reader's language, for `Intl`. */
export function useLocale(): string {
  return useLingui().i18n.locale;
}

/** Makes `useText` work below it. */
export function TextProvider({ children }: { children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
}
