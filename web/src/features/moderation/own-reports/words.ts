import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { reportTextMaxLength } from '#contract/constants.ts';
import type { OwnReport, ReportPriority, ReportReply, ReportStatus } from '#contract/moderation/reports.ts';
import { answerWithinHours, type StaffReport } from '#contract/moderation/staff-reports.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { lengthOf } from '../../../ui/text/text.ts';

/** The label of each status for members, which never reveals what was decided about another person. */
const statusWords: Partial<Record<ReportStatus, MessageDescriptor>> = {
  pending: msg({ message: 'Received', context: 'report' }),
  in_progress: msg`In progress`,
  resolved: msg`Resolved`,
  closed: msg`Closed`,
  rejected: msg`Not upheld`,
};

const statusTones: Partial<Record<ReportStatus, TagTone>> = {
  pending: 'attention',
  in_progress: 'info',
  resolved: 'positive',
  closed: 'quiet',
  rejected: 'quiet',
};

/** The label of a status; an em dash if this version of the app doesn't know it. */
export const statusWord = (status: ReportStatus): string => (statusWords[status] ? t(statusWords[status]) : '—');

/** The colour of the tag of a status. */
export const statusTone = (status: ReportStatus): TagTone => statusTones[status] ?? 'quiet';

const shownIdLength = 6;

/** The short id shown in lists and emails. */
export function shortReportId(id: string): string {
  return id.slice(-shownIdLength);
}

const dayHours = 24;

/** How soon the team will answer, as text. */
export function answerTimeText(priority: ReportPriority): string {
  const hours = (answerWithinHours as Partial<typeof answerWithinHours>)[priority] ?? answerWithinHours.other;
  if (hours < dayHours) return t`within ${plural(hours, { one: '# hour', other: '# hours' })}`;
  const days = Math.round(hours / dayHours);
  return days === 1 ? t`within a day` : t`within ${plural(days, { one: '# day', other: '# days' })}`;
}

const sentences: Partial<Record<ReportStatus, MessageDescriptor>> = {
  in_progress: msg`Our team is working on it.`,
  resolved: msg`We have dealt with this. If something is still wrong, write to us here.`,
  closed: msg`This report is closed. If something is still wrong, write to us here.`,
  rejected: msg`We looked into this and could not uphold it. If we missed something, write to us here.`,
};

/** A sentence about what the status means for the member. */
export function statusSentence(status: ReportStatus, priority: ReportPriority, isAnswered: boolean) {
  if (status !== 'pending') return sentences[status] ? t(sentences[status]) : '';
  if (isAnswered) return t`We have answered you below.`;
  return t`We've received it. A person will answer ${{ time: answerTimeText(priority) }}.`;
}

/** Whether the team wrote first and the member has not answered, so that there is no status yet. */
export const isWaitingForMember = (report: OwnReport | StaffReport): boolean =>
  'isFromTeam' in report && report.isFromTeam && report.replyCount === 0;

/** The name under which members see replies by staff. */
const supportName = 'Support team';

/** Whether an entry was written by the support team. */
export function isFromSupport(entry: ReportReply): boolean {
  return entry.repliedBy.name === supportName;
}

const warnBelow = 300;

/** By how many characters `text` exceeds the limit, not counting white space at its ends. */
export function charactersOver(text: string): number {
  return Math.max(0, lengthOf(text.trim()) - reportTextMaxLength);
}

/** The limit as text; close to the limit, the number of characters left. */
export function limitText(text: string): string {
  const left = reportTextMaxLength - lengthOf(text.trim());
  if (left >= 0 && left < warnBelow) return t`${plural(left, { one: '# character', other: '# characters' })} left.`;
  return t`Up to ${{ most: formatNumber(reportTextMaxLength) }} characters.`;
}

/** The message for text that is too long. */
export function overText(over: number): string {
  return t`This is ${plural(over, { one: '# character', other: '# characters' })} too long. The limit is ${{ most: formatNumber(reportTextMaxLength) }}.`;
}

/** Which person a report is about. */
export const aboutText = (name: string): string => t({ message: `About ${name}`, context: 'report' });
