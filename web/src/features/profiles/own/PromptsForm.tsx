import { plural, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import type { FieldError } from '#contract/errors.ts';
import { type PromptKey, promptKeys } from '#contract/profiles/interests.ts';
import { prompts } from '#contract/profiles/prompts.ts';
import { type ProfileDetails, promptAnswerMaxLength, promptsMax } from '#contract/profiles/profile-details.ts';
import { SelectField, TextArea } from '../../../ui/form/Field.tsx';
import { lengthOf } from '../../../ui/text/text.ts';
import { UserPartForm, type UserPartProps } from './ProfileForm.tsx';

/** The indexes of the form's rows. */
const promptRows = Array.from({ length: promptsMax }, (_, row) => row);

/** The form's values: `prompt0`, `answer0` and so on. */
function formOfPrompts(prompts: ProfileDetails['prompts']): Record<string, string> {
  return Object.fromEntries(
    promptRows.flatMap((row) => [
      [`prompt${row}`, prompts[row]?.prompt ?? ''],
      [`answer${row}`, prompts[row]?.answer ?? ''],
    ]),
  );
}

function rowOf(values: Record<string, string>, row: number) {
  return { row, prompt: values[`prompt${row}`] ?? '', answer: (values[`answer${row}`] ?? '').trim() };
}

const filledRows = (values: Record<string, string>) =>
  promptRows.map((row) => rowOf(values, row)).filter(({ prompt, answer }) => prompt !== '' || answer !== '');

/** The body to send: the rows that are filled in. */
function promptsOf(values: Record<string, string>): { prompt: PromptKey; answer: string }[] {
  return filledRows(values).map(({ prompt, answer }) => ({ prompt: prompt as PromptKey, answer }));
}

/** Errors for rows that have only a prompt or only an answer. */
function promptGaps(values: Record<string, string>): FieldError[] {
  return filledRows(values).flatMap(({ row, prompt, answer }) => [
    ...(prompt === '' ? [{ field: `prompt${row}`, msg: t`Choose a prompt for your answer` }] : []),
    ...(answer === '' ? [{ field: `answer${row}`, msg: t`Write an answer, or choose No prompt` }] : []),
  ]);
}

/** The form field for a field such as `prompts.1.answer`, whose number does not count empty rows. */
function promptField(field: string, values: Record<string, string>): string {
  const [, index, part] = field.split('.');
  const row = filledRows(values)[Number(index ?? '0')]?.row ?? 0;
  return `${part === 'answer' ? 'answer' : 'prompt'}${row}`;
}

/** The filled rows and one empty row. */
const shownRows = (values: Record<string, string>) => promptRows.slice(0, (filledRows(values).at(-1)?.row ?? -1) + 2);

/** Up to three prompts with the member's own answers. */
export function PromptsForm(props: UserPartProps) {
  return (
    <UserPartForm
      {...props}
      name="prompts"
      saved={formOfPrompts(props.user.prompts)}
      toBody={(values) => ({ prompts: promptsOf(values) })}
      check={promptGaps}
      fieldOf={(field, values) => (field.startsWith('prompts') ? promptField(field, values) : field)}
    >
      {({ bind, values }) =>
        shownRows(values).map((row) => {
          const own = values[`prompt${row}`] ?? '';
          const others = promptRows.filter((other) => other !== row).map((other) => values[`prompt${other}`]);
          const length = lengthOf((values[`answer${row}`] ?? '').trim());
          return (
            <Stack key={row} component="fieldset" gap="0.7rem">
              <legend className="visually-hidden">{t`Prompt ${{ number: row + 1 }}`}</legend>
              <SelectField
                {...bind(`prompt${row}`)}
                label={t`Prompt ${{ number: row + 1 }}`}
                choices={[
                  { value: '', label: own === '' ? t`Choose a prompt` : t`No prompt` },
                  ...promptKeys
                    .filter((key) => key === own || !others.includes(key))
                    .map((key) => ({ value: key, label: t(prompts[key]) })),
                ]}
              />
              <TextArea
                {...bind(`answer${row}`)}
                label={t`Your answer ${{ number: row + 1 }}`}
                description={t`${plural({ left: Math.max(0, promptAnswerMaxLength - length) }, { one: '# character', other: '# characters' })} left.`}
                rows={2}
              />
            </Stack>
          );
        })
      }
    </UserPartForm>
  );
}
