import { before, between, dayMs, earliest, hourMs, latest, minuteMs } from './calendar.ts';
import { demoId, idRanges, isInRanges, type IdRange } from './demo-id.ts';
import type { DemoMember } from './demo-member.ts';
import { evenly, type Random } from './random.ts';

/** What has become of a membership so far. */
export type Circumstances = Pick<
  DemoMember,
  'emailVerifiedAt' | 'isVip' | 'deactivatedAt' | 'deactivationReason' | 'leavingSince' | 'lastActiveAt' | 'online'
>;

const reasons = [
  'Your pictures show another person, and you did not answer when we asked.',
  'Several members reported advertising in your first messages.',
  'You asked members for money.',
  'This is a second account of a person whose first one is closed.',
  'Insulting messages after two warnings.',
  'Your profile advertises a paid service.',
  'We could not confirm that you are of age.',
  'You sent the same message to a large number of members.',
  'Your profile led members to another website.',
  'Closed at the request of the address owner, who says they never joined.',
];

/** How long ago people were last here: up to the given share, within the given time. */
const lastActiveCurve: readonly (readonly [share: number, withinMs: number])[] = [
  [0.05, hourMs],
  [0.27, dayMs],
  [0.55, 7 * dayMs],
  [0.77, 30 * dayMs],
  [0.92, 150 * dayMs],
  [1, 420 * dayMs],
];

const deactivatedShare = 0.03;
/** Of all, though only those leave who joined some time ago: two thirds. */
const leavingShare = 0.015;
/** A share a little above 3 %, since some of those it names are deactivated, leaving or were never active. */
const onlineShare = 0.0325;
/** How long it takes until everybody's turn to be online has come once: each is online for about 45 minutes of it. */
const roundMs = dayMs;

/** The range of identifiers whose turn it is to be online at `now`. */
export function onlineRanges(now: Date): IdRange[] {
  return idRanges((now.getTime() % roundMs) / roundMs, onlineShare);
}

/** A member in good standing, who proved the address and was last active as `random` says. */
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

/** What has become of the ordinary member `number`; `isComplete` says whether the profile is. */
export function drawCircumstances(
  random: Random,
  number: number,
  joinedAt: Date,
  now: Date,
  isComplete: boolean,
): Circumstances {
  const circumstances = goodStanding(random, joinedAt, now);
  const isVerified = random.chance(isComplete ? 0.895 : 0.45);
  if (!isVerified) circumstances.emailVerifiedAt = null;
  if (!isVerified && random.chance(0.16)) return { ...circumstances, lastActiveAt: null };
  const fate = evenly(number, 'nickel');
  if (fate < deactivatedShare) return deactivate(random, circumstances, joinedAt, now);
  if (fate > 1 - leavingShare && joinedAt < before(now, 65 * dayMs)) return leave(random, circumstances, now);
  circumstances.isVip = isVerified && isComplete && random.chance(0.115);
  if (!isInRanges(demoId(number), onlineRanges(now))) return circumstances;
  return { ...circumstances, online: true, lastActiveAt: latest(joinedAt, before(now, random.below(60) * 1000)) };
}

function deactivate(random: Random, circumstances: Circumstances, joinedAt: Date, now: Date): Circumstances {
  const deactivatedAt = between(joinedAt, now, random.next());
  const { emailVerifiedAt } = circumstances;
  return {
    ...circumstances,
    emailVerifiedAt: emailVerifiedAt && earliest(emailVerifiedAt, deactivatedAt),
    deactivatedAt,
    deactivationReason: random.pick(reasons),
    lastActiveAt: between(joinedAt, deactivatedAt, random.next()),
  };
}

function leave(random: Random, circumstances: Circumstances, now: Date): Circumstances {
  const leavingSince = before(now, random.below(12 * 24) * hourMs);
  return { ...circumstances, leavingSince, lastActiveAt: before(leavingSince, random.below(600) * 1000) };
}

/** When a member who joined at `joinedAt` was last here. */
function drawLastActive(random: Random, joinedAt: Date, now: Date): Date {
  const lastActiveAt = before(now, agoMs(random.next()));
  const sinceJoining = between(joinedAt, now, random.next());
  return lastActiveAt > joinedAt ? lastActiveAt : sinceJoining;
}

function agoMs(position: number): number {
  let [fromShare, fromMs] = [0, 2 * minuteMs];
  for (const [toShare, toMs] of lastActiveCurve) {
    if (position < toShare) return fromMs + (toMs - fromMs) * ((position - fromShare) / (toShare - fromShare));
    [fromShare, fromMs] = [toShare, toMs];
  }
  return fromMs;
}
