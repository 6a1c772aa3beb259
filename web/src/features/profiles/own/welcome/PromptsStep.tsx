import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { languages, languagesMax } from '#contract/profiles/profile-details.ts';
import { listOf } from '../../../../ui/form/BasicPreferenceFields.tsx';
import { Chosen } from '../../../../ui/form/ChipPicker.tsx';
import { SelectField } from '../../../../ui/form/Field.tsx';
import { StepForm } from '../../../../ui/steps/StepForm.tsx';
import { languageName } from '../../../../ui/text/detail-words.ts';
import { compareTexts } from '../../../../ui/text/format.ts';
import { language } from '../../../../ui/text/text.ts';
import { formOfPrompts, PromptCards, promptField, promptsOf } from '../PromptsForm.tsx';
import { formProps, useUserStep, type WelcomeStepProps } from './user-step.ts';

interface SpokenProps {
  chosen: string[];
  error: string | undefined;
  onChange: (chosen: string[]) => void;
}

/** The languages that the member speaks: chips that can be removed, and a choice that adds one. */
function Spoken({ chosen, error, onChange }: SpokenProps) {
  const chips = languages
    .map((code) => ({ value: code as string, label: languageName(code) }))
    .sort((one, other) => compareTexts(one.label, other.label));
  const isFull = chosen.length >= languagesMax;
  return (
    <Stack gap="0.6rem">
      <SelectField
        name="languages"
        label={t`Languages you speak`}
        choices={[
          { value: '', label: t`Add a language` },
          ...chips.filter(({ value }) => !isFull && !chosen.includes(value)),
        ]}
        value=""
        error={error}
        onChange={({ currentTarget: { value } }) => value !== '' && onChange([...chosen, value])}
      />
      {chosen.length > 0 && (
        <Chosen
          chips={chips.filter(({ value }) => chosen.includes(value))}
          onRemove={(value) => onChange(chosen.filter((code) => code !== value))}
        />
      )}
    </Stack>
  );
}

/** Prompt cards as others will see them, and the languages that the member speaks, at first that of the app. */
export function PromptsStep(props: WelcomeStepProps) {
  const { user } = props;
  const [own = 'en'] = language.split('-');
  const { bind, values, set, ...form } = useUserStep<Record<string, string>>(props, {
    name: 'prompts',
    initial: { ...formOfPrompts(user.prompts), languages: user.languages.join(',') || own },
    toBody: (typed) => ({ prompts: promptsOf(typed), languages: listOf(typed['languages'] ?? '') }),
    fieldOf: promptField,
  });
  const isBlank = promptsOf(values).length === 0;
  return (
    <StepForm {...formProps(form)} isTall {...(isBlank && { submitText: t`Skip` })}>
      <PromptCards fields={{ bind, values }} />
      <Spoken
        chosen={listOf(values['languages'] ?? '')}
        error={bind('languages').error}
        onChange={(chosen) => set('languages', chosen.join(','))}
      />
    </StepForm>
  );
}
