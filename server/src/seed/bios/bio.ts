import type { CultureKey } from '../names/cultures.ts';
import type { Random } from '../random.ts';
import { englishChoices, englishSentences, tails } from './english.ts';
import { otherSentences } from './other-languages.ts';

type Bank = keyof typeof englishSentences;

const patterns: readonly (readonly Bank[])[] = [
  ['work', 'likes'],
  ['work', 'likes', 'wish'],
  ['work', 'likes', 'self', 'wish'],
  ['self', 'likes', 'wish'],
  ['likes', 'likes', 'self'],
  ['likes', 'work'],
  ['work', 'self'],
  ['likes', 'wish'],
  ['short'],
  ['short', 'wish'],
];

/** The language a bio may be in, beside English, by whose names its owner bears. */
const languages: Partial<Record<CultureKey, string>> = {
  french: 'french',
  westAfrican: 'french',
  centralAfrican: 'french',
  haitian: 'french',
  maghrebi: 'french',
  german: 'german',
  dutch: 'dutch',
  swedish: 'swedish',
  spanish: 'spanish',
  portuguese: 'portuguese',
  italian: 'italian',
  polish: 'polish',
  turkish: 'turkish',
  greek: 'greek',
  russian: 'russian',
  kazakh: 'russian',
  ukrainian: 'ukrainian',
  arabic: 'arabic',
  hebrew: 'hebrew',
  persian: 'persian',
  hindi: 'hindi',
  thai: 'thai',
  vietnamese: 'vietnamese',
  indonesian: 'indonesian',
  chinese: 'chinese',
  taiwanese: 'chinese',
  korean: 'korean',
  japanese: 'japanese',
};

/** A few sentences about nobody in particular, in English or in the language of `culture`. */
export function composeBio(random: Random, culture: CultureKey): string {
  const language = languages[culture];
  const sentences = language !== undefined && random.chance(0.45) ? otherSentences[language] : undefined;
  const text = sentences === undefined ? composeEnglish(random) : composeOther(random, sentences);
  return random.chance(0.14) ? `${text} ${random.pick(tails)}` : text;
}

function composeEnglish(random: Random): string {
  const chosen = new Map<string, string>();
  const sentences = new Set(random.pick(patterns).map((bank) => random.pick<string>(englishSentences[bank])));
  return [...sentences].map((sentence) => capitalise(fill(sentence, random, chosen))).join(' ');
}

/** One word stands for the same thing all through a bio, or it would have two cats with one name. */
function fill(sentence: string, random: Random, chosen: Map<string, string>): string {
  return sentence.replace(/\{([a-z-]+)\}/g, (_, slot: string) => {
    const word = chosen.get(slot) ?? random.pick(englishChoices[slot] ?? []);
    chosen.set(slot, word);
    return word;
  });
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function composeOther(random: Random, sentences: readonly string[]): string {
  const count = 1 + random.below(3);
  const first = random.below(sentences.length);
  const step = 1 + random.below(2);
  const chosen = new Set<string>();
  for (let i = 0; i < count; i++) chosen.add(sentences[(first + i * step) % sentences.length] ?? '');
  const isUnspaced = [...chosen].every((sentence) => sentence.endsWith('。') || sentence.endsWith('？'));
  return [...chosen].join(isUnspaced ? '' : ' ');
}
