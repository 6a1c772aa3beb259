import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useState } from 'react';
import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import type { Preferences } from '#contract/discovery.ts';
import type { FieldError } from '#contract/errors.ts';
import { type Gender, genders } from '#contract/profiles/profile-details.ts';
import { minimumAge } from '../../brand.ts';
import { Hint } from '../layout/text-blocks.tsx';
import { formatDistance } from '../text/distance.ts';
import { type AgeRange, AgeSlider } from './AgeSlider.tsx';
import { ChoiceGroup } from './Form.tsx';
import { MustPin } from './MustPin.tsx';
import { SliderField } from './Slider.tsx';
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

/** The ages of a form; null for any. */
const agesOf = ({ ageMin, ageMax }: BasicPreferencesForm): AgeRange | null =>
  ageMin === '' && ageMax === ''
    ? null
    : { min: Number(ageMin || minimumAgeYears), max: Number(ageMax || maximumAgeYears) };

/** The body to send. An age range with an empty side extends to the limit. */
export function basicPreferencesOf(values: BasicPreferencesForm) {
  const age = agesOf(values);
  return {
    seeking: listOf(values.seeking) as Gender[],
    age: age && { ...age, required: values.ageMust === 'true' },
    distance: values.maxKm === '' ? null : { maxKm: Number(values.maxKm), required: values.distanceMust === 'true' },
  };
}

/** The error that no gender is chosen. */
export const basicErrors = ({ seeking }: BasicPreferencesForm): FieldError[] =>
  seeking === '' ? [{ field: 'seeking', msg: t`Choose at least one` }] : [];

const fields: Record<string, keyof BasicPreferencesForm> = { age: 'ageMin', distance: 'maxKm' };

/** The form field for a field name from the server. */
export function basicField(field: string): string {
  const [name = field] = field.split('.');
  return fields[name] ?? name;
}

/** The labels of genders in preferences. */
export const soughtWords: Record<Gender, MessageDescriptor> = {
  woman: msg`Women`,
  man: msg`Men`,
  'non-binary': msg`Non-binary people`,
};

interface BasicPreferenceFieldsProps {
  fields: Pick<ReturnType<typeof useFields<BasicPreferencesForm>>, 'bind' | 'set' | 'values'>;
}

/** Fields for the preferred genders, ages and distance, and for which of them are required. */
export function BasicPreferenceFields({ fields }: BasicPreferenceFieldsProps) {
  const { bind, values, set } = fields;
  const age = agesOf(values);
  return (
    <>
      <ChoiceGroup
        type="checkbox"
        name="seeking"
        legend={t`I would like to meet`}
        choices={genders.map((gender) => ({ value: gender, label: t(soughtWords[gender]) }))}
        chosen={listOf(values.seeking)}
        isRow="tiles"
        error={bind('seeking').error}
        onChange={(sought) => set('seeking', sought.join(','))}
      />
      <AgeSlider
        age={age}
        end={
          <MustPin
            name="ageMust"
            of={t`Age`}
            isMust={values.ageMust === 'true'}
            isDisabled={age === null}
            onChange={(isMust) => set('ageMust', String(isMust))}
          />
        }
        onChange={(to) => {
          set('ageMin', to === null || to.min === minimumAge() ? '' : String(to.min));
          set('ageMax', to === null || to.max === maximumAgeYears ? '' : String(to.max));
        }}
      />
      <DistanceSlider fields={fields} />
      <Hint>{t`With a must you only see people who match.`}</Hint>
    </>
  );
}

/** The farthest distance on a slider with the usual distances and no limit at its end, and whether it is required. */
function DistanceSlider({ fields: { values, set } }: Pick<BasicPreferenceFieldsProps, 'fields'>) {
  const { maxKm } = values;
  // A distance that was saved in another form stays on the slider after it was moved.
  const [saved] = useState(maxKm);
  const steps = [...new Set([...distances.map(String), saved])]
    .filter((km) => km !== '')
    .toSorted((one, other) => Number(one) - Number(other));
  const at = maxKm === '' ? steps.length : steps.indexOf(maxKm);
  const distance = formatDistance(Number(maxKm));
  const words = maxKm === '' ? t`Does not matter` : distance;
  return (
    <SliderField
      label={t`Distance`}
      words={words}
      end={
        <MustPin
          name="distanceMust"
          of={t`Distance`}
          isMust={values.distanceMust === 'true'}
          isDisabled={maxKm === ''}
          onChange={(isMust) => set('distanceMust', String(isMust))}
        />
      }
      least={0}
      most={steps.length}
      thumbs={[
        {
          name: 'maxKm',
          'aria-label': t`Distance`,
          'aria-valuetext': words,
          value: at,
          onChange: (step) => set('maxKm', steps[step] ?? ''),
        },
      ]}
    />
  );
}
