import { t } from '@lingui/core/macro';
import { BirthDateFields } from '../../../../ui/steps/BirthDateFields.tsx';
import { birthDateErrors, birthDateOf, isOldEnough } from '../../../../ui/steps/birth-date.ts';
import { typedBefore } from '../../../../ui/steps/join-draft.ts';
import { StepField } from '../../../../ui/steps/StepField.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { formProps, useUserStep, type WelcomeStepProps } from './user-step.ts';

/** For members whose provider gave no first name. */
export function NameStep(props: WelcomeStepProps) {
  const form = useUserStep(props, {
    name: 'name',
    initial: { firstName: props.user.firstName ?? typedBefore('firstName') },
    toBody: (values) => values,
  });
  return (
    <StepForm {...formProps(form)}>
      <StepField {...form.bind('firstName')} autoComplete="given-name" />
    </StepForm>
  );
}

/** For members who joined with Google or Facebook. */
export function BirthdayStep(props: WelcomeStepProps) {
  const form = useUserStep(props, {
    name: 'birthday',
    initial: { day: typedBefore('day'), month: typedBefore('month'), year: typedBefore('year') },
    toBody: (values) => ({ birthDate: birthDateOf(values) ?? '' }),
    check: birthDateErrors,
    fieldOf: () => 'year',
  });
  return (
    <StepForm {...formProps(form)} {...(isOldEnough(form.values) && { submitText: t`Yes` })}>
      <BirthDateFields fields={form} />
    </StepForm>
  );
}
