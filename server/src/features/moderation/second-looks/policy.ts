import type { DecisionOutcome } from '#contract/moderation/decisions.ts';
import { goldenEvery } from '#contract/moderation/second-looks.ts';

/** What someone decided; the clause is empty without a rule. */
export interface Verdict {
  outcome: DecisionOutcome;
  clause: string;
}

/** Whether two people came to the same result. The rule only matters if it was broken. */
export const agrees = (one: Verdict, other: Verdict): boolean =>
  one.outcome === other.outcome && (one.outcome !== 'actioned' || one.clause === other.clause);

/** Whether a person's next second look is a training case, after this many. */
export const isGoldenNext = (judged: number): boolean => judged % goldenEvery === goldenEvery - 1;
