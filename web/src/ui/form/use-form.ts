import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { reasonOf } from '../feedback/Notice.tsx';
import { t } from '../text/text.ts';
import { dropDraft, type Edit, type Edits, readDraft, useKeptDraft } from './drafts.ts';

type FormValues = Record<string, string | boolean>;

/** What connects an input to its value. */
export interface BoundField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void;
}

/** The values of a form with those of its touched fields: what they hold, or what they started from. */
function edited<T extends FormValues>(initial: T, edits: Edits, part: keyof Edit): T {
  return Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, edits[name]?.[part] ?? value])) as T;
}

/** The edits that make a difference to these values. */
function differing(initial: FormValues, edits: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).filter(([name, edit]) => name in initial && edit?.value !== initial[name]),
  );
}

/**
 * The values and errors of a form. Fields that are not touched follow `initial`, which may be loaded again meanwhile. `bind('name')` goes onto an input, `bindCheckbox('name')` onto a checkbox;
 * `check(schema, body)` and `showErrors(list)` assign errors to fields and focus the first of them.
 */
export function useFields<T extends FormValues>(initial: T, onEdit?: () => void, kept: Edits = {}) {
  const [edits, setEdits] = useState(kept);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const values = edited(initial, edits, 'value');

  function set<K extends keyof T & string>(name: K, value: T[K]) {
    setEdits(({ [name]: edit, ...others }) => {
      const from = edit?.from ?? initial[name] ?? value;
      return value === initial[name] ? others : { ...others, [name]: { value, from } };
    });
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

  const blankOf = (required: readonly (keyof T & string)[]) =>
    required.filter((name) => values[name] === '').map((field) => ({ field, msg: 'This is required' }));

  /** The body as parsed by the contract, or null after showing its errors, or that something required is blank. */
  function check<S extends z.ZodMiniType>(
    schema: S,
    body: unknown,
    required: readonly (keyof T & string)[] = [],
  ): z.output<S> | null {
    const blank = blankOf(required);
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
    /** What each field held when it was touched first; the initial value of one that was not. */
    start: edited(initial, edits, 'from'),
    edits: differing(initial, edits),
    errors,
    set,
    /** Sets fields together with what they started from, which is no edit of the person. */
    adopt: (given: Edits) => setEdits((before) => ({ ...before, ...given })),
    /** Resets the fields to their initial values. */
    reset: () => {
      setEdits({});
      setErrors({});
    },
    check,
    showErrors,
    /** Whether one of these fields is empty, after showing so. */
    hasBlank: (required: readonly (keyof T & string)[]) => showErrors(blankOf(required)),
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
  /** The name under which touched fields are stored until they are sent. */
  draft?: string;
  /** The contract's schema of the body. */
  schema: S;
  /** The body for the values of the fields, given what each of them started from. */
  toBody: (values: T, start: T) => unknown;
  /** Checks that the contract does not make; an error without a field is shown as the form's problem. */
  check?: ((values: T) => FieldError[]) | undefined;
  /** The form's field for a field that the contract or the server names. */
  fieldOf?: ((field: string, values: T) => string) | undefined;
  send: (body: z.output<S>) => Promise<unknown>;
  onSent: () => void;
}

/** The fields that were touched before a reload and still differ. Drafts of earlier versions hold the values of all fields. */
function keptEdits(draftName: string, initial: FormValues): Edits {
  const kept = Object.entries(readDraft<Record<string, string | Edit>>(draftName) ?? {});
  const editOf = (name: string, typed: string | Edit): Edit => {
    if (typeof typed !== 'string') return typed;
    const from = initial[name] ?? '';
    return { value: typeof from === 'boolean' ? typed === 'true' : typed, from };
  };
  return differing(initial, Object.fromEntries(kept.map(([name, typed]) => [name, editOf(name, typed)])));
}

const errorsOf = (error: Error) => ('errors' in error ? (error.errors as readonly FieldError[]) : []);

/**
 * A form that is checked by the contract, whose touched fields are kept across reloads, and that is sent once at a time. It has the fields of
 * `useFields`, the handler `submit`, `problem` (an untranslated error that belongs to no field) and `error` (the
 * server's refusal since the last edit).
 */
export function useForm<T extends FormValues, S extends z.ZodMiniType>(options: FormOptions<T, S>) {
  const { initial, draft: draftName, schema, toBody, check, fieldOf, send, onSent } = options;
  const [kept] = useState(() => (draftName === undefined ? {} : keptEdits(draftName, initial)));
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
  const fields = useFields<T>(
    initial,
    () => {
      command.reset();
      setProblem(null);
    },
    kept,
  );
  const { values, start, edits } = fields;
  useKeptDraft(draftName, Object.keys(edits).length > 0 && !command.isSuccess ? edits : null);

  function show(errors: readonly FieldError[]): boolean {
    return fields.showErrors(errors.map(({ field, msg }) => ({ field: fieldOf?.(field, values) ?? field, msg })));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending || command.isSuccess) return;
    setProblem(null);
    const parsed = schema.safeParse(toBody(values, start));
    const refused = parsed.error?.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message })) ?? [];
    const errors = [...(check?.(values) ?? []), ...refused];
    const [first] = errors;
    if (first === undefined) command.mutate(parsed.data as z.output<S>);
    else if (first.field === '' || !show(errors)) setProblem(first.msg);
  }

  const { isPending, error } = command;
  return { ...fields, problem, error, hasDraft: Object.keys(kept).length > 0, isPending, submit };
}
