import { added, type Figures, mean, percent, type Share } from './figures.ts';
import type { SeedFigures } from './measure.ts';
import type { PolicyName } from './policies.ts';
import type { TruthName } from './truths.ts';

type Seeds = readonly SeedFigures[];

/** A promise about the shipped policy, which must hold in each of its truths. */
interface Gate {
  gate: string;
  goal: string;
  /** The truths in which the compared policies are simulated; all if undefined. */
  truths?: readonly TruthName[];
  value: (seeds: Seeds) => number;
  isKept: (value: number, truth: TruthName) => boolean;
  /**
   * For a goal that isn't reached yet: whether the value is no worse than in results.txt, apart from how much seeds differ. Such a miss
   * doesn't fail the command, so that it fails for a change that makes decks worse.
   */
  isAsBefore?: (value: number, truth: TruthName) => boolean;
}

/** Segments with a smaller share of all member-weeks are not judged, since they are too small to tell. */
const judgedShare = 0.01;
/** The Gini coefficients of likes received by men and women before decoys had separate places (seeds 0 to 2). */
const giniBefore: Partial<Record<TruthName, [number, number]>> = {
  formula: [0.5, 0.39],
  clusters: [0.5, 0.37],
  homophily: [0.5, 0.42],
  strategic: [0.48, 0.36],
  step: [0.52, 0.4],
};

/** The figures of a policy in each seed. */
export function figuresIn(seeds: Seeds, policy: PolicyName): Figures[] {
  return seeds.map((seed) => {
    const figures = seed.policies[policy];
    if (figures === undefined) throw new Error(`${policy} was not simulated in ${seed.truth}`);
    return figures;
  });
}

/** The ratio of our figure to that of another policy in each seed. */
export function ratiosTo(
  seeds: Seeds,
  other: PolicyName,
  of: (figures: Figures) => number = ({ matchesPer100Cards }) => matchesPer100Cards,
): number[] {
  const others = figuresIn(seeds, other).map(of);
  return figuresIn(seeds, 'shipped').map((own, index) => of(own) / (others[index] ?? 0));
}

const shareIn = (seeds: Seeds, policy: PolicyName, of: (figures: Figures) => Share) =>
  percent(added(figuresIn(seeds, policy).map(of)));
const coverage = ({ coverageBySegment }: Figures) => added(Object.values(coverageBySegment));
/** The difference in points between our share and that of random cards. */
const pointsOver = (seeds: Seeds, of: (figures: Figures) => Share) =>
  shareIn(seeds, 'shipped', of) - shareIn(seeds, 'random', of);

/** The difference in points between the weekly coverage and that of random cards, for each segment that is large enough. */
function segmentGaps(seeds: Seeds): number[] {
  const ours = figuresIn(seeds, 'shipped');
  const all = added(ours.map(coverage)).whole;
  const of =
    (segment: string) =>
    ({ coverageBySegment }: Figures) =>
      coverageBySegment[segment] ?? { part: 0, whole: 0 };
  return [...new Set(ours.flatMap(({ coverageBySegment }) => Object.keys(coverageBySegment)))]
    .filter((segment) => added(ours.map(of(segment))).whole >= judgedShare * all)
    .map((segment) => pointsOver(seeds, of(segment)));
}

const giniGate = (name: string, side: 0 | 1, of: (figures: Figures) => number): Gate => ({
  gate: `Gini of likes received by ${name}`,
  goal: 'no higher than before decoys had separate places',
  value: (seeds) => mean(figuresIn(seeds, 'shipped').map(of)),
  isKept: (gini, truth) => gini <= (giniBefore[truth]?.[side] ?? 1) + 0.005,
  isAsBefore: (gini, truth) => gini <= (giniBefore[truth]?.[side] ?? 1) + 0.06,
});

/** The promises about cards as the product deals them. */
const gates: readonly Gate[] = [
  {
    gate: 'matches per 100 cards against one-sided + inbox',
    goal: '≥ × 1.05, formula ≥ × 1.15',
    value: (seeds) => mean(ratiosTo(seeds, 'one-sided + inbox')),
    isKept: (ratio, truth) => ratio >= (truth === 'formula' ? 1.15 : 1.05),
    isAsBefore: (ratio, truth) => truth === 'formula' && ratio >= 1.1,
  },
  {
    gate: 'matches per 100 cards against random',
    goal: '≥ × 1.20',
    value: (seeds) => mean(ratiosTo(seeds, 'random')),
    isKept: (ratio) => ratio >= 1.2,
  },
  {
    gate: 'matches per 100 cards against oracle',
    goal: '≥ × 0.90',
    truths: ['formula'],
    value: (seeds) => mean(ratiosTo(seeds, 'oracle')),
    isKept: (ratio) => ratio >= 0.9,
    isAsBefore: (ratio) => ratio >= 0.78,
  },
  {
    gate: 'conversations per 100 cards against likes alone',
    goal: '≥ × 1.02',
    truths: ['silence'],
    value: (seeds) => mean(ratiosTo(seeds, 'likes alone', ({ conversationsPer100Cards }) => conversationsPer100Cards)),
    isKept: (ratio) => ratio >= 1.02,
  },
  {
    gate: 'members with a match in a week against random, points',
    goal: '≥ −0.5',
    value: (seeds) => pointsOver(seeds, coverage),
    isKept: (points) => points >= -0.5,
  },
  {
    gate: 'the same in the segment with the lowest, points',
    goal: '≥ −2',
    value: (seeds) => Math.min(...segmentGaps(seeds)),
    isKept: (points) => points >= -2,
  },
  {
    gate: 'likes never read, %',
    goal: '≤ 18',
    value: (seeds) => shareIn(seeds, 'shipped', ({ likesUnread }) => likesUnread),
    isKept: (share) => share <= 18,
    isAsBefore: (share) => share <= 42,
  },
  giniGate('men', 0, ({ giniMen }) => giniMen),
  giniGate('women', 1, ({ giniWomen }) => giniWomen),
  {
    gate: 'new members matched within 7 days, %',
    goal: '≥ 80',
    value: (seeds) => shareIn(seeds, 'shipped', ({ newMatched }) => newMatched),
    isKept: (share) => share >= 80,
    isAsBefore: (share) => share >= 72,
  },
  {
    // The mean of all seeds, because a single market varies by about one percent.
    gate: 'premium: change of the matches of all others, %',
    goal: '≥ −0.5',
    truths: ['formula'],
    value: (seeds) => mean(seeds.flatMap(({ premium }) => premium ?? [])),
    isKept: (change) => change >= -0.5,
  },
];

/** A gate with its value for each ground truth. */
export interface Judged {
  gate: string;
  goal: string;
  found: Partial<Record<TruthName, { value: number; isKept: boolean; isAsBefore: boolean }>>;
}

/** The seeds for each ground truth, in order. */
export const byTruth = (seeds: Seeds): Map<TruthName, SeedFigures[]> => Map.groupBy(seeds, ({ truth }) => truth);

/** Evaluates every gate for each of its ground truths. */
export function judgeAll(seeds: Seeds): Judged[] {
  return gates.map(({ gate, goal, truths, value: valueIn, isKept, isAsBefore }) => {
    const about = [...byTruth(seeds)].filter(([truth]) => truths?.includes(truth) ?? true);
    const found = about.map(([truth, own]) => {
      const value = valueIn(own);
      return [truth, { value, isKept: isKept(value, truth), isAsBefore: isAsBefore?.(value, truth) ?? false }];
    });
    return { gate, goal, found: Object.fromEntries(found) as Judged['found'] };
  });
}
