import { IconAlertTriangle, IconCalendarX, IconCoins, IconCrown, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { StatCard, StatCards } from '../../../ui/data/StatCard.tsx';
import { t } from '../../../ui/text/text.ts';
import { answered, fallbackTexts } from '../errors.ts';
import classes from './subscriptions.module.css';

function useRevenue() {
  return useQuery({
    queryKey: keys.revenue,
    queryFn: ({ signal }) => answered(async () => (await call(getRevenue, { signal })).data, fallbackTexts.revenue),
    refetchInterval: 60_000,
  });
}

/** Subscription figures for administrators; when they fail, the rest of the page stays usable. */
export function RevenueFigures({ payments }: { payments: string | null | undefined }) {
  const query = useRevenue();
  const icon = { size: 18, stroke: 1.75 };
  const number = (value: number) => formatNumber(value);
  return (
    <section className={classes.premium} aria-labelledby="premium-figures">
      <h2 id="premium-figures" className={classes.title}>
        {t('Premium')}
      </h2>
      {payments === 'sandbox' && <p className={classes.note}>{t('Test payments. No money moves.')}</p>}
      <QueryStates
        query={query}
        loadingText={t('Loading premium figures...')}
        skeleton="8.4rem"
        errorText="Error loading premium figures: {error}"
        refreshing={{ hasFailed: query.isRefetchError, refresh: query.refetch }}
      >
        {({ active, trialing, pastDue, monthlyRecurring, churnedThisMonth }) => (
          <StatCards label={t('Premium figures')}>
            <StatCard
              label={t('Active Subscriptions')}
              value={number(active)}
              note={t('Currently paid')}
              icon={<IconCrown {...icon} />}
              tone="honey"
            />
            <StatCard
              label={t('In Free Trial')}
              value={number(trialing)}
              note={t('Nothing charged yet')}
              icon={<IconHourglass {...icon} />}
              tone="dusk"
            />
            <StatCard
              label={t('Payment Failed')}
              value={number(pastDue)}
              note={t('Retried for a week')}
              icon={<IconAlertTriangle {...icon} />}
            />
            <StatCard
              label={t('Monthly Recurring')}
              value={formatMoney(monthlyRecurring)}
              note={t('Active and past due')}
              icon={<IconCoins {...icon} />}
              tone="moss"
            />
            <StatCard
              label={t('Ended This Month')}
              value={number(churnedThisMonth)}
              note={t('Paid at least once')}
              icon={<IconCalendarX {...icon} />}
              tone="dusk"
            />
          </StatCards>
        )}
      </QueryStates>
    </section>
  );
}
