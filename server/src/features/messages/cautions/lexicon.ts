import { plain } from './reading.ts';

interface Entry<Topic extends string> {
  topic: Topic;
  text: string;
  /** Whether the word may continue, as in `invest-`. */
  isStem: boolean;
}

// In these scripts, words follow each other without blanks or take prefixes and endings, so entries match anywhere.
const joined = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{sc=Thai}]/u;
const goesOn = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]/u;

/** The length of a section, in characters. Topics are near each other if they are in the same or in adjacent sections. */
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
      const isStem = written.endsWith('-') || joined.test(written);
      const text = plain(written.replace(/-$/, '')).toLowerCase();
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
      if (!joined.test(text.charAt(0)) && goesOn.test(read.charAt(index - 1))) return;
      if (isStem || !goesOn.test(read.charAt(index + text.length))) note(topic, index);
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
