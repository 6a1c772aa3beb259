import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { BodyInput } from '#contract/endpoint.ts';
import type { FieldError } from '#contract/errors.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, readDraft } from '../../../api/session/drafts.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useKeptDraft } from '../../../api/session/use-kept-draft.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import classes from './profile.module.css';

/** What a part of the profile needs of whoever shows it. */
export interface OwnPart {
  user: OwnUser;
  /** The member as the server has them after a change. */
  onUser: (user: OwnUser) => void;
}

/** How a form sends its part. */
export function sendPart(onUser: (user: OwnUser) => void) {
  return async (body: BodyInput<typeof editProfile>): Promise<void> => {
    onUser((await call(editProfile, { body })).update.user);
  };
}

/** A choice that may be none. */
export const orNull = (value: string) => (value === '' ? null : value);

type Values = Record<string, string>;

/** What every form of a part of the profile is given, wherever it stands. */
export interface PartFormProps {
  submitText?: string;
  cancelText?: string;
  /** Gives up what was typed; without it there is no way but on. */
  onCancel?: (() => void) | undefined;
  onDone: () => void;
}

interface ProfileFormProps<T extends Values, S extends z.ZodMiniType> extends PartFormProps {
  /** Names its draft. */
  name: string;
  saved: T;
  /** What is sent, as the contract has it. */
  schema: S;
  toBody: (values: T) => unknown;
  send: (body: z.output<S>) => Promise<unknown>;
  /** What the contract cannot tell by itself. */
  check?: (values: T) => FieldError[];
  /** The form's name of a field that the server names. */
  fieldOf?: (field: string, values: T) => string;
  children: (fields: ReturnType<typeof useFields<T>>) => ReactNode;
}

/** The draft of one part of the profile. */
export function profileDraft(name: string): string {
  return `profile:${name}`;
}

function contractErrors(schema: z.ZodMiniType, body: unknown): FieldError[] {
  const issues = schema.safeParse(body).error?.issues ?? [];
  return issues.map(({ path, message }) => ({ field: path.join('.'), msg: message }));
}

/** One part of the profile being changed: checked by the contract, kept over a reload, saved by itself. */
export function ProfileForm<T extends Values, S extends z.ZodMiniType>(props: ProfileFormProps<T, S>) {
  const { name, saved, schema, toBody, send, check, fieldOf, submitText, cancelText, onCancel, onDone, children } =
    props;
  const t = useText();
  const draftName = profileDraft(name);
  const [draft] = useState(() => readDraft(draftName));
  const command = useCommand();
  const [problem, setProblem] = useState<string | null>(null);
  const fields = useFields<T>({ ...saved, ...draft }, () => {
    command.reset();
    setProblem(null);
  });
  const { values } = fields;
  const isTouched = Object.keys(saved).some((key) => values[key] !== saved[key]);

  useKeptDraft(draftName, isTouched && !command.isDone ? values : null);

  function showErrors(errors: readonly FieldError[]): boolean {
    return fields.showErrors(errors.map(({ field, msg }) => ({ field: fieldOf?.(field, values) ?? field, msg })));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const body = toBody(values);
    const errors = [...(check?.(values) ?? []), ...contractErrors(schema, body)];
    if (errors.length > 0) {
      if (!showErrors(errors)) setProblem(errors[0]?.msg ?? errorTexts.validation);
      return;
    }
    const isDone = await command.run(
      () => send(schema.parse(body)),
      ({ message, errors: refused }) => {
        if (!showErrors(refused)) setProblem(message);
      },
    );
    if (isDone) {
      dropDraft(draftName);
      onDone();
    }
  }

  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
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
