import { minimumAgeYears } from '#contract/constants.ts';
import {
  before,
  between,
  dayMs,
  dayOf,
  earliest,
  hourMs,
  latest,
  minuteMs,
  monthStart,
  yearsBefore,
} from '../calendar.ts';
import { choiceAt, evenly, type Random } from '../random.ts';
import { demoId, isInRanges, onlineRanges } from './id.ts';
import type { DemoGender, DemoMember } from './demo-member.ts';

/** The weights of the last months for joining, oldest first: growth with better and worse months. */
const monthWeights = [1, 1.12, 1.09, 1.24, 1.33, 1.27, 1.45, 1.56, 1.52, 1.71, 1.84, 1.95, 2.13, 2.43];
const months = monthWeights.map((weight, month) => [weight, monthWeights.length - 1 - month] as const);

/** The time at which member `number` joined. The current month has its full share from its first minute, so every day shows growth. */
export function drawJoining(number: number, random: Random, now: Date): Date {
  const monthsAgo = choiceAt(evenly(number, 'silver'), months);
  return between(monthStart(now, monthsAgo), earliest(monthStart(now, monthsAgo - 1), now), random.next());
}

/** The weights of ages, interpolated linearly between these points. */
const ageCurve = [
  [18, 0.55],
  [22, 0.9],
  [28, 1.25],
  [33, 1.1],
  [40, 0.72],
  [48, 0.5],
  [55, 0.36],
  [65, 0.17],
  [75, 0.06],
  [80, 0.02],
] as const;
const ages = ageCurve.flatMap(([from, weight], i) => {
  const [to, toWeight] = ageCurve[i + 1] ?? [from + 1, weight];
  return Array.from(
    { length: to - from },
    (_, years) => [weight + (years / (to - from)) * (toWeight - weight), from + years] as const,
  );
});

/** A birth date for member `number`, who was of age when they joined. */
export function drawBirthDate(number: number, random: Random, now: Date, joinedAt: Date): string {
  const age = choiceAt(evenly(number, 'plastic'), ages);
  const born = before(yearsBefore(now, age), random.below(365) * dayMs);
  const latestBirth = before(yearsBefore(joinedAt, minimumAgeYears), random.below(200) * dayMs);
  return dayOf(earliest(born, latestBirth));
}

/** The gender of member `number`: 47 % women, 47 % men, 4 % non-binary, 2 % undisclosed. */
export function drawGender(number: number): DemoGender | null {
  return choiceAt<DemoGender | null>(evenly(number, 'bronze'), [
    [47, 'woman'],
    [47, 'man'],
    [4, 'non-binary'],
    [2, null],
  ]);
}

/** The genders people look for, by their own gender and with weights. */
const seeking: Record<DemoGender, readonly (readonly [weight: number, seeking: readonly DemoGender[]])[]> = {
  woman: [
    [82, ['man']],
    [7, ['woman']],
    [7, ['woman', 'man']],
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
const ownWords: Record<DemoGender, readonly string[]> = {
  woman: ['trans woman', 'femme', 'mostly woman'],
  man: ['trans man', 'masc', 'mostly man'],
  'non-binary': ['genderfluid', 'agender', 'genderqueer', 'demigirl', 'two-spirit', 'both, on a good day', 'bigender'],
};

/** The genders that a member of `gender` looks for. */
export function drawSeeking(random: Random, gender: DemoGender | null): DemoGender[] {
  return [...random.weighted(seeking[gender ?? 'non-binary'])];
}

/** A member's gender in their own words, if they wrote any. */
export function drawGenderText(random: Random, gender: DemoGender | null): string | null {
  const share = gender === null ? 0 : gender === 'non-binary' ? 0.45 : 0.015;
  return gender !== null && random.chance(share) ? random.pick(ownWords[gender]) : null;
}

/** The state of a membership so far. */
type Circumstances = Pick<
  DemoMember,
  'emailVerifiedAt' | 'isVip' | 'deactivatedAt' | 'deactivationReason' | 'leavingSince' | 'lastActiveAt' | 'online'
>;

const deactivationReasons = [
  'Your pictures show another person, and you did not answer when we asked.',
  'Several members reported advertising in your first messages.',
  'You asked members for money.',
  'We could not confirm that you are of age.',
  'You sent the same message to a large number of members.',
  'Closed at the request of the address owner, who says they never joined.',
];
const deactivatedShare = 0.03;
/** Only two thirds of them leave, because others joined too recently. */
const leavingShare = 0.015;

/** How long ago members were last active: weight, from, to. */
const lastActiveSteps = [
  [5, 2 * minuteMs, hourMs],
  [22, hourMs, dayMs],
  [28, dayMs, 7 * dayMs],
  [22, 7 * dayMs, 30 * dayMs],
  [15, 30 * dayMs, 150 * dayMs],
  [8, 150 * dayMs, 420 * dayMs],
] as const;
const lastActiveChoices = lastActiveSteps.map((step) => [step[0], step] as const);

function drawLastActive(random: Random, joinedAt: Date, now: Date): Date {
  const [, from, to] = random.weighted(lastActiveChoices);
  const lastActiveAt = before(now, from + (to - from) * random.next());
  const sinceJoining = between(joinedAt, now, random.next());
  return lastActiveAt > joinedAt ? lastActiveAt : sinceJoining;
}

/** A member in good standing who verified the address and was active at some time since joining. */
export function goodStanding(random: Random, joinedAt: Date, now: Date): Circumstances {
  return {
    emailVerifiedAt: earliest(new Date(joinedAt.getTime() + (1 + random.below(90)) * minuteMs), now),
    isVip: false,
    deactivatedAt: null,
    deactivationReason: null,
    leavingSince: null,
    lastActiveAt: drawLastActive(random, joinedAt, now),
    online: false,
  };
}

/** The state of the ordinary member `number`; `isComplete` says whether the profile is complete. */
export function drawCircumstances(
  random: Random,
  { number, joinedAt, now, isComplete }: { number: number; joinedAt: Date; now: Date; isComplete: boolean },
): Circumstances {
  const usual = goodStanding(random, joinedAt, now);
  const isVerified = random.chance(isComplete ? 0.895 : 0.45);
  if (!isVerified) usual.emailVerifiedAt = null;
  if (!isVerified && random.chance(0.16)) return { ...usual, lastActiveAt: null };
  const fate = evenly(number, 'nickel');
  if (fate < deactivatedShare) {
    const deactivatedAt = between(joinedAt, now, random.next());
    return {
      ...usual,
      emailVerifiedAt: usual.emailVerifiedAt && earliest(usual.emailVerifiedAt, deactivatedAt),
      deactivatedAt,
      deactivationReason: random.pick(deactivationReasons),
      lastActiveAt: between(joinedAt, deactivatedAt, random.next()),
    };
  }
  if (fate > 1 - leavingShare && joinedAt < before(now, 65 * dayMs)) {
    const leavingSince = before(now, random.below(12 * 24) * hourMs);
    return { ...usual, leavingSince, lastActiveAt: before(leavingSince, random.below(600) * 1000) };
  }
  usual.isVip = isVerified && isComplete && random.chance(0.115);
  if (!isInRanges(demoId(number), onlineRanges(now))) return usual;
  return { ...usual, online: true, lastActiveAt: latest(joinedAt, before(now, random.below(60) * 1000)) };
}
