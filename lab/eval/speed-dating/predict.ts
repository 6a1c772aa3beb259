import { chance, logSigmoid } from '../../../server/src/features/discovery/score/score.ts';
import { contentMax } from '../../../server/src/features/discovery/score/content.ts';
import { learnFrom, nothingLearned, type Estimate } from '../../../server/src/features/discovery/learn/learning.ts';
import { fitLogistic, logOddsOf } from './logistic-regression.ts';
import type { Evenings, Meeting } from './evenings.ts';

/** How strongly the content model may be regularized; chosen within the evenings it is fitted to. */
const ridges = [100, 300, 1000, 3000];
const folds = 4;

/** Predictions for each decision, in order, by models that never saw its evening. */
export interface Predictions {
  /** Log-odds by content only. */
  content: number[];
  /** p(i→j) by production's score, with what was learned about both from earlier decisions of the same evening. */
  oneSided: number[];
  /** The same without the rater's selectivity, which is the same for all cards of a deck and does not order them. */
  onDeck: number[];
}

const clipped = (content: number) => Math.min(contentMax, Math.max(-contentMax, content));

/** The base log-odds of men and of women over the decisions. */
function basesOf({ guests }: Evenings, meetings: readonly Meeting[]): (rater: number) => number {
  const of = (isMan: boolean) => {
    const own = meetings.filter(({ rater }) => (guests[rater]?.isMan ?? 0) > 0.5 === isMan);
    const rate = (own.filter(({ liked }) => liked).length + 1) / (own.length + 2);
    return Math.log(rate / (1 - rate));
  };
  const [women, men] = [of(false), of(true)];
  return (rater) => ((guests[rater]?.isMan ?? 0) > 0.5 ? men : women);
}

/** Processes one evening turn by turn: all dates of a turn are predicted before learning from any of them. */
function playEvening(
  indexes: readonly number[],
  meetings: readonly Meeting[],
  baseOf: (rater: number) => number,
  contentOf: (index: number) => number,
): Map<number, { oneSided: number; onDeck: number }> {
  const selectivity = new Map<number, Estimate>();
  const appeal = new Map<number, Estimate>();
  const predicted = new Map<number, { oneSided: number; onDeck: number }>();
  const turns = [...new Set(indexes.map((index) => meetings[index]?.turn ?? 0))].sort((one, other) => one - other);
  for (const turn of turns) {
    const now = indexes.flatMap((index) => {
      const meeting = meetings[index];
      if (meeting?.turn !== turn) return [];
      const own = selectivity.get(meeting.rater) ?? nothingLearned;
      const theirs = appeal.get(meeting.rated) ?? nothingLearned;
      return [{ index, meeting, own, theirs, base: baseOf(meeting.rater), content: contentOf(index) }];
    });
    for (const { index, own, theirs, base, content } of now) {
      predicted.set(index, {
        oneSided: chance(base, own.value, theirs.value, content),
        onDeck: chance(base, 0, theirs.value, content),
      });
    }
    for (const { meeting, base, content } of now) {
      const learned = learnFrom({
        liked: meeting.liked,
        base,
        content,
        alike: 0,
        alikeWeight: 0,
        selectivity: selectivity.get(meeting.rater) ?? nothingLearned,
        selectivityDays: 0,
        appeal: appeal.get(meeting.rated) ?? nothingLearned,
        appealDays: 0,
      });
      selectivity.set(meeting.rater, learned.selectivity);
      appeal.set(meeting.rated, learned.appeal);
    }
  }
  return predicted;
}

type RowOf = (index: number) => Float64Array;

const fitTo = ({ meetings }: Evenings, indexes: readonly number[], rowOf: RowOf, ridge: number) =>
  fitLogistic(
    indexes.map(rowOf),
    indexes.map((index) => meetings[index]?.liked === true),
    ridge,
  );

/** The ridge that predicts a part of the given decisions' evenings best from the others, by the likelihood of what was decided. */
function chosenRidge(evenings: Evenings, indexes: readonly number[], rowOf: RowOf): number {
  const { meetings } = evenings;
  const waves = [...new Set(indexes.map((index) => meetings[index]?.wave))];
  const foldOf = (index: number) => waves.indexOf(meetings[index]?.wave) % folds;
  const likelihood = (ridge: number) => {
    let sum = 0;
    for (let fold = 0; fold < Math.min(folds, waves.length); fold += 1) {
      const model = fitTo(
        evenings,
        indexes.filter((index) => foldOf(index) !== fold),
        rowOf,
        ridge,
      );
      for (const index of indexes.filter((one) => foldOf(one) === fold)) {
        const logOdds = logOddsOf(model, rowOf(index));
        sum += logSigmoid(meetings[index]?.liked === true ? logOdds : -logOdds);
      }
    }
    return sum;
  };
  const found = ridges.map((ridge) => ({ ridge, fit: likelihood(ridge) }));
  return found.reduce((best, one) => (one.fit > best.fit ? one : best)).ridge;
}

/** Predicts every decision with models fitted without its evening; reports progress through `say`. */
export function predict(evenings: Evenings, rows: readonly Float64Array[], say: (text: string) => void): Predictions {
  const { meetings, waves } = evenings;
  const predictions: Predictions = {
    content: new Array<number>(meetings.length).fill(0),
    oneSided: new Array<number>(meetings.length).fill(0),
    onDeck: new Array<number>(meetings.length).fill(0),
  };
  for (const wave of waves) {
    const all = meetings.map((_, index) => index);
    const held = all.filter((index) => meetings[index]?.wave === wave);
    const others = all.filter((index) => meetings[index]?.wave !== wave);
    const rowOf = (index: number) => rows[index] ?? new Float64Array();
    const ridge = chosenRidge(evenings, others, rowOf);
    const model = fitTo(evenings, others, rowOf, ridge);
    const baseOf = basesOf(
      evenings,
      others.flatMap((index) => meetings[index] ?? []),
    );
    for (const index of held) predictions.content[index] = logOddsOf(model, rowOf(index));
    const contentOf = (index: number) =>
      clipped((predictions.content[index] ?? 0) - baseOf(meetings[index]?.rater ?? 0));
    for (const [index, { oneSided, onDeck }] of playEvening(held, meetings, baseOf, contentOf)) {
      predictions.oneSided[index] = oneSided;
      predictions.onDeck[index] = onDeck;
    }
    say(`evening ${wave}: ${held.length} decisions predicted (ridge ${ridge})`);
  }
  return predictions;
}
