import { msg, plural, t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { monthsAfter, type PauseMonths, pauseMonths } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { secretOf } from '../payers/payer.ts';
import { type Offer, readInvoices, usePauseSubscription, useResumeSubscription } from '../queries.ts';
import type { ShownSubscription } from '../shown-subscription.ts';
import { ChangePayment } from './ChangePlan.tsx';

interface PausePlanProps {
  subscription: ShownSubscription;
  onDone: (words: string) => void;
  onKeep: () => void;
}

/** The second of the two steps that pause premium: for how long, and what that means. */
export function PausePlan({ subscription: { currentPeriodEnd, anchorDay }, onDone, onKeep }: PausePlanProps) {
  const command = usePauseSubscription();
  const [months, setMonths] = useState<PauseMonths>(1);
  const place = useRef<HTMLDivElement>(null);
  const endOf = (count: number) =>
    formatDate(monthsAfter(new Date(currentPeriodEnd ?? ''), count, anchorDay ?? undefined).toISOString());
  const dates = { date: formatDate(currentPeriodEnd), until: endOf(months) };

  useEffect(() => place.current?.querySelector<HTMLElement>('input')?.focus(), []);

  return (
    <Stack ref={place} py="1rem" px="1.1rem" bd="1px solid var(--hw-line)" bdrs="md" bg="var(--hw-sunken)">
      <ChoiceGroup
        type="radio"
        name="pause"
        legend={t`Pause for`}
        choices={pauseMonths.map((count) => ({
          value: String(count),
          label: plural(count, { one: '# month', other: '# months' }),
        }))}
        chosen={[String(months)]}
        isRow
        onChange={([value]) => setMonths(pauseMonths.find((count) => String(count) === value) ?? 1)}
      />
      <Text role="status">
        {t`You keep premium until ${{ date: dates.date }}. Then nothing is charged until ${{ until: dates.until }}, when your plan renews by itself.`}{' '}
        {t`We'll remind you by email 3 days before. You can resume or cancel at any time.`}
      </Text>
      {command.error && <Notice kind="error">{command.error.message}</Notice>}
      <Buttons>
        <BusyButton
          isBusy={command.isPending}
          busyText={t`Pausing...`}
          onClick={() =>
            void command.mutateAsync({ months }).then(
              () => onDone(t`Premium pauses on ${{ date: dates.date }}, until ${{ until: dates.until }}.`),
              () => undefined,
            )
          }
        >
          {t`Pause for ${plural(months, { one: '# month', other: '# months' })}`}
        </BusyButton>
        <Button variant="default" onClick={onKeep}>
          {t`Don't pause`}
        </Button>
      </Buttons>
    </Stack>
  );
}

const pricedTexts = {
  free: msg({ message: 'Nothing is charged now. Your plan renews on {date} for {amount}.' }),
  paid: msg({ message: 'You pay {amount} now, and have premium at once.' }),
  button: msg({ message: 'Pay {amount} and resume' }),
  done: msg({ message: 'Premium is back. You paid {amount}.' }),
};
/** The same texts for when the price is not known. */
const unpricedTexts = {
  free: msg({ message: 'Nothing is charged now. Your plan renews on {date}.' }),
  paid: msg`You pay for the next period now, and have premium at once.`,
  button: msg`Pay and resume`,
  done: msg`Premium is back.`,
};

interface ResumePlanProps extends PausePlanProps {
  offer: Offer;
}

/** Ends a pause. That is free while there is paid time; otherwise the price is shown before it is charged. */
export function ResumePlan({ subscription, offer, onDone, onKeep }: ResumePlanProps) {
  const command = useResumeSubscription();
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const text = useRef<HTMLParagraphElement>(null);
  const { status, currentPeriodEnd, pendingPlan, price } = subscription;
  const isFree = status !== 'paused';
  const nextPrice = offer.plans.find(({ plan }) => plan === pendingPlan)?.price ?? price;
  const amount = formatMoney(nextPrice);
  const values = { date: formatDate(currentPeriodEnd), amount };
  const words = nextPrice === null ? unpricedTexts : pricedTexts;

  useEffect(() => text.current?.focus(), []);

  function finish() {
    void readInvoices();
    onDone(isFree ? t`Premium continues as before.` : fill(words.done, values));
  }

  async function resume() {
    const answer = await command.mutateAsync().catch(() => null);
    if (answer === null) return;
    if (secretOf(answer) === null) finish();
    else setStarted(answer);
  }

  return (
    <Stack py="1rem" px="1.1rem" bd="1px solid var(--hw-line)" bdrs="md" bg="var(--hw-sunken)">
      {started === null ? (
        <>
          <p ref={text} tabIndex={-1}>
            {isFree ? fill(words.free, values) : fill(words.paid, values)}
          </p>
          {command.error && <Notice kind="error">{command.error.message}</Notice>}
          {command.error?.code === 'PAYMENT_DECLINED' && (
            <p>{t`Premium stays paused. You can try again with another card, added below.`}</p>
          )}
          <Buttons>
            <BusyButton isBusy={command.isPending} busyText={t`One moment...`} onClick={() => void resume()}>
              {isFree ? t`Resume` : fill(words.button, values)}
            </BusyButton>
            <Button variant="default" onClick={onKeep}>
              {t`Stay paused`}
            </Button>
          </Buttons>
        </>
      ) : (
        <ChangePayment
          offer={offer}
          started={started}
          payText={t`Pay and resume`}
          keepText={t`Stay paused`}
          onDone={finish}
          onKeep={onKeep}
        />
      )}
    </Stack>
  );
}
