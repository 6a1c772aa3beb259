import type { ReportPerson, ReportPriority, ReportStatus } from '#contract/moderation/report.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { Translate } from '../../../ui/text/text.ts';

export const statusWords: Record<ReportStatus, string> = {
  pending: 'Pending',
  in_progress: 'In Progress',
  resolved: 'Resolved',
  closed: 'Closed',
  rejected: 'Rejected',
};

export const statusTones: Record<ReportStatus, TagTone> = {
  pending: 'attention',
  in_progress: 'info',
  resolved: 'positive',
  closed: 'quiet',
  rejected: 'accent',
};

export const priorityWords: Record<ReportPriority, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  other: 'Other',
};

export const genderWords: Record<string, string> = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' };

const shownIdLength = 6;

/** The id as lists and titles show it. */
export function shortReportId(id: string): string {
  return id.slice(-shownIdLength);
}

/** How somebody in a report is called. */
export function personWord({ name }: Pick<ReportPerson, 'name'>, t: Translate): string {
  return name.trim() === '' ? t('Unknown') : name;
}

const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** A duration in its two largest units: "3h 12m", "2d 4h". */
export function durationText(ms: number, t: Translate): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 1) return t('under 1m');
  if (minutes < hourMinutes) return t('{minutes}m', { minutes });
  const hours = Math.floor(minutes / hourMinutes);
  if (minutes < dayMinutes) return t('{hours}h {minutes}m', { hours, minutes: minutes % hourMinutes });
  const rest = Math.floor((minutes % dayMinutes) / hourMinutes);
  return t('{days}d {hours}h', { days: Math.floor(minutes / dayMinutes), hours: rest });
}
