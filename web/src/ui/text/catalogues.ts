import { I18n, type MessageDescriptor, type Messages } from '@lingui/core';
import { type Language, languages } from '#contract/languages.ts';
import { i18n } from './i18n.ts';
import { language, locale, setLanguage } from './text.ts';
import { deviceStorage } from '../../browser-storage.ts';

const catalogues = import.meta.glob<Messages>('./*/{members,account,questions,staff,legal}.po', {
  base: '../../../../locales',
  import: 'messages',
});

/** Texts that are loaded together; every page needs those of `members`. */
export type TextsPart = 'members' | 'account' | 'questions' | 'staff' | 'legal';

/** The parts that the pages opened so far need. */
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

/** Says members' texts in any language, such as the words that staff put into a message. */
export async function wordsIn(spoken: Language): Promise<(text: MessageDescriptor) => string> {
  const messages = await catalogues[`./${spoken}/members.po`]?.();
  const texts = new I18n({ locale: spoken, messages: { [spoken]: messages ?? {} } });
  return (text) => texts._(text);
}

const speaks = (spoken: Language, part: TextsPart) => `./${spoken}/${part}.po` in catalogues;

/** The languages that have the texts of every page opened so far; those of staff pages are in few. */
export const offeredLanguages = (): Language[] =>
  languages.filter((one) => [...needed].every((part) => speaks(one, part)));

/** Loads a part of the texts in the reader's language, once; everything is in English if the language doesn't have it. */
export async function loadTexts(part: TextsPart): Promise<void> {
  needed.add(part);
  await (speaks(language, part) ? load(language, part) : speak('en'));
}

/**
 * Shows everything in another language, as soon as its texts are there; what has been typed stays. Rejects if they can't
 * be fetched.
 */
export async function speak(next: Language): Promise<void> {
  const parts = [...needed];
  await Promise.all(parts.map((part) => load(next, part)));
  // Meanwhile a page may have asked for more, in the language before.
  if (needed.size > parts.length) return speak(next);
  setLanguage(next);
  i18n.activate(next, locale);
}

/** Speaks a language on this device from now on, and in the documents that the server sends. */
export async function chooseLanguage(next: Language): Promise<void> {
  await speak(next);
  deviceStorage.write('language', next);
  document.cookie = `language=${next}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
