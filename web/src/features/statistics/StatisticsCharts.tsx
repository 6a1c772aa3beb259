import type { Statistics } from '#contract/statistics.ts';
import { BarChart } from '../../ui/chart/BarChart.tsx';
import { PieChart } from '../../ui/chart/PieChart.tsx';
import { formatMonth, formatMonthAndYear } from '../../ui/text/format.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { t } from '../../ui/text/text.ts';

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

/** All users by gender, 'Not-specified' without one. */
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

/** Users by age; those without a birth date are not counted. */
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
