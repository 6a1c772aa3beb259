import type { MessageDescriptor, Messages } from '@lingui/core';
import { type Language, languages, usualLanguage } from '#contract/languages.ts';
import { i18n, Texts } from './i18n.ts';
import { language, locale, setLanguage } from './text.ts';
import { deviceStorage } from '../../browser-storage.ts';

const catalogues = import.meta.glob<Messages>('./*/{common,sign-in,members,account,questions,staff,legal}.po', {
  base: '../../../../locales',
  import: 'messages',
});

/** Texts that are loaded together; every page needs those of `common`. */
export type TextsPart = 'common' | 'sign-in' | 'members' | 'account' | 'questions' | 'staff' | 'legal';

/** The parts that the opened pages need so far. */
const needed = new Set<TextsPart>();
const loaded = new Set<string>();

async function load(spoken: Language, part: TextsPart): Promise<void> {
  const path = `./${spoken}/${part}.po`;
  if (loaded.has(path)) return;
  const [messages] = await Promise.all([
    catalogues[path]?.(),
    spoken === 'en' || import('./places.ts').then(({ loadPlaces }) => loadPlaces(spoken)),
  ]);
  if (messages === undefined) throw new Error(`There are no texts for ${part} in ${spoken}`);
  i18n.load(spoken, messages);
  loaded.add(path);
}

/** Translates members' texts into any language, such as words that staff insert into a message. */
export async function wordsIn(
  spoken: Language,
  parts: readonly TextsPart[] = ['common', 'members'],
): Promise<(text: MessageDescriptor) => string> {
  const messages = await Promise.all(parts.map(async (part) => await catalogues[`./${spoken}/${part}.po`]?.()));
  const texts = new Texts({ locale: spoken, messages: { [spoken]: Object.assign({}, ...messages) as Messages } });
  return (text) => texts._(text);
}

const speaks = (spoken: Language, part: TextsPart) => `./${spoken}/${part}.po` in catalogues;

/** The languages with the texts of every page opened so far; those of staff pages exist in only a few. */
export const offeredLanguages = (): Language[] =>
  languages.filter((one) => [...needed].every((part) => speaks(one, part)));

/** Loads a part of the texts in the reader's language, once; everything is in the service's first one, or else English, if the language doesn't have it. */
export async function loadTexts(part: TextsPart): Promise<void> {
  needed.add(part);
  if (speaks(language, part)) await load(language, part);
  else await speak(speaks(usualLanguage, part) ? usualLanguage : 'en');
}

/** Increased by each choice: if several are loading, the last one is used. */
let choices = 0;

/**
 * Switches the interface to another language once its texts are loaded; typed input stays. Returns false if another one was chosen
 * meanwhile. Rejects if the texts can't be fetched.
 */
export async function speak(next: Language): Promise<boolean> {
  choices += 1;
  const choice = choices;
  // Meanwhile a page may request more texts in the previous language.
  for (let parts = -1; parts < needed.size;) {
    parts = needed.size;
    await Promise.all([...needed].map((part) => load(next, part)));
    if (choice !== choices) return false;
  }
  setLanguage(next);
  i18n.activate(next, locale);
  return true;
}

/** Uses a language on this device from now on, including in documents from the server; false if another one was chosen meanwhile. */
export async function chooseLanguage(next: Language): Promise<boolean> {
  if (!(await speak(next))) return false;
  deviceStorage.write('language', next);
  document.cookie = `language=${next}; Path=/; Max-Age=31536000; SameSite=Lax`;
  return true;
}
