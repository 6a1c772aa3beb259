import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { joined, plain } from '../readable.ts';
import { trimmedText } from '../text.ts';
import { said } from '../said.ts';

export const hiddenWordsMax = 50;
export const hiddenWordMaxLength = 40;

const response = answer({ data: z.object({ words: z.array(z.string()) }) });

export const getHiddenWords = endpoint({
  method: 'GET',
  path: '/settings/hidden-words',
  summary: "Get the words and phrases that I don't want to read. No one else learns of them.",
  access: 'signedIn',
  response,
  errors: ['FORBIDDEN'],
});

export const putHiddenWords = endpoint({
  method: 'PUT',
  path: '/settings/hidden-words',
  summary:
    'Replace my hidden words: people whose profile contains one are not suggested to me, and notes and messages with one are covered.',
  access: 'signedIn',
  writes: true,
  body: z.object({
    words: z
      .array(trimmedText(2, hiddenWordMaxLength))
      .check(z.maxLength(hiddenWordsMax, said(msg`Use at most ${{ maximum: hiddenWordsMax }} words`))),
  }),
  response,
  errors: ['FORBIDDEN'],
});

const isLetter = (one = '') => /[\p{L}\p{N}]/u.test(one) && !joined.test(one);

/** A text with one blank before, between and after words. */
const spaced = (text: string) => ` ${text.replaceAll(/[\s\p{P}$+<=>^`|~]+/gu, ' ').trim()} `;

/**
 * What to find in a text with one blank before, between and after words: whole words and phrases. `forms` are normalised like the text. No
 * character with a meaning in regular expressions is left.
 */
export const wordsToFind = (forms: readonly string[]): string[] =>
  forms.flatMap((form) => {
    const word = spaced(form);
    const letters = [...word.trim()];
    if (letters.length === 0) return [];
    return [word.slice(isLetter(letters[0]) ? 0 : 1, isLetter(letters.at(-1)) ? word.length : -1)];
  });

const letterLike: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };
const formOf = (text: string) =>
  plain(text)
    .toLowerCase()
    .replaceAll(/[013457@$]/g, (sign) => letterLike[sign] ?? sign);

/** A function that tells whether a text contains one of these words, however it is disguised. */
export function hiddenWordFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = wordsToFind(words.map(formOf));
  return (text) => {
    const form = wanted.length === 0 ? '' : spaced(formOf(text));
    return wanted.some((one) => form.includes(one));
  };
}
