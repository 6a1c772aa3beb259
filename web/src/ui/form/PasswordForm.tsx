import { Stack, TextInput } from '@mantine/core';
import type { ReactNode, Ref, RefObject } from 'react';
import { t } from '../text/text.ts';
import { SubmitButton } from './BusyButton.tsx';
import { PasswordField } from './PasswordField.tsx';
import type { BoundField } from './use-form.ts';

interface PasswordFormProps {
  /** From `useFields`. */
  fields: { form: RefObject<HTMLFormElement | null>; bind: (name: 'password') => BoundField };
  /** The address to sign in with, where it is asked for. */
  email?: BoundField;
  label?: string;
  description?: ReactNode;
  /** A new password, as opposed to the account's. */
  isNew?: boolean;
  field?: Ref<HTMLInputElement>;
  sendText: string;
  busyText: string;
  isBusy: boolean;
  onSend: () => void;
  /** Above the fields: why it was refused. */
  problem?: ReactNode;
  /** Between the password and the button, and below the button. */
  children?: ReactNode;
  foot?: ReactNode;
}

/** A form for a password, with an address to sign in, or to prove whose account it is. */
export function PasswordForm(props: PasswordFormProps) {
  const { fields, email, label = t('Password'), description, isNew = false, field } = props;
  return (
    <form
      ref={fields.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend();
      }}
    >
      <Stack gap="1.1rem">
        {props.problem}
        {email && (
          <TextInput {...email} type="email" size="md" required label={t('Email')} autoComplete="username webauthn" />
        )}
        <PasswordField
          key={String(isNew)}
          {...fields.bind('password')}
          ref={field}
          required
          label={label}
          description={description}
          autoComplete={isNew ? 'new-password' : 'current-password'}
        />
        {props.children}
        <SubmitButton text={props.sendText} busyText={props.busyText} isBusy={props.isBusy} />
        {props.foot}
      </Stack>
    </form>
  );
}
