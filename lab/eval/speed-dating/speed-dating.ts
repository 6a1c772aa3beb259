import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRandom } from '../../chaos/random.ts';
import type { Gate } from '../gates.ts';
import { readEvenings, type Evenings } from './evenings.ts';
import { featuresOf } from './features.ts';
import { lowerBoundOfGain, overall, topLift, within, worstFifth, type Scored } from './measures.ts';
import { predict, type Predictions } from './predict.ts';

/** The figures measured on real decisions. */
export interface SpeedDatingFigures {
  sha256: string;
  decisions: number;
  evenings: number;
  content: { overall: number; within: number };
  gainOverInterests: number;
  oneSided: { overall: number; within: number };
  mutual: { overall: number; within: number; topLift: number; worstFifth: number };
}

function scoredBy({ meetings }: Evenings, scores: number[]): Scored {
  return {
    scores,
    isCase: meetings.map(({ liked }) => liked),
    people: meetings.map(({ rater }) => rater),
    waves: meetings.map(({ wave }) => wave),
  };
}

/**
 * Both decisions of a pair at once: the product of the chances, and whether both said yes; one-sided dates are left out. `own` are the
 * rater's chances.
 */
export function mutual({ meetings }: Evenings, { oneSided }: Predictions, own = oneSided): Scored {
  const keyOf = (one: number, other: number) => `${one} ${other}`;
  const indexes = new Map(meetings.map(({ rater, rated }, index) => [keyOf(rater, rated), index]));
  const scored: Scored = { scores: [], isCase: [], people: [], waves: [] };
  for (const [index, { rater, rated, liked, wave }] of meetings.entries()) {
    const back = indexes.get(keyOf(rated, rater));
    if (back === undefined) continue;
    scored.scores.push((own[index] ?? 0) * (oneSided[back] ?? 0));
    scored.isCase.push(liked && meetings[back]?.liked === true);
    scored.people.push(rater);
    scored.waves.push(wave);
  }
  return scored;
}

/**
 * Measures the score on the decisions of a CSV (`readEvenings`), each predicted without its evening.
 * Throws if the file cannot be read or does not match `sha256`.
 */
export function measureSpeedDating(
  path: string,
  sha256: string | undefined,
  say: (text: string) => void,
): SpeedDatingFigures {
  const bytes = readFileSync(path);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && sha256.toLowerCase() !== digest) throw new Error(`${path} is another file: ${digest}`);
  const evenings = readEvenings(bytes.toString('utf8'));
  const { rows, cosines } = featuresOf(evenings);
  const predictions = predict(evenings, rows, say);
  const [content, oneSided] = [scoredBy(evenings, predictions.content), scoredBy(evenings, predictions.oneSided)];
  const both = mutual(evenings, predictions);
  // As on a deck, where the viewer's selectivity is the same for all cards.
  const onDeck = {
    one: scoredBy(evenings, predictions.onDeck),
    both: mutual(evenings, predictions, predictions.onDeck),
  };
  return {
    sha256: digest,
    decisions: evenings.meetings.length,
    evenings: evenings.waves.length,
    content: { overall: overall(content), within: within(content) },
    gainOverInterests: lowerBoundOfGain(content, scoredBy(evenings, cosines), createRandom(0)),
    oneSided: { overall: overall(oneSided), within: within(onDeck.one) },
    mutual: {
      overall: overall(both),
      within: within(onDeck.both),
      topLift: topLift(onDeck.both),
      worstFifth: worstFifth(both),
    },
  };
}

const inWords = (values: readonly number[]) => values.map((value) => value.toFixed(3)).join(' / ');

/** The gates on real decisions; without figures they are not measured. */
export function speedDatingGates(figures: SpeedDatingFigures | null): Gate[] {
  const gate = (name: string, goal: string, values: number[], isKept: boolean): Gate => ({
    gate: `real decisions: ${name}`,
    measured: figures === null ? 'needs --data=FILE' : inWords(values),
    goal,
    isKept: figures === null ? null : isKept,
  });
  const { content, oneSided, mutual: both, gainOverInterests } = figures ?? nothing;
  return [
    gate(
      'content features with weights fitted here (not those in use), AUC / within',
      '≥ 0.59 / 0.58',
      [content.overall, content.within],
      content.overall >= 0.59 && content.within >= 0.58,
    ),
    gate(
      'one-sided with earlier decisions, AUC / within a deck',
      '≥ 0.76 / 0.70',
      [oneSided.overall, oneSided.within],
      oneSided.overall >= 0.76 && oneSided.within >= 0.7,
    ),
    gate(
      'mutual, AUC / within a deck / top-3 lift with 9 dates or more',
      '≥ 0.72 / 0.66 / 1.7',
      [both.overall, both.within, both.topLift],
      both.overall >= 0.72 && both.within >= 0.66 && both.topLift >= 1.7,
    ),
    gate('calibration of both chances, worst fifth', '≤ 0.05', [both.worstFifth], both.worstFifth <= 0.05),
    gate(
      'content features over interests alone, lower bound of 95 %',
      '≥ 0.03',
      [gainOverInterests],
      gainOverInterests >= 0.03,
    ),
  ];
}

const nothing: Pick<SpeedDatingFigures, 'content' | 'oneSided' | 'mutual' | 'gainOverInterests'> = {
  content: { overall: 0, within: 0 },
  oneSided: { overall: 0, within: 0 },
  mutual: { overall: 0, within: 0, topLift: 0, worstFifth: 0 },
  gainOverInterests: 0,
};
