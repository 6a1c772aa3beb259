import { msg } from '@lingui/core/runtime-macro';
import {
  priorityOfType,
  reportPriorities,
  type ReportPriority,
  type ReportStatus,
  type ReportType,
} from '#contract/moderation/reports.ts';
import {
  answerWithinHours,
  isWithoutReporter,
  mayBecome,
  reportTransitions,
  responseTimesDays,
  type ReportSource,
} from '#contract/moderation/staff-reports.ts';
import { reportUndoSeconds } from '#contract/constants.ts';
import { may, reportScopes } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { isSafety } from '../work/policy.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';

/** The priority by type; a possible minor is always critical. */
export function firstPriority(type: ReportType, mayBeMinor: boolean): ReportPriority {
  return mayBeMinor ? 'critical' : priorityOfType[type];
}

/** The history of the reported person that raises a priority. */
export interface History {
  /** Whether others reported the same person within the last 30 days. */
  hasOtherReporter: boolean;
  /** Whether the account is less than a day old. */
  isNew: boolean;
}

export interface Raise {
  from: ReportPriority;
  to: ReportPriority;
  reason: string;
}

/** How the history raises the priority: one step per reason, up to critical. */
export function raisesBy(first: ReportPriority, { hasOtherReporter, isNew }: History): Raise[] {
  const reasons = [
    ...(hasOtherReporter ? [msg`Another member reported this person within 30 days`] : []),
    ...(isNew ? [msg`The reported account is less than 24 hours old`] : []),
  ];
  const raises: Raise[] = [];
  let from = first;
  for (const reason of reasons) {
    const to = reportPriorities[reportPriorities.indexOf(from) - 1];
    if (to === undefined) break;
    raises.push({ from, to, reason: textOf(reason, undefined, 'en') });
    from = to;
  }
  return raises;
}

/** When the first human response is due. */
export function dueAt(filedAt: Date, priority: ReportPriority): Date {
  return secondsAfter(filedAt, answerWithinHours[priority] * 3600);
}

/** Whether a requested status is a legal step from the current one. */
export function judgeStep(from: ReportStatus, to: ReportStatus): 'none' | 'legal' | 'illegal' {
  if (from === to) return 'none';
  return mayBecome(from, to) ? 'legal' : 'illegal';
}

/** Whether the reporter is notified of a status: only of outcomes. */
export function isOutcome(status: ReportStatus): boolean {
  return status === 'resolved' || status === 'closed' || status === 'rejected';
}

/** Until when a status change can be undone. */
export function undoUntil(changedAt: Date): Date {
  return secondsAfter(changedAt, reportUndoSeconds);
}

/** The name shown to staff for the author of an outsider report; the case never names them. */
export const outsiderName = 'Someone who is not a member';

export const paymentType = 'Payment Problem' satisfies ReportType;

/** Whether the reports of a role include this one. */
export function isInScope(role: StaffRole | null, report: { problem_type: string; may_be_minor: boolean }): boolean {
  const scope = role === null ? undefined : reportScopes[role];
  if (scope === 'payment') return report.problem_type === paymentType;
  return scope !== 'nonSafety' || !isSafety(report);
}

/** Whether the team wrote first and the member hasn't answered, so that only the member sees the report. */
export function isUnanswered({ source, is_listed }: { source: ReportSource; is_listed: boolean }): boolean {
  return source === 'staff_message' && !is_listed;
}

/** What a member of staff may do with a report. A report without a reporter can only end with a decision. */
export function permissionsOn(
  role: StaffRole | null,
  { status, source }: { status: ReportStatus; source: ReportSource },
) {
  const steps = may(role, 'reports.handle') ? reportTransitions[status] : [];
  return {
    status: steps.filter((to) => !isWithoutReporter(source) || !isOutcome(to)),
    delete: may(role, 'reports.delete'),
  };
}

const minuteMs = 60_000;

/** The short form of a report's id for people. */
export function reference(id: string): string {
  return `#${id.slice(-6)}`;
}

/**
 * The time from which answers and decisions count in the figures for staff: the start of the first of the last days in UTC, today included.
 */
export function responseTimesFrom(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1 - responseTimesDays));
}

/** A duration for people, in its two largest units: "45s", "12m", "3h 12m", "2d 4h". */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 1) return `${Math.round(ms / 1000)}s`;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`;
  if (hours > 0) return rest > 0 ? `${hours}h ${rest}m` : `${hours}h`;
  return `${rest}m`;
}
