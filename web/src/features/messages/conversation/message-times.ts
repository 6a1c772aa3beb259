import type { MessageView } from '#contract/messages.ts';
import { formatDate, kept } from '../../../ui/text/format.ts';
import { locale, t } from '../../../ui/text/text.ts';

const dayMs = 86_400_000;

/** The time of day alone. */
export function clockTime(time: string): string {
  const format = kept(`clock ${locale}`, () => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
  return format.format(new Date(time));
}

/** The calendar day of a time in the reader's time zone, as a comparable text. */
export function dayOf(time: string | number): string {
  return new Date(time).toDateString();
}

/** A longer pause between two messages of one person starts a new group. */
const groupMs = 600_000;

/** Whether a message continues the group of the one before it: the same person on the same day, a few minutes later. */
export function continuesGroup(before: MessageView | undefined, message: MessageView | undefined): boolean {
  if (before === undefined || message === undefined || before.from !== message.from) return false;
  const pauseMs = Date.parse(message.sentAt) - Date.parse(before.sentAt);
  return pauseMs < groupMs && dayOf(before.sentAt) === dayOf(message.sentAt);
}

/** A day in words: today, yesterday, or its date with the weekday. */
export function dayText(time: string, now: number): string {
  if (dayOf(time) === dayOf(now)) return t('Today');
  if (dayOf(time) === dayOf(now - dayMs)) return t('Yesterday');
  const format = kept(`weekday ${locale}`, () => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }));
  return format.format(new Date(time));
}

/** For lists: the time if it is today, else the day. */
export function shortTime(time: string, now: number): string {
  if (dayOf(time) === dayOf(now)) return clockTime(time);
  return dayOf(time) === dayOf(now - dayMs) ? t('Yesterday') : formatDate(time);
}
