import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { folded } from '../folding.ts';
import { letterOf, lookalikes, spacedLetters } from '../readable.ts';
import { atLeast, trimmedText, visibleLength } from '../text.ts';
import { said } from '../said.ts';

export const hiddenWordsMax = 50;
export const hiddenWordMaxLength = 40;

/** What separates words. At signs and dollar signs can replace letters. */
const betweenWords = /(?:[^\P{P}@]|[\s+<=>^`|~])+/gu;
/** Starts with a character of a script with spaces between words. */
const isBlanked = /^[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff]/;
/** The boundary between a word of a script with spaces and another script or an emoji. */
const betweenScripts =
  /(?<=[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])(?=[^ 0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])|(?<=[^ 0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])(?=[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff])/gu;

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
      .array(
        // A single emoji or character of a script without spaces can be a word, while a single letter of another script occurs in most
        // texts.
        trimmedText(1, hiddenWordMaxLength).check(
          z.refine((word) => visibleLength(word) > 1 || !isBlanked.test(folded(word)), atLeast(2)),
        ),
      )
      .check(z.maxLength(hiddenWordsMax, said(msg`Use at most ${{ maximum: hiddenWordsMax }} words`))),
  }),
  response,
  errors: ['FORBIDDEN'],
});

/**
 * A text in the form for finding words, equal to the SQL function `logic.word_form`: folded, with one space before, between and after
 * words, and with Latin letters in place of look-alikes in words that have some.
 */
export function wordForm(text: string): string {
  const words = ` ${folded(text).replaceAll(betweenWords, ' ')} `.replaceAll(spacedLetters, '').split(' ');
  const read = words.map((word) =>
    /[a-z]/.test(word)
      ? word.replaceAll(/[^a-z]/g, (one) => lookalikes.get(one) ?? letterOf.get(one) ?? one)
      : word.replaceAll(/[@$]/g, ' '),
  );
  return ` ${read.join(' ').replaceAll(betweenScripts, ' ').replaceAll(/ +/g, ' ').trim()} `;
}

/** The pattern to find in a text of that form: whole words and phrases. It contains no character with a meaning in regular expressions. */
export const wordsToFind = (words: readonly string[]): string[] =>
  words.map(wordForm).flatMap((form) => {
    const word = form.trim();
    if (word === '') return [];
    return [form.slice(isBlanked.test(word) ? 0 : 1, isBlanked.test([...word].at(-1) ?? '') ? form.length : -1)];
  });

/** A function that tells whether a text contains one of these words, however it is disguised. */
export function hiddenWordFinder(words: readonly string[]): (text: string) => boolean {
  const wanted = wordsToFind(words);
  return (text) => {
    const form = wanted.length === 0 ? '' : wordForm(text);
    return wanted.some((one) => form.includes(one));
  };
}
