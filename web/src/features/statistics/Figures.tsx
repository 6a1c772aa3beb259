import { t } from '@lingui/core/macro';
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
import { noteOn, StatCards, StatCardsSkeleton } from '../../ui/data/StatCard.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { formatChange, formatNumber, formatPercent } from '../../ui/text/format.ts';
import { joinedIn, joinedOnSameDays, useUserLists } from './list-links.ts';
import { useStatistics } from './queries.ts';
import classes from './statistics.module.css';

const changeText = (percent: number | 'N/A') => (percent === 'N/A' ? t`N/A` : formatChange(percent));

/** The dashboard's four cards. */
export function DashboardFigures({ statistics }: { statistics: Statistics }) {
  const { totals, vipRate, growthPercent, sameDaysGrowthPercent, asOf } = statistics;
  const listOf = useUserLists();
  const newest = listOf(joinedIn(asOf.slice(0, 7)));
  return (
    <StatCards
      label={t`Key figures`}
      figures={[
        {
          label: t`Total Users`,
          value: formatNumber(totals.users),
          to: listOf(),
          note: noteOn(totals.newThisMonth, t`${{ count: formatNumber(totals.newThisMonth) }} new this month`),
          noteTo: newest,
          Icon: IconUsers,
        },
        {
          label: t`VIP Users`,
          value: formatNumber(totals.vip),
          to: listOf({ type: 'vip' }),
          note: noteOn(vipRate, t`${{ percent: formatPercent(vipRate) }} VIP rate`),
          noteTo: listOf({ type: 'vip' }),
          Icon: IconCrown,
          tone: 'honey',
        },
        {
          label: t`Active Users`,
          value: formatNumber(totals.active),
          to: listOf({ status: 'active' }),
          note: noteOn(totals.online, t`${{ count: formatNumber(totals.online) }} online now`),
          noteTo: listOf({ status: 'online' }),
          Icon: IconActivity,
          tone: 'moss',
        },
        {
          label: t`New This Month`,
          value: formatNumber(totals.newThisMonth),
          to: newest,
          note: t`${{ percent: changeText(growthPercent) }} growth`,
          noteTo: newest,
          more:
            sameDaysGrowthPercent === undefined
              ? undefined
              : {
                  text: t`${{ percent: changeText(sameDaysGrowthPercent) }} vs. same days of last month`,
                  to: listOf(joinedOnSameDays(asOf)),
                },
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
  const listOf = useUserLists();
  return (
    <div className={classes.figures}>
      <QueryStates
        query={query}
        loadingText={t`Loading figures...`}
        skeleton={<StatCardsSkeleton count={6} isDense isStrip />}
        errorText={(error) => t`Error loading figures: ${error}`}
      >
        {({ totals, engagementRate }) => (
          <StatCards
            label={t`Key figures`}
            isDense
            isStrip
            figures={[
              { label: t`Total Users`, value: formatNumber(totals.users), to: listOf(), Icon: IconUsers },
              {
                label: t`VIP Users`,
                value: formatNumber(totals.vip),
                to: listOf({ type: 'vip' }),
                Icon: IconCrown,
                tone: 'honey',
              },
              {
                label: t`Active Users`,
                value: formatNumber(totals.active),
                to: listOf({ status: 'active' }),
                Icon: IconActivity,
                tone: 'moss',
              },
              {
                label: t`Online Now`,
                value: formatNumber(totals.online),
                to: listOf({ status: 'online' }),
                Icon: IconWifi,
                tone: 'moss',
              },
              {
                label: t`Verified Users`,
                value: formatNumber(totals.emailVerified),
                Icon: IconRosetteDiscountCheck,
                tone: 'dusk',
              },
              {
                label: t`Engagement Rate`,
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
