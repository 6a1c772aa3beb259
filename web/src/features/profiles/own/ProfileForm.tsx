import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { ApiError, errorMessage, errorTexts } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, readDraft, useKeptDraft } from '../../../api/session/drafts.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { useFields } from '../../../ui/form/use-fields.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './profile.module.css';

/** What each form of a part of the profile needs. */
export interface OwnPart {
  user: OwnUser;
  /** Called with the member as the server has them after a change. */
  onUser: (user: OwnUser) => void;
}

/** Sends the changed part and passes on the updated member. */
export function sendPart(onUser: (user: OwnUser) => void) {
  return async (body: BodyInput<typeof editProfile>): Promise<void> => {
    onUser((await call(editProfile, { body })).update.user);
  };
}

/** An empty choice as null. */
export const orNull = (value: string) => (value === '' ? null : value);

type Values = Record<string, string>;

/** What every form of a part of the profile takes, on the profile page and after joining. */
export interface PartFormProps {
  submitText?: string;
  cancelText?: string;
  /** Discards what was typed; without it the form cannot be cancelled. */
  onCancel?: (() => void) | undefined;
  onDone: () => void;
}

interface ProfileFormProps<T extends Values, S extends z.ZodMiniType> extends PartFormProps {
  /** The name of its draft. */
  name: string;
  saved: T;
  /** The contract's schema of what is sent. */
  schema: S;
  toBody: (values: T) => unknown;
  send: (body: z.output<S>) => Promise<unknown>;
  /** Checks that the contract does not make. */
  check?: (values: T) => FieldError[];
  /** The form's field for a field that the server names. */
  fieldOf?: (field: string, values: T) => string;
  children: (fields: ReturnType<typeof useFields<T>>) => ReactNode;
}

/** The name of the draft of one part of the profile. */
export function profileDraft(name: string): string {
  return `profile:${name}`;
}

function contractErrors(schema: z.ZodMiniType, body: unknown): FieldError[] {
  const issues = schema.safeParse(body).error?.issues ?? [];
  return issues.map(({ path, message }) => ({ field: path.join('.'), msg: message }));
}

/** A form for one part of the profile: checked by the contract, kept across reloads, saved on its own. */
export function ProfileForm<T extends Values, S extends z.ZodMiniType>(props: ProfileFormProps<T, S>) {
  const { name, saved, schema, toBody, send, check, fieldOf, submitText, cancelText, onCancel, onDone, children } =
    props;
  const draftName = profileDraft(name);
  const [draft] = useState(() => readDraft(draftName));
  const command = useMutation({
    mutationFn: (body: z.output<S>) => send(body),
    onSuccess: () => {
      dropDraft(draftName);
      onDone();
    },
    onError: (error) => {
      const refused = error instanceof ApiError ? error.errors : [];
      if (!showErrors(refused)) setProblem(errorMessage(error));
    },
  });
  const [problem, setProblem] = useState<string | null>(null);
  const fields = useFields<T>({ ...saved, ...draft }, () => {
    command.reset();
    setProblem(null);
  });
  const { values } = fields;
  const isTouched = Object.keys(saved).some((key) => values[key] !== saved[key]);

  useKeptDraft(draftName, isTouched && !command.isSuccess ? values : null);

  function showErrors(errors: readonly FieldError[]): boolean {
    return fields.showErrors(errors.map(({ field, msg }) => ({ field: fieldOf?.(field, values) ?? field, msg })));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const body = toBody(values);
    const errors = [...(check?.(values) ?? []), ...contractErrors(schema, body)];
    if (errors.length > 0) {
      if (!showErrors(errors)) setProblem(errors[0]?.msg ?? errorTexts.validation);
      return;
    }
    command.mutate(schema.parse(body));
  }

  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={submit}>
      {draft !== null && <Notice kind="info">{t('What you typed before is still here. It is not saved yet.')}</Notice>}
      {children(fields)}
      {problem !== null && <Notice kind="error">{t(problem)}</Notice>}
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Saving...')}>
          {submitText ?? t('Save')}
        </BusyButton>
        {onCancel && (
          <Button
            variant="default"
            onClick={() => {
              dropDraft(draftName);
              onCancel();
            }}
          >
            {cancelText ?? t('Cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
