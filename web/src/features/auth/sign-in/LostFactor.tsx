import { Button } from '@mantine/core';
import { askForRemoval } from '#contract/auth/factors.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { failCommand } from '../session/command-status.ts';
import classes from './DoorSteps.module.css';

interface LostFactorProps {
  challenge: string;
  onBack: () => void;
  onExpired: () => void;
}

/** For who has neither app nor recovery codes: a link by mail, and three days. */
export function LostFactor({ challenge, onBack, onExpired }: LostFactorProps) {
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
      <h2 className={classes.title}>{t('Lost your app and your codes?')}</h2>
      {command.isDone ? (
        <Notice kind="success">{t('A mail is on its way. Go on with the link in it; it is good for an hour.')}</Notice>
      ) : (
        <>
          <p className={classes.text}>
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
      <div className={classes.ways}>
        <Button variant="subtle" color="gray" size="sm" onClick={onBack}>
          {t('Back to the code')}
        </Button>
      </div>
    </div>
  );
}
