import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { joined, plain } from '../readable.ts';
import { trimmedText } from '../text.ts';

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
      .check(z.maxLength(hiddenWordsMax, `Use at most ${hiddenWordsMax} words`)),
  }),
  response,
  errors: ['FORBIDDEN'],
});

const between = '$+<=>^`|~';
const separators = new RegExp(`[\\s\\p{P}${between}]+`, 'u');

/** How a language for patterns writes a letter or digit, and what may be between two words. */
interface PatternLanguage {
  letter: string;
  gap: string;
}

/** The regular expressions of PostgreSQL. */
export const databasePatterns: PatternLanguage = {
  letter: '[[:alnum:]]',
  gap: `[[:space:][:punct:]${between}]`,
};
const devicePatterns: PatternLanguage = { letter: '[\\p{L}\\p{N}]', gap: `[\\s\\p{P}${between}]` };

const isLetter = (one = '') => /[\p{L}\p{N}]/u.test(one) && !joined.test(one);

/**
 * The pattern that finds whole words and phrases, whatever is between the words of a phrase; null if there are none. `forms` and the
 * text to search are normalised in the same way.
 */
export function wordPattern(forms: readonly string[], { letter, gap }: PatternLanguage): string | null {
  const patterns = forms.flatMap((form) => {
    const words = form.split(separators).filter((word) => word !== '');
    const letters = [...words.join('')];
    if (letters.length === 0) return [];
    const [start, end] = [
      isLetter(letters[0]) ? `(?<!${letter})` : '',
      isLetter(letters.at(-1)) ? `(?!${letter})` : '',
    ];
    return [`${start}${words.join(`${gap}+`)}${end}`];
  });
  return patterns.length === 0 ? null : patterns.join('|');
}

const letterLike: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };
const formOf = (text: string) =>
  plain(text)
    .toLowerCase()
    .replaceAll(/[013457@$]/g, (sign) => letterLike[sign] ?? sign);

/** A function that tells whether a text contains one of these words, however it is disguised. */
export function hiddenWordFinder(words: readonly string[]): (text: string) => boolean {
  const pattern = wordPattern(words.map(formOf), devicePatterns);
  if (pattern === null) return () => false;
  const found = new RegExp(pattern, 'u');
  return (text) => found.test(formOf(text));
}
