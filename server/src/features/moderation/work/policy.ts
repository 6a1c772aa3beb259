import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import {
  caseHours,
  caseStepNames,
  type CaseStage,
  type CaseStep,
  type CriticalReason,
  leaseMinutes,
  mayTakeStep,
} from '#contract/moderation/cases.ts';
import type { ReportPriority, ReportStatus, ReportType } from '#contract/moderation/reports.ts';
import { isWithoutReporter, type ReportSource } from '#contract/moderation/staff-reports.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { secondsAfter } from '#platform/process/clock.ts';

const hourSeconds = 3600;

/** When a claim that is made or renewed now expires. */
export function leaseEnd(now: Date): Date {
  return secondsAfter(now, leaseMinutes * 60);
}

/** The columns that show who has a case, and until when. */
export interface Lease {
  stage: CaseStage;
  holder_id: string | null;
  lease_until: Date | null;
}

/** Whether a colleague of `accountId` has a claim that has not expired. */
export function isLeasedByOther({ stage, holder_id, lease_until }: Lease, accountId: string, now: Date): boolean {
  return stage === 'claimed' && holder_id !== accountId && lease_until !== null && lease_until > now;
}

/** The stage, ignoring a claim that has expired. */
export function stageNow(lease: Lease, now: Date): CaseStage {
  const hasLapsed = lease.stage === 'claimed' && (lease.lease_until === null || lease.lease_until <= now);
  return hasLapsed ? 'open' : lease.stage;
}

/** The steps by which senior colleagues end a claim. */
const takeOverSteps: CaseStep[] = ['release', 'assign'];

/** The steps that a member of staff may take: legal in the stage; while a colleague has a claim, only those that end it. */
export function stepsFor(lease: Lease, viewer: { accountId: string; staffRole: StaffRole | null }, now: Date) {
  const stage = stageNow(lease, now);
  const isMine = lease.holder_id === viewer.accountId;
  const isSenior = may(viewer.staffRole, 'cases.lead');
  if (!may(viewer.staffRole, 'cases.handle')) return [];
  const isAllowed: Partial<Record<CaseStep, boolean>> = {
    release: isMine || isSenior,
    waitForReporter: isMine,
    waitForAuthority: isSenior,
    // An escalated case waits for a senior colleague.
    ...(stage === 'escalated' && { claim: isSenior, assign: isSenior }),
  };
  if (isLeasedByOther(lease, viewer.accountId, now)) return isSenior ? takeOverSteps : [];
  return caseStepNames.filter((step) => mayTakeStep(stage, step) && isAllowed[step] !== false);
}

/** The facts that determine when something is due on a case. */
export interface Deadline {
  priority: ReportPriority;
  /** When its clock started, and how long it has been stopped since then. */
  startedAt: Date;
  pausedMs: number;
  isPaused: boolean;
  isDecided: boolean;
  hasResponse: boolean;
}

/** When the first response is due or, after it, the decision; null while the clock is stopped. */
export function dueOn({ priority, startedAt, pausedMs, isPaused, isDecided, hasResponse }: Deadline): Date | null {
  if (isPaused || isDecided) return null;
  const { response, decision } = caseHours[priority];
  return secondsAfter(startedAt, (hasResponse ? decision : response) * hourSeconds + pausedMs / 1000);
}

export const safetyTypes: readonly string[] = ['Harassment', 'Inappropriate Content'] satisfies ReportType[];

/** Whether a report is about someone's safety. */
export function isSafety(report: { problem_type: string; may_be_minor: boolean }): boolean {
  return report.may_be_minor || safetyTypes.includes(report.problem_type);
}

/** The fields of a report on which its case depends. */
export interface ReportOfCase {
  reporter: string | null;
  source: ReportSource;
  problem_type: string;
  may_be_minor: boolean;
  priority: ReportPriority;
  /** Whether staff made it critical. A report that is critical only because the account is new can still be closed with one click. */
  raised_by_staff: boolean;
  status: ReportStatus;
  created_at: Date;
  first_responded_at: Date | null;
}

/** Whether a report still waits for an outcome. */
export function isOpen({ status }: Pick<ReportOfCase, 'status'>): boolean {
  return status === 'pending' || status === 'in_progress';
}

/**
 * Why a case is critical and needs a decision with reasons: a possible minor, safety reports by two people, a safety report after a
 * confirmed one, or a priority raised by staff. Rejected reports don't count. Null without open reports.
 */
export function whyCritical(reports: readonly ReportOfCase[], confirmedAt: Date | null): CriticalReason | null {
  const open = reports.filter(isOpen);
  if (open.some(({ may_be_minor }) => may_be_minor)) return 'minor';
  const openSafety = open.filter(isSafety);
  if (confirmedAt !== null && openSafety.some(({ created_at }) => created_at > confirmedAt)) return 'confirmed_before';
  const reporters = reports
    .filter((one) => isSafety(one) && one.status !== 'rejected' && !isWithoutReporter(one.source))
    .map(({ reporter }) => reporter);
  if (openSafety.length > 0 && new Set(reporters).size > 1) return 'second_reporter';
  return open.some(({ raised_by_staff }) => raised_by_staff) ? 'raised' : null;
}

const criticalSentences: Record<CriticalReason, MessageDescriptor> = {
  minor: msg`The person may be under 18, so it can't be closed with one click. Open the case and decide with reasons.`,
  second_reporter: msg`More than one person reported a safety problem, so it can't be closed with one click. Open the case and decide with reasons.`,
  confirmed_before: msg`An earlier report about this person was confirmed, so it can't be closed with one click. Open the case and decide with reasons.`,
  raised: msg`The case is critical, so it can't be closed with one click. Open the case and decide with reasons.`,
};

/** Why a report may not be resolved or rejected with one click; null if it may. */
export function oneClickRefusal(
  because: CriticalReason | null,
  source: ReportSource = 'notice',
): MessageDescriptor | null {
  if (source === 'own_initiative') return msg`A colleague opened this case. Open it and decide with reasons.`;
  if (source === 'automatic') return msg`An automatic rule opened this case. Open it and decide with reasons.`;
  if (source === 'outsider') return msg`This is a notice from outside. Open the case and decide with reasons.`;
  return because && criticalSentences[because];
}
