import type { DemoGender } from '../demo-member.ts';
import type { Random } from '../random.ts';
import { cultures, type CultureKey, type Name } from './cultures.ts';

export interface PersonName {
  firstName: string;
  lastName: string | null;
  /** Both in lower-case Latin letters, as in e-mail addresses; `lastLatin` may be empty. */
  firstLatin: string;
  lastLatin: string;
}

/** Cultures where people bear a family name of each parent. */
const twoFamilies: readonly CultureKey[] = ['spanish', 'portuguese'];
const ownScriptShare = 0.4;

/** A name as people of `culture` and `gender` have it, sometimes in their own script. */
export function drawName(random: Random, culture: CultureKey, gender: DemoGender | null): PersonName {
  const { women, men, families } = cultures[culture];
  const isWoman = gender === 'woman' || (gender !== 'man' && random.chance(0.5));
  const first = random.pick(isWoman ? women : men);
  const drawFamily = () => random.pick(families)[isWoman ? 'woman' : 'man'];
  const names = random.chance(0.015) ? [] : [drawFamily()];
  if (names.length > 0 && twoFamilies.includes(culture) && random.chance(0.35)) names.push(drawFamily());
  const isOwnScript = random.chance(ownScriptShare);
  const write = ({ written, latin }: Name) => (isOwnScript ? written : latin);
  return {
    firstName: write(first),
    lastName: names.length === 0 ? null : [...new Set(names.map(write))].join(doubleWith(random, culture)),
    firstLatin: toAddressPart(first.latin),
    lastLatin: toAddressPart(names[0]?.latin ?? ''),
  };
}

function doubleWith(random: Random, culture: CultureKey): string {
  return culture === 'spanish' && random.chance(0.2) ? '-' : ' ';
}

const plainLetters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ə: 'e',
  ħ: 'h',
  ñ: 'n',
};

/** `text` in a–z alone. */
function toAddressPart(text: string): string {
  const plain = [...text.toLowerCase()].map((letter) => plainLetters[letter] ?? letter).join('');
  return plain.normalize('NFD').replace(/[^a-z]/g, '');
}
