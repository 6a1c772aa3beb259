import { type ProfileDetails, type PromptKey, promptsMax } from '#contract/profiles/profile-details.ts';
import type { FieldError } from '#contract/errors.ts';

/** The rows of the form, from 0. */
export const promptRows = Array.from({ length: promptsMax }, (_, row) => row);

/** The form's values: `prompt0`, `answer0` and so on. */
export function formOfPrompts(prompts: ProfileDetails['prompts']): Record<string, string> {
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

/** What is sent: the rows that are filled. */
export function promptsOf(values: Record<string, string>): { prompt: PromptKey; answer: string }[] {
  return filledRows(values).map(({ prompt, answer }) => ({ prompt: prompt as PromptKey, answer }));
}

/** Rows of which one half is missing. */
export function promptGaps(values: Record<string, string>): FieldError[] {
  return filledRows(values).flatMap(({ row, prompt, answer }) => [
    ...(prompt === '' ? [{ field: `prompt${row}`, msg: 'Choose a beginning for your answer' }] : []),
    ...(answer === '' ? [{ field: `answer${row}`, msg: 'Write an answer, or choose no beginning' }] : []),
  ]);
}

/** The form's name of `prompts.1.answer`: empty rows do not count there. */
export function promptField(field: string, values: Record<string, string>): string {
  const [, index, part] = field.split('.');
  const row = filledRows(values)[Number(index ?? '0')]?.row ?? 0;
  return `${part === 'answer' ? 'answer' : 'prompt'}${row}`;
}
