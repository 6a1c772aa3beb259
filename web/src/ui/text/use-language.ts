import { useSyncExternalStore } from 'react';
import type { Language } from '#contract/languages.ts';
import { i18n } from './i18n.ts';
import { language } from './text.ts';

/** The language of the interface; renders again when it changes, for what isn't rendered with its page. */
export const useLanguage = (): Language =>
  useSyncExternalStore(
    (changed) => i18n.on('change', changed),
    () => language,
  );
