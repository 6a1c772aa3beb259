import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type * as z from 'zod/mini';
import type { proofSchema } from '#contract/auth/factors.ts';
import type { FieldError } from '#contract/errors.ts';
import { ApiError, errorCode, errorMessage } from '../../../api/api-error.ts';
import { DialogActions } from '../../../ui/feedback/Dialog.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { PasswordField } from '../../../ui/form/PasswordForm.tsx';
import { useFields } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { canUsePasskeys, passkeyProof } from '../factors/passkey-ceremony.ts';
import { protectionQuery } from '../queries.ts';
import { CodeField } from '../../../ui/form/CodeField.tsx';
import { ConfirmIdentity } from './ConfirmIdentity.tsx';

export type Proof = z.input<typeof proofSchema>;

/** How people can confirm their identity. */
export interface Proofs {
  hasPassword: boolean;
  /** Two-step verification is on, so the proof needs a code. */
  hasFactor: boolean;
  /** The account has a passkey, which is enough by itself. */
  hasPasskey: boolean;
}

/** The values of the fields besides the proof. */
interface Extra {
  email: string;
  newPassword: string;
}

interface ProofFormProps extends Proofs {
  /** The account's email address, for password managers. */
  email: string;
  text: string;
  busyText: string;
  /** The label of the password field; "current password" by default. */
  passwordLabel?: string;
  /** Labels of fields besides the proof: a new address above it, a new password below it. */
  extra?: { email?: string; newPassword?: { label: string; description: string } };
  /** Checks the fields besides the proof. */
  check?: (extra: Extra) => FieldError[];
  /** Shown before the fields. */
  children?: ReactNode;
  /** Sends the proof; throws an `ApiError` on failure. */
  onProof: (proof: Proof, extra: Extra) => Promise<unknown>;
  /** Closes the form without changing anything. */
  onCancel?: () => void;
  /** The form is the last part of a dialog, so its buttons are at the bottom, the safe one first. */
  isInDialog?: boolean;
}

/** The field that each error code belongs to. */
const refusedFields: Record<string, string> = {
  WRONG_PASSWORD: 'password',
  INVALID_CODE: 'code',
  PASSWORD_REFUSED: 'newPassword',
  EMAIL_TAKEN: 'email',
};

/** The state of the form: its fields, which proof they need, and sending it. */
function useProof({ hasPassword, hasFactor, hasPasskey, extra: asked = {}, check, onProof }: ProofFormProps) {
  const [isAtField, setAtField] = useState(false);
  /** Two-step verification may have been turned on elsewhere in the meantime; then the server's answer says so. */
  const [needsCode, setNeedsCode] = useState(hasFactor);
  const command = useMutation({
    mutationFn: async ({ proof, extra }: { proof: () => Promise<Proof>; extra: Extra }) =>
      onProof(await proof(), extra),
    onMutate: () => setAtField(false),
    onSuccess: () => {
      fields.reset();
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.errors.some(({ field }) => field === 'code')) setNeedsCode(true);
      const field = refusedFields[error.code];
      setAtField(fields.showErrors(field === undefined ? error.errors : [{ field, msg: error.message }]));
    },
  });
  // If the account has a passkey and no code was requested, a password alone is not enough.
  const isPasskeyOnly = hasPasskey && !needsCode;
  const fields = useFields({ email: '', password: '', code: '', newPassword: '' }, command.reset);

  /** Sends the proof once its fields and the other fields are filled in. */
  function send(proof: () => Promise<Proof>, ofProof: readonly ('password' | 'code')[]) {
    if (command.isPending) return;
    const others = (['email', 'newPassword'] as const).filter((name) => asked[name] !== undefined);
    const blank = [...others, ...ofProof].filter((name) => fields.values[name] === '');
    const faults = blank.map((field) => ({ field, msg: t`This is required` }));
    if (fields.showErrors(faults.length > 0 ? faults : (check?.(fields.values) ?? []))) return;
    command.mutate({ proof, extra: fields.values });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isPasskeyOnly) return send(passkeyProof, []);
    const { password, code } = fields.values;
    const proof = { ...(hasPassword ? { password } : {}), ...(needsCode ? { code } : {}) };
    send(
      () => Promise.resolve(proof),
      [...(hasPassword ? (['password'] as const) : []), ...(needsCode ? (['code'] as const) : [])],
    );
  }

  const { isPending, error } = command;
  return {
    fields,
    needsCode,
    isPasskeyOnly,
    isPending,
    error,
    isAtField,
    submit,
    sendPasskey: () => send(passkeyProof, []),
  };
}

