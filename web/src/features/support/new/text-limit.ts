import { reportTextMaxLength } from '#contract/constants.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import type { Translate } from '../../../ui/text/text.ts';

const warnBelow = 300;

/** How many characters too many a text has; white space at its ends does not count. */
export function charactersOver(text: string): number {
  return Math.max(0, text.trim().length - reportTextMaxLength);
}

/** The limit in words; close to it, what is left. */
export function limitText(text: string, t: Translate, locale: string): string {
  const left = reportTextMaxLength - text.trim().length;
  if (left >= 0 && left < warnBelow) return t('{left, plural, one {# character} other {# characters}} left.', { left });
  return t('Up to {most} characters.', { most: formatNumber(reportTextMaxLength, locale) });
}

/** What to do about a text that is too long. */
export function overText(over: number, t: Translate, locale: string): string {
  return t('This is {over, plural, one {# character} other {# characters}} too long: at most {most} fit.', {
    over,
    most: formatNumber(reportTextMaxLength, locale),
  });
}
