import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type * as z from 'zod/mini';
import type { FieldError } from '#contract/errors.ts';
import { reasonOf } from '../feedback/Notice.tsx';
import { dropDraft, type Edit, type Edits, readDraft, useKeptDraft } from './drafts.ts';

type FormValues = Record<string, string | boolean>;

/** The props that connect an input with its value. */
export interface BoundField {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void;
}

/** The values of a form with its edits: the edited values, or those from before the edits. */
function edited<T extends FormValues>(initial: T, edits: Edits, part: keyof Edit): T {
  return Object.fromEntries(Object.entries(initial).map(([name, value]) => [name, edits[name]?.[part] ?? value])) as T;
}

/** The edits that differ from these values. */
function differing(initial: FormValues, edits: Edits): Edits {
  return Object.fromEntries(
    Object.entries(edits).filter(([name, edit]) => name in initial && edit?.value !== initial[name]),
  );
}

/**
 * The values and errors of a form. Fields without edits follow `initial`, which may be loaded again. `bind('name')` is
 * spread on an input, `bindCheckbox('name')` on a checkbox. `check(schema, body)` and `showErrors(list)` assign errors
 * to fields and focus the first of them.
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

  /**
   * Assigns errors to fields. Returns false if none of them belongs to a field of this form, so that they have to be
   * shown in an alert.
   */
  function showErrors(list: readonly FieldError[]): boolean {
    const own = list.filter(({ field }) => field in values);
    // A screen reader announces what describes a field when it gets the focus, so the errors have to be there by then.
    flushSync(() => setErrors(Object.fromEntries([...own].reverse().map(({ field, msg }) => [field, msg]))));
    const first = Object.keys(values).find((name) => own.some(({ field }) => field === name));
    if (first === undefined) return false;
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return true;
  }

  const blankOf = (required: readonly (keyof T & string)[]) =>
    required.filter((name) => values[name] === '').map((field) => ({ field, msg: t`This is required` }));

  /**
   * The body parsed by the contract's schema; null if it has errors or a required field is empty, which are then shown.
   */
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

  const errorOf = (name: string): string | undefined => errors[name];

  return {
    form,
    values,
    /** The value of each field before its first edit. */
    start: edited(initial, edits, 'from'),
    edits: differing(initial, edits),
    errors,
    set,
    /** Sets fields together with their start values, which does not count as an edit by the person. */
    adopt: (given: Edits) => setEdits((before) => ({ ...before, ...given })),
    /** Resets the fields to their initial values. */
    reset: () => {
      setEdits({});
      setErrors({});
    },
    check,
    showErrors,
    /** Whether one of these fields is empty; if so, an error is shown. */
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
  /** The name under which edits are stored until the form has been sent. */
  draft?: string;
  /** The contract's schema of the body. */
  schema: S;
  /** The body, if it is not the values of the fields themselves; `start` has the values from before the edits. */
  toBody?: (values: T, start: T) => unknown;
  /** Errors that the schema does not check. An error without a field is shown as the form's problem. */
  check?: ((values: T) => FieldError[]) | undefined;
  /** The form field for a field name from the contract or the server. */
  fieldOf?: ((field: string, values: T) => string) | undefined;
  send: (body: z.output<S>) => Promise<unknown>;
  onSent: () => void;
}

/**
 * The edits from before a reload that still differ from the current values. Drafts of earlier versions contain the
 * values of all fields.
 */
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
 * A form that is validated by the contract's schema, keeps edits across reloads, and is never sent twice at the same
 * time. It has everything from `useFields`, the handler `submit`, `problem` (an untranslated error that belongs to no
 * field) and `error` (the server's error since the last edit).
 */
export function useForm<T extends FormValues, S extends z.ZodMiniType>(options: FormOptions<T, S>) {
  const { initial, draft: draftName, schema, toBody = (values) => values, check, fieldOf, send, onSent } = options;
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

  /** Resets the fields to their initial values, and lets the form be sent again. */
  function reset() {
    fields.reset();
    command.reset();
    setProblem(null);
  }

  const { isPending, error } = command;
  return { ...fields, problem, error, hasDraft: Object.keys(kept).length > 0, isPending, submit, reset };
}
