import { t } from '@lingui/core/macro';
import { maximumAgeYears } from '#contract/constants.ts';
import type { FieldError } from '#contract/errors.ts';
import { minimumAge } from '../../brand.ts';
import { locale } from '../text/text.ts';

/** The parts of a birth date as they are typed. */
export type BirthDateForm = Record<'day' | 'month' | 'year', string>;
export type DatePart = keyof BirthDateForm;

/** How many digits each part has. */
export const partDigits: Record<DatePart, number> = { day: 2, month: 2, year: 4 };

/** The parts in the reader's order. */
export function orderOfParts(): DatePart[] {
  return new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', calendar: 'gregory' })
    .formatToParts()
    .map(({ type }) => type)
    .filter((type): type is DatePart => type in partDigits);
}

/** The typed date as `YYYY-MM-DD`; null if it is not complete, or if there is no such day. */
export function birthDateOf({ day, month, year }: BirthDateForm): string | null {
  if (year.length < partDigits.year) return null;
  const [monthText, dayText] = [month.padStart(2, '0'), day.padStart(2, '0')];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const written = `${year}-${monthText}-${dayText}`;
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written) ? written : null;
}

/** The age today of someone born on that day. */
export function ageOf(birthDate: string, today = new Date()): number {
  const [year = 0, month = 0, day = 0] = birthDate.split('-').map(Number);
  const isBefore = today.getMonth() + 1 < month || (today.getMonth() + 1 === month && today.getDate() < day);
  return today.getFullYear() - year - Number(isBefore);
}

/** The age for the typed date; null if it is not a possible birth date. */
export function typedAge(form: BirthDateForm): number | null {
  const date = birthDateOf(form);
  const age = date === null ? -1 : ageOf(date);
  return age >= 0 && age <= maximumAgeYears ? age : null;
}

/** Whether the typed date is that of someone who may join. */
export const isOldEnough = (form: BirthDateForm): boolean => (typedAge(form) ?? 0) >= minimumAge();

/** The problem with a typed birth date: a part is missing, there is no such day, or the person is too young. */
export function birthDateErrors(form: BirthDateForm): FieldError[] {
  const empty = orderOfParts().find((part) => form[part] === '');
  if (empty !== undefined) return [{ field: empty, msg: t`This is required` }];
  if (typedAge(form) === null) return [{ field: orderOfParts()[0] ?? 'day', msg: t`Please check this date` }];
  if (isOldEnough(form)) return [];
  return [{ field: 'year', msg: t`You must be at least ${{ age: minimumAge() }} years old to use {brand}` }];
}
