import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { reasonOf } from '../feedback/Notice.tsx';
import { t } from '../text/text.ts';
import { dropDraft, readDraft, useKeptDraft } from './drafts.ts';

type FormValues = Record<string, string | boolean>;

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

interface FormOptions<T extends FormValues, S extends z.ZodMiniType> {
  initial: T;
  /** The name under which typed values are stored until they are sent. */
  draft?: string;
  /** The contract's schema of the body. */
  schema: S;
  toBody: (values: T) => unknown;
  /** Checks that the contract does not make; an error without a field is shown as the form's problem. */
  check?: ((values: T) => FieldError[]) | undefined;
  /** The form's field for a field that the contract or the server names. */
  fieldOf?: ((field: string, values: T) => string) | undefined;
  send: (body: z.output<S>) => Promise<unknown>;
  onSent: () => void;
}

/** The initial values with what was typed before a reload. */
function withDraft<T extends FormValues>(initial: T, draft: Record<string, string> | null): T {
  if (draft === null) return initial;
  const valueOf = (name: string, value: string | boolean) => {
    const typed = draft[name];
    return typed === undefined ? value : typeof value === 'boolean' ? typed === 'true' : typed;
  };
  return Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, valueOf(name, value)])) as T;
}

const errorsOf = (error: Error) => ('errors' in error ? (error.errors as readonly FieldError[]) : []);

/**
 * A form that is checked by the contract, kept across reloads and sent once at a time. It has the fields of
 * `useFields`, the handler `submit`, `problem` (an untranslated error that belongs to no field) and `error` (the
 * server's refusal since the last edit).
 */
export function useForm<T extends FormValues, S extends z.ZodMiniType>(options: FormOptions<T, S>) {
  const { initial, draft: draftName, schema, toBody, check, fieldOf, send, onSent } = options;
  const [draft] = useState(() => (draftName === undefined ? null : readDraft(draftName)));
  const [problem, setProblem] = useState<string | null>(null);
  const command = useMutation({
    mutationFn: (body: z.output<S>) => send(body),
    onSuccess: () => {
      if (draftName !== undefined) dropDraft(draftName);
      onSent();
    },
    onError: (error) => {
      if (!show(errorsOf(error))) setProblem(reasonOf(error));
    },
  });
  const fields = useFields<T>(withDraft(initial, draft), () => {
    command.reset();
    setProblem(null);
  });
  const { values } = fields;
  const isTouched = Object.keys(initial).some((name) => values[name] !== initial[name]);
  useKeptDraft(draftName, isTouched && !command.isSuccess ? values : null);

  function show(errors: readonly FieldError[]): boolean {
    return fields.showErrors(errors.map(({ field, msg }) => ({ field: fieldOf?.(field, values) ?? field, msg })));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending || command.isSuccess) return;
    setProblem(null);
    const parsed = schema.safeParse(toBody(values));
    const refused = parsed.error?.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message })) ?? [];
    const errors = [...(check?.(values) ?? []), ...refused];
    const [first] = errors;
    if (first === undefined) command.mutate(parsed.data as z.output<S>);
    else if (first.field === '' || !show(errors)) setProblem(first.msg);
  }

  const { isPending, error } = command;
  return { ...fields, problem, error, hasDraft: draft !== null, isPending, submit };
}
