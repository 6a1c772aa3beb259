import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import type { Preferences } from '#contract/discovery/discovery.ts';
import type { FieldError } from '#contract/errors.ts';

/** The preferences form; '' is 'does not matter'. */
export type WishesForm = Record<'seeking' | 'ageMin' | 'ageMax' | 'ageMust' | 'maxKm' | 'distanceMust', string>;

/** Distances to choose from, km. */
export const distances = [5, 10, 25, 50, 100, 250, 500] as const;

export const listOf = (text: string) => (text === '' ? [] : text.split(','));

/** The form's values for what is saved. */
export function formOfWishes({ seeking, age, distance }: Preferences): WishesForm {
  return {
    seeking: seeking.join(','),
    ageMin: age === null ? '' : String(age.min),
    ageMax: age === null ? '' : String(age.max),
    ageMust: String(age?.required ?? true),
    maxKm: distance === null ? '' : String(distance.maxKm),
    distanceMust: String(distance?.required ?? false),
  };
}

/** What is sent; an age left open on one side reaches to the limit. */
export function wishesOf(values: WishesForm) {
  const { ageMin, ageMax } = values;
  const min = ageMin.trim() === '' ? minimumAgeYears : Number(ageMin);
  const max = ageMax.trim() === '' ? maximumAgeYears : Number(ageMax);
  const hasAge = ageMin.trim() !== '' || ageMax.trim() !== '';
  return {
    seeking: listOf(values.seeking),
    age: hasAge ? { min, max, required: values.ageMust === 'true' } : null,
    distance: values.maxKm === '' ? null : { maxKm: Number(values.maxKm), required: values.distanceMust === 'true' },
  };
}

const isAge = (text: string) =>
  text.trim() === '' ||
  (/^\d+$/.test(text.trim()) && Number(text) >= minimumAgeYears && Number(text) <= maximumAgeYears);

/** Errors: no gender chosen, invalid ages, or ages in the wrong order. */
export function wishesErrors({ seeking, ageMin, ageMax }: WishesForm): FieldError[] {
  const nobody = seeking === '' ? [{ field: 'seeking', msg: 'Choose at least one' }] : [];
  const msg = `Use a whole number from ${minimumAgeYears} to ${maximumAgeYears}`;
  const ages = Object.entries({ ageMin, ageMax })
    .filter(([, text]) => !isAge(text))
    .map(([field]) => ({ field, msg }));
  const isTurned = ageMin.trim() !== '' && ageMax.trim() !== '' && Number(ageMin) > Number(ageMax);
  const turned = { field: 'ageMax', msg: 'This is less than the youngest age' };
  return [...nobody, ...ages, ...(ages.length === 0 && isTurned ? [turned] : [])];
}

const fields: Record<string, keyof WishesForm> = {
  age: 'ageMax',
  'age.min': 'ageMin',
  'age.max': 'ageMax',
  distance: 'maxKm',
  'distance.maxKm': 'maxKm',
};

/** The form's name of a field that the server names. */
export function wishesField(field: string): string {
  return fields[field] ?? field.split('.')[0] ?? field;
}
