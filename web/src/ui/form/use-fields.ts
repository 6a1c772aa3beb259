import { type ChangeEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { t } from '../text/text.ts';

export type FormValues = Record<string, string | boolean>;

/** What connects an input to its value. */
interface BoundField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void;
}

/**
 * The values and errors of a form. `bind('name')` goes onto an input, `bindCheckbox('name')` onto a checkbox;
 * `check(schema, body)` and `showErrors(list)` assign errors to fields and focus the first of them.
 */
export function useFields<T extends FormValues>(initial: T, onEdit?: () => void) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);

  function set<K extends keyof T & string>(name: K, value: T[K]) {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
    onEdit?.();
  }

  /** True if one of the errors belongs to a field of this form; the others are for an alert. */
  function showErrors(list: readonly FieldError[]): boolean {
    const own = list.filter(({ field }) => field in values);
    setErrors(Object.fromEntries([...own].reverse().map(({ field, msg }) => [field, msg])));
    const first = Object.keys(values).find((name) => own.some(({ field }) => field === name));
    if (first === undefined) return false;
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return true;
  }

  /** The body as parsed by the contract, or null after showing its errors, or that something required is blank. */
  function check<S extends z.ZodMiniType>(
    schema: S,
    body: unknown,
    required: readonly (keyof T & string)[] = [],
  ): z.output<S> | null {
    const blank = required.filter((name) => values[name] === '').map((field) => ({ field, msg: 'This is required' }));
    const parsed = schema.safeParse(body);
    if (parsed.success && blank.length === 0) return parsed.data;
    const refused = parsed.error?.issues.map(({ path, message }) => ({ field: String(path[0]), msg: message })) ?? [];
    showErrors([...blank, ...refused]);
    return null;
  }

  function errorOf(name: string): string | undefined {
    const error = errors[name];
    return error === undefined ? undefined : t(error);
  }

  return {
    form,
    values,
    errors,
    set,
    /** Resets the fields to their initial values. */
    reset: () => {
      setValues(initial);
      setErrors({});
    },
    check,
    showErrors,
    bind: (name: keyof T & string): BoundField => ({
      name,
      value: String(values[name]),
      error: errorOf(name),
      onChange: (event) => set(name, event.currentTarget.value as T[typeof name]),
    }),
    bindCheckbox: (name: keyof T & string) => ({
      name,
      checked: values[name] === true,
      error: errorOf(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.checked as T[typeof name]),
    }),
  };
}
