import { Button } from '@mantine/core';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { useCommand } from '../../../api/use-command.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { cardName } from '../cards/card-name.ts';
import classes from './OwnPlan.module.css';
import { makeDefault } from '../subscription-commands.ts';
import { readCurrent, readInvoices } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';

interface FailedPaymentProps {
  subscription: SubscriptionView;
  onAddCard: () => void;
  onDone: (words: string) => void;
}

/** A renewal that could not be paid: until when premium lasts, and the two ways to pay it now. */
export function FailedPayment({ subscription: { currentPeriodEnd }, onAddCard, onDone }: FailedPaymentProps) {
  const t = useText();
  const locale = useLocale();
  const now = useNow(60_000);
  const command = useCommand();
  const card = useSubscription((state) => state.paymentMethods.find(({ isDefault }) => isDefault));
  const isAhead = Date.parse(currentPeriodEnd ?? '') > now;

  async function payNow(id: string) {
    const isDone = await command.run(async () => {
      await makeDefault(id);
      await Promise.all([readCurrent(), readInvoices()]);
    });
    const { status } = useSubscription.getState().currentSubscription ?? {};
    if (isDone && status === 'active') onDone(t('Thank you, it is paid.'));
  }

  return (
    <>
      <Notice kind="warning">
        {isAhead
          ? t('You keep premium until {date}. Pay before, and nothing is interrupted.', {
              date: formatDate(currentPeriodEnd, locale),
            })
          : t('Premium is off until it is paid.')}
      </Notice>
      {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
      {command.isDone && <Notice kind="info">{t('It is on its way. Look again in a moment.')}</Notice>}
      <div className={classes.buttons}>
        {card && (
          <BusyButton isBusy={command.isPending} busyText={t('Paying...')} onClick={() => void payNow(card._id)}>
            {t('Pay now with {card}', { card: cardName(card, t) })}
          </BusyButton>
        )}
        <Button variant="default" onClick={onAddCard}>
          {t('Pay with another card')}
        </Button>
      </div>
    </>
  );
}
