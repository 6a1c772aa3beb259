import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { changeEmail, verifyEmail } from '#contract/auth/auth.ts';
import { call } from '../../../api/call.ts';
import { dropDraft, keepDraft, readDraft } from '../../../api/session/drafts.ts';
import { keepSession, readSession } from '../../../api/session/stored-session.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import classes from '../account.module.css';
import { ResendCode } from '../sign-in/ResendCode.tsx';
import { useSession } from '../session/session.ts';

const draftName = 'change-email';

interface AddressFormProps {
  email: string;
  isProven: boolean;
  onAsked: (address: string) => void;
}

function AddressForm({ email, isProven, onAsked }: AddressFormProps) {
  const t = useText();
  const [isAtField, setAtField] = useState(false);
  const command = useCommand();
  const fields = useFields({ email: '', password: '' }, command.reset);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = isProven ? { email: fields.values.email } : fields.values;
    const body = fields.check(changeEmail.body, given, isProven ? ['email'] : ['email', 'password']);
    if (!body) return;
    if (body.email === email) {
      fields.showErrors([{ field: 'email', msg: 'This is your address already' }]);
      return;
    }
    const isAsked = await command.run(
      () => call(changeEmail, { body }),
      ({ code, message, errors }) =>
        setAtField(fields.showErrors(code === 'WRONG_PASSWORD' ? [{ field: 'password', msg: message }] : errors)),
    );
    if (isAsked) onAsked(body.email);
  }

  return (
    <form ref={fields.form} noValidate className={classes.emailForm} onSubmit={(event) => void submit(event)}>
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
      {command.error !== null && !isAtField && <Notice kind="error">{t(command.error)}</Notice>}
      <div>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Sending...')}>
          {t('Send the code')}
        </BusyButton>
      </div>
    </form>
  );
}

interface CodeFormProps {
  address: string;
  onProven: () => void;
  onGiveUp: () => void;
}

function CodeForm({ address, onProven, onGiveUp }: CodeFormProps) {
  const t = useText();
  const [code, setCode] = useState('');
  const command = useCommand();
  const resendError = useSession((session) => (session.status === 'resend_failed' ? session.error : null));
  const isWrongCode = command.code === 'INVALID_CODE' || command.code === 'INVALID_INPUT';
  const error = command.error === null ? null : t(command.error);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code !== '' && (await command.run(() => call(verifyEmail, { body: { code } })))) onProven();
  }

  return (
    <form noValidate className={classes.emailForm} onSubmit={(event) => void submit(event)}>
      <Notice kind="info">
        {t('We have sent a code to {address}. Your sign-in changes once you enter it here.', { address })}
      </Notice>
      <TextInput
        name="code"
        size="md"
        required
        label={t('Six-digit code')}
        description={t('No mail? Look among the unwanted ones, and whether the address is right.')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={isWrongCode && error !== null ? error : undefined}
        onChange={(event) => {
          setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6));
          command.reset();
        }}
      />
      {error !== null && !isWrongCode && <Notice kind="error">{error}</Notice>}
      {resendError !== null && <Notice kind="error">{t(resendError)}</Notice>}
      <div className={classes.emailButtons}>
        <BusyButton type="submit" isBusy={command.isPending} busyText={t('Confirming...')}>
          {t('Confirm')}
        </BusyButton>
        <ResendCode />
        <Button variant="subtle" onClick={onGiveUp}>
          {t('Keep the old address')}
        </Button>
      </div>
    </form>
  );
}

interface ChangeEmailProps {
  /** The address now. */
  email: string;
  /** They need not enter a password: they have none. */
  isProven: boolean;
  onChanged: () => void;
}

/** Changes the address one signs in with: it counts once the code mailed there comes back. */
export function ChangeEmail({ email, isProven, onChanged }: ChangeEmailProps) {
  const t = useText();
  const [asked, setAsked] = useState(() => readDraft(draftName)?.['address'] ?? null);
  const [isDone, setDone] = useState(false);

  function ask(address: string) {
    keepDraft(draftName, { address });
    setAsked(address);
    setDone(false);
  }

  function giveUp() {
    dropDraft(draftName);
    setAsked(null);
  }

  function changed(address: string) {
    giveUp();
    setDone(true);
    const { user } = readSession();
    if (user) keepSession({ user: { ...user, email: address } });
    onChanged();
  }

  return (
    <div className={classes.emailForm}>
      <p className={classes.emailNow}>{t('You sign in with {email}.', { email })}</p>
      {isDone && <Notice kind="success">{t('Your address is changed. Your other devices are signed out.')}</Notice>}
      {asked === null ? (
        <AddressForm email={email} isProven={isProven} onAsked={ask} />
      ) : (
        <CodeForm address={asked} onProven={() => changed(asked)} onGiveUp={giveUp} />
      )}
    </div>
  );
}
