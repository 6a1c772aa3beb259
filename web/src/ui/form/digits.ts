import { withPlainDigits } from '#contract/text.ts';

/** The digits of a typed code, in any script and however they are grouped, as 0 to 9. */
export const digitsOf = (text: string): string => withPlainDigits(text).replaceAll(/\D/g, '');

/** What was typed as a number, in the digits of any script; NaN for what is none. */
export const numberFrom = (text: string): number => Number(withPlainDigits(text));

/** Whether a whole number from `min` to `max` was typed, in the digits of any script. */
export function isWholeNumber(text: string, min: number, max: number): boolean {
  const number = numberFrom(text);
  return /^\d+$/.test(withPlainDigits(text).trim()) && number >= min && number <= max;
}
