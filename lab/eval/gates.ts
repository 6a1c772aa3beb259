import type { CardFigures } from './cards.ts';
import { added, type Figures, mean, percent, type Share, spread } from './figures.ts';
import type { SeedFigures } from './measure.ts';
import { policies, type Policy } from './policies.ts';
import type { TruthName } from './truths.ts';

/** One promise with the measured and the required figure. */
export interface Gate {
  gate: string;
  measured: string;
  goal: string;
  /** Null if it could not be measured. */
  isKept: boolean | null;
  /** What was found in each truth, where it is about them all. */
  byTruth?: Partial<Record<TruthName, { text: string; isKept: boolean }>>;
}

/** Segments with a smaller share of all member-weeks are reported but not judged, since they are too small to tell. */
const judgedShare = 0.01;
const pointsBelow = 2;
/** The Gini coefficients of likes received by men and women before decoys had places of their own (seeds 0 to 2); none may grow. */
export const giniBefore: Partial<Record<TruthName, [number, number]>> = {
  formula: [0.5, 0.39],
  clusters: [0.5, 0.37],
  homophily: [0.5, 0.42],
  strategic: [0.48, 0.36],
  step: [0.52, 0.4],
};

const ratio = (value: number) => `× ${value.toFixed(2)}`;
const inPercent = (value: number) => `${value.toFixed(1)} %`;
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

/** The figures of a policy in each seed of a truth. */
export function figuresIn(seeds: readonly SeedFigures[], policy: Policy): Figures[] {
  return seeds.map((seed) => {
    const figures = seed.policies[policy];
    if (figures === undefined) throw new Error(`${policy} was not simulated in ${seed.truth}`);
    return figures;
  });
}

/** The seeds that simulate a policy. */
export const simulating = (seeds: readonly SeedFigures[], policy: Policy): SeedFigures[] =>
  seeds.filter((seed) => seed.policies[policy] !== undefined);

const matchesOf = (figures: Figures) => figures.matchesPer100Cards;
const sharedOf = (seeds: readonly SeedFigures[], policy: Policy, of: (figures: Figures) => Share) =>
  percent(added(figuresIn(seeds, policy).map((figures) => ({ all: of(figures) })))['all'] ?? { part: 0, whole: 0 });

/** How many times the matches of another policy ours has, in each seed. */
export function ratiosTo(seeds: readonly SeedFigures[], other: Policy): number[] {
  const others = figuresIn(seeds, other);
  return figuresIn(seeds, 'shipped').map(
    (own, index) => own.matchesPer100Cards / (others[index] ?? own).matchesPer100Cards,
  );
}

/** The seeds of each truth, in order. */
export function byTruth(seeds: readonly SeedFigures[]): Map<TruthName, SeedFigures[]> {
  return Map.groupBy(seeds, ({ truth }) => truth);
}

/** One promise about all truths: kept only if it holds in each. */
function everywhere(
  seeds: readonly SeedFigures[],
  gate: string,
  goal: string,
  judge: (seeds: SeedFigures[], truth: TruthName) => { text: string; isKept: boolean },
): Gate {
  const found = [...byTruth(seeds)].map(([truth, own]) => ({ truth, ...judge(own, truth) }));
  return {
    byTruth: Object.fromEntries(found.map(({ truth, ...rest }) => [truth, rest])),
    gate,
    measured: found.map(({ truth, text, isKept }) => `${truth} ${text}${isKept ? '' : ' (missed)'}`).join(', '),
    goal,
    isKept: found.every(({ isKept }) => isKept),
  };
}

function ratioGate(seeds: readonly SeedFigures[], other: Policy, least: number, inFormula = least): Gate {
  const goal = inFormula === least ? '' : `, formula ≥ × ${inFormula.toFixed(2)}`;
  return everywhere(seeds, `matches per 100 cards against ${other}`, `≥ × ${least.toFixed(2)}${goal}`, (own, truth) => {
    const ratios = ratiosTo(own, other);
    return { text: ratio(mean(ratios)), isKept: mean(ratios) >= (truth === 'formula' ? inFormula : least) };
  });
}

/** Learning from what became of matches must bring more conversations where they differ from likes. */
function conversationGate(seeds: readonly SeedFigures[]): Gate {
  const own = seeds.filter((seed) => seed.policies['likes alone'] !== undefined);
  return everywhere(own, 'conversations per 100 cards against likes alone', '≥ × 1.02', (some) => {
    const before = figuresIn(some, 'likes alone');
    const ratios = figuresIn(some, 'shipped').map(
      (figures, index) => figures.conversationsPer100Cards / (before[index] ?? figures).conversationsPer100Cards,
    );
    return { text: `${ratio(mean(ratios))} ± ${spread(ratios).toFixed(2)}`, isKept: mean(ratios) >= 1.02 };
  });
}

function coverageGate(seeds: readonly SeedFigures[], below: number): Gate {
  return everywhere(seeds, 'members with a match in a week', `≥ random − ${below} points`, (own) => {
    const [ours, random] = [
      sharedOf(own, 'shipped', ({ coverage }) => coverage),
      sharedOf(own, 'random', ({ coverage }) => coverage),
    ];
    return { text: `${inPercent(ours)} (${signed(ours - random)})`, isKept: ours >= random - below };
  });
}

