import type {
  ContentKind,
  Decision,
  DecisionOutcome,
  DecisionSource,
  Recommendation,
  SanctionKind,
} from '#contract/moderation/decisions.ts';
import { t } from '../../../ui/text/text.ts';

/** The label of each outcome of a decision. */
export const outcomeWords: Record<DecisionOutcome, string> = {
  actioned: 'Rules were broken',
  fixed: 'Problem fixed',
  no_violation: 'No rule was broken',
  unfounded: 'Could not be confirmed',
};

/** The label of each way in which a problem was discovered. */
export const sourceWords: Record<DecisionSource, string> = {
  notice: 'A report',
  own_initiative: 'Our own check',
  authority: 'An authority',
};

/** The label of each group of decisions that a search can ask for by what became of them. */
export const appealChoices = [
  ['', 'Any'],
  ['appealed', 'Appealed'],
  ['overturned', 'Overturned, also in part'],
  ['upheld', 'Appealed, not overturned'],
  ['none', 'Not appealed'],
] as const;
export type AppealChoice = (typeof appealChoices)[number][0];

/** The label of each measure, from the mildest to the most severe. */
export const sanctionWords: Record<SanctionKind, string> = {
  warn: 'Warning',
  remove_content: 'Content removed',
  limit_messaging: 'No new conversations',
  hide_profile: 'Profile hidden',
  suspend: 'Suspension',
  ban: 'Ban',
};

/** The label of each kind of content that a decision can remove. */
export const contentWords: Record<ContentKind, string> = {
  picture: 'Picture',
  prompt: 'Answer',
  text: 'Profile text',
  message: 'Message',
  note: 'Note of a like',
  badge: 'Badge “Photo verified”',
};

/** The outcome of a decision, or that it was made with one click or for the time until the decision. */
export function decisionTitle({ outcome, kind }: Pick<Decision, 'outcome'> & Partial<Pick<Decision, 'kind'>>): string {
  if (kind === 'interim') return t('Restricted until the decision');
  return outcome === null ? t('Closed with one click') : t(outcomeWords[outcome]);
}

/** The measure that earlier strikes suggest, with the reason. */
export function recommendationText({ kind, days, strikes }: Recommendation): string {
  const what =
    days === null ? t(sanctionWords[kind]) : t('{what} of {days} days', { what: t(sanctionWords[kind]), days });
  return strikes === 0
    ? t('Suggested: {what}, since there is no strike against this person yet.', { what })
    : t(
        'Suggested: {what}, since {count, plural, one {# strike counts} other {# strikes count}} against this person.',
        {
          what,
          count: strikes,
        },
      );
}
