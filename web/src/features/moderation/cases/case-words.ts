import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { AgeState } from '#contract/age-check.ts';
import type {
  CaseMoment,
  CaseStage,
  CaseStep,
  CriticalReason,
  LinkKind,
  LinkStrength,
  HandlingStep,
} from '#contract/moderation/cases.ts';
import type { CaseOrder, CaseView } from '#contract/moderation/case-list.ts';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import type { HoldCause, HoldOutcome } from '#contract/moderation/holds.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { isWithoutReporter, type StaffReport } from '#contract/moderation/staff-reports.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { appealWords } from '../appeals/appeal-words.ts';
import { outcomeWords, sanctionWords } from './decision-words.ts';
import { priorityWords, statusWords, wordFor } from '../reports/report-words.ts';

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

/** How a hold ended. */
const holdOutcomeWords: Record<HoldOutcome, MessageDescriptor> = {
  released: msg`what was held back is delivered`,
  dropped: msg`what was held back is never delivered`,
  expired: msg`no one decided within three days, so what was held back is delivered`,
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

/** A timeline event as a sentence; `{report}` is the report that it is about. */
const sentences: Record<string, MessageDescriptor> = {
  filed: msg({ message: '{actor} filed report {report}' }),
  raised: msg({ message: 'The priority of report {report} was raised from {from} to {to}' }),
  status: msg({ message: '{actor} changed the status of report {report} from {from} to {to}' }),
  undone: msg({ message: '{actor} undid a change of report {report}: from {from} to {to}' }),
  priority: msg({ message: '{actor} changed the priority of report {report} from {from} to {to}' }),
  reply: msg({ message: '{actor} replied on report {report}' }),
  note: msg({ message: '{actor} left an internal note on report {report}' }),
  opened: msg`The case was opened`,
  claimed: msg({ message: '{actor} claimed the case' }),
  released: msg({ message: '{actor} released the case' }),
  lease_expired: msg`A claim expired, and the case can be claimed again`,
  assigned: msg({ message: '{actor} assigned the case to {to}' }),
  escalated: msg({ message: '{actor} escalated the case' }),
  waiting_reporter: msg({ message: '{actor} asked the reporter, and the clock stopped' }),
  waiting_authority: msg({ message: '{actor} referred the case to an authority, and the clock stopped' }),
  resumed: msg`The clock runs again`,
  raised_critical: msg({ message: 'The case became critical: {to}' }),
  closed: msg`The last open report was closed, and with it the case`,
  reopened: msg`The case was opened again`,
  decided: msg({ message: '{actor} decided: {to}' }),
  sanction_revoked: msg({ message: '{actor} revoked: {to}' }),
  sanction_ended: msg({ message: 'Over: {to}' }),
  appeal_submitted: msg({ message: '{actor} appealed a decision' }),
  appeal_reviewed: msg({ message: '{actor} took an appeal into review' }),
  appeal_decided: msg({ message: '{actor} decided an appeal: {to}' }),
  appeal_withdrawn: msg({ message: '{actor} withdrew an appeal' }),
  linked: msg({ message: 'In common with a banned account: {to}' }),
  searched: msg({ message: 'Compared all accounts with the ban; in common with it: {to}' }),
  held: msg({ message: 'Likes, notes and first messages are held back: {to}' }),
  hold_ended: msg({ message: 'The hold ended: {to}' }),
  rule_hit: msg({ message: 'The automatic rule “{to}” hit the person' }),
  emergency: msg({ message: 'Emergency: {to}' }),
  restriction_ended: msg({ message: '{actor} ended the temporary restriction' }),
  referred: msg({ message: '{actor} recorded a referral to an authority' }),
  legal_hold_set: msg({ message: '{actor} set a legal hold: nothing about the person is deleted' }),
  legal_hold_released: msg({ message: '{actor} approved the release of the legal hold' }),
  age_asked: msg({ message: '{actor} asked the person for age assurance' }),
  age_answered: msg({ message: 'The age check ended: {to}' }),
  rule_undone: msg({ message: 'Undone after 72 hours without a decision: what the automatic rule “{to}” did' }),
};

const values = {
  // First, because a minor is also a reason why a case is critical.
  ...emergencyWords,
  ...statusWords,
  ...reportTypeWords,
  ...priorityWords,
  ...criticalWords,
  ...outcomeWords,
  ...sanctionWords,
  ...appealWords,
  ...linkWords,
  ...holdWords,
  ...holdOutcomeWords,
  ...ageWords,
};

const byStaff = msg({ message: '{actor} opened the case on their own initiative: report {report}' });

/** How a report was filed that no member filed, by the role of who did. */
const filedBy: Partial<Record<CaseMoment['actor']['role'], MessageDescriptor>> = {
  ...Object.fromEntries(staffRoles.map((role) => [role, byStaff])),
  system: msg({ message: 'Opened automatically: report {report}' }),
};

/** What a sentence is made of; without the actor where it names no one. */
type Sentence = Pick<CaseMoment, 'kind' | 'from' | 'to'> & Partial<Pick<CaseMoment, 'actor'>>;

/**
 * A timeline event as a sentence, with the labels of its values. An event of an unknown kind is shown by its technical
 * name.
 */
export function momentSentence({ kind, from, to, actor }: Sentence) {
  const text = (kind === 'filed' && filedBy[actor?.role ?? 'reporter']) || sentences[kind];
  return { text: text ?? { id: kind }, from: wordFor(values, from ?? ''), to: wordFor(values, to ?? '') };
}

/** Whether someone reads replies on a report: no one where a colleague or an automatic rule opened the case. */
export const hasReporter = ({ source }: Pick<StaffReport, 'source'>) => !isWithoutReporter(source);

/** Whether a report has no outcome yet. */
export const isOpenReport = ({ status }: Pick<StaffReport, 'status'>) =>
  status === 'pending' || status === 'in_progress';