/** The field for a code from the authenticator app, or a recovery code. */
function ProofCode({ value, error, onChange }: Omit<ComponentProps<typeof CodeField>, 'isRecovery'>) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <div>
      <CodeField isRecovery={isRecovery} value={value} error={error} onChange={onChange} />
      <Button
        variant="subtle"
        size="compact-sm"
        mt="0.35rem"
        ms="-0.5rem"
        onClick={() => {
          setRecovery(!isRecovery);
          onChange('');
        }}
      >
        {isRecovery ? t`Use a code from your app` : t`Use a recovery code instead`}
      </Button>
    </div>
  );
}

/** Asks people to confirm their identity before a sensitive change: with password and code, or with a passkey. */
export function ProofForm(props: ProofFormProps) {
  const { email, hasPassword, hasPasskey, text, busyText, onCancel, isInDialog = false, extra: asked = {} } = props;
  const proof = useProof(props);
  const { fields, isPasskeyOnly, error } = proof;
  const code = fields.bind('code');
  const submitButton = (
    <BusyButton type="submit" isBusy={proof.isPending} busyText={busyText}>
      {text}
    </BusyButton>
  );
  const passkeyButton = hasPasskey && !isPasskeyOnly && canUsePasskeys() && (
    <Button
      variant="default"
      leftSection={<IconKey size={18} stroke={1.75} aria-hidden="true" />}
      onClick={proof.sendPasskey}
    >
      {t`Use a passkey`}
    </Button>
  );
  const cancelButton = onCancel && (
    <Button {...(isInDialog ? { variant: 'default' } : { variant: 'subtle', color: 'gray' })} onClick={onCancel}>
      {t`Cancel`}
    </Button>
  );
  const isUnproven = errorCode(error) === 'PROOF_REQUIRED' && !hasPasskey;
  return (
    <Form ref={fields.form} maw="30rem" onSubmit={proof.submit}>
      {props.children}
      {asked.email !== undefined && (
        <TextInput {...fields.bind('email')} type="email" size="md" required label={asked.email} autoComplete="email" />
      )}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {isPasskeyOnly && (
        <Hint>
          {t`Confirm with your passkey.`}
          {asked.newPassword === undefined && (
            <>
              {' '}
              {t`Lost it?`} <Link to="/app/forgot-password">{t`Choose a new password`}</Link> {t`to remove it.`}
            </>
          )}
        </Hint>
      )}
      {hasPassword && !isPasskeyOnly && (
        <PasswordField
          {...fields.bind('password')}
          required
          label={props.passwordLabel ?? t`Current password`}
          autoComplete="current-password"
        />
      )}
      {proof.needsCode && (
        <ProofCode value={code.value} error={code.error} onChange={(value) => fields.set('code', value)} />
      )}
      {asked.newPassword !== undefined && (
        <PasswordField
          {...fields.bind('newPassword')}
          required
          label={asked.newPassword.label}
          description={asked.newPassword.description}
          autoComplete="new-password"
        />
      )}
      {error && !proof.isAtField && !isUnproven && <Notice kind="error">{errorMessage(error)}</Notice>}
      {isUnproven && <ConfirmIdentity />}
      {isInDialog ? (
        <DialogActions>
          {cancelButton}
          {passkeyButton}
          {submitButton}
        </DialogActions>
      ) : (
        <Buttons>
          {submitButton}
          {passkeyButton}
          {cancelButton}
        </Buttons>
      )}
    </Form>
  );
}

/** `ProofForm` for the signed-in person, once it is known how they can confirm their identity. */
export function OwnProofForm({
  isProven = false,
  ...props
}: Omit<ProofFormProps, keyof Proofs> & { isProven?: boolean }) {
  return (
    <QueryStates
      query={useQuery(protectionQuery)}
      loadingText={t`One moment...`}
      skeleton={props.extra === undefined ? '8rem' : '15rem'}
      errorText={(error) => t`Couldn't load your sign-in methods: ${error}`}
    >
      {({ proofs }) => <ProofForm {...proofs} {...props} hasPassword={proofs.hasPassword && !isProven} />}
    </QueryStates>
  );
}