/** By how many points each segment's weekly coverage differs from random's, with its share of all member-weeks. */
export function segmentGaps(seeds: readonly SeedFigures[]): { segment: string; points: number; share: number }[] {
  const of = (policy: Policy) => added(figuresIn(seeds, policy).map((figures) => figures.coverageBySegment));
  const [ours, random] = [of('shipped'), of('random')];
  const all = Object.values(ours).reduce((sum, { whole }) => sum + whole, 0);
  return Object.entries(ours)
    .map(([segment, share]) => ({
      segment,
      points: percent(share) - percent(random[segment] ?? { part: 0, whole: 0 }),
      share: share.whole / all,
    }))
    .sort((one, other) => one.points - other.points);
}

function segmentGate(seeds: readonly SeedFigures[]): Gate {
  const goal = `none below −${pointsBelow}`;
  return everywhere(seeds, 'lowest weekly coverage of a segment against random, points', goal, (own) => {
    const [lowest] = segmentGaps(own).filter(({ share }) => share >= judgedShare);
    if (lowest === undefined) return { text: 'no segment', isKept: true };
    return { text: `${signed(lowest.points)} (${lowest.segment})`, isKept: lowest.points >= -pointsBelow };
  });
}

function giniGate(seeds: readonly SeedFigures[]): Gate {
  const goal = 'no higher than before decoys had own places';
  return everywhere(seeds, 'Gini of likes received, men / women', goal, (own, truth) => {
    const figures = figuresIn(own, 'shipped');
    const found = [mean(figures.map(({ giniMen }) => giniMen)), mean(figures.map(({ giniWomen }) => giniWomen))];
    const before = giniBefore[truth] ?? [1, 1];
    const isKept = found.every((value, side) => value <= (before[side] ?? 1) + 0.005);
    return { text: found.map((value) => value.toFixed(2)).join(' / '), isKept };
  });
}

function shareGate(
  seeds: readonly SeedFigures[],
  gate: string,
  of: (figures: Figures) => Share,
  { least = 0, most = 100 }: { least?: number; most?: number },
): Gate {
  return everywhere(seeds, gate, most < 100 ? `≤ ${most} %` : `≥ ${least} %`, (own) => {
    const found = sharedOf(own, 'shipped', of);
    return { text: inPercent(found), isKept: found >= least && found <= most };
  });
}

/** In the truths where it was simulated; a single market tells little, as its changes are within one percent. */
function premiumGate(all: readonly SeedFigures[]): Gate {
  const seeds = all.filter(({ premium }) => premium !== null);
  return everywhere(seeds, 'premium × 1.25: change of the matches of all others', '≥ −0.5 %', (own) => {
    const changes = own.flatMap(({ premium }) => (premium === null ? [] : [premium]));
    const others = mean(changes.map((change) => change.others));
    return {
      text: `${signed(others)} % (its members ${signed(mean(changes.map(({ vips }) => vips)))} %)`,
      isKept: others >= -0.5,
    };
  });
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

/** The gates of the full form, all on cards as the product deals them. */
export function fullGates(seeds: readonly SeedFigures[], recall: number): Gate[] {
  return [
    ratioGate(seeds, 'one-sided + inbox', 1.05, 1.15),
    ratioGate(seeds, 'random', 1.2),
    ratioGate(
      seeds.filter(({ truth }) => truth === 'formula'),
      'oracle',
      0.9,
    ),
    conversationGate(seeds),
    coverageGate(seeds, 0.5),
    segmentGate(seeds),
    shareGate(seeds, 'likes never read', ({ likesUnread }) => likesUnread, { most: 18 }),
    giniGate(seeds),
    shareGate(seeds, 'new members matched within 7 days', ({ newMatched }) => newMatched, { least: 80 }),
    premiumGate(seeds),
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
  return [ratioGate(seeds, 'random', 1), coverageGate(seeds, 2)];
}

/** What each policy makes of a truth's markets: means over the seeds that simulate it, with their standard deviation for matches. */
export function truthTable(all: readonly SeedFigures[]): string[][] {
  const shown = policies.filter((policy) => simulating(all, policy).length > 0);
  const rows = shown.map((policy) => {
    const seeds = simulating(all, policy);
    const figures = figuresIn(seeds, policy);
    const matches = figures.map(matchesOf);
    const ratios = ratiosTo(seeds, policy);
    const average = (of: (one: Figures) => number, digits = 1) => mean(figures.map(of)).toFixed(digits);
    return [
      seeds.length === all.length ? policy : `${policy} (${seeds.length} of ${all.length} seeds)`,
      `${mean(matches).toFixed(2)} ± ${spread(matches).toFixed(2)}`,
      policy === 'shipped' ? '' : `${ratio(mean(ratios))} ± ${spread(ratios).toFixed(2)}`,
      average(({ conversationsPer100Cards }) => conversationsPer100Cards, 2),
      average(({ coverage }) => percent(coverage)),
      average(({ likesUnread }) => percent(likesUnread)),
      `${average(({ giniMen }) => giniMen, 2)} / ${average(({ giniWomen }) => giniWomen, 2)}`,
      average((one) => one.lowestFifth),
      average(({ newMatched }) => percent(newMatched)),
    ];
  });
  const head = [
    'matches per 100 cards',
    'shipped against it',
    'conversations',
    'weekly coverage %',
    'unread likes %',
    'Gini m / w',
  ];
  return [['policy', ...head, 'lowest fifth %', 'new matched %'], ...rows];
}
