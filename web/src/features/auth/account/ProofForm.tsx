import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { proofSchema } from '#contract/auth/factors.ts';
import { ApiError, errorCode, errorMessage } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useFields } from '../../../ui/form/use-fields.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { canUsePasskeys, passkeyProof } from '../factors/passkey-ceremony.ts';
import { CodeField } from '../sign-in/CodeField.tsx';
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

interface ProofFormProps extends Proofs {
  /** The account's address, for password managers. */
  email: string;
  text: string;
  busyText: string;
  /** Shown before the fields. */
  children?: ReactNode;
  /** Sends the proof; throws the `ApiError`. */
  onProof: (proof: Proof) => Promise<unknown>;
  /** Where no dialog around it can be closed. */
  onCancel?: () => void;
}

/** The field that a refusal belongs to, by its code. */
const refusedFields: Record<string, string> = { WRONG_PASSWORD: 'password', INVALID_CODE: 'code' };

/** Asks people to confirm who they are before something that matters: by password and code, or by a passkey alone. */
export function ProofForm(props: ProofFormProps) {
  const { email, hasPassword, hasFactor, hasPasskey, text, busyText, children, onProof, onCancel } = props;
  const t = useText();
  const [isAtField, setAtField] = useState(false);
  const [isRecovery, setRecovery] = useState(false);
  /** Two-step verification may have been turned on elsewhere in the meantime; the server's answer says so. */
  const [needsCode, setNeedsCode] = useState(hasFactor);
  const command = useMutation({
    mutationFn: async (proof: () => Promise<Proof>) => onProof(await proof()),
    onMutate: () => setAtField(false),
    onSuccess: () => {
      fields.set('password', '');
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.errors.some(({ field }) => field === 'code')) setNeedsCode(true);
      const field = refusedFields[error.code];
      setAtField(fields.showErrors(field === undefined ? error.errors : [{ field, msg: error.message }]));
    },
  });
  const fields = useFields({ password: '', code: '' }, command.reset);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const { password, code } = fields.values;
    const proof = { ...(hasPassword ? { password } : {}), ...(needsCode ? { code } : {}) };
    const blank = Object.entries(proof).flatMap(([field, value]) => (value === '' ? [field] : []));
    if (fields.showErrors(blank.map((field) => ({ field, msg: 'This is required' })))) return;
    command.mutate(() => Promise.resolve(proof));
  }

  const code = fields.bind('code');
  const isUnproven = errorCode(command.error) === 'PROOF_REQUIRED' && !hasPasskey;
  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={submit}>
      {children}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {hasPassword && (
        <PasswordField
          {...fields.bind('password')}
          required
          label={t('Current password')}
          autoComplete="current-password"
        />
      )}
      {needsCode && (
        <div>
          <CodeField
            isRecovery={isRecovery}
            value={code.value}
            error={code.error}
            onChange={(value) => fields.set('code', value)}
          />
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.switchCode}
            onClick={() => {
              setRecovery(!isRecovery);
              fields.set('code', '');
            }}
          >
            {isRecovery ? t('Use a code from your app') : t('Use a recovery code instead')}
          </Button>
        </div>
      )}
      {command.error && !isAtField && !isUnproven && <Notice kind="error">{t(errorMessage(command.error))}</Notice>}
      {isUnproven && <ConfirmIdentity />}
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={busyText}>
          {text}
        </BusyButton>
        {hasPasskey && canUsePasskeys() && (
          <Button
            variant="default"
            leftSection={<IconKey size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => !command.isPending && command.mutate(passkeyProof)}
          >
            {t('Use a passkey')}
          </Button>
        )}
        {onCancel && (
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
