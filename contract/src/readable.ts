import { messageMaxLength } from './constants.ts';
import { inOneForm } from './folding.ts';

// Every pattern of these readers runs in linear time: no unbounded repetition can start at each position of a long run of the same
// characters.

/** Letters of other alphabets that look like Latin ones. Three Greek capitals look like others than their small letters. */
export const lookalikes = new Map([
  ...[...'аеорсухіјѕԁԛԝһкмтвнοαρνικτυχεη'].flatMap((letter, index) => {
    const latin = [...'aeopcyxijsdqwhkmtbhoapviktuxen'][index] ?? letter;
    return [
      [letter, latin],
      [letter.toUpperCase(), latin.toUpperCase()],
    ] as const;
  }),
  ['Η', 'H'],
  ['Ν', 'N'],
  ['Υ', 'Y'],
]);
const mixedWord = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Latin}]+/gu;

/** A Latin word with look-alike letters replaced; words of a single alphabet are unchanged. */
const inOneAlphabet = (word: string) =>
  /[a-z]/i.test(word) ? word.replaceAll(/[^a-z]/gi, (letter) => lookalikes.get(letter) ?? letter) : word;

/** Normalising can turn one character into eighteen, so the result is cut. Ordinary text never reaches half of this length. */
const longestRead = 2 * messageMaxLength;

/** The spaces between single letters, of which there are at least four in a row. */
export const spacedLetters =
  /(?<=(?:^| )[^ ]) (?=[^ ] [^ ] [^ ](?: |$))|(?<=(?:^| )[^ ] [^ ]) (?=[^ ] [^ ](?: |$))|(?<=(?:^| )[^ ] [^ ] [^ ]) (?=[^ ](?: |$))/gu;

/**
 * Normalises look-alikes: full-width and foreign letters, digits of any script, accents, invisible characters, letters separated by spaces,
 * dots in brackets. Any white space becomes one space. Capitals are kept.
 */
export const plain = (text: string) =>
  inOneForm(text.normalize('NFKC').slice(0, longestRead))
    .slice(0, longestRead)
    .replaceAll(mixedWord, inOneAlphabet)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(spacedLetters, '')
    .replaceAll(/ ?[([{] ?(?:dot|punkt|punto|ponto|point|kropka|точка|\.) ?[)\]}] ?/gi, '.')
    .replaceAll(/ ?[([{] ?at ?[)\]}] ?/gi, '@');

/** The letters that digits and signs look like. */
export const letterOf = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }));

/** A lower-case text, and the same text with digits and signs replaced by the letters they look like, as in t3legram and wh@tsapp. */
export function readings(read: string): string[] {
  const lettered = read.replaceAll(
    /[013457@$](?=[a-z])(?!(?:st|rd|th)(?![a-z]))/g,
    (sign) => letterOf.get(sign) ?? sign,
  );
  return lettered === read ? [read] : [read, lettered];
}

interface Entry<Topic extends string> {
  topic: Topic;
  text: string;
  /** Whether the word may continue, as in `invest-`. */
  isStem: boolean;
}

/** The lower-case letters and digits of scripts with blanks between words: Latin, Greek, Cyrillic, Armenian and Georgian. */
const blankedLetter = /[0-9a-z\u00c0-\u058f\u10a0-\u10ff\u1e00-\u1fff]/;
// In other scripts, words follow each other without spaces or take prefixes and endings, so entries match anywhere.
const joined = /[^ -\u058f\u10a0-\u10ff\u1e00-\u206f]/;

/** The length of a section, in characters. Two topics are close if they are in the same section or in adjacent ones. */
const sectionLength = 40;

/** The sections of a message in which each topic occurs. */
export type Topics<Topic extends string> = ReadonlyMap<Topic, ReadonlySet<number>>;

/**
 * Finds the topics of a lower-case text. Each topic has its words and phrases, separated by `|`. An entry that ends in a hyphen is the
 * beginning of words. Entries are written with their accents, which are ignored in texts. Other topics, such as sums, have a pattern with
 * the flag g.
 */
export function topicReader<Topic extends string, Other extends string = never>(
  words: Record<Topic, string>,
  patterns: [Other, RegExp][] = [],
): (read: string) => Topics<Topic | Other> {
  const byStart = new Map<string, Entry<Topic>[]>();
  for (const topic of Object.keys(words) as Topic[]) {
    for (const written of new Set(words[topic].split(/\|\s*/))) {
      const text = plain(written.replace(/-$/, '')).toLowerCase();
      const isStem = written.endsWith('-') || joined.test(text);
      const start = text.slice(0, 2);
      byStart.set(start, [...(byStart.get(start) ?? []), { topic, text, isStem }]);
    }
  }
  return (read) => {
    const topics = new Map<Topic | Other, Set<number>>();
    const note = (topic: Topic | Other, index: number) =>
      topics.set(topic, (topics.get(topic) ?? new Set()).add(Math.floor(index / sectionLength)));
    const noteEntry = ({ topic, text, isStem }: Entry<Topic>, index: number) => {
      if (!read.startsWith(text, index)) return;
      if (!joined.test(text.charAt(0)) && blankedLetter.test(read.charAt(index - 1))) return;
      if (isStem || !blankedLetter.test(read.charAt(index + text.length))) note(topic, index);
    };
    for (let index = 0; index < read.length; index += 1) {
      for (const entry of byStart.get(read.slice(index, index + 2)) ?? []) noteEntry(entry, index);
      for (const entry of byStart.get(read.charAt(index)) ?? []) noteEntry(entry, index);
    }
    for (const [topic, pattern] of patterns) {
      for (const { index } of read.matchAll(pattern)) note(topic, index);
    }
    return topics;
  };
}

/** Whether all of these topics occur near the first of them. */
export function areNear<Topic extends string>(topics: Topics<Topic>, first: Topic, ...others: Topic[]): boolean {
  const isNear = (at: number) => (other: Topic) =>
    [at - 1, at, at + 1].some((near) => topics.get(other)?.has(near) === true);
  return [...(topics.get(first) ?? [])].some((at) => others.every(isNear(at)));
}
