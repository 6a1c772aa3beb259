import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { WithdrawalRefund } from '#contract/subscriptions/subscriptions.ts';
import { Facts } from '../../../ui/data/Facts.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate, formatTime } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { planNames, priceTexts } from '../plan-words.ts';
import type { ShownSubscription } from '../shown-subscription.ts';

interface WithdrawalProps {
  name: string;
  email: string;
  subscription: ShownSubscription;
  send: () => Promise<WithdrawalRefund>;
  onDone: (words: string) => void;
  onKeep: () => void;
}

/** The second step: who withdraws from which contract, where the receipt is sent, and how much is refunded. */
function Confirmation({ name, email, subscription, send, onDone, onKeep }: WithdrawalProps) {
  const text = useRef<HTMLParagraphElement>(null);
  const { plan, price, createdAt, withdrawalRefund: offered = null } = subscription;
  const command = useMutation({ mutationFn: send, onSuccess: (refund) => onDone(doneText(refund, email)) });
  const bought = t`bought on ${{ date: formatDate(createdAt) }}`;
  const priced = plan !== null && price !== null && fill(priceTexts[plan], { price: formatMoney(price) });
  const contract = [plan !== null && t(planNames[plan]), priced, bought].filter(Boolean).join(' · ');

  useEffect(() => text.current?.focus(), []);

  return (
    <Stack py="1rem" px="1.1rem" bd="1px solid var(--hw-line)" bdrs="md" bg="var(--hw-sunken)">
      <Text ref={text} tabIndex={-1} fw={600}>
        {t`I withdraw from this premium contract:`}
      </Text>
      <Facts
        columns={1}
        facts={[
          [t({ message: 'Name', context: 'person' }), name],
          [t`Contract`, contract],
          [t`Receipt by email to`, email],
        ]}
      />
      <p>
        {offered !== null && offered.amountMinor > 0
          ? t`Premium ends at once, and you get back ${{ amount: formatMoney(offered) }}.`
          : t`Premium ends at once. There is nothing to pay back.`}
      </p>
      <ErrorNotice error={command.error} />
      <Buttons>
        <BusyButton isBusy={command.isPending} busyText={t`One moment...`} onClick={() => command.mutate()}>
          {t`Confirm withdrawal`}
        </BusyButton>
        <Button variant="default" onClick={onKeep}>
          {t`Keep premium`}
        </Button>
      </Buttons>
    </Stack>
  );
}

function doneText({ amount, currency, until }: WithdrawalRefund, email: string): string {
  const values = { amount: formatMoney({ amountMinor: amount, currency }), date: formatDate(until), email };
  return amount > 0
    ? t`You have withdrawn from the contract. You get ${{ amount: values.amount }} back by ${{ date: values.date }}, and a receipt at ${{ email: values.email }}.`
    : t`You have withdrawn from the contract. A receipt is on its way to ${{ email: values.email }}.`;
}

/** The button that kept premium has disappeared, so the first one takes the focus again. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** A withdrawal in two steps: the button, with the deadline, and the confirmation. */
export function Withdrawal(props: Omit<WithdrawalProps, 'onKeep'>) {
  const [isAsked, setAsked] = useState<boolean | null>(null);
  const until = props.subscription.withdrawableUntil ?? null;
  if (until === null) return null;
  if (isAsked) return <Confirmation {...props} onKeep={() => setAsked(false)} />;
  return (
    <Stack align="flex-start" gap="0.4rem">
      <Button ref={isAsked === false ? focus : null} variant="default" onClick={() => setAsked(true)}>
        {t`Withdraw from this contract`}
      </Button>
      <Hint>{t`Until ${{ time: formatTime(until) }}. Premium then ends at once, and we pay back what you don't owe.`}</Hint>
    </Stack>
  );
}
