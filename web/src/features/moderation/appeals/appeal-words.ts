import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { AppealOutcome, AppealParty, AppealState } from '#contract/moderation/decisions.ts';
import type { AppealLine, AppealView } from '#contract/moderation/appeals.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { decisionTitle, sanctionWords } from '../cases/decision-words.ts';

/** The label of each state of an appeal. */
export const appealWords: Record<AppealState, MessageDescriptor> = {
  submitted: msg`New`,
  under_review: msg`In review`,
  upheld: msg`Upheld`,
  overturned: msg`Overturned`,
  partly_overturned: msg`Partly overturned`,
  inadmissible: msg`Inadmissible`,
  withdrawn: msg`Withdrawn`,
};

/** The colour of each state's tag. */
export const appealTones: Record<AppealState, TagTone> = {
  submitted: 'attention',
  under_review: 'info',
  upheld: 'quiet',
  overturned: 'positive',
  partly_overturned: 'positive',
  inadmissible: 'quiet',
  withdrawn: 'quiet',
};

/** The label of the person who appeals. */
export const partyWords: Record<AppealParty, MessageDescriptor> = {
  person: msg`The person concerned`,
  reporter: msg`A reporter`,
};

/** The label of each list of appeals. */
export const appealViewWords: Record<AppealView, MessageDescriptor> = {
  open: msg`Open`,
  mine: msg`Mine`,
  decided: msg`Decided`,
};

/** The label of each review outcome, and its consequence for each kind of appellant. */
export const resultWords: Record<AppealOutcome, MessageDescriptor> = {
  upheld: msg`Uphold the decision`,
  overturned: msg`Overturn the decision`,
  partly_overturned: msg`Overturn a part of it`,
  inadmissible: msg`Reject as inadmissible`,
};

const effects: Record<AppealOutcome, Partial<Record<AppealParty, MessageDescriptor>>> = {
  upheld: {
    person: msg`The measures stay as they are.`,
    reporter: msg`The case stays closed.`,
  },
  overturned: {
    person: msg`All measures and their strikes are revoked at once. The reporters learn that the decision changed.`,
    reporter: msg`The case is opened again and assigned to you, with a new deadline.`,
  },
  partly_overturned: {
    person: msg`The chosen measures and their strikes are revoked at once. The reporters learn that the decision changed.`,
  },
  inadmissible: {
    person: msg`The appeal contains nothing that can be reviewed. The measures stay as they are.`,
    reporter: msg`The appeal contains nothing that can be reviewed. The case stays closed.`,
  },
};

/** The consequence of a review outcome. */
export function effectOf(outcome: AppealOutcome, party: AppealParty): string {
  const effect = effects[outcome][party];
  return effect ? t(effect) : '';
}

/** A decision in a few words: its measures, or its outcome if there are none. */
export function decisionSummary({ outcome, sanctions }: Pick<AppealLine, 'outcome' | 'sanctions'>): string {
  if (sanctions.length > 0) return sanctions.map((kind) => t(sanctionWords[kind])).join(', ');
  return decisionTitle({ outcome });
}

/** The keyboard shortcuts in the list of appeals. */
export const appealListKeys: KeyList = [
  ['j', msg`Next appeal`],
  ['k', msg`Previous appeal`],
  ['Enter', msg`Open the appeal`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];

/** The keyboard shortcuts on the page of an appeal. */
export const appealKeys: KeyList = [
  ['j', msg`Next appeal`],
  ['k', msg`Previous appeal`],
  ['c', msg`Review the appeal`],
  ['v', msg`Show or hide the evidence`],
  ['d', msg`Decide`],
  ['Alt E', msg`Go from the open form to the evidence, and back`],
  ['Esc', msg`Close the form; what you typed is kept`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];
