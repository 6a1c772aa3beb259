import { msg, t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import type { getRevenueSeries } from '#contract/insights/series.ts';
import { majorOf } from '#contract/subscriptions/currency.ts';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { type DataOf, useEndpoint } from '../../api/endpoint-query.ts';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Columns } from '../../ui/layout/Page.tsx';
import { formatMoney } from '../../ui/text/format-payment.ts';
import { calm } from './filters.ts';
import { countText, latest, rate, shareText, summed } from './series.ts';
import { SeriesTile } from './SeriesTile.tsx';
import { Headline } from './Tile.tsx';

const averages = {
  day: msg`A day, on average`,
  week: msg`A week, on average`,
  month: msg`A month, on average`,
} as const;

/** The monthly recurring revenue of everyone at this moment, which has no history; until it is known, an equally large gap. */
export function RevenueNow() {
  const { data } = useEndpoint(getRevenue, {}, calm);
  return (
    <Box component="dl" mb="0.9rem" style={{ visibility: data === undefined ? 'hidden' : 'visible' }}>
      <Headline
        name={t`Monthly recurring revenue, now`}
        value={data === undefined ? '–' : formatMoney(data.monthlyRecurring)}
        change={t`Active and past due`}
      />
    </Box>
  );
}

/** Premium and money. */
export function RevenueTiles({ data }: { data: DataOf<typeof getRevenueSeries> }) {
  const { by, periods, values: now, money = [] } = data;
  const before = data.before?.values ?? null;
  const moneyBefore = (currency: string) => data.before?.money?.find((each) => each.currency === currency);
  const shared = { periods, by };
  return (
    <Columns isEven isStretched>
      <SeriesTile
        {...shared}
        id="premium"
        title={t`Premium`}
        definition={t`New: subscriptions that were paid for the first time. Lost: paid subscriptions that ended. Paused and paid ones are those at the end. Premium that the team gave is not included.`}
        lines={[
          summed(t`New`, now.premiumNew, before?.premiumNew),
          summed(t`Lost`, now.premiumLost, before?.premiumLost),
          { ...latest(t`Paid`, now.premiumPaying, before?.premiumPaying), apart: countText },
          { ...latest(t`Paused`, now.premiumPaused), apart: countText },
        ]}
      />
      <SeriesTile
        {...shared}
        id="churn"
        title={t`Churn`}
        definition={t`Lost subscriptions as a share of those that were paid on the day before the period began.`}
        lines={[
          rate(
            t(averages[by]),
            { parts: now.premiumLost, wholes: now.premiumPayingBefore, times: 100 },
            before && { parts: before.premiumLost, wholes: before.premiumPayingBefore },
          ),
        ]}
        format={shareText}
      />
      {money.map(({ currency, paidMinor, refundedMinor, payments }) => (
        <SeriesTile
          key={currency}
          {...shared}
          id={`revenue-${currency}`}
          title={t`Revenue in ${currency}`}
          definition={t`What members paid on the day, and what was paid back on it, taxes included.`}
          lines={[
            summed(t`Paid`, paidMinor, moneyBefore(currency)?.paidMinor),
            summed(t`Refunded`, refundedMinor, moneyBefore(currency)?.refundedMinor),
            { ...summed(t`Payments`, payments, moneyBefore(currency)?.payments), apart: countText },
          ]}
          format={(value) => formatMoney({ amountMinor: Math.round(value), currency })}
          unit={{ name: currency, per: 1 / majorOf({ amountMinor: 1, currency }) }}
        />
      ))}
      {money.length === 0 && <EmptyState text={t`No payments in these days`} isFramed />}
    </Columns>
  );
}
