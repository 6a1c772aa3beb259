import { withPlainDigits } from '#contract/text.ts';

/** The digits of a typed code as 0 to 9, from any script and with any separators. */
export const digitsOf = (text: string): string => withPlainDigits(text).replaceAll(/\D/g, '');

/** A typed number, in the digits of any script; NaN if the text is not a number. */
export const numberFrom = (text: string): number => Number(withPlainDigits(text));

/** The names of the parts in which two bodies differ. */
export function changedParts(before: object, now: object): string[] {
  const parts = new Map<string, unknown>(Object.entries(before));
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(parts.get(name)))
    .map(([name]) => name);
}

/** A body with only the parts that have these names. */
export function onlyParts<T extends object>(body: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name))) as T;
}
