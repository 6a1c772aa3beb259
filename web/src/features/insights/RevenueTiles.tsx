import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Columns } from '../../ui/layout/Page.tsx';
import { formatMoney } from '../../ui/text/format-payment.ts';
import { t } from '../../ui/text/text.ts';
import type { RevenueSeries } from './queries.ts';
import { countText, latest, ratio, ratios, type SeriesLine, shareText, summed, totalOf } from './series.ts';
import { SeriesTile } from './SeriesTile.tsx';

/** Lost subscriptions as a share of those that were paid before the period; the headline is that of the whole range. */
function churn({ values }: Pick<RevenueSeries, 'values'>, before: RevenueSeries['before']): SeriesLine {
  const ofRange = ({ premiumLost, premiumPayingBefore }: RevenueSeries['values']) =>
    ratio(totalOf(premiumLost), premiumPayingBefore[0], 100);
  return {
    name: t('Churn'),
    values: ratios(values.premiumLost, values.premiumPayingBefore, 100),
    before: before && ratios(before.values.premiumLost, before.values.premiumPayingBefore, 100),
    headline: { now: ofRange(values), before: before && ofRange(before.values) },
  };
}

/** Premium and money. */
export function RevenueTiles({ data }: { data: RevenueSeries }) {
  const { by, periods, values: now, money = [] } = data;
  const before = data.before?.values ?? null;
  const moneyBefore = (currency: string) => data.before?.money?.find((each) => each.currency === currency);
  const shared = { periods, by };
  return (
    <Columns isEven isStretched>
      <SeriesTile
        {...shared}
        id="premium"
        title={t('Premium')}
        definition={t(
          'New: subscriptions that were paid for the first time. Lost: paid subscriptions that ended. Paused and paid ones are those at the end. Premium that the team gave is not included.',
        )}
        lines={[
          summed(t('New'), now.premiumNew, before?.premiumNew),
          summed(t('Lost'), now.premiumLost, before?.premiumLost),
          { ...latest(t('Paid'), now.premiumPaying, before?.premiumPaying), apart: countText },
          { ...latest(t('Paused'), now.premiumPaused), apart: countText },
        ]}
      />
      <SeriesTile
        {...shared}
        id="churn"
        title={t('Churn')}
        definition={t('Lost subscriptions as a share of those that were paid on the day before the period began.')}
        lines={[churn(data, data.before)]}
        format={shareText}
      />
      {money.map(({ currency, paidMinor, refundedMinor, payments }) => (
        <SeriesTile
          key={currency}
          {...shared}
          id={`revenue-${currency}`}
          title={t('Revenue in {currency}', { currency })}
          definition={t('What members paid on the day, and what was paid back on it, taxes included.')}
          lines={[
            summed(t('Paid'), paidMinor, moneyBefore(currency)?.paidMinor),
            summed(t('Refunded'), refundedMinor, moneyBefore(currency)?.refundedMinor),
            { ...summed(t('Payments'), payments, moneyBefore(currency)?.payments), apart: countText },
          ]}
          format={(value) => formatMoney({ amountMinor: Math.round(value), currency })}
        />
      ))}
      {money.length === 0 && <EmptyState text={t('No payments in these days')} isFramed />}
    </Columns>
  );
}
