import type { ReportPerson, ReportPriority, ReportStatus } from '#contract/moderation/reports.ts';
import type { TimelineEntry } from '#contract/moderation/report-file.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { KeyList } from '../../../ui/feedback/KeysDialog.tsx';
import { t } from '../../../ui/text/text.ts';
import { roleNames } from '#contract/roles.ts';

/** The label of each status. */
export const statusWords: Record<ReportStatus, string> = {
  pending: 'Pending',
  in_progress: 'In Progress',
  resolved: 'Resolved',
  closed: 'Closed',
  rejected: 'Rejected',
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
export const priorityWords: Record<ReportPriority, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  other: 'Other',
};

/** Values by a key that this version of the app may not know. */
type ByValue<T> = Partial<Record<string, T>>;

/** The label of a report's status; an unknown one is shown as the server names it. */
export const statusWord = (status: ReportStatus): string => t((statusWords as ByValue<string>)[status] ?? status);

/** The colour of the tag of a status. */
export const statusTone = (status: ReportStatus): TagTone => (statusTones as ByValue<TagTone>)[status] ?? 'quiet';

/** The label of a priority; an unknown one is shown as the server names it. */
export const priorityWord = (priority: ReportPriority): string =>
  t((priorityWords as ByValue<string>)[priority] ?? priority);

export const genderWords: Record<string, string> = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' };

const shownIdLength = 6;

/** The short id that lists and titles show. */
export function shortReportId(id: string): string {
  return id.slice(-shownIdLength);
}

/** The display name of a person in a report. */
export function personWord({ name }: Pick<ReportPerson, 'name'>): string {
  return name.trim() === '' ? t('Unknown') : name;
}

const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** A duration in its two largest units: "3h 12m", "2d 4h". */
export function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 1) return t('under 1m');
  if (minutes < hourMinutes) return t('{minutes}m', { minutes });
  const hours = Math.floor(minutes / hourMinutes);
  if (minutes < dayMinutes) return t('{hours}h {minutes}m', { hours, minutes: minutes % hourMinutes });
  const rest = Math.floor((minutes % dayMinutes) / hourMinutes);
  return t('{days}d {hours}h', { days: Math.floor(minutes / dayMinutes), hours: rest });
}

/** The keyboard shortcuts on the page of a report. */
export const reportKeys: KeyList = [
  ['r', 'Reply'],
  ['e', 'Mark resolved'],
  ['u', 'Undo the last change'],
  ['?', 'Show these keys'],
];

/** The keyboard shortcuts in the list of reports. */
export const reportListKeys: KeyList = [
  ['j', 'Next report'],
  ['k', 'Previous report'],
  ['Enter', 'Open the report'],
  ['/', 'Search'],
  ...reportKeys,
];

/** An event as a sentence; `{actor}` did it, and `{from}` and `{to}` are the changed values. */
const sentences: Record<TimelineEntry['kind'], string> = {
  filed: '{actor} filed the report',
  raised: 'The priority was raised from {from} to {to}',
  status: '{actor} changed the status from {from} to {to}',
  undone: '{actor} undid a change: from {from} to {to}',
  priority: '{actor} changed the priority from {from} to {to}',
  reply: '{actor} replied',
  note: '{actor} left an internal note',
};

/** The sentences for events whose values are not known. */
const bareSentences: Partial<Record<TimelineEntry['kind'], string>> = {
  raised: 'The priority was raised',
  status: '{actor} changed the status',
  undone: '{actor} undid a change',
  priority: '{actor} changed the priority',
};

const values: Record<string, string> = { ...statusWords, ...priorityWords };

/** The label of each role that can act on a report. */
export const actorRoles: Record<TimelineEntry['actor']['role'], string> = {
  ...roleNames,
  reporter: 'Reporter',
  system: 'System',
};

/** The sentence for a timeline entry, with the labels of the values that it changed. */
export function timelineSentence({ kind, from, to, actor }: TimelineEntry): { text: string; from: string; to: string } {
  const byStaff = kind === 'filed' && actor.role !== 'reporter' ? '{actor} started this without a report' : undefined;
  const bare = from === null || to === null ? bareSentences[kind] : undefined;
  return {
    text: byStaff ?? bare ?? sentences[kind],
    from: values[from ?? ''] ?? from ?? '',
    to: values[to ?? ''] ?? to ?? '',
  };
}
