import { plural, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LinkedRefund, LockedAccount as Locked } from '#contract/moderation/appeals.ts';
import { askForExportByLink } from '#contract/takeout.ts';
import { useCommand } from '../../../api/endpoint-query.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { useLinkedRefund } from './linked.ts';

function Title({ children }: { children: string }) {
  return (
    <Text component="h3" ff="text" fz="note" fw={600}>
      {children}
    </Text>
  );
}

function Refund({ token, refund }: { token: string; refund: LinkedRefund }) {
  const command = useLinkedRefund(token);
  const amount = formatMoney(refund.amount);
  const values = { amount, days: refund.days };
  return (
    <Stack align="flex-start" gap="0.5rem">
      <Title>{t`Your premium`}</Title>
      <ErrorNotice error={command.error} />
      {refund.state === 'offered' ? (
        <>
          <Hint>
            {t`You can't use ${plural({ days: refund.days }, { one: '# day', other: '# days' })} that you paid for. We can end your premium now and pay back ${{ amount: values.amount }}.`}
          </Hint>
          <BusyButton
            variant="default"
            isBusy={command.isPending}
            busyText={t`One moment...`}
            onClick={() => command.mutate()}
          >
            {t`End premium and pay back ${{ amount: values.amount }}`}
          </BusyButton>
        </>
      ) : (
        <Notice kind="success">
          {refund.state === 'paid'
            ? t`We paid back ${{ amount: values.amount }} to your card. Your bank may take up to ten days.`
            : t`We are paying back ${{ amount: values.amount }} to your card.`}
        </Notice>
      )}
    </Stack>
  );
}

function Data({ token }: { token: string }) {
  const command = useCommand(askForExportByLink, () => ({ body: { token } }));
  return (
    <Stack align="flex-start" gap="0.5rem">
      <Title>{t`Your data`}</Title>
      <ErrorNotice error={command.error} />
      {command.isSuccess ? (
        <Notice kind="success">{t`We're preparing your data. We'll email you a link when it's ready.`}</Notice>
      ) : (
        <>
          <Hint>{t`Get a copy of everything we store about you. The link to it goes to your email address.`}</Hint>
          <BusyButton
            variant="default"
            isBusy={command.isPending}
            busyText={t`One moment...`}
            onClick={() => command.mutate()}
          >
            {t`Prepare my data`}
          </BusyButton>
        </>
      )}
    </Stack>
  );
}

interface LockedAccountProps {
  token: string;
  locked: Locked;
  /** The right to withdraw from the contract, which replaces a refund. */
  withdrawal: ReactNode;
}

/** The options of members who can't sign in: get their data, and withdraw or have unused premium refunded. */
export function LockedAccount({ token, locked, withdrawal }: LockedAccountProps) {
  return (
    <Stack gap="1.25rem" mt="1.5rem">
      {locked.mayExport && <Data token={token} />}
      {withdrawal !== null ? (
        <Stack gap="0.5rem">
          <Title>{t`Your premium`}</Title>
          {withdrawal}
        </Stack>
      ) : (
        locked.refund !== null && <Refund token={token} refund={locked.refund} />
      )}
    </Stack>
  );
}
