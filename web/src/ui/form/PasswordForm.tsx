import { t } from '@lingui/core/macro';
import { PasswordInput, type PasswordInputProps, Stack, TextInput } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useState } from 'react';
import { SubmitButton } from './BusyButton.tsx';
import type { BoundField } from './use-form.ts';

/** A password field whose text can be shown, pasted, and filled in by a password manager. */
export function PasswordField(props: PasswordInputProps & { autoComplete: 'current-password' | 'new-password' }) {
  const [isVisible, setVisible] = useState(false);
  return (
    <PasswordInput
      size="md"
      {...props}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': isVisible ? t`Hide password` : t`Show password` }}
    />
  );
}

interface PasswordFormProps {
  /** The fields from `useFields`. */
  fields: { form: RefObject<HTMLFormElement | null>; bind: (name: 'password') => BoundField };
  /** The field for the email address, if the form has one. */
  email?: BoundField;
  label?: string;
  description?: ReactNode;
  /** The field is for a new password instead of the current one. */
  isNew?: boolean;
  field?: Ref<HTMLInputElement>;
  sendText: string;
  busyText: string;
  isBusy: boolean;
  onSend: () => void;
  /** The reason for a refusal, shown above the fields. */
  problem?: ReactNode;
  /** Content between the password and the button, and below the button. */
  children?: ReactNode;
  foot?: ReactNode;
}

/** A form for a password, with or without an email address. */
export function PasswordForm(props: PasswordFormProps) {
  const { fields, email, label = t`Password`, description, isNew = false, field } = props;
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
          <TextInput {...email} type="email" size="md" required label={t`Email`} autoComplete="username webauthn" />
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
