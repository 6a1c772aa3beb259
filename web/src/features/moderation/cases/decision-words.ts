import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type {
  ContentKind,
  Decision,
  DecisionOutcome,
  DecisionSource,
  Recommendation,
  SanctionKind,
} from '#contract/moderation/decisions.ts';

/** The label of each outcome of a decision. */
export const outcomeWords: Record<DecisionOutcome, MessageDescriptor> = {
  actioned: msg`Rules were broken`,
  fixed: msg`Problem fixed`,
  no_violation: msg`No rule was broken`,
  unfounded: msg`Could not be confirmed`,
};

/** The label of each way in which a problem was discovered. */
export const sourceWords: Record<DecisionSource, MessageDescriptor> = {
  notice: msg`A report`,
  own_initiative: msg`Our own check`,
  authority: msg`An authority`,
};

/** The label of each group of decisions that a search can select by what happened to them. */
export const appealChoices = [
  ['', msg`Any`],
  ['appealed', msg`Appealed`],
  ['overturned', msg`Overturned, also in part`],
  ['upheld', msg`Appealed, not overturned`],
  ['none', msg`Not appealed`],
] as const;
export type AppealChoice = (typeof appealChoices)[number][0];

/** The label of each measure, from the mildest to the most severe. */
export const sanctionWords: Record<SanctionKind, MessageDescriptor> = {
  warn: msg`Warning`,
  remove_content: msg`Content removed`,
  limit_messaging: msg`No new conversations`,
  hide_profile: msg`Profile hidden`,
  suspend: msg`Suspension`,
  ban: msg`Ban`,
};

/** The label of each kind of content that a decision can remove. */
export const contentWords: Record<ContentKind, MessageDescriptor> = {
  picture: msg`Picture`,
  prompt: msg({ message: 'Answer', context: 'part of a profile' }),
  text: msg`Profile text`,
  message: msg`Message`,
  note: msg`Note of a like`,
  badge: msg`Badge “Photo verified”`,
};

/** The outcome of a decision, or that it was made with one click or is temporary. */
export function decisionTitle({ outcome, kind }: Pick<Decision, 'outcome'> & Partial<Pick<Decision, 'kind'>>): string {
  if (kind === 'interim') return t`Restricted until the decision`;
  return outcome === null ? t`Closed with one click` : t(outcomeWords[outcome]);
}

/** The measure that earlier strikes suggest, with the reason. */
export function recommendationText({ kind, days, strikes }: Recommendation): string {
  const what =
    days === null
      ? t(sanctionWords[kind])
      : t`${{ what: t(sanctionWords[kind]) }} of ${plural({ days }, { one: '# day', other: '# days' })}`;
  return strikes === 0
    ? t`Suggested: ${what}, since there is no strike against this person yet.`
    : t`Suggested: ${what}, since ${plural({ count: strikes }, { one: '# strike counts', other: '# strikes count' })} against this person.`;
}
