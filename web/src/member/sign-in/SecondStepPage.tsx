import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { confirmRemoval, stopRemoval } from '#contract/auth/factors.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { useLinkToken } from '../../features/auth/sign-in/use-link-token.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import { DoorCard, DoorFields } from './AuthCard.tsx';
import classes from '../../features/auth/sign-in.module.css';

function Remove({ token }: { token: string }) {
  const t = useText();
  const locale = useLocale();
  const command = useCommand();
  const [removalAt, setRemovalAt] = useState<string | null>(null);

  const remove = () =>
    command.run(async () => setRemovalAt((await call(confirmRemoval, { body: { token } })).data.removalAt));

  if (removalAt !== null) {
    return (
      <Notice kind="success">
        {t(
          'Your second step goes on {date}. From then on your password alone is enough. We have mailed you how to stop it.',
          {
            date: formatDate(removalAt, locale),
          },
        )}
      </Notice>
    );
  }
  return (
    <>
      <p className={classes.resetText}>
        {t(
          'Three days from now your password alone is enough to sign in. Until then you can stop it, by mail and on any device that is signed in.',
        )}
      </p>
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      {command.code === 'INVALID_CODE' ? (
        <Button component={Link} to="/app/sign-in" size="md">
          {t('Sign in')}
        </Button>
      ) : (
        <BusyButton size="md" isBusy={command.isPending} busyText={t('One moment...')} onClick={() => void remove()}>
          {t('Remove it in three days')}
        </BusyButton>
      )}
    </>
  );
}

function Keep({ token }: { token: string }) {
  const t = useText();
  const command = useCommand();

  async function keep() {
    if (await command.run(() => call(stopRemoval, { body: { token } })))
      useSession.setState({ secondFactorRemovalAt: null });
  }

  if (command.isDone) {
    return (
      <>
        <Notice kind="success">{t('Your second step stays.')}</Notice>
        <p className={classes.resetText}>
          {t('If it was not you who asked, somebody knows your password: choose a new one now.')}
        </p>
        <Button component={Link} to="/app/forgot-password" size="md" variant="default">
          {t('Choose a new password')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className={classes.resetText}>{t('Somebody who knows your password asked to remove your second step.')}</p>
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      <BusyButton size="md" isBusy={command.isPending} busyText={t('Keeping it...')} onClick={() => void keep()}>
        {t('Keep my second step')}
      </BusyButton>
    </>
  );
}

/** Where the mails about a lost second factor lead: to remove it, or to keep it. */
export function SecondStepPage() {
  const t = useText();
  const remove = useLinkToken('remove');
  const keep = useLinkToken('keep');
  return (
    <DoorCard title={remove === null ? t('Your second step') : t('Remove your second step?')}>
      <DoorFields>
        {remove !== null && <Remove token={remove} />}
        {keep !== null && <Keep token={keep} />}
        {remove === null && keep === null && (
          <>
            <Notice kind="warning">{t('This page needs the link from our mail.')}</Notice>
            <Button component={Link} to="/app/sign-in" size="md">
              {t('Sign in')}
            </Button>
          </>
        )}
      </DoorFields>
    </DoorCard>
  );
}
