import { t } from '@lingui/core/macro';
import type { MessageView } from '#contract/messages/messages.ts';
import { clockTime, daysAgo, formatDate, isSameDay, kept } from '../../../ui/text/format.ts';
import { locale } from '../../../ui/text/text.ts';

/** A longer pause between two messages of the same person starts a new group. */
const groupMs = 600_000;

/**
 * Whether a message continues the group of the previous one: from the same person, on the same day, and only a few
 * minutes later.
 */
export function continuesGroup(before: MessageView | undefined, message: MessageView | undefined): boolean {
  if (before === undefined || message === undefined || before.from !== message.from) return false;
  const pauseMs = Date.parse(message.sentAt) - Date.parse(before.sentAt);
  return pauseMs < groupMs && isSameDay(before.sentAt, message.sentAt);
}

/** A day in words: today, yesterday, or its date with the weekday. */
export function dayText(time: string, now: number): string {
  const days = daysAgo(time, now);
  if (days === 0) return t`Today`;
  if (days === 1) return t`Yesterday`;
  const format = kept(`weekday ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }));
  return format.format(new Date(time));
}

/** The time of a message for lists: the time of day if it was sent today, otherwise the day. */
export function shortTime(time: string, now: number): string {
  const days = daysAgo(time, now);
  if (days === 0) return clockTime(time);
  return days === 1 ? t`Yesterday` : formatDate(time);
}
