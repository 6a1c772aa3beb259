import type { AppealOutcome, AppealParty, AppealState } from '#contract/moderation/decisions.ts';
import type { AppealLine, AppealView } from '#contract/moderation/appeals.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { t } from '../../../ui/text/text.ts';
import { decisionTitle, sanctionWords } from '../cases/decision-words.ts';

/** The label of each state of an appeal. */
export const appealWords: Record<AppealState, string> = {
  submitted: 'New',
  under_review: 'In review',
  upheld: 'Upheld',
  overturned: 'Overturned',
  partly_overturned: 'Partly overturned',
  inadmissible: 'Inadmissible',
  withdrawn: 'Withdrawn',
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
export const partyWords: Record<AppealParty, string> = {
  person: 'The person concerned',
  reporter: 'A reporter',
};

/** The label of each list of appeals. */
export const appealViewWords: Record<AppealView, string> = { open: 'Open', mine: 'Mine', decided: 'Decided' };

/** The label of each review outcome, and its consequence for each kind of appellant. */
export const resultWords: Record<AppealOutcome, string> = {
  upheld: 'Uphold the decision',
  overturned: 'Overturn the decision',
  partly_overturned: 'Overturn a part of it',
  inadmissible: 'Reject as inadmissible',
};

const effects: Record<AppealOutcome, Record<AppealParty, string>> = {
  upheld: {
    person: 'The measures stay as they are.',
    reporter: 'The case stays closed.',
  },
  overturned: {
    person: 'All measures and their strikes are revoked at once. The reporters learn that the decision changed.',
    reporter: 'The case is opened again and assigned to you, with a new deadline.',
  },
  partly_overturned: {
    person:
      'The chosen measures and their strikes are revoked at once. The reporters learn that the decision changed.',
    reporter: '',
  },
  inadmissible: {
    person: 'The appeal contains nothing that can be reviewed. The measures stay as they are.',
    reporter: 'The appeal contains nothing that can be reviewed. The case stays closed.',
  },
};

/** The consequence of a review outcome. */
export const effectOf = (outcome: AppealOutcome, party: AppealParty): string => effects[outcome][party];

/** A decision in a few words: its measures, or its outcome if there are none. */
export function decisionSummary({ outcome, sanctions }: Pick<AppealLine, 'outcome' | 'sanctions'>): string {
  if (sanctions.length > 0) return sanctions.map((kind) => t(sanctionWords[kind])).join(', ');
  return decisionTitle({ outcome });
}

/** The keyboard shortcuts in the list of appeals. */
export const appealListKeys: KeyList = [
  ['j', 'Next appeal'],
  ['k', 'Previous appeal'],
  ['Enter', 'Open the appeal'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];

/** The keyboard shortcuts on the page of an appeal. */
export const appealKeys: KeyList = [
  ['c', 'Review the appeal'],
  ['v', 'Show or hide the evidence'],
  ['d', 'Decide'],
  ['Esc', 'Close the form; what you typed is kept'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];
