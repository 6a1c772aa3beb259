import { plural, t } from '@lingui/core/macro';
import { distanceBands } from '#contract/constants.ts';
import { formatNumber } from './format.ts';
import { language } from './text.ts';

/** Regions in which distances are shown in miles: the United States, the United Kingdom, Liberia and Myanmar. */
const milesRegions = /-(US|GB|LR|MM)\b/;

/** Whether the first of the reader's languages that names a region is the language of the interface, and the region uses miles. */
export function usesMiles(ownTags: readonly string[] = navigator.languages): boolean {
  const tag = ownTags.find((one) => /-[A-Z]{2}\b/.test(one)) ?? '';
  return milesRegions.test(tag) && tag.split('-')[0] === language.split('-')[0];
}

/** The usual distances in miles, close to those in km. */
const round: Record<number, number> = { 5: 3, 10: 6, 25: 15, 50: 30, 100: 60, 250: 150, 500: 300 };
const milesPerKm = 0.621_371;

const milesOf = (km: number) => round[km] ?? Math.round(km * milesPerKm);
const shown = (km: number, inMiles: boolean) => formatNumber(inMiles ? milesOf(km) : km);

/** A distance in the unit of the reader's region. */
export function formatDistance(km: number, inMiles = usesMiles()): string {
  if (inMiles) return t`${plural({ count: milesOf(km) }, { one: '# mile', other: '# miles' })}`;
  const distance = formatNumber(km);
  return t`${distance} km`;
}

/**
 * The distance band, which arrives in English, in the reader's language and unit. A range never wraps, because after a line break it would
 * look like two numbers.
 */
export function distanceText(band: string, inMiles = usesMiles()): string {
  const at = distanceBands.findIndex(({ text }) => text === band);
  const [from, to] = [distanceBands[at], distanceBands[at + 1]].map((one) => one && shown(one.fromKm, inMiles));
  if (from === undefined) return band;
  if (to === undefined) return inMiles ? t`More than ${from} miles away` : t`More than ${from} km away`;
  if (at === 0) return inMiles ? t`Less than ${to} miles away` : t`Less than ${to} km away`;
  const range = `${from}–\u2060${to}`;
  return inMiles ? t`${range} miles away` : t`${range} km away`;
}
