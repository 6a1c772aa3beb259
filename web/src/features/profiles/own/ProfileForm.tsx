import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';
import { DialogActions } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { changedParts, onlyParts } from '../../../ui/form/form-values.ts';
import { dropDraft } from '../../../ui/form/drafts.ts';
import { useForm } from '../../../ui/form/use-form.ts';
import { profileDraft } from './own-parts.ts';

/** Converts an empty choice to null. */
export const orNull = (value: string) => (value === '' ? null : value);

/** The props of every form for a part of the profile. */
export interface PartFormProps {
  /** Called once what was typed is discarded. */
  onCancel: () => void;
  onDone: () => void;
}

interface ProfileFormProps<T extends Record<string, string>, S extends z.ZodMiniType>
  extends PartFormProps, Pick<Parameters<typeof useForm<T, S>>[0], 'schema' | 'send' | 'check' | 'fieldOf'> {
  /** The name of the form's draft. */
  name: string;
  saved: T;
  /**
   * The request body for the values. The whole body is validated, but only the parts that differ from the saved values
   * are sent.
   */
  toBody: (values: T) => object;
  children: (fields: ReturnType<typeof useForm<T, S>>) => ReactNode;
}

/** A form in a dialog for one part of the profile, which is saved separately. */
export function ProfileForm<T extends Record<string, string>, S extends z.ZodMiniType>(props: ProfileFormProps<T, S>) {
  const { name, saved, onCancel, onDone, children, send, ...rules } = props;
  const form = useForm<T, S>({
    ...rules,
    initial: saved,
    draft: profileDraft(name),
    send: (body) => {
      const changed = changedParts(rules.toBody(saved), rules.toBody(form.values));
      return send(onlyParts(body as object, changed) as typeof body);
    },
    onSent: onDone,
  });
  return (
    <Form ref={form.form} onSubmit={form.submit}>
      {form.hasDraft && <Notice kind="info">{t`What you typed before is still here. It is not saved yet.`}</Notice>}
      {children(form)}
      <DialogActions problem={form.problem !== null && <Notice kind="error">{form.problem}</Notice>}>
        <Button
          variant="default"
          onClick={() => {
            dropDraft(profileDraft(name));
            onCancel();
          }}
        >
          {t`Cancel`}
        </Button>
        <BusyButton type="submit" isBusy={form.isPending} busyText={t`Saving...`}>
          {t`Save`}
        </BusyButton>
      </DialogActions>
    </Form>
  );
}

/** The props of each form for a part of the user. */
export interface UserPartProps extends PartFormProps {
  user: OwnUser;
  /** Called with the user from the server's answer to a change. */
  onUser: (user: OwnUser) => void;
}

type UserPartFormProps<T extends Record<string, string>> = UserPartProps &
  Omit<ProfileFormProps<T, typeof editProfile.body>, 'schema' | 'send'>;

/** A form for a part of the profile that is saved with the user. Errors within a list are shown at the list's field. */
export function UserPartForm<T extends Record<string, string>>({ onUser, ...form }: UserPartFormProps<T>) {
  return (
    <ProfileForm
      fieldOf={(field) => field.split('.')[0] ?? field}
      {...form}
      schema={editProfile.body}
      send={async (body) => onUser((await call(editProfile, { body })).update.user)}
    />
  );
}
