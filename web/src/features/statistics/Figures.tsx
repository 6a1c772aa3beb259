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
import { StatCard, StatCards } from '../../ui/data/StatCard.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { formatChange, formatNumber, formatPercent } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import { useStatistics } from './use-statistics.ts';
import classes from './statistics.module.css';

/** The dashboard's four cards. */
export function DashboardFigures({ statistics }: { statistics: Statistics }) {
  const { totals, vipRate, growthPercent } = statistics;
  const number = (value: number) => formatNumber(value);
  const growth = growthPercent === 'N/A' ? t('N/A') : formatChange(growthPercent);
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
        note={t('{percent} VIP rate', { percent: formatPercent(vipRate) })}
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

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} height="5.6rem" />
      ))}
    </div>
  );
}

/** The six cards above the users list; when they fail, the list stays usable. */
export function UsersFigures() {
  const query = useStatistics();
  const icon = { size: 15, stroke: 1.9 };
  return (
    <div className={classes.figures}>
      <QueryStates
        query={query}
        loadingText={t('Loading figures...')}
        skeleton={<LoadingSkeleton />}
        errorText={(error) => t('Error loading figures: {error}', { error })}
      >
        {({ totals, engagementRate }) => (
          <StatCards label={t('Key figures')} isDense>
            <StatCard label={t('Total Users')} value={formatNumber(totals.users)} icon={<IconUsers {...icon} />} />
            <StatCard
              label={t('VIP Users')}
              value={formatNumber(totals.vip)}
              icon={<IconCrown {...icon} />}
              tone="honey"
            />
            <StatCard
              label={t('Active Users')}
              value={formatNumber(totals.active)}
              icon={<IconActivity {...icon} />}
              tone="moss"
            />
            <StatCard
              label={t('Online Now')}
              value={formatNumber(totals.online)}
              icon={<IconWifi {...icon} />}
              tone="moss"
            />
            <StatCard
              label={t('Verified Users')}
              value={formatNumber(totals.emailVerified)}
              icon={<IconRosetteDiscountCheck {...icon} />}
              tone="dusk"
            />
            <StatCard
              label={t('Engagement Rate')}
              value={formatPercent(engagementRate)}
              icon={<IconHeartHandshake {...icon} />}
              tone="dusk"
            />
          </StatCards>
        )}
      </QueryStates>
    </div>
  );
}
