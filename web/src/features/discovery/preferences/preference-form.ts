import { type countPeople, type Preferences, premiumFilters, type putPreferences } from '#contract/discovery.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { heightMaxCm, heightMinCm } from '#contract/profiles/profile-details.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import {
  basicErrors,
  basicField,
  basicFormOf,
  type BasicPreferencesForm,
  basicPreferencesOf,
  listOf,
} from '../../../ui/form/BasicPreferenceFields.tsx';
import { changedParts, onlyParts } from '../../../ui/form/form-values.ts';
import { cityIn, countryIn } from '../../../ui/text/text.ts';

/** The preferences that are chosen from a list. */
export const listPreferences = [
  'interests',
  'goal',
  'languages',
  'children',
  'smoking',
  'drinking',
  'exercise',
] as const;
export type ListPreference = (typeof listPreferences)[number];

/**
 * The form's values for all preferences. Lists are separated by commas, '' means "does not matter", and fields ending
 * in `Must` are 'true' or 'false'.
 */
export type PreferenceForm = BasicPreferencesForm &
  Record<
    ListPreference | `${ListPreference}Must` | 'heightMin' | 'heightMax' | 'heightMust' | 'order' | 'city' | 'country',
    string
  > & {
    incognito: boolean;
    photoVerifiedOnly: boolean;
  };

type Body = BodyInput<typeof putPreferences>;

/** The form's values for the saved preferences. */
export function formOfPreferences(preferences: Preferences): PreferenceForm {
  const { heightCm, order, incognito, photoVerifiedOnly, elsewhere } = preferences;
  const lists = Object.fromEntries(
    listPreferences.flatMap((preference) => [
      [preference, preferences[preference]?.values.join(',') ?? ''],
      [`${preference}Must`, String(preferences[preference]?.required ?? false)],
    ]),
  ) as Record<ListPreference | `${ListPreference}Must`, string>;
  return {
    ...basicFormOf(preferences),
    ...lists,
    heightMin: heightCm === null ? '' : String(heightCm.min),
    heightMax: heightCm === null ? '' : String(heightCm.max),
    heightMust: String(heightCm?.required ?? false),
    order,
    incognito,
    photoVerifiedOnly,
    city: cityIn(elsewhere),
    country: countryIn(elsewhere?.country ?? ''),
  };
}

function heightOf({ heightMin, heightMax, heightMust }: PreferenceForm): Body['heightCm'] {
  if (heightMin === '' && heightMax === '') return null;
  return {
    min: Number(heightMin || heightMinCm),
    max: Number(heightMax || heightMaxCm),
    required: heightMust === 'true',
  };
}

const listPreferenceOf = (values: PreferenceForm, preference: ListPreference) =>
  values[preference] === ''
    ? null
    : { values: listOf(values[preference]), required: values[`${preference}Must`] === 'true' };

/** The body to send for the form's values. */
export function bodyOfPreferences(values: PreferenceForm): Body {
  const { order, incognito, photoVerifiedOnly, city, country } = values;
  const lists = Object.fromEntries(
    listPreferences.map((preference) => [preference, listPreferenceOf(values, preference)]),
  );
  const isElsewhere = city.trim() !== '' || country.trim() !== '';
  return {
    ...basicPreferencesOf(values),
    ...lists,
    heightCm: heightOf(values),
    order,
    incognito,
    photoVerifiedOnly,
    elsewhere: isElsewhere ? { city, country } : null,
  } as Body;
}

/**
 * The changed parts of the body only, so that members who no longer have premium don't send premium preferences again.
 */
export function changedBody(before: PreferenceForm, now: PreferenceForm): Body {
  const body = bodyOfPreferences(now);
  return onlyParts(body, changedParts(bodyOfPreferences(before), body));
}

/** The form's values that affect the number of people. */
export function countedBody(values: PreferenceForm): BodyInput<typeof countPeople> {
  const { order: _, incognito: __, elsewhere: ___, ...counted } = bodyOfPreferences(values);
  return counted as BodyInput<typeof countPeople>;
}

/** The part of the form's values that can be saved under a name; null if there are errors. */
export function filtersOf(values: PreferenceForm): SavedFilter['preferences'] | null {
  if (preferenceErrors(values).length > 0) return null;
  const { seeking: _, ...filters } = countedBody(values);
  return filters as SavedFilter['preferences'];
}

/** The error that no gender is chosen. */
export const preferenceErrors: (values: PreferenceForm) => FieldError[] = basicErrors;

const fields: Record<string, keyof PreferenceForm> = {
  heightCm: 'heightMin',
  'elsewhere.city': 'city',
  'elsewhere.country': 'country',
  elsewhere: 'city',
};

/** The form field for a field name from the server. */
export function preferenceField(field: string): string {
  return fields[field] ?? basicField(field);
}

/** Whether premium is needed to make a preference required. */
export function takesPremium(preference: ListPreference | 'heightCm'): boolean {
  return premiumFilters.some((filter) => filter === preference);
}
