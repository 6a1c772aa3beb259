import { staffReadDelayDays, type StaffReadKind, staffReadSpreadDays } from '#contract/moderation/own-file.ts';
import { secondsAfter } from '#platform/process/clock.ts';

const daySeconds = 86_400;

/** A day on which staff opened an account, and what determines when its owner sees that. */
export interface StaffReadFacts {
  kind: StaffReadKind;
  /** The day, in UTC: YYYY-MM-DD. */
  day: string;
  /** Whether a case, an appeal about it, or a hold is still open. */
  isOpen: boolean;
  /** Null if there never was a case. */
  caseId: string | null;
  caseOpenedAt: Date | null;
  /** When the case, the newest appeal about it and the newest hold ended. */
  settledAt: Date | null;
  /** Whether the member already sees that staff opened the account on that day at their request. */
  hasSupportThatDay: boolean;
}

/**
 * How many extra days entries wait after a case was settled, so that the day on which they appear doesn't reveal the date of the decision.
 * The number differs each time and looks random to the person, who knows neither the case's id nor the millisecond.
 */
export const extraDays = ({ caseId, settledAt }: Pick<StaffReadFacts, 'caseId' | 'settledAt'>): number =>
  caseId === null ? 0 : (Number.parseInt(caseId.slice(0, 8), 16) + Number(settledAt)) % (staffReadSpreadDays + 1);

/** The end of a day in UTC. */
const endOf = (day: string) => secondsAfter(new Date(`${day}T00:00:00.000Z`), daySeconds);

/**
 * What to add to a member's file: `wait` for nothing yet, `nothing` for what another entry says already.
 *
 * What a member didn't ask for waits while a case is open, and then for a week or two, also if it seems to have nothing to do with the case:
 * the person would learn that they were reported, and soon afterwards could tell who it was. What they asked for never depends on cases,
 * because its delay would tell as much.
 */
export function entryOf(read: StaffReadFacts, now: Date): StaffReadKind | 'wait' | 'nothing' {
  if (read.kind === 'support') return 'support';
  const latest = Math.max(endOf(read.day).getTime(), read.settledAt?.getTime() ?? 0);
  if (read.isOpen || secondsAfter(new Date(latest), (staffReadDelayDays + extraDays(read)) * daySeconds) > now)
    return 'wait';
  if (read.kind === 'safety' || wasAboutCase(read)) return 'safety';
  return read.hasSupportThatDay ? 'nothing' : 'routine';
}

/** Whether the account was opened between the opening of its case and seven days after it was settled; or shortly before, to open it. */
function wasAboutCase({ day, caseOpenedAt, settledAt }: StaffReadFacts): boolean {
  if (caseOpenedAt === null) return false;
  const dayMs = daySeconds * 1000;
  const start = endOf(day).getTime() - dayMs;
  const until = settledAt === null ? Infinity : secondsAfter(settledAt, staffReadDelayDays * daySeconds).getTime();
  return endOf(day).getTime() + dayMs > caseOpenedAt.getTime() && start < until;
}
