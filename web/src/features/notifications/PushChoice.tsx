import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type PushStanding, pushStanding, turnPushOff, turnPushOn } from '../../api/push/push.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Tag } from '../../ui/data/Tag.tsx';
import { t } from '../../ui/text/text.ts';
import { useVisible } from '../../ui/loading/use-visible.ts';
import classes from './NotificationSettings.module.css';

const standingWords: Record<PushStanding, string> = {
  on: 'This device gets the notifications you chose above, even while Heartwood is closed.',
  off: "This device doesn't get notifications yet. Turn them on for each device.",
  blocked:
    'Your browser blocks notifications of Heartwood. Allow them in its settings for this site, beside the address, then come back here.',
  insecure: 'This works only over a secure connection (https).',
  homeScreen:
    'On iPhone and iPad this works once Heartwood is on the home screen: choose Share, then “Add to Home Screen”, and open it from there.',
  unable: "Notifications aren't supported in this browser or in private windows.",
};

/** What did not work, and the state before. */
interface Failure {
  wasOn: boolean;
  text: string;
}

const refusedByBrowser =
  'Your browser refused. In a private window this cannot work; otherwise please try again later.';

/** The current state, checked again when the user returns to the page, since the browser's permission may have changed. */
function useStanding() {
  const [standing, setStanding] = useState<PushStanding | null>(null);
  const isVisible = useVisible();
  const look = useCallback(() => {
    pushStanding().then(setStanding, () => setStanding('unable'));
  }, []);

  useEffect(() => {
    if (!isVisible) return;
    look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isVisible, look]);

  return { standing, setStanding };
}

/** Turns notifications on this device on and off. The browser's permission is requested only by the button. */
export function PushChoice() {
  const config = useServiceConfig();
  const { standing, setStanding } = useStanding();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isDismissed, setDismissed] = useState(false);

  async function change(wasOn: boolean, publicKey: string): Promise<void> {
    setBusy(true);
    setFailure(null);
    setDismissed(false);
    try {
      if (wasOn) await turnPushOff();
      const next = wasOn ? 'off' : await turnPushOn(publicKey);
      setDismissed(!wasOn && next === 'off');
      setStanding(next);
    } catch (error) {
      setFailure({ wasOn, text: error instanceof ApiError ? error.message : refusedByBrowser });
    }
    setBusy(false);
  }

  const isOn = standing === 'on';
  return (
    <div className={classes.part}>
      <div className={classes.top}>
        <h3 className={classes.title}>{t('On this device')}</h3>
        {standing !== null && <Tag tone={isOn ? 'positive' : 'quiet'}>{isOn ? t('On') : t('Off')}</Tag>}
      </div>
      <p className={classes.lead} role="status">
        {standing !== null && t(standingWords[standing])}{' '}
        {isDismissed && t("Your browser didn't allow it, so notifications stay off.")}
      </p>
      {failure !== null && (
        <Notice kind="error">
          {t(failure.wasOn ? 'This could not be turned off: {error}' : 'This could not be turned on: {error}', {
            error: t(failure.text),
          })}
        </Notice>
      )}
      {(isOn || standing === 'off') && config !== undefined && (
        <BusyButton
          variant={isOn ? 'default' : 'filled'}
          isBusy={isBusy}
          busyText={isOn ? t('Turning off...') : t('Turning on...')}
          onClick={() => void change(isOn, config.pushPublicKey)}
        >
          {isOn ? t('Turn off for this device') : t('Turn on for this device')}
        </BusyButton>
      )}
    </div>
  );
}
