import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ReportPriority, ReportStatus } from '#contract/moderation/reports.ts';
import type { ReportPerson } from '#contract/moderation/staff-reports.ts';
import type { TimelineEntry } from '#contract/moderation/report-file.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { roleNames } from '#contract/roles.ts';

/** The label of each status. */
export const statusWords: Record<ReportStatus, MessageDescriptor> = {
  pending: msg`Pending`,
  in_progress: msg`In Progress`,
  resolved: msg`Resolved`,
  closed: msg`Closed`,
  rejected: msg`Rejected`,
};

/** The colour of each status's tag. */
const statusTones: Record<ReportStatus, TagTone> = {
  pending: 'attention',
  in_progress: 'info',
  resolved: 'positive',
  closed: 'quiet',
  rejected: 'accent',
};

/** The label of each priority. */
export const priorityWords: Record<ReportPriority, MessageDescriptor> = {
  critical: msg`Critical`,
  high: msg`High`,
  medium: msg`Medium`,
  other: msg`Other`,
};

/** Values by a key that this version of the app may not know. */
export type ByValue<T> = Partial<Record<string, T>>;

/** The text for a value; an unknown one is shown as the server names it. */
export const wordFor = (words: ByValue<MessageDescriptor>, value: string): string =>
  words[value] ? t(words[value]) : value;

/** The label of a report's status. */
export const statusWord = (status: ReportStatus): string => wordFor(statusWords, status);

/** The colour of the tag of a status. */
export const statusTone = (status: ReportStatus): TagTone => (statusTones as ByValue<TagTone>)[status] ?? 'quiet';

/** The label of a priority. */
export const priorityWord = (priority: ReportPriority): string => wordFor(priorityWords, priority);

export const genderWords: Record<string, MessageDescriptor> = {
  woman: msg`Woman`,
  man: msg`Man`,
  'non-binary': msg`Non-binary`,
};

const shownIdLength = 6;

/** The short id that lists and titles show. */
export function shortReportId(id: string): string {
  return id.slice(-shownIdLength);
}

/** The display name of a person in a report. */
export function personWord({ name }: Pick<ReportPerson, 'name'>): string {
  return name.trim() === '' ? t`Unknown` : name;
}

const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** A duration in its two largest units: "3h 12m", "2d 4h". */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 1) return t`under 1m`;
  if (minutes < hourMinutes) return t`${minutes}m`;
  const hours = Math.floor(minutes / hourMinutes);
  if (minutes < dayMinutes) return t`${hours}h ${{ minutes: minutes % hourMinutes }}m`;
  const rest = Math.floor((minutes % dayMinutes) / hourMinutes);
  return t`${{ days: Math.floor(minutes / dayMinutes) }}d ${{ hours: rest }}h`;
}

/** The keyboard shortcuts on the page of a report. */
export const reportKeys: KeyList = [
  ['r', msg`Reply`],
  ['e', msg`Mark resolved`],
  ['u', msg`Undo the last change`],
  ['?', msg`Show these keys`],
];

/** The keyboard shortcuts in the list of reports. */
export const reportListKeys: KeyList = [
  ['j', msg`Next report`],
  ['k', msg`Previous report`],
  ['Enter', msg`Open the report`],
  ['/', msg`Search`],
  ...reportKeys,
];

/** The label of each role that can act on a report. */
export const actorRoles: Record<TimelineEntry['actor']['role'], MessageDescriptor> = {
  ...roleNames,
  reporter: msg`Reporter`,
  system: msg`System`,
};
