import { between, earliest, monthStart } from './calendar.ts';
import { evenly, type Random } from './random.ts';

/** How many join in each of the last months, against each other, oldest first: growth with its better and worse months. */
const monthWeights = [1, 1.12, 1.09, 1.24, 1.33, 1.27, 1.45, 1.56, 1.52, 1.71, 1.84, 1.95, 2.13, 2.43];
const totalWeight = monthWeights.reduce((sum, weight) => sum + weight);

/**
 * When member `number` joined. The running month has its full number of members from its first minute on, so that it shows
 * growth on any day.
 */
export function drawJoining(number: number, random: Random, now: Date): Date {
  const monthsAgo = monthsAgoOf(evenly(number, 'silver'));
  const end = earliest(monthStart(now, monthsAgo - 1), now);
  return between(monthStart(now, monthsAgo), end, random.next());
}

function monthsAgoOf(position: number): number {
  let left = position * totalWeight;
  for (const [month, weight] of monthWeights.entries()) {
    if (left < weight) return monthWeights.length - 1 - month;
    left -= weight;
  }
  return 0;
}
