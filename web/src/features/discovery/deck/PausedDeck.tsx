import { Button } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { t } from '../../../ui/text/text.ts';
import { usePause } from '../queries.ts';
import { DeckNotice } from './DeckNotice.tsx';

/** Shown in place of the deck while the member's profile is paused. */
export function PausedDeck({ onResumed }: { onResumed: () => void }) {
  const pause = usePause();
  return (
    <DeckNotice
      title={t('Your profile is paused')}
      icon={<IconPlayerPause style={{ color: 'var(--hw-accent)' }} size={32} stroke={1.5} aria-hidden="true" />}
    >
      <p>
        {t("New people can't find you, and you don't see new people here. Your matches and conversations continue.")}
      </p>
      <ErrorNotice error={pause.error} text="Couldn't resume your profile: {error}" />
      <Buttons>
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
      </Buttons>
    </DeckNotice>
  );
}
