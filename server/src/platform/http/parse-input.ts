import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { AppError } from './app-error.ts';

const mostErrors = 20;

/** `value` as `schema` reads it; otherwise 400 with one entry a field. Without a schema nothing is read. */
export function parseInput(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrors(issue, [])).slice(0, mostErrors);
  throw new AppError('INVALID_INPUT', errors[0]?.msg ?? wordless, { errors });
}

function fieldErrors(issue: z.core.$ZodIssue, prefix: PropertyKey[]): FieldError[] {
  const path = [...prefix, ...issue.path];
  // Of several forms a body may have, the first names what is missing best.
  if (issue.code === 'invalid_union') {
    const form = issue.errors.find((issues) => issues.length > 0) ?? [];
    if (form.length > 0) return form.flatMap((inner) => fieldErrors(inner, path));
  }
  return [{ field: path.length === 0 ? 'body' : path.map(String).join('.'), msg: wordsFor(issue) }];
}

/** What the schemas say where nobody gave them words. */
const wordless = 'Invalid input';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.message !== wordless) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is required' : `This must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `Use one of: ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return issue.origin === 'string' ? `Use at most ${issue.maximum} characters` : `Use ${issue.maximum} or less`;
    case 'too_small':
      return issue.origin === 'string' ? `Use at least ${issue.minimum} characters` : `Use ${issue.minimum} or more`;
    default:
      return wordless;
  }
}
