/** The window that a reading rate is expected for, days. */
const readingDays = 7;
/**
 * Likes that are counted on to be read for each card decided. A page has room for more; counting on fewer spreads likes over more
 * people: `npm run eval:match` weighs matches against members without any.
 */
const likersPerCard = 0.08;
/** What is expected of somebody of whom nothing is known yet: ten cards a day, worth four days of watching. */
const unseen = { cardsPerDay: 10, days: 4 };
const readsFloor = 3;
/** A Beta(3, 2) prior: three answered of five. */
const answeredAtFirst = 3;
const askedAtFirst = 5;
const replyFactor = { least: 0.7, most: 1.2 };

/**
 * Likes somebody is expected to read in the next 7 days, from the cards they decided in the last `days` days (28 at most, fewer
 * since joining): their own reading rate, at least 3.
 */
export function expectedReads(cardsDecided: number, days: number): number {
  const perDay = (cardsDecided + unseen.cardsPerDay * unseen.days) / (days + unseen.days);
  return Math.max(readsFloor, perDay * readingDays * likersPerCard);
}

/** The share of first messages somebody answers, smoothed by Beta(3, 2): 0.6 where none came yet. */
export function replyRate(answered: number, received: number): number {
  return (answered + answeredAtFirst) / (received + askedAtFirst);
}

/** cap_j: the likes expected to be read in a week, times 0.7 (never answers) to 1.2 (always). */
export function capacity(readsWeekly: number, replies: number): number {
  const factor = replyFactor.least + (replyFactor.most - replyFactor.least) * replies;
  return Math.max(readsFloor, readsWeekly) * factor;
}

/** ln(1 + pending_j / cap_j): what waiting likes cost a place in others' decks. */
export function inboxPenalty(pendingLikes: number, cap: number): number {
  return Math.log1p(pendingLikes / cap);
}

/** The capacity of somebody who neither reads nor answers: below it nobody falls. */
export const capacityFloor = readsFloor * replyFactor.least;
