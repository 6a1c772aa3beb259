import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { t } from '../../../ui/text/text.ts';
import { usePause } from '../queries.ts';
import classes from './cards.module.css';

/** In place of the deck while the member's profile is paused. */
export function PausedDeck({ onResumed }: { onResumed: () => void }) {
  const pause = usePause();
  return (
    <div className={classes.empty}>
      <IconPlayerPause className={classes.pausedIcon} size={32} stroke={1.5} aria-hidden="true" />
      <h2 className={classes.emptyTitle}>{t('Your profile is paused')}</h2>
      <p>
        {t("New people can't find you, and you don't see new people here. Your matches and conversations continue.")}
      </p>
      <ErrorNotice error={pause.error} text="Couldn't resume your profile: {error}" />
      <div className={classes.ways}>
        <BusyButton
          isBusy={pause.isPending}
          busyText={t('Resuming...')}
          onClick={() => pause.mutate(false, { onSuccess: onResumed })}
        >
          {t('Resume')}
        </BusyButton>
        <Button component={Link} to="/app/likes" variant="default">
          {t('See who likes you')}
        </Button>
      </div>
    </div>
  );
}
