import { plural, t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { emailSchema } from '#contract/text.ts';
import { resendPauseSeconds } from '#contract/constants.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { resend } from '../session/session-commands.ts';
import { useSession } from '../session/session.ts';

/** A countdown in whole seconds, with a function that starts it. */
function useCountdown(): { secondsLeft: number; start: (seconds: number) => void } {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000));

  useEffect(() => {
    if (secondsLeft === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1000 - ((Date.now() - endsAt) % 1000));
    return () => clearTimeout(timer);
  }, [endsAt, secondsLeft]);

  function start(seconds: number) {
    setNow(Date.now());
    setEndsAt(Date.now() + seconds * 1000);
  }

  return { secondsLeft, start };
}

/** Requests another code, at most once a minute. Visitors enter the email address that it is for. */
export function ResendCode() {
  const isSignedIn = useSession((session) => session.token !== null);
  const status = useSession((session) => session.status);
  const { secondsLeft, start } = useCountdown();
  const [email, setEmail] = useState('');
  const [emailError, setEmailError] = useState<string | null>(null);

  async function send() {
    if (status === 'resend_loading' || secondsLeft > 0) return;
    const address = emailSchema.safeParse(email);
    if (!isSignedIn && !address.success) {
      setEmailError(address.error.issues[0]?.message ?? '');
      return;
    }
    if (await resend(isSignedIn ? null : email)) start(resendPauseSeconds);
  }

  return (
    <>
      {!isSignedIn && (
        <TextInput
          type="email"
          size="md"
          label={t`Email`}
          description={t`The address you joined with`}
          autoComplete="email"
          value={email}
          error={emailError}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setEmailError(null);
          }}
        />
      )}
      <Button
        variant={isSignedIn ? 'subtle' : 'default'}
        aria-disabled={secondsLeft > 0 || undefined}
        onClick={() => void send()}
      >
        {secondsLeft > 0
          ? t`Send again in ${plural(secondsLeft, { one: '# second', other: '# seconds' })}`
          : t`Send a new code`}
      </Button>
      {status === 'resend_succeeded' && <Notice kind="success">{t`We sent you a new code.`}</Notice>}
    </>
  );
}
