import { questions } from '#contract/compatibility.ts';
import type { ReasonKind } from '#contract/discovery.ts';
import { compatibilityBand } from '../../server/src/features/compatibility/score.ts';
import { boostMax, scoreOf, segmentOf } from '../../server/src/features/discovery/score/score.ts';
import { type Card, dealPage, pageRules, rankedFor } from '../../server/src/features/discovery/deck/page.ts';
import {
  type Candidate,
  isEligible,
  type MarketStats,
  type Viewer,
} from '../../server/src/features/discovery/score/people.ts';
import { distanceKm } from '../../server/src/features/profiles/place/distance.ts';
import { createRandom } from '../chaos/random.ts';
import { makePeople, type Person } from './people.ts';
import { isTrue, violations, type Known } from './truth.ts';

const likerShare = 0.06;

/** What checks on random cards of random members found. */
export interface CardFigures {
  cards: number;
  /** Hard filters violated, with the number of cards. */
  violations: Record<string, number>;
  /** Pages that break a rule of the page. */
  brokenPages: number;
  cardsWithReasons: number;
  reasons: number;
  untrue: number;
  /** Reasons whose feature does not raise R. */
  unfaithful: number;
}

interface Shown {
  person: Person;
  row: Candidate;
}

function viewerOf(person: Person): Viewer {
  const own = { appeal: person.appeal, selectivity: person.selectivity };
  return { ...person, memberScore: { woman: own, man: own, 'non-binary': own } };
}

/** A candidate's row without what depends on the viewer. */
function rowOf({ appeal, selectivity, place: _place, answerSheet: _sheet, ...row }: Person): Candidate {
  return { ...row, memberScore: { appeal, selectivity }, distanceKm: null, answers: null, likesViewer: false };
}

/** A viewer's eligible candidates, with answers; only they cost a copy of their row. */
function eligibleRows(viewer: Viewer, person: Person, everyone: readonly Shown[], likes: () => boolean): Candidate[] {
  return everyone.flatMap(({ person: other, row }): Candidate[] => {
    if (other === person) return [];
    row.likesViewer = likes();
    row.distanceKm = person.place === null || other.place === null ? null : distanceKm(person.place, other.place);
    if (!isEligible(viewer, row)) return [];
    return [{ ...row, answers: compatibilityBand(person.answerSheet, other.answerSheet) }];
  });
}

function marketOf(people: readonly Person[], stated: Map<string, number>): MarketStats {
  const base = new Map(people.map((to) => [segmentOf('man', to.gender, to.age), -0.6]));
  for (const to of people) base.set(segmentOf('woman', to.gender, to.age), -2);
  const shares = [...stated].map(([interest, count]) => [interest, count / people.length] as const);
  return { base, interestShares: new Map(shares), alike: new Map(), premiumBoost: boostMax };
}

/** Both members without the fact behind a reason. */
function without(kind: ReasonKind, viewer: Viewer, row: Candidate): [Viewer, Candidate] {
  switch (kind) {
    case 'goal':
    case 'children':
    case 'smoking':
      return [
        { ...viewer, [kind]: null },
        { ...row, [kind]: null },
      ];
    case 'ages':
      return [
        { ...viewer, agePreference: null },
        { ...row, agePreference: null },
      ];
    case 'answers':
      return [viewer, { ...row, answers: null }];
    case 'languages':
    case 'interests':
      return [
        { ...viewer, [kind]: [] },
        { ...row, [kind]: [] },
      ];
    case 'active':
      return [viewer, { ...row, readsWeekly: 0, replyRate: 0 }];
    case 'premium':
      return [viewer, { ...row, isVip: false }];
    case 'new-here':
      return [viewer, row];
  }
}

/** Whether R would be lower without the fact behind a reason; being new decides the slot, not the rank. */
function isFaithful(kind: ReasonKind, viewer: Viewer, { candidate, rank, slot }: Card, market: MarketStats): boolean {
  if (kind === 'new-here') return slot === 'exploration';
  const [lessViewer, lessRow] = without(kind, viewer, candidate);
  return scoreOf(lessViewer, lessRow, market).rank < rank;
}

function isBroken(page: readonly Card[]): boolean {
  const firsts = page
    .map(({ reasons }) => reasons[0]?.reason.kind)
    .map((kind) => (kind === 'premium' ? undefined : kind));
  return (
    new Set(page.map(({ candidate }) => candidate.id)).size !== page.length ||
    page.length > pageRules.size ||
    page.filter(({ candidate }) => candidate.likesViewer).length > 8 ||
    page.filter(({ candidate }) => candidate.isVip).length > 2 ||
    page.filter(({ slot }) => slot === 'exploration').length > 2 ||
    firsts.some((kind, place) => kind !== undefined && kind === firsts[place - 1])
  );
}

/**
 * Deals pages of production to generated members until this many cards are dealt, and checks each card against every
 * hard filter and each reason of the first `reasonCards` against what both stated.
 */
export function checkCards(seed: number, cardCount: number, reasonCards: number): CardFigures {
  const random = createRandom(seed);
  const people = makePeople(1_500, random);
  const stated = new Map<string, number>();
  for (const word of people.flatMap(({ interests }) => interests)) stated.set(word, (stated.get(word) ?? 0) + 1);
  const market = marketOf(people, stated);
  const optionsOf = new Map(questions.map(({ id, options }) => [id, options.length]));
  const figures: CardFigures = {
    cards: 0,
    violations: {},
    brokenPages: 0,
    cardsWithReasons: 0,
    reasons: 0,
    untrue: 0,
    unfaithful: 0,
  };
  const everyone = people.map((person) => ({ person, row: rowOf(person) }));
  const personOf = new Map(people.map((person) => [person.id, person]));
  for (let turn = 0; figures.cards < cardCount && turn < cardCount; turn += 1) {
    const person = people[turn % people.length];
    if (person === undefined) break;
    const viewer = viewerOf(person);
    const rows = eligibleRows(viewer, person, everyone, () => random.next() < likerShare);
    const page = dealPage(viewer, rankedFor(viewer, rows, market), market, turn);
    if (isBroken(page)) figures.brokenPages += 1;
    for (const card of page.slice(0, cardCount - figures.cards)) {
      const shown = personOf.get(card.candidate.id);
      if (shown === undefined) throw new Error(`A card of an unknown member: ${card.candidate.id}`);
      figures.cards += 1;
      for (const filter of violations(person, shown))
        figures.violations[filter] = (figures.violations[filter] ?? 0) + 1;
      if (figures.cards > reasonCards) continue;
      const known: Known = { optionsOf, stated, members: people.length, isExploration: card.slot === 'exploration' };
      checkReasons(figures, card, { viewer, person, shown, known, market });
    }
  }
  return figures;
}

function checkReasons(
  figures: CardFigures,
  card: Card,
  dealt: { viewer: Viewer; person: Person; shown: Person; known: Known; market: MarketStats },
): void {
  const { viewer, person, shown, known, market } = dealt;
  if (card.reasons.length > 0) figures.cardsWithReasons += 1;
  for (const { reason } of card.reasons) {
    figures.reasons += 1;
    if (!isTrue(reason, person, shown, known)) figures.untrue += 1;
    if (!isFaithful(reason.kind, viewer, card, market)) figures.unfaithful += 1;
  }
}
