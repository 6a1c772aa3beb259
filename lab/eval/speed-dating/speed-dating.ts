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

/** Both decisions of a pair at once: the product of the chances, and whether both said yes; one-sided dates are left out. */
export function mutual({ meetings }: Evenings, { oneSided }: Predictions): Scored {
  const keyOf = (one: number, other: number) => `${one} ${other}`;
  const indexes = new Map(meetings.map(({ rater, rated }, index) => [keyOf(rater, rated), index]));
  const scored: Scored = { scores: [], isCase: [], people: [], waves: [] };
  for (const [index, { rater, rated, liked, wave }] of meetings.entries()) {
    const back = indexes.get(keyOf(rated, rater));
    if (back === undefined) continue;
    scored.scores.push((oneSided[index] ?? 0) * (oneSided[back] ?? 0));
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
  return {
    sha256: digest,
    decisions: evenings.meetings.length,
    evenings: evenings.waves.length,
    content: { overall: overall(content), within: within(content) },
    gainOverInterests: lowerBoundOfGain(content, scoredBy(evenings, cosines), createRandom(0)),
    oneSided: { overall: overall(oneSided), within: within(oneSided) },
    mutual: { overall: overall(both), within: within(both), topLift: topLift(both), worstFifth: worstFifth(both) },
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
      'content alone, AUC / within',
      '≥ 0.60 / 0.57',
      [content.overall, content.within],
      content.overall >= 0.6 && content.within >= 0.57,
    ),
    gate(
      'one-sided with earlier decisions, AUC / within',
      '≥ 0.75 / 0.71',
      [oneSided.overall, oneSided.within],
      oneSided.overall >= 0.75 && oneSided.within >= 0.71,
    ),
    gate(
      'mutual, AUC / within / top-3 lift',
      '≥ 0.71 / 0.67 / 1.7',
      [both.overall, both.within, both.topLift],
      both.overall >= 0.71 && both.within >= 0.67 && both.topLift >= 1.7,
    ),
    gate('calibration of both chances, worst fifth', '≤ 0.05', [both.worstFifth], both.worstFifth <= 0.05),
    gate('content over interests alone, lower bound', '≥ 0.05', [gainOverInterests], gainOverInterests >= 0.05),
  ];
}

const nothing: Pick<SpeedDatingFigures, 'content' | 'oneSided' | 'mutual' | 'gainOverInterests'> = {
  content: { overall: 0, within: 0 },
  oneSided: { overall: 0, within: 0 },
  mutual: { overall: 0, within: 0, topLift: 0, worstFifth: 0 },
  gainOverInterests: 0,
};
