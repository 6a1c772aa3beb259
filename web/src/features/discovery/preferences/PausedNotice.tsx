import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { t } from '../../../ui/text/text.ts';
import { usePause } from '../queries.ts';

/**
 * Reminds members that their profile is paused, with a button to resume it, and then confirms that it is visible again.
 */
export function PausedNotice({ isPaused }: { isPaused: boolean }) {
  const pause = usePause();
  if (!isPaused) return pause.isSuccess && <Notice kind="success">{t('Your profile is visible again.')}</Notice>;
  return (
    <>
      <Notice
        kind="info"
        isNews={false}
        action={
          <BusyButton
            size="xs"
            isBusy={pause.isPending}
            busyText={t('Resuming...')}
            onClick={() => pause.mutate(false)}
          >
            {t('Resume')}
          </BusyButton>
        }
      >
        {t("Your profile is paused. New people can't find you.")}
      </Notice>
      <ErrorNotice error={pause.error} text="Couldn't resume your profile: {error}" />
    </>
  );
}
