import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { askForRemoval, loginWithCode } from '#contract/auth/factors.ts';
import { useText } from '../../../ui/text/text.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { enter, failCommand, type SignInOutcome } from '../session/session-commands.ts';
import classes from '../sign-in.module.css';
import { SubmitButton } from '../../../ui/form/SubmitButton.tsx';
import { resetStatus, useSession } from '../session/session.ts';

interface CodeFieldProps {
  ref?: Ref<HTMLInputElement>;
  isRecovery: boolean;
  value: string;
  error?: string | undefined;
  /** What it is stands before it already. */
  isExplained?: boolean;
  onChange: (value: string) => void;
}

/** Letters are of a recovery code: whoever types one here has it checked as well. */
const asAppCode = (typed: string) => (/[a-z]/i.test(typed) ? typed.slice(0, 20) : typed.replace(/\D/g, '').slice(0, 6));

/** The six digits of an authenticator app, however they are pasted, or a recovery code. */
export function CodeField({ ref, isRecovery, value, error, isExplained = false, onChange }: CodeFieldProps) {
  const t = useText();
  return (
    <TextInput
      // Another field, for the browser too: what it offers for one does not fit the other.
      key={String(isRecovery)}
      {...(ref === undefined ? {} : { ref })}
      name="code"
      size="md"
      required
      label={isRecovery ? t('Recovery code') : t('Code from your app')}
      description={
        isExplained
          ? undefined
          : isRecovery
            ? t('One of the ten you kept, such as 4F7K-9QXM-2ABC. It works once.')
            : t('The six digits that your authenticator app shows now.')
      }
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      error={error}
      onChange={({ currentTarget }) =>
        onChange(isRecovery ? currentTarget.value.slice(0, 20) : asAppCode(currentTarget.value))
      }
    />
  );
}

interface LostFactorProps {
  challenge: string;
  onBack: () => void;
  onExpired: () => void;
}

/** For who has neither app nor recovery codes: a link by mail, and three days. */
function LostFactor({ challenge, onBack, onExpired }: LostFactorProps) {
  const t = useText();
  const command = useCommand();

  const ask = () =>
    command.run(
      () => call(askForRemoval, { body: { challenge } }),
      ({ code, message }) => {
        if (code !== 'CHALLENGE_EXPIRED') return;
        failCommand(message);
        onExpired();
      },
    );

  return (
    <div className={classes.step}>
      <h2 className={classes.stepTitle}>{t('Lost your app and your codes?')}</h2>
      {command.isDone ? (
        <Notice kind="success">{t('A mail is on its way. Go on with the link in it; it is good for an hour.')}</Notice>
      ) : (
        <>
          <p className={classes.stepText}>
            {t(
              'We mail you a link. Three days after you have used it, your password alone is enough to sign in. Until then the removal can be stopped by mail and on every device that is signed in, in case it was not you who asked.',
            )}
          </p>
          {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
          <BusyButton
            size="md"
            fullWidth
            isBusy={command.isPending}
            busyText={t('Sending...')}
            onClick={() => void ask()}
          >
            {t('Mail me the link')}
          </BusyButton>
        </>
      )}
      <div className={classes.stepWays}>
        <Button variant="subtle" color="gray" size="sm" onClick={onBack}>
          {t('Back to the code')}
        </Button>
      </div>
    </div>
  );
}

interface CodeStepProps {
  challenge: string;
  staffOnly: boolean;
  onOutcome: (outcome: SignInOutcome) => void;
  /** Back to address and password; what is wrong is said there. */
  onRestart: () => void;
}

/** The second step of signing in: a code of the app, a recovery code, or the way to take when both are lost. */
export function CodeStep({ challenge, staffOnly, onOutcome, onRestart }: CodeStepProps) {
  const t = useText();
  const isBusy = useSession((session) => session.status === 'loading');
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [isLost, setLost] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The staff's door has a heading of its own between the page's and this one.
  const Heading = staffOnly ? 'h3' : 'h2';

  useEffect(() => field.current?.focus(), [isRecovery, isLost]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (code === '' || isBusy) return;
    const outcome = await enter(() => call(loginWithCode, { body: { challenge, code } }), { staffOnly });
    if (!('refused' in outcome)) return onOutcome(outcome);
    if (outcome.refused.code === 'CHALLENGE_EXPIRED') return onRestart();
    setCode('');
    field.current?.focus();
  }

  function turn(change: () => void) {
    setCode('');
    resetStatus();
    change();
  }

  if (isLost)
    return <LostFactor challenge={challenge} onBack={() => turn(() => setLost(false))} onExpired={onRestart} />;
  return (
    <form className={classes.step} noValidate onSubmit={(event) => void submit(event)}>
      <Heading className={classes.stepTitle}>{t('One more step')}</Heading>
      <CodeField
        ref={field}
        isRecovery={isRecovery}
        value={code}
        onChange={(value) => {
          setCode(value);
          resetStatus();
        }}
      />
      <SubmitButton text={t('Continue')} busyText={t('Checking...')} isBusy={isBusy} />
      <div className={classes.stepWays}>
        <Button variant="subtle" size="sm" onClick={() => turn(() => setRecovery(!isRecovery))}>
          {isRecovery ? t('Use a code from your app') : t('Use a recovery code instead')}
        </Button>
        {!staffOnly && isRecovery && (
          <Button variant="subtle" size="sm" onClick={() => turn(() => setLost(true))}>
            {t('I have neither')}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="sm" onClick={() => turn(onRestart)}>
          {t('Start again')}
        </Button>
      </div>
      {staffOnly && isRecovery && (
        <p className={classes.stepHint}>{t('Have you lost both? Another administrator can reset your second step.')}</p>
      )}
    </form>
  );
}
