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
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useFields } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/Hint.ts';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { t } from '../../../ui/text/text.ts';
import { canUsePasskeys, passkeyProof } from '../factors/passkey-ceremony.ts';
import { protectionQuery } from '../queries.ts';
import { CodeField } from '../../../ui/form/CodeField.tsx';
import { ConfirmIdentity } from './ConfirmIdentity.tsx';

export type Proof = z.input<typeof proofSchema>;

/** How people can confirm their identity. */
export interface Proofs {
  hasPassword: boolean;
  /** Two-step verification is on, so that a code belongs to the proof. */
  hasFactor: boolean;
  /** A passkey is proof enough on its own. */
  hasPasskey: boolean;
}

/** What the form asks for besides the proof. */
interface Extra {
  email: string;
  newPassword: string;
}

interface ProofFormProps extends Proofs {
  /** The account's address, for password managers. */
  email: string;
  text: string;
  busyText: string;
  /** The label of the password; by default that it is the current one. */
  passwordLabel?: string;
  /** Fields besides the proof, with their labels: a new address before it, a new password after it. */
  extra?: { email?: string; newPassword?: { label: string; description: string } };
  /** What is wrong with the other fields. */
  check?: (extra: Extra) => FieldError[];
  /** Shown before the fields. */
  children?: ReactNode;
  /** Sends the proof; throws the `ApiError`. */
  onProof: (proof: Proof, extra: Extra) => Promise<unknown>;
  /** Leaves everything as it is. */
  onCancel?: () => void;
  /** The form is the last part of a dialog, whose buttons are at its bottom, the safe one first. */
  isInDialog?: boolean;
}

/** The field that a refusal belongs to, by its code. */
const refusedFields: Record<string, string> = {
  WRONG_PASSWORD: 'password',
  INVALID_CODE: 'code',
  PASSWORD_REFUSED: 'newPassword',
  EMAIL_TAKEN: 'email',
};

/** The fields of the form, what they have to prove, and sending it. */
function useProof({ hasPassword, hasFactor, hasPasskey, extra: asked = {}, check, onProof }: ProofFormProps) {
  const [isAtField, setAtField] = useState(false);
  /** Two-step verification may have been turned on elsewhere in the meantime; the server's answer says so. */
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
  // With a passkey and no code, a password alone proves too little.
  const isPasskeyOnly = hasPasskey && !needsCode;
  const fields = useFields({ email: '', password: '', code: '', newPassword: '' }, command.reset);

  /** Sends the proof once the other fields, and those that belong to it, are filled in. */
  function send(proof: () => Promise<Proof>, ofProof: readonly ('password' | 'code')[]) {
    if (command.isPending) return;
    const others = (['email', 'newPassword'] as const).filter((name) => asked[name] !== undefined);
    const blank = [...others, ...ofProof].filter((name) => fields.values[name] === '');
    const faults = blank.map((field) => ({ field, msg: 'This is required' }));
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

/** The code of two-step verification, from the app or one kept for recovery. */
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
        {isRecovery ? t('Use a code from your app') : t('Use a recovery code instead')}
      </Button>
    </div>
  );
}

/** Asks people to confirm who they are before something that matters: by password and code, or by a passkey alone. */
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
      {t('Use a passkey')}
    </Button>
  );
  const cancelButton = onCancel && (
    <Button {...(isInDialog ? { variant: 'default' } : { variant: 'subtle', color: 'gray' })} onClick={onCancel}>
      {t('Cancel')}
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
          {t('Confirm with your passkey.')}
          {asked.newPassword === undefined && (
            <>
              {' '}
              {t('Lost it?')} <Link to="/app/forgot-password">{t('Choose a new password')}</Link> {t('to remove it.')}
            </>
          )}
        </Hint>
      )}
      {hasPassword && !isPasskeyOnly && (
        <PasswordField
          {...fields.bind('password')}
          required
          label={props.passwordLabel ?? t('Current password')}
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
      {error && !proof.isAtField && !isUnproven && <Notice kind="error">{t(errorMessage(error))}</Notice>}
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

/** `ProofForm` for the person signed in here, once it is known what they can confirm with. */
export function OwnProofForm({
  isProven = false,
  ...props
}: Omit<ProofFormProps, keyof Proofs> & { isProven?: boolean }) {
  return (
    <QueryStates
      query={useQuery(protectionQuery)}
      loadingText={t('One moment...')}
      skeleton={<Skeleton height="8rem" />}
      errorText={(error) => t("Couldn't load your sign-in methods: {error}", { error })}
    >
      {({ proofs }) => <ProofForm {...proofs} {...props} hasPassword={proofs.hasPassword && !isProven} />}
    </QueryStates>
  );
}
