import { type CompatibilityAnswer, importances, questions } from '#contract/compatibility.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  type Gender,
  relationshipGoals,
  smokingAnswers,
} from '#contract/profiles/profile-details.ts';
import { interests } from '#contract/profiles/interests.ts';
import { replyRate } from '../../server/src/features/discovery/score/score.ts';
import type { Stated } from '../../server/src/features/discovery/score/people.ts';
import { snapToPlaceCell, type Point } from '../../server/src/features/profiles/place/distance.ts';
import type { Random } from '../chaos/random.ts';
import { normalFrom } from './draw.ts';

/** Everything about a generated member that a card could show. */
export interface Person extends Stated {
  id: string;
  place: Point | null;
  answerSheet: readonly CompatibilityAnswer[];
  appeal: number;
  selectivity: number;
  pendingLikes: number;
  readsWeekly: number;
  replyRate: number;
  impressionsInWeek: number;
  decisionsReceived: number;
  joinedDays: number;
  lastActiveDays: number;
  isVip: boolean;
}

const centre: Point = { latitude: 50.08, longitude: 14.43 };
/** How far around the centre they live, in degrees, as a standard deviation. */
const spreadDegrees = 0.35;
const commonLanguages = ['cs', 'en', 'de', 'sk', 'es', 'uk', 'vi'];

/** Draws from one random generator. */
function drawsFrom(random: Random) {
  const below = (limit: number) => Math.floor(random.next() * limit);
  const happens = (share: number) => random.next() < share;
  const pick = <T>(list: readonly T[]): T => {
    const choice = list[below(list.length)];
    if (choice === undefined) throw new RangeError('Nothing to pick from');
    return choice;
  };
  return {
    below,
    happens,
    pick,
    /** Most state something, some nothing. */
    said: <T>(list: readonly T[]): T | null => (happens(0.8) ? pick(list) : null),
    some: <T>(list: readonly T[], most: number): T[] => random.shuffled(list).slice(0, below(most + 1)),
  };
}

type Draws = ReturnType<typeof drawsFrom>;

function drawSeeking(gender: Gender, { happens }: Draws): Gender[] {
  if (gender === 'non-binary' || happens(0.1)) return ['woman', 'man', 'non-binary'];
  const other = gender === 'woman' ? 'man' : 'woman';
  return [happens(0.06) ? gender : other, ...(happens(0.15) ? (['non-binary'] as const) : [])];
}

function drawAnswers({ some, pick, happens }: Draws): CompatibilityAnswer[] {
  return some(questions, questions.length).map(({ id, options }) => ({
    questionId: id,
    answer: pick(options).id,
    accepted: options.filter(() => happens(0.55)).map((option) => option.id),
    importance: pick(importances),
  }));
}

function drawPerson(number: number, draws: Draws, normal: () => number): Person {
  const { below, happens, said, some } = draws;
  const gender: Gender = happens(0.04) ? 'non-binary' : happens(0.5) ? 'woman' : 'man';
  const age = Math.min(80, Math.max(18, Math.round(33 + 8 * normal())));
  const wishMin = Math.max(18, age - below(12));
  const joinedDays = below(200);
  return {
    id: `person-${number}`,
    gender,
    seeking: drawSeeking(gender, draws),
    age,
    agePreference: happens(0.85)
      ? { min: wishMin, max: Math.max(wishMin, age + below(12)), required: happens(0.8) }
      : null,
    distancePreference: happens(0.8) ? { maxKm: 5 + below(95), required: happens(0.7) } : null,
    goal: said(relationshipGoals),
    children: said(childrenAnswers),
    smoking: said(smokingAnswers),
    drinking: said(drinkingAnswers),
    exercise: said(exerciseAnswers),
    languages: some(commonLanguages, 3),
    interests: some(interests.slice(0, 40), 8),
    showsLastActive: happens(0.8),
    place: happens(0.95)
      ? snapToPlaceCell(centre.latitude + spreadDegrees * normal(), centre.longitude + spreadDegrees * normal())
      : null,
    answerSheet: drawAnswers(draws),
    appeal: 0.8 * normal(),
    selectivity: 0.8 * normal(),
    pendingLikes: happens(0.4) ? 0 : below(30),
    readsWeekly: below(20),
    replyRate: replyRate(below(8), 8),
    impressionsInWeek: below(150),
    decisionsReceived: happens(0.15) ? below(10) : 10 + below(500),
    joinedDays,
    lastActiveDays: happens(0.7) ? below(7) : below(45),
    isVip: happens(0.2),
  };
}

/** Members of every gender around one city, with random fields left out; the same generator gives the same members. */
export function makePeople(count: number, random: Random): Person[] {
  const [draws, normal] = [drawsFrom(random), normalFrom(random)];
  return Array.from({ length: count }, (_, number) => drawPerson(number, draws, normal));
}
