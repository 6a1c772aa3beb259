/** How many people a reporter, and all reporters in one network together, can hold within a day. Further reports wait for staff. */
export const holdsPerDay = { reporter: 3, network: 10 };

/** Who reports. */
export interface Reporter {
  hasConfirmedAddress: boolean;
  /** Whether the account is older than a day. */
  isDayOld: boolean;
  /** Whether staff rejected a report by this member about someone in the last months. */
  wasRejected: boolean;
}

/** The facts that determine whether a report may hold the reported person. */
export interface ReportFacts extends Reporter {
  /** The service showed the reporter that person: a card, a delivered like, or a match. Opening a profile by its id doesn't count. */
  wasShown: boolean;
  /**
   * Another credible reporter reported the person's behaviour, as this report does. The two share no mailbox, network or ban, and are
   * within the same limits.
   */
  hasSecond: boolean;
  /** Staff found no violation by the person, or released them, and have confirmed none since. */
  isCleared: boolean;
  /** The holds of the last 24 hours. */
  holdsByReporter: number;
  holdsFromNetwork: number;
}

/** Whether a reporter counts at all, alone or as the second one. */
export const isCredible = ({ hasConfirmedAddress, isDayOld, wasRejected }: Reporter): boolean =>
  hasConfirmedAddress && isDayOld && !wasRejected;

/**
 * Whether a report may hold the reported person, provided that it is severe enough. Otherwise it makes the case as urgent as any other, and
 * the person is held once staff act.
 */
export function mayHold(facts: ReportFacts): boolean {
  const { wasShown, hasSecond, isCleared, holdsByReporter, holdsFromNetwork } = facts;
  const isWithinLimits = holdsByReporter < holdsPerDay.reporter && holdsFromNetwork < holdsPerDay.network;
  return isCredible(facts) && (wasShown || hasSecond) && !isCleared && isWithinLimits;
}
