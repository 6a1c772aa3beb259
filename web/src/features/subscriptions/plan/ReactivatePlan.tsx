import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useText } from '../../../ui/text/text.ts';
import { reactivate } from '../subscription-commands.ts';
import { useSubscription } from '../subscription-store.ts';

/** Takes a cancellation back before it comes about. */
export function ReactivatePlan({ onDone }: { onDone: () => void }) {
  const t = useText();
  const { loading, error } = useSubscription((state) => state.reactivate);

  async function takeBack() {
    if ((await reactivate()) !== null) onDone();
  }

  return (
    <>
      {error !== null && <Notice kind="error">{t(error.message)}</Notice>}
      <BusyButton isBusy={loading} busyText={t('One moment...')} onClick={() => void takeBack()}>
        {t('Keep premium after all')}
      </BusyButton>
    </>
  );
}
