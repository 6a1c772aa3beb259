import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import type { Preferences } from '#contract/discovery.ts';
import type { FieldError } from '#contract/errors.ts';
import { type Gender, genders } from '#contract/profiles/profile-details.ts';
import { Hint } from '../layout/text-blocks.tsx';
import { formatDistance } from '../text/distance.ts';
import { unitsFor } from '../text/text.ts';
import { isWholeNumber, numberFrom } from './form-values.ts';
import { CheckField, ErrorText, SelectField, TextField } from './Field.tsx';
import { FieldRow } from './Form.tsx';
import type { useFields } from './use-form.ts';

/** The values of the preferences form; '' means "does not matter". */
export type BasicPreferencesForm = Record<
  'seeking' | 'ageMin' | 'ageMax' | 'ageMust' | 'maxKm' | 'distanceMust',
  string
>;

/** The distances to choose from, in km. */
const distances = [5, 10, 25, 50, 100, 250, 500] as const;

export const listOf = (text: string) => (text === '' ? [] : text.split(','));

/** The form's values for the saved preferences. */
export function basicFormOf({ seeking, age, distance }: Preferences): BasicPreferencesForm {
  return {
    seeking: seeking.join(','),
    ageMin: age === null ? '' : String(age.min),
    ageMax: age === null ? '' : String(age.max),
    ageMust: String(age?.required ?? true),
    maxKm: distance === null ? '' : String(distance.maxKm),
    distanceMust: String(distance?.required ?? false),
  };
}

/** The body to send. An age range with an empty side extends to the limit. */
export function basicPreferencesOf(values: BasicPreferencesForm) {
  const { ageMin, ageMax } = values;
  const min = ageMin.trim() === '' ? minimumAgeYears : numberFrom(ageMin);
  const max = ageMax.trim() === '' ? maximumAgeYears : numberFrom(ageMax);
  const hasAge = ageMin.trim() !== '' || ageMax.trim() !== '';
  return {
    seeking: listOf(values.seeking),
    age: hasAge ? { min, max, required: values.ageMust === 'true' } : null,
    distance: values.maxKm === '' ? null : { maxKm: Number(values.maxKm), required: values.distanceMust === 'true' },
  };
}

const isAge = (text: string) => text.trim() === '' || isWholeNumber(text, minimumAgeYears, maximumAgeYears);

/** Errors: no gender is chosen, or ages are invalid or in the wrong order. */
export function basicErrors({ seeking, ageMin, ageMax }: BasicPreferencesForm): FieldError[] {
  const noGender = seeking === '' ? [{ field: 'seeking', msg: t`Choose at least one` }] : [];
  const msg = t`Use a whole number from ${{ min: minimumAgeYears }} to ${{ max: maximumAgeYears }}`;
  const ages = Object.entries({ ageMin, ageMax })
    .filter(([, text]) => !isAge(text))
    .map(([field]) => ({ field, msg }));
  const isTurned = ageMin.trim() !== '' && ageMax.trim() !== '' && numberFrom(ageMin) > numberFrom(ageMax);
  const turned = { field: 'ageMax', msg: t`This is less than the youngest age` };
  return [...noGender, ...ages, ...(ages.length === 0 && isTurned ? [turned] : [])];
}

const fields: Record<string, keyof BasicPreferencesForm> = {
  age: 'ageMax',
  'age.min': 'ageMin',
  'age.max': 'ageMax',
  distance: 'maxKm',
  'distance.maxKm': 'maxKm',
};

/** The form field for a field name from the server. */
export function basicField(field: string): string {
  return fields[field] ?? field.split('.')[0] ?? field;
}

/** The labels of genders in preferences. */
export const soughtWords: Record<Gender, MessageDescriptor> = {
  woman: msg`Women`,
  man: msg`Men`,
  'non-binary': msg`Non-binary people`,
};

interface BasicPreferenceFieldsProps {
  fields: Pick<ReturnType<typeof useFields<BasicPreferencesForm>>, 'bind' | 'set' | 'values'>;
  /** Leaves out the distance and the choice of required preferences. */
  isFirst?: boolean;
}

/** Fields for the preferred genders, ages and distance, and for which of them are required. */
export function BasicPreferenceFields({ fields: { bind, values, set }, isFirst = false }: BasicPreferenceFieldsProps) {
  const must = [
    { value: 'true', label: t`A must` },
    { value: 'false', label: t`Nice to have` },
  ];
  const sought = listOf(values.seeking);
  const kilometers = [...new Set([...distances.map(String), values.maxKm].filter((km) => km !== ''))];
  const error = bind('seeking').error;

  return (
    <>
      <Stack component="fieldset" gap="0.7rem" aria-describedby={error ? 'seeking-error' : undefined}>
        <legend>{t`I would like to meet`}</legend>
        {genders.map((gender) => (
          <CheckField
            key={gender}
            name="seeking"
            label={t(soughtWords[gender])}
            checked={sought.includes(gender)}
            onChange={(event) => {
              const isSought = event.currentTarget.checked;
              set('seeking', genders.filter((g) => (g === gender ? isSought : sought.includes(g))).join(','));
            }}
          />
        ))}
        {error && <ErrorText id="seeking-error">{error}</ErrorText>}
      </Stack>
      <Stack component="fieldset" gap="0.7rem">
        <legend className="visually-hidden">{t`Age`}</legend>
        <FieldRow isShort>
          <TextField
            {...bind('ageMin')}
            label={t`From age`}
            placeholder={String(minimumAgeYears)}
            inputMode="numeric"
            maxLength={unitsFor(3)}
          />
          <TextField
            {...bind('ageMax')}
            label={t`To age`}
            placeholder={String(maximumAgeYears)}
            inputMode="numeric"
            maxLength={unitsFor(3)}
          />
          {!isFirst && <SelectField {...bind('ageMust')} label={t`This age is`} choices={must} />}
        </FieldRow>
      </Stack>
      {!isFirst && (
        <Stack component="fieldset" gap="0.7rem">
          <legend className="visually-hidden">{t`Distance`}</legend>
          <FieldRow>
            <SelectField
              {...bind('maxKm')}
              label={t`How far away`}
              choices={[
                { value: '', label: t`Does not matter` },
                ...kilometers.map((km) => ({
                  value: km,
                  label: t`Up to ${{ distance: formatDistance(Number(km)) }}`,
                })),
              ]}
            />
            <SelectField {...bind('distanceMust')} label={t`This distance is`} choices={must} />
          </FieldRow>
        </Stack>
      )}
      <Hint>
        {isFirst
          ? t`You see people of these ages only.`
          : t`A must excludes people who don't match. With nice to have, people who match come first.`}
      </Hint>
    </>
  );
}
