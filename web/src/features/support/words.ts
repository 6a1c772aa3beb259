import { reportTextMaxLength } from '#contract/constants.ts';
import {
  answerWithinHours,
  type ReportPriority,
  type ReportReply,
  type ReportStatus,
} from '#contract/moderation/report.ts';
import type { TagTone } from '../../ui/data/Tag.tsx';
import type { Translate } from '../../ui/text/text.ts';
import { formatNumber } from '../../ui/text/format.ts';

/** How a report stands, in a member's words: what was decided about anybody else is never among them. */
export const statusWords: Record<ReportStatus, string> = {
  pending: 'Received',
  in_progress: 'In progress',
  resolved: 'Resolved',
  closed: 'Closed',
  rejected: 'Not upheld',
};

export const statusTones: Record<ReportStatus, TagTone> = {
  pending: 'attention',
  in_progress: 'info',
  resolved: 'positive',
  closed: 'quiet',
  rejected: 'quiet',
};

const shownIdLength = 6;

/** The id as lists and letters show it. */
export function shortReportId(id: string): string {
  return id.slice(-shownIdLength);
}

/** A name within a sentence: whatever its direction, the words around it keep theirs. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

const dayHours = 24;

/** How soon a person answers. */
export function answerTimeText(priority: ReportPriority, t: Translate): string {
  const hours = answerWithinHours[priority];
  if (hours < dayHours) return t('within {hours, plural, one {# hour} other {# hours}}', { hours });
  const days = Math.round(hours / dayHours);
  return days === 1 ? t('within a day') : t('within {days, plural, one {# day} other {# days}}', { days });
}

const sentences: Record<Exclude<ReportStatus, 'pending'>, string> = {
  in_progress: 'Our team is working on it.',
  resolved: 'We have dealt with this. If something is still wrong, write to us here.',
  closed: 'This report is closed. If something is still wrong, write to us here.',
  rejected: 'We looked into this and could not uphold it. If we missed something, write to us here.',
};

/** What the state means for the one who reported, as a sentence. */
export function statusSentence(status: ReportStatus, priority: ReportPriority, isAnswered: boolean, t: Translate) {
  if (status !== 'pending') return t(sentences[status]);
  if (isAnswered) return t('We have answered you below.');
  return t('We have it. A person answers you {time}.', { time: answerTimeText(priority, t) });
}

/** The name under which members read whatever staff say. */
const supportName = 'Support team';

/** Whether the support team said it, else the member. */
export function isFromSupport(entry: ReportReply): boolean {
  return entry.repliedBy.name === supportName;
}

const warnBelow = 300;

/** How many characters too many a text has; white space at its ends does not count. */
export function charactersOver(text: string): number {
  return Math.max(0, text.trim().length - reportTextMaxLength);
}

/** The limit in words; close to it, what is left. */
export function limitText(text: string, t: Translate, locale: string): string {
  const left = reportTextMaxLength - text.trim().length;
  if (left >= 0 && left < warnBelow) return t('{left, plural, one {# character} other {# characters}} left.', { left });
  return t('Up to {most} characters.', { most: formatNumber(reportTextMaxLength, locale) });
}

/** What to do about a text that is too long. */
export function overText(over: number, t: Translate, locale: string): string {
  return t('This is {over, plural, one {# character} other {# characters}} too long: at most {most} fit.', {
    over,
    most: formatNumber(reportTextMaxLength, locale),
  });
}
