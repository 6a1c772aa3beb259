import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, Suspense, useState } from 'react';
import type * as z from 'zod/mini';
import type { proofSchema } from '#contract/auth/factors.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone } from '../../../ui/feedback/PageStates.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import { canUsePasskeys, passkeyProof } from '../factors/passkey-ceremony.ts';
import { CodeField } from '../sign-in/CodeStep.tsx';
import { confirmFirstPart } from './confirm-first-part.ts';
import classes from '../account.module.css';

export type GivenProof = z.input<typeof proofSchema>;

interface ProofFormProps {
  /** The account's address, for password managers. */
  email: string;
  hasPassword: boolean;
  /** There is a second factor, so that a code of it belongs to the proof. */
  hasFactor: boolean;
  /** There is a passkey, which is proof enough. */
  hasPasskey: boolean;
  text: string;
  busyText: string;
  color?: string;
  /** What stands before the fields. */
  children?: ReactNode;
  /** Sends it; throws the `ApiError`. */
  onProof: (proof: GivenProof) => Promise<void>;
  /** Where no dialog has a way out. */
  onCancel?: () => void;
}

/** Which field a refusal belongs to. */
const refusedFields: Record<string, string> = { WRONG_PASSWORD: 'password', INVALID_CODE: 'code' };

/** Asks anew who somebody is before something that matters: by what they have, or by a passkey alone. */
export function ProofForm(props: ProofFormProps) {
  const { email, hasPassword, hasFactor, hasPasskey, text, busyText, color, children, onProof, onCancel } = props;
  const t = useText();
  const command = useCommand();
  const [isAtField, setAtField] = useState(false);
  const [isRecovery, setRecovery] = useState(false);
  /** As told, or as the server says, where it was turned on meanwhile. */
  const [needsCode, setNeedsCode] = useState(hasFactor);
  const fields = useFields({ password: '', code: '' }, command.reset);

  function send(proof: () => Promise<GivenProof>) {
    setAtField(false);
    return command.run(
      async () => onProof(await proof()),
      ({ code, message, errors }) => {
        if (errors.some(({ field }) => field === 'code')) setNeedsCode(true);
        const field = refusedFields[code];
        setAtField(fields.showErrors(field === undefined ? errors : [{ field, msg: message }]));
      },
    );
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const { password, code } = fields.values;
    const asked = [...(hasPassword ? (['password'] as const) : []), ...(needsCode ? (['code'] as const) : [])];
    const blank = asked.filter((name) => fields.values[name] === '');
    if (fields.showErrors(blank.map((field) => ({ field, msg: 'This is required' })))) return;
    const proof = { ...(hasPassword ? { password } : {}), ...(needsCode ? { code } : {}) };
    if (await send(() => Promise.resolve(proof))) fields.set('password', '');
  }

  const code = fields.bind('code');
  const isUnproven = command.code === 'PROOF_REQUIRED' && !hasPasskey;
  return (
    <form ref={fields.form} noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
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
            className={classes.turn}
            onClick={() => {
              setRecovery(!isRecovery);
              fields.set('code', '');
            }}
          >
            {isRecovery ? t('Use a code from your app') : t('Use a recovery code instead')}
          </Button>
        </div>
      )}
      {command.error !== null && !isAtField && !isUnproven && <Notice kind="error">{t(command.error)}</Notice>}
      {isUnproven && (
        <Suspense fallback={<Bone height="6rem" />}>
          <confirmFirstPart.Part />
        </Suspense>
      )}
      <div className={classes.buttons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={busyText} {...(color ? { color } : {})}>
          {text}
        </BusyButton>
        {hasPasskey && canUsePasskeys() && (
          <Button
            variant="default"
            leftSection={<IconKey size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => void send(passkeyProof)}
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
