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
import { isWithoutReporter, type StaffReport } from '#contract/moderation/reports.ts';
import { staffRoles } from '#contract/roles.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { appealWords } from '../appeals/appeal-words.ts';
import { outcomeWords, sanctionWords } from './decision-words.ts';
import { priorityWords, statusWords } from '../reports/report-words.ts';

/** The label of each stage of a case. */
export const stageWords: Record<CaseStage, string> = {
  open: 'Unclaimed',
  claimed: 'Claimed',
  assigned: 'Assigned',
  escalated: 'Escalated',
  waiting_reporter: 'Waiting for reporter',
  waiting_authority: 'Waiting for authority',
  decided: 'Closed',
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
export const viewWords: Record<CaseView, string> = {
  open: 'All open',
  mine: 'Mine',
  unclaimed: 'Unclaimed',
  due_soon: 'Due soon',
  breached: 'Overdue',
  escalated: 'Escalated',
  waiting: 'Waiting',
  held: 'Held',
  appealed: 'Appealed',
  decided: 'Closed',
};

/** The label of each order of open cases. */
export const orderWords: Record<CaseOrder, string> = {
  due: 'Least time left',
  newest: 'Newest first',
  oldest: 'Oldest first',
};

/** Explains an empty list: what it means, or which cases appear in it. */
export const emptyViewHints: Record<CaseView, string> = {
  open: 'A case opens with the first report about a person.',
  mine: 'Claim a case, and it appears here.',
  unclaimed: 'Every open case is handled by someone or waits for an answer.',
  due_soon: 'No case has less than four hours left.',
  breached: 'Every open case is within its deadline.',
  escalated: 'Cases that need a senior moderator appear here.',
  waiting: 'Cases that wait for a reporter or an authority appear here.',
  held: 'No account is held. What held people send to new people is delivered only after your decision, or after three days.',
  appealed: 'Cases with an appeal waiting for review appear here.',
  decided: 'Cases appear here once they are decided.',
};

/** The label of each reason why a case is critical. */
export const criticalWords: Record<CriticalReason, string> = {
  minor: 'May be under 18',
  second_reporter: 'Several reporters',
  confirmed_before: 'Reported again after a confirmed report',
  raised: 'Raised to critical',
};

/** The label of each thing that an account can have in common with a banned one. */
export const linkWords: Record<LinkKind, string> = {
  address: 'Same mailbox',
  identity: 'Same Google or Facebook account',
  card: 'Same card',
  picture: 'Same or similar picture',
};

/** The label of each strength of a link between accounts. */
export const strengthWords: Record<LinkStrength, string> = { strong: 'Strong', medium: 'Medium', weak: 'Weak' };
export const strengthTones: Record<LinkStrength, TagTone> = { strong: 'accent', medium: 'attention', weak: 'quiet' };

/** The label of each kind of emergency. */
export const emergencyWords: Record<EmergencyKind, string> = {
  threat_to_life: 'Threat to life',
  minor: 'Someone under 18',
  sexual_violence: 'Sexual violence',
  extortion: 'Extortion',
};

/** What is known about someone's age. */
export const ageWords: Record<AgeState, string> = {
  declared: 'Only the birth date they gave',
  assured: 'An adult, by the provider of age checks',
  failed: 'Not an adult, by the provider of age checks',
  expired: 'A check was started and not finished',
};

/** Why an account is held. */
export const holdWords: Record<HoldCause, string> = {
  critical_case: 'Critical case',
  ban_trace: 'Strong link to a banned account',
  rule: 'Found by an automatic rule',
};

/** How a hold ended. */
const holdOutcomeWords: Record<HoldOutcome, string> = {
  released: 'what was held back is delivered',
  dropped: 'what was held back is never delivered',
  expired: 'no one decided within three days, so what was held back is delivered',
};

/** The button text of each step. */
export const stepWords: Record<Exclude<CaseStep, 'claim' | 'decide'>, string> = {
  release: 'Release',
  assign: 'Assign to me',
  escalate: 'Escalate',
  waitForReporter: 'Wait for the reporter',
  waitForAuthority: 'Refer to an authority',
  resume: 'Resume',
  reopen: 'Reopen',
} satisfies Record<HandlingStep, string>;

/** The keyboard shortcuts on the page of a case. */
export const caseKeys: KeyList = [
  ['j', 'Next case'],
  ['k', 'Previous case'],
  ['c', 'Claim the case'],
  ['v', 'Show or hide the evidence'],
  ['d', 'Decide'],
  ['r', 'Reply to the reporter'],
  ['n', 'Internal note'],
  ['e', 'Escalate'],
  ['Alt E', 'Go from the open form to the evidence, and back'],
  ['Esc', 'Close the form; what you typed is kept'],
  ['u', 'Undo or reopen what was just done'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];

/** The keyboard shortcuts in the queue. */
export const caseListKeys: KeyList = [
  ['j', 'Next case'],
  ['k', 'Previous case'],
  ['Enter', 'Open the case'],
  ['x', 'Select the case for a bulk action'],
  ['X', 'Select all shown cases, or none'],
  ['0 – 9', 'Show a list: 1 is all open cases, 2 is mine, 0 is the last one'],
  ['/', 'Search'],
  ['Ctrl K', 'Search and commands'],
  ['?', 'Show these keys'],
];

/** A timeline event as a sentence; `{report}` is the report that it is about. */
const sentences: Record<string, string> = {
  filed: '{actor} filed report {report}',
  raised: 'The priority of report {report} was raised from {from} to {to}',
  status: '{actor} changed the status of report {report} from {from} to {to}',
  undone: '{actor} undid a change of report {report}: from {from} to {to}',
  priority: '{actor} changed the priority of report {report} from {from} to {to}',
  reply: '{actor} replied on report {report}',
  note: '{actor} left an internal note on report {report}',
  opened: 'The case was opened',
  claimed: '{actor} claimed the case',
  released: '{actor} released the case',
  lease_expired: 'A claim expired, and the case can be claimed again',
  assigned: '{actor} assigned the case to {to}',
  escalated: '{actor} escalated the case',
  waiting_reporter: '{actor} asked the reporter, and the clock stopped',
  waiting_authority: '{actor} referred the case to an authority, and the clock stopped',
  resumed: 'The clock runs again',
  raised_critical: 'The case became critical: {to}',
  closed: 'The last open report was closed, and with it the case',
  reopened: 'The case was opened again',
  decided: '{actor} decided: {to}',
  sanction_revoked: '{actor} revoked: {to}',
  sanction_ended: 'Over: {to}',
  appeal_submitted: '{actor} appealed a decision',
  appeal_reviewed: '{actor} took an appeal into review',
  appeal_decided: '{actor} decided an appeal: {to}',
  appeal_withdrawn: '{actor} withdrew an appeal',
  linked: 'In common with a banned account: {to}',
  searched: 'Compared all accounts with the ban; in common with it: {to}',
  held: 'Likes, notes and first messages are held back: {to}',
  hold_ended: 'The hold ended: {to}',
  rule_hit: 'The automatic rule “{to}” hit the person',
  emergency: 'Emergency: {to}',
  restriction_ended: '{actor} ended the temporary restriction',
  referred: '{actor} recorded a referral to an authority',
  legal_hold_set: '{actor} set a legal hold: nothing about the person is deleted',
  legal_hold_released: '{actor} approved the release of the legal hold',
  age_asked: '{actor} asked the person for age assurance',
  age_answered: 'The age check ended: {to}',
  rule_undone: 'Undone after 72 hours without a decision: what the automatic rule “{to}” did',
};

const values: Record<string, string> = {
  // First, because a minor is also a reason why a case is critical.
  ...emergencyWords,
  ...statusWords,
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

const byStaff = '{actor} opened the case on their own initiative: report {report}';

/** How a report was filed that no member filed, by the role of who did. */
const filedBy: Partial<Record<CaseMoment['actor']['role'], string>> = {
  ...Object.fromEntries(staffRoles.map((role) => [role, byStaff])),
  system: 'Opened automatically: report {report}',
};

/** What a sentence is made of; without the actor where it names no one. */
type Sentence = Pick<CaseMoment, 'kind' | 'from' | 'to'> & Partial<Pick<CaseMoment, 'actor'>>;

/**
 * A timeline event as a sentence, with the labels of its values. An event of an unknown kind is shown by its technical
 * name.
 */
export function momentSentence({ kind, from, to, actor }: Sentence): { text: string; from: string; to: string } {
  const text = (kind === 'filed' && filedBy[actor?.role ?? 'reporter']) || sentences[kind];
  return { text: text ?? kind, from: values[from ?? ''] ?? from ?? '', to: values[to ?? ''] ?? to ?? '' };
}

/** Whether someone reads replies on a report: no one where a colleague or an automatic rule opened the case. */
export const hasReporter = ({ source }: Pick<StaffReport, 'source'>) => !isWithoutReporter(source);

/** Whether a report has no outcome yet. */
export const isOpenReport = ({ status }: Pick<StaffReport, 'status'>) =>
  status === 'pending' || status === 'in_progress';
