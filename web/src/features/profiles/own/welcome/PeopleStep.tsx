import { t } from '@lingui/core/macro';
import { genders } from '#contract/profiles/profile-details.ts';
import { listOf, soughtWords } from '../../../../ui/form/BasicPreferenceFields.tsx';
import { ChoiceGroup } from '../../../../ui/form/Form.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { genderChoices } from '../gender-choices.ts';
import { orNull } from '../ProfileForm.tsx';
import { formProps, useUserStep, type WelcomeStepProps } from './user-step.ts';

/** Who the member is, and who they would like to meet. */
export function PeopleStep(props: WelcomeStepProps) {
  const { bind, set, values, ...form } = useUserStep(props, {
    name: 'people',
    initial: { gender: props.user.gender ?? '', seeking: props.user.seeking.join(',') },
    toBody: ({ gender, seeking }) => ({ gender: orNull(gender), seeking: listOf(seeking) }),
    check: ({ gender, seeking }) => [
      ...(gender === '' ? [{ field: 'gender', msg: t`This is required` }] : []),
      ...(seeking === '' ? [{ field: 'seeking', msg: t`Choose who you would like to meet` }] : []),
    ],
    fieldOf: (field) => field.split('.')[0] ?? field,
  });
  return (
    <StepForm {...formProps(form)} isTall>
      <ChoiceGroup
        type="radio"
        name="gender"
        legend={t`I am`}
        choices={genderChoices.map(({ value, label }) => ({ value, label: t(label) }))}
        chosen={[values.gender]}
        isRow="large-tiles"
        error={bind('gender').error}
        onChange={([gender = '']) => set('gender', gender)}
      />
      <ChoiceGroup
        type="checkbox"
        name="seeking"
        legend={t`I would like to meet`}
        choices={genders.map((value) => ({ value, label: t(soughtWords[value]) }))}
        chosen={listOf(values.seeking)}
        isRow="large-tiles"
        error={bind('seeking').error}
        onChange={(seeking) => set('seeking', seeking.join(','))}
      />
    </StepForm>
  );
}
