import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { ageBuckets } from '#contract/statistics.ts';
import type { Statistics } from '#contract/statistics.ts';
import { BarChart } from '../../ui/chart/BarChart.tsx';
import { PieChart } from '../../ui/chart/PieChart.tsx';
import { Track } from '../../ui/data/Track.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { formatMonth, formatMonthAndYear, formatNumber } from '../../ui/text/format.ts';
import classes from './statistics.module.css';
import { FigureLink, toneColours } from '../../ui/data/StatCard.tsx';
import { joinedIn, useUserLists } from './list-links.ts';

/** Members who joined in the last six months, and how many of them are VIP now. */
export function GrowthChart({ growth }: Pick<Statistics, 'growth'>) {
  const listOf = useUserLists();
  return (
    <Panel title={t`User Growth`} lead={t`Who joined in the last 6 months`}>
      <BarChart
        title={t`User Growth`}
        groupName={t`Month`}
        series={[t`Total Users`, t`VIP Users`]}
        groups={growth.map(({ month, users, vip }) => ({
          label: formatMonth(month),
          longLabel: formatMonthAndYear(month),
          values: [users, vip],
          links: [listOf(joinedIn(month)), listOf({ ...joinedIn(month), type: 'vip' })],
        }))}
      />
    </Panel>
  );
}

const genderLabels: Record<string, MessageDescriptor> = {
  woman: msg`Woman`,
  man: msg`Man`,
  'non-binary': msg`Non-binary`,
};

/** A chart of all users by gender; users without one count as 'Not-specified'. */
export function GenderChart({ genders }: Pick<Statistics, 'genders'>) {
  const listOf = useUserLists();
  return (
    <Panel title={t`Gender Distribution`} lead={t`All users`}>
      <PieChart
        title={t`Gender Distribution`}
        columns={[t`Gender`, t`Users`, t`Share`]}
        slices={genders.map(({ gender, count }) => ({
          label: gender === null ? t`Not-specified` : genderLabels[gender] ? t(genderLabels[gender]) : gender,
          count,
          to: listOf({ gender: gender ?? 'none' }),
        }))}
        nothingText={t`No members yet`}
      />
    </Panel>
  );
}

/** The filters for an age bucket. */
function agesOf(name: string) {
  const bucket = ageBuckets.find((one) => one.bucket === name);
  return bucket === undefined ? {} : { minAge: String(bucket.from), maxAge: String(bucket.to) };
}

/** A chart of users by age; users without a birth date are not counted. */
export function AgeChart({ ages }: Pick<Statistics, 'ages'>) {
  const listOf = useUserLists();
  return (
    <Panel title={t`Age Distribution`} lead={t`Users who gave their birth date`}>
      <BarChart
        title={t`Age Distribution`}
        groupName={t`Age`}
        series={[t`Users`]}
        groups={ages.map(({ bucket, count }) => ({ label: bucket, values: [count], links: [listOf(agesOf(bucket))] }))}
      />
    </Panel>
  );
}

interface Line {
  label: string;
  count: number;
  to: string | undefined;
  /** Also shows the total. */
  isOfTotal?: boolean;
  tone: 'moss' | 'honey' | 'dusk' | 'accent';
}

/** The number of users in each state. The bar behind each figure is its share of all users. */
export function StatusOverview({ totals, asOf }: Pick<Statistics, 'totals' | 'asOf'>) {
  const listOf = useUserLists();
  const lines: Line[] = [
    { label: t`Active Users`, count: totals.active, to: listOf({ status: 'active' }), tone: 'moss' },
    { label: t`Online Users`, count: totals.online, to: listOf({ status: 'online' }), tone: 'moss' },
    { label: t`VIP Users`, count: totals.vip, to: listOf({ type: 'vip' }), tone: 'honey' },
    {
      label: t`New This Month`,
      count: totals.newThisMonth,
      to: listOf(joinedIn(asOf.slice(0, 7))),
      tone: 'accent',
    },
    {
      label: t`Profile Completion`,
      count: totals.profileComplete,
      to: listOf({ complete: 'true' }),
      isOfTotal: true,
      tone: 'dusk',
    },
    {
      label: t`Email Verified`,
      count: totals.emailVerified,
      to: listOf({ status: 'verified' }),
      isOfTotal: true,
      tone: 'dusk',
    },
  ];
  return (
    <Panel title={t`User Status Overview`} lead={t`Share of all users`}>
      <Stack component="dl" gap="1.05rem" mt="0.35rem">
        {lines.map(({ label, count, to, isOfTotal, tone }) => (
          <div key={label} className={classes.line}>
            <dt>{label}</dt>
            <dd>
              <FigureLink label={label} text={formatNumber(count)} to={to} isAtEnd />
              {isOfTotal && (
                <Text span c="dimmed" fw={400}>
                  {' '}
                  / <FigureLink label={t`All users`} text={formatNumber(totals.users)} to={listOf()} />
                </Text>
              )}
            </dd>
            <Track share={count / totals.users || 0} color={toneColours[tone]} style={{ gridColumn: '1 / -1' }} />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
