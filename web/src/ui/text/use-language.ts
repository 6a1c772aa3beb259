import { useSyncExternalStore } from 'react';
import type { Language } from '#contract/languages.ts';
import { presentBrand } from '../../brand.ts';
import { i18n } from './i18n.ts';
import { language } from './text.ts';

/** The language of the interface; renders again when it or the brand changes, for components that aren't rendered with their page. */
export function useLanguage(): Language {
  useSyncExternalStore(
    (changed) => i18n.on('change', changed),
    () => language + JSON.stringify(presentBrand()),
  );
  return language;
}
