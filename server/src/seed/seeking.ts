import type { DemoGender } from './demo-member.ts';
import type { Random } from './random.ts';

/** Whom one may seek, by one's own gender: each choice as often as its number says. */
const choices: Record<DemoGender, readonly (readonly [times: number, seeking: readonly DemoGender[]])[]> = {
  woman: [
    [84, ['man']],
    [7, ['woman']],
    [5, ['woman', 'man']],
    [3, ['woman', 'man', 'non-binary']],
    [1, ['woman', 'non-binary']],
  ],
  man: [
    [86, ['woman']],
    [7, ['man']],
    [4, ['woman', 'man']],
    [2, ['woman', 'man', 'non-binary']],
    [1, ['man', 'non-binary']],
  ],
  'non-binary': [
    [40, ['woman', 'man', 'non-binary']],
    [20, ['non-binary']],
    [18, ['woman', 'non-binary']],
    [12, ['man', 'non-binary']],
    [10, ['woman', 'man']],
  ],
};

/** Whom a member of `gender` seeks. */
export function drawSeeking(random: Random, gender: DemoGender | null): DemoGender[] {
  let left = random.below(100);
  for (const [times, seeking] of choices[gender ?? 'non-binary']) {
    if (left < times) return [...seeking];
    left -= times;
  }
  return [];
}

const ownWords: Record<DemoGender, readonly string[]> = {
  woman: ['trans woman', 'femme', 'mostly woman'],
  man: ['trans man', 'masc', 'mostly man'],
  'non-binary': ['genderfluid', 'agender', 'genderqueer', 'demigirl', 'two-spirit', 'both, on a good day', 'bigender'],
};

/** How a member puts their gender in their own words, if they do. */
export function drawGenderText(random: Random, gender: DemoGender | null): string | null {
  const share = gender === null ? 0 : gender === 'non-binary' ? 0.45 : 0.015;
  return gender !== null && random.chance(share) ? random.pick(ownWords[gender]) : null;
}
