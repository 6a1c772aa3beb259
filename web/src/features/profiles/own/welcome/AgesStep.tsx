import { Text } from '@mantine/core';
import { maximumAgeYears, minimumAgeYears } from '#contract/constants.ts';
import { type Preferences, putPreferences } from '#contract/discovery.ts';
import { call } from '../../../../api/call.ts';
import { usePeopleCount } from '../../../../api/people-count.ts';
import { minimumAge } from '../../../../brand.ts';
import { AgeSlider } from '../../../../ui/form/AgeSlider.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { useForm } from '../../../../ui/form/use-form.ts';
import { peopleCounted } from '../../../../ui/text/people-count.ts';
import { profileDraft } from '../own-parts.ts';
import { formProps } from './user-step.ts';

/** Most people look for someone about their own age. */
const ageGapYears = 10;

/** The saved ages, or for new members those close to their own. */
function agesFor(saved: Preferences['age'], ownAge: number | null) {
  const own = Math.max(ownAge ?? 0, minimumAge());
  const { min, max } = saved ?? {
    min: Math.max(minimumAge(), own - ageGapYears),
    max: Math.min(maximumAgeYears, own + ageGapYears),
  };
  return { ageMin: String(min), ageMax: String(max) };
}

const ageOf = ({ ageMin, ageMax }: Record<'ageMin' | 'ageMax', string>) => ({
  min: Number(ageMin),
  max: Number(ageMax),
  required: true,
});

interface AgesStepProps {
  ownAge: number | null;
  preferences: Preferences;
  onPreferences: (preferences: Preferences) => void;
  onNext: () => void;
}

/** Which ages the member would like to meet, and how many people that leaves. */
export function AgesStep({ ownAge, preferences, onPreferences, onNext }: AgesStepProps) {
  const { set, values, ...form } = useForm({
    initial: agesFor(preferences.age, ownAge),
    draft: profileDraft('ages'),
    schema: putPreferences.body,
    toBody: (chosen) => ({ age: ageOf(chosen) }),
    send: async (body) => onPreferences((await call(putPreferences, { body })).data.preferences),
    onSent: onNext,
  });
  const age = ageOf(values);
  const people = usePeopleCount({ age });

  return (
    <StepForm {...formProps(form)} isTall>
      <AgeSlider
        age={age}
        onChange={(chosen) => {
          set('ageMin', String(chosen?.min ?? minimumAgeYears));
          set('ageMax', String(chosen?.max ?? maximumAgeYears));
        }}
      />
      <Text role="status" mih="3rem" fz="large" ff="heading">
        {typeof people === 'number' && peopleCounted(people)}
      </Text>
    </StepForm>
  );
}
