import type { CultureKey } from '../names/cultures.ts';
import type { Random } from '../random.ts';
import { englishChoices, tails } from './english-words.ts';
import { englishSentences } from './english.ts';
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

interface Sentence {
  text: string;
  fromAge: number;
  toAge: number;
}

const english = Object.fromEntries(
  Object.entries(englishSentences).map(([bank, sentences]) => [bank, sentences.map(readSentence)]),
) as Record<Bank, Sentence[]>;

function readSentence(line: string): Sentence {
  const [, years, sign, text = line] = /^(\d\d)([+-]) (.*)$/.exec(line) ?? [];
  return { text, fromAge: sign === '+' ? Number(years) : 0, toAge: sign === '-' ? Number(years) : Infinity };
}

/** A few sentences as somebody of `age` might write them, in English or in the language of `culture`. */
export function composeBio(random: Random, culture: CultureKey, age: number): string {
  const language = languages[culture];
  const sentences = language !== undefined && random.chance(0.45) ? otherSentences[language] : undefined;
  const text = sentences === undefined ? composeEnglish(random, age) : composeOther(random, sentences);
  return random.chance(0.14) ? `${text} ${random.pick(tails)}` : text;
}

function composeEnglish(random: Random, age: number): string {
  const chosen = new Map<string, string>();
  const drawFrom = (bank: Bank) =>
    random.pick(english[bank].filter(({ fromAge, toAge }) => age >= fromAge && age <= toAge));
  const sentences = new Set(random.pick(patterns).map((bank) => drawFrom(bank).text));
  return [...sentences].map((sentence) => capitalise(fill(sentence, random, chosen))).join(' ');
}

/** No word comes twice in a bio, but for the pet: that is the same one all through. */
function fill(sentence: string, random: Random, chosen: Map<string, string>): string {
  return sentence.replace(/\{([a-z-]+)\}/g, (_, slot: string) => {
    const known = slot.startsWith('pet') ? chosen.get(slot) : undefined;
    if (known !== undefined) return known;
    const word = random.pick((englishChoices[slot] ?? []).filter((choice) => choice !== chosen.get(slot)));
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
