import {
  IconActivity,
  IconCalendarPlus,
  IconCrown,
  IconHeartHandshake,
  IconRosetteDiscountCheck,
  IconUsers,
  IconWifi,
} from '@tabler/icons-react';
import type { Statistics } from '#contract/statistics.ts';
import { StatCards, StatCardsSkeleton } from '../../ui/data/StatCard.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { formatChange, formatNumber, formatPercent } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { useStatistics } from './queries.ts';
import classes from './statistics.module.css';

/** The dashboard's four cards. */
export function DashboardFigures({ statistics }: { statistics: Statistics }) {
  const { totals, vipRate, growthPercent } = statistics;
  const growth = growthPercent === 'N/A' ? t('N/A') : formatChange(growthPercent);
  return (
    <StatCards
      label={t('Key figures')}
      figures={[
        {
          label: t('Total Users'),
          value: formatNumber(totals.users),
          note: t('{count} new this month', { count: formatNumber(totals.newThisMonth) }),
          Icon: IconUsers,
        },
        {
          label: t('VIP Users'),
          value: formatNumber(totals.vip),
          note: t('{percent} VIP rate', { percent: formatPercent(vipRate) }),
          Icon: IconCrown,
          tone: 'honey',
        },
        {
          label: t('Active Users'),
          value: formatNumber(totals.active),
          note: t('{count} online now', { count: formatNumber(totals.online) }),
          Icon: IconActivity,
          tone: 'moss',
        },
        {
          label: t('New This Month'),
          value: formatNumber(totals.newThisMonth),
          note: t('{percent} growth', { percent: growth }),
          Icon: IconCalendarPlus,
          tone: 'dusk',
        },
      ]}
    />
  );
}

/** The six cards above the users list. If they can't be loaded, the list still works. */
export function UsersFigures() {
  const query = useStatistics();
  return (
    <div className={classes.figures}>
      <QueryStates
        query={query}
        loadingText={t('Loading figures...')}
        skeleton={<StatCardsSkeleton count={6} isDense />}
        errorText="Error loading figures: {error}"
      >
        {({ totals, engagementRate }) => (
          <StatCards
            label={t('Key figures')}
            isDense
            figures={[
              { label: t('Total Users'), value: formatNumber(totals.users), Icon: IconUsers },
              { label: t('VIP Users'), value: formatNumber(totals.vip), Icon: IconCrown, tone: 'honey' },
              { label: t('Active Users'), value: formatNumber(totals.active), Icon: IconActivity, tone: 'moss' },
              { label: t('Online Now'), value: formatNumber(totals.online), Icon: IconWifi, tone: 'moss' },
              {
                label: t('Verified Users'),
                value: formatNumber(totals.emailVerified),
                Icon: IconRosetteDiscountCheck,
                tone: 'dusk',
              },
              {
                label: t('Engagement Rate'),
                value: formatPercent(engagementRate),
                Icon: IconHeartHandshake,
                tone: 'dusk',
              },
            ]}
          />
        )}
      </QueryStates>
    </div>
  );
}
