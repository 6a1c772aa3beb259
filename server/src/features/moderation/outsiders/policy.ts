import { folded } from '#contract/folding.ts';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import { type OutsiderFields } from '#contract/moderation/outsider-reports.ts';
import { type OutsiderType, outsiderTypeNames } from '#contract/moderation/outsider-types.ts';
import { pastedId } from '#contract/pasted.ts';
import type { ReportPriority, ReportType } from '#contract/moderation/reports.ts';
import { secondsAfter } from '#platform/process/clock.ts';

/**
 * The report that an outsider report creates in a case: its kind, its urgency, and the danger for which the people on call are paged. A
 * possible minor is a danger in itself.
 */
interface ReportKind {
  type: ReportType;
  priority: ReportPriority;
  mayBeMinor?: true;
  emergency?: EmergencyKind;
}

/** The report type for each type of outsider report. */
export const reportOf: Record<OutsiderType, ReportKind> = {
  child_abuse: { type: 'Inappropriate Content', priority: 'critical', emergency: 'minor' },
  minor: { type: 'Inappropriate Content', priority: 'critical', mayBeMinor: true },
  threat: { type: 'Harassment', priority: 'critical', emergency: 'threat_to_life' },
  intimate_pictures: { type: 'Inappropriate Content', priority: 'high' },
  impersonation: { type: 'Account Issue', priority: 'medium' },
  scam: { type: 'Harassment', priority: 'high' },
  harassment: { type: 'Harassment', priority: 'high' },
  other: { type: 'Other', priority: 'medium' },
};

export const isUrgent = (type: OutsiderType): boolean => reportOf[type].priority === 'critical';
export const urgentTypes = outsiderTypeNames.filter(isUrgent);

const centurySeconds = 36_525 * 86_400;

/** The order of waiting outsider reports: urgent ones come before all others. */
export const queueAt = (type: OutsiderType, at: Date): Date =>
  isUrgent(type) ? secondsAfter(at, -centurySeconds) : at;

/** The item that the URL in an outsider report points to. */
export interface OutsiderTarget {
  accountId?: string;
  pictureKey?: string;
}

const pictureAddress = /\/media\/([\w-]{6,40})\.(?:large|thumbnail)/;

/** The profile or picture that a URL points to, or the id of a profile; null for any other text. It need not exist. */
export function targetOf(address: string | null | undefined): OutsiderTarget | null {
  const typed = (address ?? '').trim();
  const accountId = pastedId(typed);
  if (accountId !== null) return { accountId };
  const pictureKey = pictureAddress.exec(typed)?.[1];
  return pictureKey === undefined ? null : { pictureKey };
}

const plain = (text = '') => folded(text.replaceAll(/\s+/g, ' ')).trim();

const sameForMs = 30 * 86_400_000;

/**
 * A digest of an outsider report's subject and text, ignoring differences in spaces, letter case and accents. It changes after a month,
 * because a repetition then counts as new.
 */
export function contentOf({ type, address, person, text }: OutsiderFields, now: Date): string {
  const target = targetOf(address);
  const named = target?.accountId ?? target?.pictureKey ?? `${plain(address)}\n${plain(person)}`;
  return [Math.floor(now.getTime() / sameForMs), type, named, plain(text)].join('\n');
}
