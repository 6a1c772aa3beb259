import { plural, t } from '@lingui/core/macro';
import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { PromptKey } from '#contract/profiles/interests.ts';
import { type ProfileDetails, promptAnswerMaxLength, promptsMax } from '#contract/profiles/profile-details.ts';
import { ErrorText, HintText } from '../../../ui/form/Field.tsx';
import { GrowingTextarea } from '../../../ui/form/GrowingTextarea.tsx';
import type { useFields } from '../../../ui/form/use-form.ts';
import { lengthOf } from '../../../ui/text/text.ts';
import { offeredPrompts, promptText } from '../../../ui/text/interest-words.ts';
import viewClasses from '../view/profile-view.module.css';
import { UserPartForm, type UserPartProps } from './ProfileForm.tsx';
import classes from './profile.module.css';

/** The indexes of the form's rows. */
const promptRows = Array.from({ length: promptsMax }, (_, row) => row);

/** The first prompts on cards for which none was chosen, unless the owner doesn't offer them. */
const suggested: readonly string[] = [
  'perfect-sunday',
  'kitchen-pride',
  'ask-me',
  'first-date',
  'small-joy',
  'teach-me',
] satisfies PromptKey[];

/** The form's values: `prompt0`, `answer0` and so on; '' for a prompt that was not chosen. */
export function formOfPrompts(saved: ProfileDetails['prompts']): Record<string, string> {
  return Object.fromEntries(
    promptRows.flatMap((row) => [
      [`prompt${row}`, saved[row]?.prompt ?? ''],
      [`answer${row}`, saved[row]?.answer ?? ''],
    ]),
  );
}

/** The prompt of each card: the chosen one, or the next suggestion that was not chosen. */
function promptsIn(values: Record<string, string>): string[] {
  const chosen = promptRows.map((row) => values[`prompt${row}`] ?? '');
  const offered = offeredPrompts();
  const suggestions = [...suggested.filter((key) => offered.includes(key)), ...offered];
  const free = [...new Set(suggestions)].filter((key) => !chosen.includes(key));
  return chosen.map((prompt) => prompt || (free.shift() ?? ''));
}

/** The cards with text. */
const filledRows = (values: Record<string, string>) =>
  promptsIn(values)
    .map((prompt, row) => ({ row, prompt, answer: (values[`answer${row}`] ?? '').trim() }))
    .filter(({ answer }) => answer !== '');

/** The prompts to send. */
export function promptsOf(values: Record<string, string>): { prompt: string; answer: string }[] {
  return filledRows(values).map(({ prompt, answer }) => ({ prompt, answer }));
}

/** The form field for a field such as `prompts.1.answer`, whose number does not count blank cards. */
export function promptField(field: string, values: Record<string, string>): string {
  if (!field.startsWith('prompts')) return field;
  const [, index, part] = field.split('.');
  const row = filledRows(values)[Number(index ?? '0')]?.row ?? 0;
  return `${part === 'answer' ? 'answer' : 'prompt'}${row}`;
}

type PromptFields = Pick<ReturnType<typeof useFields<Record<string, string>>>, 'bind' | 'values'>;

/** A card as others will see it, to write on: the prompt is a choice, the answer a field. */
function PromptCard({ row, fields: { bind, values } }: { row: number; fields: PromptFields }) {
  const id = useId();
  const own = promptsIn(values)[row] ?? '';
  const others = filledRows(values).flatMap((filled) => (filled.row === row ? [] : [filled.prompt]));
  // A chosen one stays when the owner no longer offers it.
  const options = [...new Set([...offeredPrompts(), own])].filter((key) => key !== '' && !others.includes(key));
  const choice = bind(`prompt${row}`);
  const answer = bind(`answer${row}`);
  const error = choice.error ?? answer.error;
  const left = Math.max(0, promptAnswerMaxLength - lengthOf((values[`answer${row}`] ?? '').trim()));
  return (
    <figure className={viewClasses.prompt}>
      <figcaption className={classes.promptChoice}>
        <span aria-hidden="true">{own !== '' && promptText(own)}</span>
        <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
        <select name={choice.name} value={own} aria-label={t`Prompt ${{ number: row + 1 }}`} onChange={choice.onChange}>
          {options.map((key) => (
            <option key={key} value={key}>
              {promptText(key)}
            </option>
          ))}
        </select>
      </figcaption>
      <GrowingTextarea
        className={classes.promptAnswer}
        dir="auto"
        rows={2}
        name={answer.name}
        value={answer.value}
        placeholder={t`Write your answer`}
        aria-label={t`Your answer ${{ number: row + 1 }}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error ${id}-left`}
        onChange={answer.onChange}
      />
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <HintText id={`${id}-left`}>
        {left <= 50 && t`${plural({ left }, { one: '# character', other: '# characters' })} left.`}
      </HintText>
    </figure>
  );
}

/** The cards with text, and a blank one. */
export function PromptCards({ fields }: { fields: PromptFields }) {
  const shown = promptRows.slice(0, (filledRows(fields.values).at(-1)?.row ?? -1) + 2);
  return shown.map((row) => <PromptCard key={row} row={row} fields={fields} />);
}

/** Up to three prompts with the member's own answers. */
export function PromptsForm(props: UserPartProps) {
  return (
    <UserPartForm
      {...props}
      name="prompts"
      saved={formOfPrompts(props.user.prompts)}
      toBody={(values) => ({ prompts: promptsOf(values) })}
      fieldOf={promptField}
    >
      {(fields) => <PromptCards fields={fields} />}
    </UserPartForm>
  );
}
