/** The window of the expected reading rate, in days. */
const readingDays = 7;
/**
 * Expected number of read likes per decided card. A page has room for more; expecting fewer spreads likes over more people.
 * `npm run eval:match` weighs total matches against members without any.
 */
const likersPerCard = 0.08;
/** The prior for an unknown member: ten cards a day, with the weight of four observed days. */
const unseen = { cardsPerDay: 10, days: 4 };
const readsFloor = 3;
/** A Beta(3, 2) prior: three of five answered. */
const answeredAtFirst = 3;
const askedAtFirst = 5;
const replyFactor = { least: 0.7, most: 1.2 };

/**
 * The likes a member is expected to read in the next 7 days, from the cards they decided in the last `days` days (28 at most, fewer
 * for new members); at least 3.
 */
export function expectedReads(cardsDecided: number, days: number): number {
  const perDay = (cardsDecided + unseen.cardsPerDay * unseen.days) / (days + unseen.days);
  return Math.max(readsFloor, perDay * readingDays * likersPerCard);
}

/** The share of first messages a member answers, smoothed by Beta(3, 2): 0.6 before the first. */
export function replyRate(answered: number, received: number): number {
  return (answered + answeredAtFirst) / (received + askedAtFirst);
}

/** cap_j: the likes expected to be read in a week, times 0.7 (never answers) to 1.2 (always). */
export function capacity(readsWeekly: number, replies: number): number {
  const factor = replyFactor.least + (replyFactor.most - replyFactor.least) * replies;
  return Math.max(readsFloor, readsWeekly) * factor;
}

/** ln(1 + pending_j / cap_j): the penalty of pending likes on a member's rank. */
export function inboxPenalty(pendingLikes: number, cap: number): number {
  return Math.log1p(pendingLikes / cap);
}

/** The capacity of a member who neither reads nor answers: the minimum. */
export const capacityFloor = readsFloor * replyFactor.least;
