import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { DecisionOutcome } from './decisions.ts';

/** The standard answers to reporters. They never reveal what was done to someone. */
export const usualAnswers: Record<DecisionOutcome, MessageDescriptor> = {
  actioned: msg`Thank you for your report. We found that our rules were broken and have acted on it. Please tell us if it happens again.`,
  fixed: msg`Thank you for your report. The problem has been fixed.`,
  no_violation: msg`Thank you for your report. We looked at it carefully and found that our rules were not broken. You can block anyone you would rather not see.`,
  unfounded: msg`Thank you for your report. We looked at it carefully and could not confirm it. You can send us more details at any time.`,
};

/** The opening sentences for reporters whose report had already been decided once. */
export const againAnswers = {
  changed: msg`We looked at your report again and came to a different result than before.`,
  same: msg`We looked at your report again, and the result is the same as before.`,
  /** The report had been closed without an answer. */
  unanswered: msg`We looked at your report again.`,
};

/** Chooses the opening sentence: reporters read a revoked decision as one not to act. */
export function againAnswer(
  before: { outcome: DecisionOutcome | null; isUndone: boolean } | undefined,
  outcome: DecisionOutcome,
): MessageDescriptor | null {
  if (before === undefined) return null;
  if (before.outcome === null) return againAnswers.unanswered;
  const isHelp = (one: DecisionOutcome) => one === 'actioned' || one === 'fixed';
  const wasHelp = isHelp(before.outcome) && !before.isUndone;
  return wasHelp === isHelp(outcome) ? againAnswers.same : againAnswers.changed;
}
