/** How many people a reporter, and everyone in one network, can hold within a day. Further reports wait for a person of the staff. */
export const holdsPerDay = { reporter: 3, network: 10 };

/** Who reports. */
export interface Reporter {
  hasConfirmedAddress: boolean;
  /** Whether the account is older than a day. */
  isDayOld: boolean;
  /** Whether staff rejected a report of theirs about someone in the last months. */
  wasRejected: boolean;
}

/** What decides whether a report may hold the person it is about. */
export interface ReportFacts extends Reporter {
  /** The service showed the reporter that person: a card, a delivered like, or a match. Opening a profile by its id doesn't count. */
  wasShown: boolean;
  /**
   * Another credible reporter, without a mailbox, a network or a ban in common and within the same limits, reported the person's behaviour,
   * as this report does.
   */
  hasSecond: boolean;
  /** Staff found nothing against the person, or released them, and have confirmed nothing since. */
  isCleared: boolean;
  /** The holds of the last 24 hours. */
  holdsByReporter: number;
  holdsFromNetwork: number;
}

/** Whether a reporter counts at all, alone or as a second one. */
export const isCredible = ({ hasConfirmedAddress, isDayOld, wasRejected }: Reporter): boolean =>
  hasConfirmedAddress && isDayOld && !wasRejected;

/**
 * Whether a report may hold the person it is about, provided that it is grave enough. Without that it makes the case as urgent as any
 * other, and the person is held once staff act.
 */
export function mayHold(facts: ReportFacts): boolean {
  const { wasShown, hasSecond, isCleared, holdsByReporter, holdsFromNetwork } = facts;
  const isWithinLimits = holdsByReporter < holdsPerDay.reporter && holdsFromNetwork < holdsPerDay.network;
  return isCredible(facts) && (wasShown || hasSecond) && !isCleared && isWithinLimits;
}
