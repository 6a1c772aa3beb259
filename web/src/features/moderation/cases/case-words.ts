import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { AgeState } from '#contract/age-check.ts';
import type {
  CaseStage,
  CaseStep,
  CriticalReason,
  LinkKind,
  LinkStrength,
  HandlingStep,
} from '#contract/moderation/cases.ts';
import type { CaseOrder, CaseView } from '#contract/moderation/case-list.ts';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { HoldCause } from '#contract/moderation/holds.ts';
import { isWithoutReporter, type StaffReport } from '#contract/moderation/staff-reports.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';

/** The label of each stage of a case. */
export const stageWords: Record<CaseStage, MessageDescriptor> = {
  open: msg`Unclaimed`,
  claimed: msg`Claimed`,
  assigned: msg`Assigned`,
  escalated: msg`Escalated`,
  waiting_reporter: msg`Waiting for reporter`,
  waiting_authority: msg`Waiting for authority`,
  decided: msg`Closed`,
};

/** The colour of each stage's tag. */
export const stageTones: Record<CaseStage, TagTone> = {
  open: 'attention',
  claimed: 'info',
  assigned: 'info',
  escalated: 'accent',
  waiting_reporter: 'quiet',
  waiting_authority: 'quiet',
  decided: 'positive',
};

/** The label of each list of the queue. */
export const viewWords: Record<CaseView, MessageDescriptor> = {
  open: msg`All open`,
  mine: msg`Mine`,
  unclaimed: msg`Unclaimed`,
  due_soon: msg`Due soon`,
  breached: msg`Overdue`,
  escalated: msg`Escalated`,
  waiting: msg`Waiting`,
  held: msg`Held`,
  appealed: msg`Appealed`,
  decided: msg`Closed`,
};

/** The label of each order of open cases. */
export const orderWords: Record<CaseOrder, MessageDescriptor> = {
  due: msg`Least time left`,
  newest: msg`Newest first`,
  oldest: msg`Oldest first`,
};

/** Explains an empty list: what it means, or which cases appear in it. */
export const emptyViewHints: Record<CaseView, MessageDescriptor> = {
  open: msg`A case opens with the first report about a person.`,
  mine: msg`Claim a case, and it appears here.`,
  unclaimed: msg`Every open case is handled by someone or waits for an answer.`,
  due_soon: msg`No case has less than four hours left.`,
  breached: msg`Every open case is within its deadline.`,
  escalated: msg`Cases that need a senior moderator appear here.`,
  waiting: msg`Cases that wait for a reporter or an authority appear here.`,
  held: msg`No account is held. What held people send to new people is delivered only after your decision, or after three days.`,
  appealed: msg`Cases with an appeal waiting for review appear here.`,
  decided: msg`Cases appear here once they are decided.`,
};

/** The label of each reason why a case is critical. */
export const criticalWords: Record<CriticalReason, MessageDescriptor> = {
  minor: msg`May be under 18`,
  second_reporter: msg`Several reporters`,
  confirmed_before: msg`Reported again after a confirmed report`,
  raised: msg`Raised to critical`,
};

/** The label of each thing that an account can have in common with a banned one. */
export const linkWords: Record<LinkKind, MessageDescriptor> = {
  address: msg`Same mailbox`,
  identity: msg`Same Google or Facebook account`,
  card: msg`Same card`,
  picture: msg`Same or similar picture`,
};

/** The label of each strength of a link between accounts. */
export const strengthWords: Record<LinkStrength, MessageDescriptor> = {
  strong: msg`Strong`,
  medium: msg({ message: 'Medium', context: 'link' }),
  weak: msg`Weak`,
};
export const strengthTones: Record<LinkStrength, TagTone> = { strong: 'accent', medium: 'attention', weak: 'quiet' };

/** The label of each kind of emergency. */
export const emergencyWords: Record<EmergencyKind, MessageDescriptor> = {
  threat_to_life: msg`Threat to life`,
  minor: msg`Someone under 18`,
  sexual_violence: msg`Sexual violence`,
  extortion: msg`Extortion`,
};

/** What is known about someone's age. */
export const ageWords: Record<AgeState, MessageDescriptor> = {
  declared: msg`Only the birth date they gave`,
  assured: msg`An adult, by the provider of age checks`,
  failed: msg`Not an adult, by the provider of age checks`,
  expired: msg`A check was started and not finished`,
};

/** Why an account is held. */
export const holdWords: Record<HoldCause, MessageDescriptor> = {
  critical_case: msg`Critical case`,
  ban_trace: msg`Strong link to a banned account`,
  rule: msg`Found by an automatic rule`,
};

/** The button text of each step. */
export const stepWords: Record<Exclude<CaseStep, 'claim' | 'decide'>, MessageDescriptor> = {
  release: msg`Release`,
  assign: msg`Assign to me`,
  escalate: msg`Escalate`,
  waitForReporter: msg`Wait for the reporter`,
  waitForAuthority: msg`Refer to an authority`,
  resume: msg`Resume`,
  reopen: msg`Reopen`,
} satisfies Record<HandlingStep, MessageDescriptor>;

/** The keyboard shortcuts on the page of a case. */
export const caseKeys: KeyList = [
  ['j', msg`Next case`],
  ['k', msg`Previous case`],
  ['c', msg`Claim the case`],
  ['v', msg`Show or hide the evidence`],
  ['d', msg`Decide`],
  ['r', msg`Reply to the reporter`],
  ['n', msg`Internal note`],
  ['e', msg`Escalate`],
  ['Alt E', msg`Go from the open form to the evidence, and back`],
  ['Esc', msg`Close the form; what you typed is kept`],
  ['u', msg`Undo or reopen what was just done`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];

/** The keyboard shortcuts in the queue. */
export const caseListKeys: KeyList = [
  ['j', msg`Next case`],
  ['k', msg`Previous case`],
  ['Enter', msg`Open the case`],
  ['x', msg`Select the case for a bulk action`],
  ['X', msg`Select all shown cases, or none`],
  ['0 – 9', msg`Show a list: 1 is all open cases, 2 is mine, 0 is the last one`],
  ['/', msg`Search`],
  ['Ctrl K', msg`Search and commands`],
  ['?', msg`Show these keys`],
];

/** Whether someone reads replies on a report: no one where a colleague or an automatic rule opened the case. */
export const hasReporter = ({ source }: Pick<StaffReport, 'source'>) => !isWithoutReporter(source);

/** Whether a report has no outcome yet. */
export const isOpenReport = ({ status }: Pick<StaffReport, 'status'>) =>
  status === 'pending' || status === 'in_progress';
