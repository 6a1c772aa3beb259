import type { Messages } from '@lingui/core';
import { i18n } from './i18n.ts';

const catalogues = import.meta.glob<Messages>('../../../../locales/*/{members,account,questions,staff,legal}.po', {
  import: 'messages',
});

/** Texts that are loaded together; every page needs those of `members`. */
export type TextsPart = 'members' | 'account' | 'questions' | 'staff' | 'legal';

const loaded = new Set<TextsPart>();

/** Loads a part of the texts in the reader's language, once. */
export async function loadTexts(part: TextsPart): Promise<void> {
  if (loaded.has(part)) return;
  const messages = await catalogues[`../../../../locales/${i18n.locale}/${part}.po`]?.();
  if (messages === undefined) throw new Error(`There are no texts for ${part} in ${i18n.locale}`);
  i18n.load(i18n.locale, messages);
  loaded.add(part);
}
