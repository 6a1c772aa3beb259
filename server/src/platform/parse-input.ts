import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { AppError } from './app-error.ts';

/** `value` as `schema` reads it; otherwise 400 with one entry a field. Without a schema nothing is read. */
export function parseInput(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrors(issue, []));
  throw new AppError('INVALID_INPUT', errors[0]?.msg ?? 'Invalid input', { errors: errors.slice(0, 20) });
}

function fieldErrors(issue: z.core.$ZodIssue, prefix: PropertyKey[]): FieldError[] {
  const path = [...prefix, ...issue.path];
  // Of several forms a body may have, the first names what is missing best.
  if (issue.code === 'invalid_union') {
    const form = issue.errors.find((issues) => issues.length > 0) ?? [];
    if (form.length > 0) return form.flatMap((inner) => fieldErrors(inner, path));
  }
  return [{ field: path.map(String).join('.'), msg: issue.message }];
}
