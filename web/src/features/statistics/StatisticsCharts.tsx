import { Stack, Text } from '@mantine/core';
import type { Statistics } from '#contract/statistics.ts';
import { BarChart } from '../../ui/chart/BarChart.tsx';
import { PieChart } from '../../ui/chart/PieChart.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { formatMonth, formatMonthAndYear, formatNumber } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import classes from './statistics.module.css';
import { toneColours } from '../../ui/data/StatCard.tsx';

/** Members who joined in the last six months, and how many of them are VIP now. */
export function GrowthChart({ growth }: Pick<Statistics, 'growth'>) {
  return (
    <Panel title={t('User Growth')} lead={t('Who joined in the last 6 months')}>
      <BarChart
        title={t('User Growth')}
        groupName={t('Month')}
        series={[t('Total Users'), t('VIP Users')]}
        groups={growth.map(({ month, users, vip }) => ({
          label: formatMonth(month),
          longLabel: formatMonthAndYear(month),
          values: [users, vip],
        }))}
      />
    </Panel>
  );
}

const genderLabels: Record<string, string> = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' };

/** A chart of all users by gender; users without one count as 'Not-specified'. */
export function GenderChart({ genders }: Pick<Statistics, 'genders'>) {
  return (
    <Panel title={t('Gender Distribution')} lead={t('All users')}>
      <PieChart
        title={t('Gender Distribution')}
        columns={[t('Gender'), t('Users'), t('Share')]}
        slices={genders.map(({ gender, count }) => ({
          label: gender === null ? t('Not-specified') : t(genderLabels[gender] ?? gender),
          count,
        }))}
        nothingText={t('No members yet')}
      />
    </Panel>
  );
}

/** A chart of users by age; users without a birth date are not counted. */
export function AgeChart({ ages }: Pick<Statistics, 'ages'>) {
  return (
    <Panel title={t('Age Distribution')} lead={t('Users who gave their birth date')}>
      <BarChart
        title={t('Age Distribution')}
        groupName={t('Age')}
        series={[t('Users')]}
        groups={ages.map(({ bucket, count }) => ({ label: bucket, values: [count] }))}
      />
    </Panel>
  );
}

interface Line {
  label: string;
  count: number;
  /** Also shows the total. */
  isOfTotal?: boolean;
  tone: 'moss' | 'honey' | 'dusk' | 'accent';
}

/** The number of users in each state. The bar behind each figure is its share of all users. */
export function StatusOverview({ totals }: Pick<Statistics, 'totals'>) {
  const lines: Line[] = [
    { label: t('Active Users'), count: totals.active, tone: 'moss' },
    { label: t('Online Users'), count: totals.online, tone: 'moss' },
    { label: t('VIP Users'), count: totals.vip, tone: 'honey' },
    { label: t('New This Month'), count: totals.newThisMonth, tone: 'accent' },
    { label: t('Profile Completion'), count: totals.profileComplete, isOfTotal: true, tone: 'dusk' },
    { label: t('Email Verified'), count: totals.emailVerified, isOfTotal: true, tone: 'dusk' },
  ];
  return (
    <Panel title={t('User Status Overview')} lead={t('Share of all users')}>
      <Stack component="dl" gap="1.05rem" mt="0.35rem">
        {lines.map(({ label, count, isOfTotal, tone }) => (
          <div key={label} className={classes.line}>
            <dt>{label}</dt>
            <dd>
              {isOfTotal ? (
                <>
                  {formatNumber(count)}{' '}
                  <Text span c="dimmed" fw={400}>
                    / {formatNumber(totals.users)}
                  </Text>
                </>
              ) : (
                formatNumber(count)
              )}
            </dd>
            <div className={classes.track} aria-hidden="true">
              <div
                className={classes.bar}
                style={{
                  width: `${totals.users === 0 ? 0 : (100 * count) / totals.users}%`,
                  background: toneColours[tone],
                }}
              />
            </div>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
