import type { CardFigures } from './cards.ts';
import { added, percent, type Share } from './figures.ts';
import type { SeedFigures } from './measure.ts';
import type { Policy } from './policies.ts';

/** One promise with the measured and the required figure. */
export interface Gate {
  gate: string;
  measured: string;
  goal: string;
  /** Null if it could not be measured. */
  isKept: boolean | null;
}

/** Segments with a smaller share of all member-weeks are reported but not judged, since they are too small to tell. */
const judgedShare = 0.01;
const pointsBelow = 2;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const ratio = (value: number) => `× ${value.toFixed(2)}`;
const inPercent = (value: number) => `${value.toFixed(1)} %`;
const signed = (value: number, unit: string) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)} ${unit}`;
const each = (values: readonly number[], words: (value: number) => string) =>
  values.length > 1 ? ` (${values.map(words).join(', ')})` : '';

const together = (
  seeds: readonly SeedFigures[],
  policy: Policy,
  of: 'coverage' | 'likesUnread' | 'newMatched',
): Share => added(seeds.map(({ policies }) => ({ all: policies[policy][of] })))['all'] ?? { part: 0, whole: 0 };

function ratioGate(seeds: readonly SeedFigures[], other: Policy, least: number): Gate {
  const ratios = seeds.map(({ policies }) => policies.ours.matchesPer100Cards / policies[other].matchesPer100Cards);
  return {
    gate: `matches per 100 cards against ${other}`,
    measured: `${ratio(mean(ratios))}${each(ratios, (value) => value.toFixed(2))}`,
    goal: `≥ × ${least.toFixed(2)}`,
    isKept: mean(ratios) >= least,
  };
}

function coverageGate(seeds: readonly SeedFigures[], below: number): Gate {
  const [ours, random] = [percent(together(seeds, 'ours', 'coverage')), percent(together(seeds, 'random', 'coverage'))];
  return {
    gate: 'members with a match in a week',
    measured: `${inPercent(ours)} (random ${inPercent(random)}, popularity ${inPercent(percent(together(seeds, 'popularity', 'coverage')))})`,
    goal: `≥ random − ${below} points`,
    isKept: ours >= random - below,
  };
}

/** By how many points each segment's weekly coverage differs from random's, with its share of all member-weeks. */
export function segmentGaps(seeds: readonly SeedFigures[]): { segment: string; points: number; share: number }[] {
  const of = (policy: Policy) => added(seeds.map(({ policies }) => policies[policy].coverageBySegment));
  const [ours, random] = [of('ours'), of('random')];
  const all = Object.values(ours).reduce((sum, { whole }) => sum + whole, 0);
  return Object.entries(ours)
    .map(([segment, share]) => ({
      segment,
      points: percent(share) - percent(random[segment] ?? { part: 0, whole: 0 }),
      share: share.whole / all,
    }))
    .sort((one, other) => one.segment.localeCompare(other.segment));
}

function segmentGate(seeds: readonly SeedFigures[]): Gate {
  const gaps = segmentGaps(seeds);
  const judged = gaps.filter(({ share }) => share >= judgedShare);
  const texts = gaps.map(({ segment, points, share }) => {
    return `${segment} ${signed(points, '')}`.trim() + (share < judgedShare ? ' (too few to judge)' : '');
  });
  return {
    gate: 'weekly coverage by segment against random, points',
    measured: texts.join(', '),
    goal: `none below −${pointsBelow}`,
    isKept: judged.every(({ points }) => points >= -pointsBelow),
  };
}

function sharesGates(seeds: readonly SeedFigures[]): Gate[] {
  const ours = seeds.map(({ policies }) => policies.ours);
  const [giniMen, giniWomen] = [
    mean(ours.map((figures) => figures.giniMen)),
    mean(ours.map((figures) => figures.giniWomen)),
  ];
  const lowest = mean(ours.map((figures) => figures.lowestFifth));
  const unread = percent(together(seeds, 'ours', 'likesUnread'));
  const fresh = percent(together(seeds, 'ours', 'newMatched'));
  return [
    {
      gate: 'Gini of likes received, men / women',
      measured: `${giniMen.toFixed(2)} / ${giniWomen.toFixed(2)}`,
      goal: '≤ 0.63 / 0.52',
      isKept: giniMen <= 0.63 && giniWomen <= 0.52,
    },
    {
      gate: 'likes never read',
      measured: `${inPercent(unread)} (popularity ${inPercent(percent(together(seeds, 'popularity', 'likesUnread')))})`,
      goal: '≤ 20 %',
      isKept: unread <= 20,
    },
    {
      gate: 'impressions of the fifth with the fewest',
      measured: inPercent(lowest),
      goal: '≥ 2.5 %',
      isKept: lowest >= 2.5,
    },
    { gate: 'new members matched within 7 days', measured: inPercent(fresh), goal: '≥ 80 %', isKept: fresh >= 80 },
  ];
}

function premiumGate(seeds: readonly SeedFigures[]): Gate {
  const changes = seeds.map(({ premium }) => premium.others);
  return {
    gate: 'premium × 1.25: matches of all others',
    measured: `${signed(mean(changes), '%')}${each(changes, (value) => signed(value, '%'))}; its members ${signed(mean(seeds.map(({ premium }) => premium.vips)), '%')}`,
    goal: '≥ −0.5 %',
    isKept: mean(changes) >= -0.5,
  };
}

/** The gates on random cards. */
export function cardGates(cards: CardFigures): Gate[] {
  const broken = Object.entries(cards.violations);
  return [
    {
      gate: `hard filters violated on ${cards.cards} cards`,
      measured: broken.length === 0 ? '0' : broken.map(([filter, count]) => `${filter} ${count}`).join(', '),
      goal: '0',
      isKept: broken.length === 0,
    },
    {
      gate: 'pages that break a rule of the page',
      measured: String(cards.brokenPages),
      goal: '0',
      isKept: cards.brokenPages === 0,
    },
    {
      gate: `untrue reasons of ${cards.reasons}`,
      measured: String(cards.untrue),
      goal: '0',
      isKept: cards.reasons > 0 && cards.untrue === 0,
    },
    {
      gate: 'reasons without which R is no lower',
      measured: String(cards.unfaithful),
      goal: '0',
      isKept: cards.reasons > 0 && cards.unfaithful === 0,
    },
  ];
}

/** The gates of the full form: 3,000 + 3,000 members, three seeds. */
export function fullGates(seeds: readonly SeedFigures[], recall: number): Gate[] {
  return [
    ratioGate(seeds, 'popularity', 1.45),
    ratioGate(seeds, 'random', 1.4),
    ratioGate(seeds, 'one-sided', 1.22),
    coverageGate(seeds, 0.5),
    ...sharesGates(seeds),
    premiumGate(seeds),
    segmentGate(seeds),
    {
      gate: 'candidate recall@20 against scoring all',
      measured: inPercent(100 * recall),
      goal: '≥ 95 %',
      isKept: recall >= 0.95,
    },
  ];
}

/** The gates of the small form: order and coverage alone, since ratios grow with the pool. */
export function smallGates(seeds: readonly SeedFigures[]): Gate[] {
  const orders: [Policy, Policy][] = [
    ['popularity', 'product'],
    ['one-sided', 'product'],
    ['product', 'ours'],
  ];
  return [
    ...orders.map(([less, more]): Gate => {
      const of = (policy: Policy) => mean(seeds.map(({ policies }) => policies[policy].matchesPer100Cards));
      return {
        gate: `matches per 100 cards, ${less} < ${more}`,
        measured: `${of(less).toFixed(2)} < ${of(more).toFixed(2)}`,
        goal: 'less',
        isKept: of(less) < of(more),
      };
    }),
    coverageGate(seeds, 2),
  ];
}
