import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeEmail, verifyEmail } from '#contract/auth/auth.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { ApiError, errorCode, errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { keepSession, readSession } from '../../../api/session/stored-session.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useFields } from '../../../ui/form/use-fields.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { refetchAccount } from '../queries.ts';
import { useSession } from '../session/session.ts';
import { ResendCode } from '../sign-in/ResendCode.tsx';

const draftName = 'change-email';

interface AddressFormProps {
  email: string;
  isProven: boolean;
  onSent: (address: string) => void;
}

function AddressForm({ email, isProven, onSent }: AddressFormProps) {
  const t = useText();
  const [isAtField, setAtField] = useState(false);
  const command = useMutation({
    mutationFn: (body: BodyInput<typeof changeEmail>) => call(changeEmail, { body }),
    onSuccess: (_, body) => onSent(body.email),
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const { code, message, errors } = error;
      setAtField(fields.showErrors(code === 'WRONG_PASSWORD' ? [{ field: 'password', msg: message }] : errors));
    },
  });
  const fields = useFields({ email: '', password: '' }, command.reset);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (command.isPending) return;
    const given = isProven ? { email: fields.values.email } : fields.values;
    const body = fields.check(changeEmail.body, given, isProven ? ['email'] : ['email', 'password']);
    if (!body) return;
    if (body.email === email) fields.showErrors([{ field: 'email', msg: 'This is already your address' }]);
    else command.mutate(body);
  }

  return (
    <form ref={fields.form} noValidate className={classes.narrowForm} onSubmit={submit}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextInput
        {...fields.bind('email')}
        type="email"
        size="md"
        required
        label={t('New address')}
        autoComplete="email"
      />
      {!isProven && (
        <PasswordField
          {...fields.bind('password')}
          required
          label={t('Current password')}
          autoComplete="current-password"
        />
      )}
      {command.error && !isAtField && <Notice kind="error">{t(errorMessage(command.error))}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Sending...')}>
          {t('Send code')}
        </BusyButton>
      </div>
    </form>
  );
}

interface CodeFormProps {
  address: string;
  onConfirmed: () => void;
  onCancel: () => void;
}

function CodeForm({ address, onConfirmed, onCancel }: CodeFormProps) {
  const t = useText();
  const [code, setCode] = useState('');
  const command = useMutation({
    mutationFn: () => call(verifyEmail, { body: { code } }),
    onSuccess: onConfirmed,
  });
  const resendError = useSession((session) => (session.status === 'resend_failed' ? session.error : null));
  const isWrongCode = ['INVALID_CODE', 'INVALID_INPUT'].includes(errorCode(command.error) ?? '');
  const error = command.error && t(errorMessage(command.error));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code !== '' && !command.isPending) command.mutate();
  }

  return (
    <form noValidate className={classes.narrowForm} onSubmit={submit}>
      <Notice kind="info">
        {t('We sent a code to {address}. Enter it here to start signing in with that address.', { address })}
      </Notice>
      <TextInput
        name="code"
        size="md"
        required
        label={t('Six-digit code')}
        description={t('No email? Check your spam folder, and that the address is right.')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={isWrongCode && error}
        onChange={(event) => {
          setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6));
          command.reset();
        }}
      />
      {error !== null && !isWrongCode && <Notice kind="error">{error}</Notice>}
      {resendError !== null && <Notice kind="error">{t(resendError)}</Notice>}
      <div className={classes.column}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Confirming...')}>
          {t('Confirm')}
        </BusyButton>
        <ResendCode />
        <Button variant="subtle" onClick={onCancel}>
          {t('Keep the old address')}
        </Button>
      </div>
    </form>
  );
}

/** Changes the address people sign in with. It takes effect once the code sent there has been entered. */
export function ChangeEmail({ email, isProven }: { email: string; isProven: boolean }) {
  const t = useText();
  const [pending, setPending] = useState(() => readDraft(draftName)?.['address'] ?? null);
  const [isDone, setDone] = useState(false);

  function sent(address: string) {
    keepDraft(draftName, { address });
    setPending(address);
    setDone(false);
  }

  function cancel() {
    dropDraft(draftName);
    setPending(null);
  }

  function confirmed(address: string) {
    cancel();
    setDone(true);
    const { user } = readSession();
    if (user) keepSession({ user: { ...user, email: address } });
    refetchAccount();
  }

  return (
    <div className={classes.narrowForm}>
      <p className={classes.text}>{t('You sign in with {email}.', { email })}</p>
      {isDone && <Notice kind="success">{t('Email address changed. Your other devices were signed out.')}</Notice>}
      {pending === null ? (
        <AddressForm email={email} isProven={isProven} onSent={sent} />
      ) : (
        <CodeForm address={pending} onConfirmed={() => confirmed(pending)} onCancel={cancel} />
      )}
    </div>
  );
}
