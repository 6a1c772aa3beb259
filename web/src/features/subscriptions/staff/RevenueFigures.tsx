import { t } from '@lingui/core/macro';
import { Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarX,
  IconCoins,
  IconCrown,
  IconHourglass,
  IconPlayerPause,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { StatCards, StatCardsSkeleton } from '../../../ui/data/StatCard.tsx';
import { answered, fallbackTexts } from '../errors.ts';

function useRevenue() {
  return useQuery({
    queryKey: [getRevenue.path],
    queryFn: ({ signal }) => answered(async () => (await call(getRevenue, { signal })).data, fallbackTexts.revenue),
    refetchInterval: 60_000,
  });
}

/** Subscription figures for administrators. If they can't be loaded, the rest of the page still works. */
export function RevenueFigures({ payments }: { payments: string | null | undefined }) {
  const query = useRevenue();
  const maySeeUsers = useMay('users.list');
  const maySeeThem = useMay('subscriptions.view') && maySeeUsers;
  const listOf = (subscription: string) => (maySeeThem ? `/users?subscription=${subscription}` : undefined);
  return (
    <Stack component="section" gap="1rem" mt="1.75rem" aria-labelledby="premium-figures">
      <Title order={2} id="premium-figures" fz="1.35rem">
        {t`Premium`}
      </Title>
      {payments === 'sandbox' && <Text c="dimmed">{t`Test payments. No money moves.`}</Text>}
      <QueryStates
        query={query}
        loadingText={t`Loading premium figures...`}
        skeleton={<StatCardsSkeleton count={6} />}
        errorText={(error) => t`Error loading premium figures: ${error}`}
        refreshing={{ hasFailed: query.isRefetchError, refresh: query.refetch }}
      >
        {({ active, trialing, pastDue, paused = 0, monthlyRecurring, churnedThisMonth }) => (
          <StatCards
            label={t`Premium figures`}
            columns={3}
            figures={[
              {
                label: t`Active Subscriptions`,
                value: formatNumber(active),
                to: listOf('active'),
                note: t`Currently paid`,
                Icon: IconCrown,
                tone: 'honey',
              },
              {
                label: t`In Free Trial`,
                value: formatNumber(trialing),
                to: listOf('trialing'),
                note: t`Nothing charged yet`,
                Icon: IconHourglass,
                tone: 'dusk',
              },
              {
                label: t`Payment Failed`,
                value: formatNumber(pastDue),
                to: listOf('past_due'),
                note: t`Retried for a week`,
                Icon: IconAlertTriangle,
              },
              {
                label: t`Paused`,
                value: formatNumber(paused),
                to: listOf('paused'),
                note: t`Nothing charged for now`,
                Icon: IconPlayerPause,
                tone: 'dusk',
              },
              {
                label: t`Monthly Recurring`,
                value: formatMoney(monthlyRecurring),
                note: t`Active and past due`,
                Icon: IconCoins,
                tone: 'moss',
              },
              {
                label: t`Ended This Month`,
                value: formatNumber(churnedThisMonth),
                note: t`Paid at least once`,
                Icon: IconCalendarX,
                tone: 'dusk',
              },
            ]}
          />
        )}
      </QueryStates>
    </Stack>
  );
}
