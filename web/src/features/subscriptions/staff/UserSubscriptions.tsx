import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listSubscriptions, type SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { t } from '../../../ui/text/text.ts';
import { planNames, priceTexts, statusWords } from '../plan-words.ts';
import { answered, fallbackTexts } from '../errors.ts';
import classes from './subscriptions.module.css';

/** A user's subscriptions, newest first. Reading them is on record, so it is not repeated without need. */
function useUserSubscriptions(userId: string) {
  return useQuery({
    queryKey: keys.userSubscriptions(userId),
    queryFn: ({ signal }) =>
      answered(
        async () => (await call(listSubscriptions, { query: { userId }, signal })).data.subscriptions,
        fallbackTexts.all,
      ),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
}

const hasEnded = ({ status }: SubscriptionView) => status === 'canceled' || status === 'incomplete_expired';

function Day({ time }: { time: string | null }) {
  if (time === null) return <>—</>;
  return <Time at={time} isDate />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Current({ subscription }: { subscription: SubscriptionView }) {
  const { plan, price, status, currentPeriodEnd, createdAt, cancelAtPeriodEnd, pendingPlan } = subscription;
  return (
    <dl className={classes.facts}>
      <Fact name={t('Plan')}>{t(planNames[plan])}</Fact>
      <Fact name={t('Price')}>{t(priceTexts[plan], { price: formatMoney(price) })}</Fact>
      <Fact name={t('Status')}>{t(statusWords[status])}</Fact>
      <Fact name={t('Paid through')}>
        <Day time={currentPeriodEnd} />
      </Fact>
      <Fact name={t('Since')}>
        <Day time={createdAt} />
      </Fact>
      <Fact name={t('Cancelled at period end')}>{cancelAtPeriodEnd ? t('Yes') : t('No')}</Fact>
      {pendingPlan !== null && <Fact name={t('Changes to')}>{t(planNames[pendingPlan])}</Fact>}
    </dl>
  );
}

function Earlier({ subscriptions }: { subscriptions: readonly SubscriptionView[] }) {
  return (
    <div>
      <p className={classes.subtitle}>{t('Earlier')}</p>
      <ul className={classes.earlier}>
        {subscriptions.map(({ _id, plan, status, createdAt, currentPeriodEnd }) => (
          <li key={_id}>
            {currentPeriodEnd === null
              ? t('{plan}: {status}, started {from}', {
                  plan: t(planNames[plan]),
                  status: t(statusWords[status]),
                  from: formatDate(createdAt),
                })
              : t('{plan}: {status}, {from} – {to}', {
                  plan: t(planNames[plan]),
                  status: t(statusWords[status]),
                  from: formatDate(createdAt),
                  to: formatDate(currentPeriodEnd),
                })}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A user's current and earlier subscriptions, for administrators. */
export function UserSubscriptions({ userId }: { userId: string }) {
  const query = useUserSubscriptions(userId);
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading the subscription...')}
      skeleton="6rem"
      errorText="Error loading the subscription: {error}"
    >
      {(subscriptions) => {
        const current = subscriptions.find((subscription) => !hasEnded(subscription));
        const earlier = subscriptions.filter((subscription) => subscription !== current);
        return (
          <div className={classes.parts}>
            {current ? <Current subscription={current} /> : <p className={classes.none}>{t('No subscription')}</p>}
            {earlier.length > 0 && <Earlier subscriptions={earlier} />}
          </div>
        );
      }}
    </QueryStates>
  );
}
