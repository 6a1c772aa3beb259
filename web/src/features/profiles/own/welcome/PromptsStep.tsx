import { t } from '@lingui/core/macro';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { formOfPrompts, PromptCards, promptField, promptsOf } from '../PromptsForm.tsx';
import { formProps, useUserStep, type WelcomeStepProps } from './user-step.ts';

/** Cards to write on, as others will see them. */
export function PromptsStep(props: WelcomeStepProps) {
  const { bind, values, ...form } = useUserStep(props, {
    name: 'prompts',
    initial: formOfPrompts(props.user.prompts),
    toBody: (typed) => ({ prompts: promptsOf(typed) }),
    fieldOf: promptField,
  });
  const isBlank = promptsOf(values).length === 0;
  return (
    <StepForm {...formProps(form)} isTall {...(isBlank && { submitText: t`Skip` })}>
      <PromptCards fields={{ bind, values }} />
    </StepForm>
  );
}
