import {
  IconActivity,
  IconCrown,
  IconHeartHandshake,
  IconRosetteDiscountCheck,
  IconUsers,
  IconWifi,
} from '@tabler/icons-react';
import { formatNumber, formatPercent } from '../../ui/text/format.ts';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { StatCard, StatCards } from '../../ui/data/StatCard.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import { useStatistics } from './use-statistics.ts';
import classes from './UsersFigures.module.css';

function Skeleton() {
  return (
    <div className={classes.skeleton}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Bone key={key} height="5.6rem" />
      ))}
    </div>
  );
}

/** The six cards above the users list; their failure leaves the list usable. */
export function UsersFigures() {
  const t = useText();
  const locale = useLocale();
  const query = useStatistics();
  const icon = { size: 15, stroke: 1.9 };
  return (
    <div className={classes.figures}>
      <QueryStates
        query={query}
        loadingText={t('Loading figures...')}
        skeleton={<Skeleton />}
        errorText={(error) => t('Error loading figures: {error}', { error })}
      >
        {({ totals, engagementRate }) => (
          <StatCards label={t('Key figures')} isDense>
            <StatCard
              label={t('Total Users')}
              value={formatNumber(totals.users, locale)}
              icon={<IconUsers {...icon} />}
            />
            <StatCard
              label={t('VIP Users')}
              value={formatNumber(totals.vip, locale)}
              icon={<IconCrown {...icon} />}
              tone="honey"
            />
            <StatCard
              label={t('Active Users')}
              value={formatNumber(totals.active, locale)}
              icon={<IconActivity {...icon} />}
              tone="moss"
            />
            <StatCard
              label={t('Online Now')}
              value={formatNumber(totals.online, locale)}
              icon={<IconWifi {...icon} />}
              tone="moss"
            />
            <StatCard
              label={t('Verified Users')}
              value={formatNumber(totals.emailVerified, locale)}
              icon={<IconRosetteDiscountCheck {...icon} />}
              tone="dusk"
            />
            <StatCard
              label={t('Engagement Rate')}
              value={formatPercent(engagementRate, locale)}
              icon={<IconHeartHandshake {...icon} />}
              tone="dusk"
            />
          </StatCards>
        )}
      </QueryStates>
    </div>
  );
}
