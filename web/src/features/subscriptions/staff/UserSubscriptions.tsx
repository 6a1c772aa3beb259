import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Facts } from '../../../ui/data/Facts.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { planNames, priceTexts, statusWord } from '../plan-words.ts';
import { answered, fallbackTexts } from '../errors.ts';
import { Grants } from './Grants.tsx';
import { type ShownSubscription, shownSubscription } from '../shown-subscription.ts';

const planName = (plan: ShownSubscription['plan']) => (plan === null ? '—' : t(planNames[plan]));

/** A user's subscriptions, newest first. Reading them is recorded, so they are not loaded again without need. */
function useUserSubscriptions(userId: string) {
  return useQuery({
    queryKey: [listSubscriptions.path, { userId }],
    queryFn: ({ signal }) =>
      answered(async () => {
        const { subscriptions, grants = [] } = (await call(listSubscriptions, { query: { userId }, signal })).data;
        return { grants, subscriptions: subscriptions.map((one, index) => shownSubscription(one, `${index}`)) };
      }, fallbackTexts.all),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

const hasEnded = ({ status }: ShownSubscription) => status === 'canceled' || status === 'incomplete_expired';

function Current({ subscription }: { subscription: ShownSubscription }) {
  const { plan, price, status, currentPeriodEnd, createdAt, cancelAtPeriodEnd, pendingPlan, pausedUntil } =
    subscription;
  return (
    <Facts
      facts={[
        [t`Plan`, planName(plan)],
        [t`Price`, plan === null || price === null ? '—' : fill(priceTexts[plan], { price: formatMoney(price) })],
        [t`Status`, statusWord(status)],
        [t`Paid through`, currentPeriodEnd == null ? '—' : <Time at={currentPeriodEnd} isDate />],
        [t`Since`, <Time at={createdAt} isDate />],
        [t`Canceled at period end`, cancelAtPeriodEnd ? t`Yes` : t`No`],
        pausedUntil != null && [t`Paused until`, <Time at={pausedUntil} isDate />],
        pendingPlan !== null && [t`Changes to`, t(planNames[pendingPlan])],
      ]}
    />
  );
}

function Earlier({ subscriptions }: { subscriptions: readonly ShownSubscription[] }) {
  return (
    <div>
      <Text c="dimmed" fz="small">
        {t`Earlier`}
      </Text>
      <Stack component="ul" gap="0.25rem" mt="0.2rem" fz="note">
        {subscriptions.map(({ _id, plan, status, createdAt, currentPeriodEnd }) => (
          <li key={_id}>
            {currentPeriodEnd == null
              ? t`${{ plan: planName(plan) }}: ${{ status: statusWord(status) }}, started ${{ from: formatDate(createdAt) }}`
              : t`${{ plan: planName(plan) }}: ${{ status: statusWord(status) }}, ${{ from: formatDate(createdAt) }} – ${{ to: formatDate(currentPeriodEnd) }}`}
          </li>
        ))}
      </Stack>
    </div>
  );
}

/** A user's current and earlier subscriptions, for administrators. */
export function UserSubscriptions({ userId }: { userId: string }) {
  const query = useUserSubscriptions(userId);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading the subscription...`}
      skeleton="6rem"
      errorText={(error) => t`Error loading the subscription: ${error}`}
    >
      {({ subscriptions, grants }) => {
        const current = subscriptions.find((subscription) => !hasEnded(subscription));
        const earlier = subscriptions.filter((subscription) => subscription !== current);
        return (
          <Stack gap="0.9rem">
            {current ? <Current subscription={current} /> : <Text c="dimmed">{t`No subscription`}</Text>}
            {earlier.length > 0 && <Earlier subscriptions={earlier} />}
            <Grants userId={userId} grants={grants} />
          </Stack>
        );
      }}
    </QueryStates>
  );
}
