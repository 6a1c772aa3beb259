import { IconActivity, IconCalendarPlus, IconCrown, IconUsers } from '@tabler/icons-react';
import type { Statistics } from '#contract/statistics.ts';
import { formatChange, formatNumber, formatPercent } from '../../ui/text/format.ts';
import { StatCard, StatCards } from '../../ui/data/StatCard.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';

/** The dashboard's four cards. */
export function DashboardFigures({ statistics }: { statistics: Statistics }) {
  const t = useText();
  const locale = useLocale();
  const { totals, vipRate, growthPercent } = statistics;
  const number = (value: number) => formatNumber(value, locale);
  const growth = growthPercent === 'N/A' ? t('N/A') : formatChange(growthPercent, locale);
  const icon = { size: 18, stroke: 1.75 };
  return (
    <StatCards label={t('Key figures')}>
      <StatCard
        label={t('Total Users')}
        value={number(totals.users)}
        note={t('{count} new this month', { count: number(totals.newThisMonth) })}
        icon={<IconUsers {...icon} />}
      />
      <StatCard
        label={t('VIP Users')}
        value={number(totals.vip)}
        note={t('{percent} VIP rate', { percent: formatPercent(vipRate, locale) })}
        icon={<IconCrown {...icon} />}
        tone="honey"
      />
      <StatCard
        label={t('Active Users')}
        value={number(totals.active)}
        note={t('{count} online now', { count: number(totals.online) })}
        icon={<IconActivity {...icon} />}
        tone="moss"
      />
      <StatCard
        label={t('New This Month')}
        value={number(totals.newThisMonth)}
        note={t('{percent} growth', { percent: growth })}
        icon={<IconCalendarPlus {...icon} />}
        tone="dusk"
      />
    </StatCards>
  );
}
