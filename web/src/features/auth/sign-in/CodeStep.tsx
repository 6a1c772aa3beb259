import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { loginWithCode } from '#contract/auth/factors.ts';
import { call } from '../../../api/call.ts';
import { SubmitButton } from '../../../ui/form/SubmitButton.tsx';
import { useText } from '../../../ui/text/text.ts';
import { CodeField } from './CodeField.tsx';
import classes from './DoorSteps.module.css';
import { LostFactor } from './LostFactor.tsx';
import { resetStatus, useSession } from '../session/session.ts';
import { enter, type SignInOutcome } from './sign-in.ts';

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
      <Heading className={classes.title}>{t('One more step')}</Heading>
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
      <div className={classes.ways}>
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
        <p className={classes.hint}>{t('Have you lost both? Another administrator can reset your second step.')}</p>
      )}
    </form>
  );
}
