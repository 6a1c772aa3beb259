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

/** What a pattern has before, between and after words. */
type Edges = Record<'start' | 'gap' | 'end', string>;

/** For the database, whose texts have one blank before, between and after words. */
export const databaseEdges: Edges = { start: ' ', gap: ' ', end: ' ' };
const deviceEdges: Edges = {
  start: '(?<![\\p{L}\\p{N}])',
  gap: `[\\s\\p{P}${between}]+`,
  end: '(?![\\p{L}\\p{N}])',
};

const isLetter = (one = '') => /[\p{L}\p{N}]/u.test(one) && !joined.test(one);

/**
 * The pattern that finds whole words and phrases, whatever is between the words of a phrase; null if there are none. `forms` and the
 * text to search are normalised in the same way. No character with a meaning in patterns is left of the words.
 */
export function wordPattern(forms: readonly string[], { start, gap, end }: Edges): string | null {
  const patterns = forms.flatMap((form) => {
    const words = form.split(separators).filter((word) => word !== '');
    const letters = [...words.join('')];
    if (letters.length === 0) return [];
    return [`${isLetter(letters[0]) ? start : ''}${words.join(gap)}${isLetter(letters.at(-1)) ? end : ''}`];
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
  const pattern = wordPattern(words.map(formOf), deviceEdges);
  if (pattern === null) return () => false;
  const found = new RegExp(pattern, 'u');
  return (text) => found.test(formOf(text));
}
