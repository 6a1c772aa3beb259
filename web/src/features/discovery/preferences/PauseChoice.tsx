import { useId } from 'react';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Switch } from '../../../ui/form/Field.tsx';
import { t } from '../../../ui/text/text.ts';
import { usePause, usePreferences } from '../queries.ts';
import classes from './preferences.module.css';

/** Whether new people see the member; saved at once. */
export function PauseChoice() {
  const id = useId();
  const query = usePreferences();
  const pause = usePause();
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading your settings...')}
      skeleton="4.5rem"
      errorText="Couldn't load your settings: {error}"
    >
      {({ isPaused }) => (
        <div className={classes.pauseChoice}>
          <div className={classes.pause}>
            <div>
              <label className={classes.pauseLabel} htmlFor={id}>
                {t('Pause my profile')}
              </label>
              <p id={`${id}-about`} className={classes.pauseAbout}>
                {t("New people can't find you. Your matches can still message you.")}
              </p>
            </div>
            <Switch
              id={id}
              aria-describedby={`${id}-about`}
              checked={pause.isPending ? pause.variables : isPaused}
              onChange={(event) => !pause.isPending && pause.mutate(event.currentTarget.checked)}
            />
          </div>
          <p className={classes.hint}>
            {t("People you liked can still see you and like you back. You won't see new people until you resume.")}
          </p>
          <div role="status" className="visually-hidden">
            {pause.isSuccess && (isPaused ? t('Your profile is paused.') : t('Your profile is visible again.'))}
          </div>
          <ErrorNotice error={pause.error} text="Couldn't change this: {error}" />
        </div>
      )}
    </QueryStates>
  );
}
