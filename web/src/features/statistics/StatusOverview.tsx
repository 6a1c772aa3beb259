import type { Statistics } from '#contract/statistics.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { t } from '../../ui/text/text.ts';
import classes from './statistics.module.css';

interface Line {
  label: string;
  count: number;
  /** Shows the total as well. */
  isOfTotal?: boolean;
  tone: 'moss' | 'honey' | 'dusk' | 'accent';
}

/** How many users are in which state; the bar behind each figure is its share of all. */
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
      <dl className={classes.lines}>
        {lines.map(({ label, count, isOfTotal, tone }) => (
          <div key={label} className={classes.line} data-tone={tone}>
            <dt>{label}</dt>
            <dd>
              {isOfTotal ? (
                <>
                  {formatNumber(count)} <span className={classes.total}>/ {formatNumber(totals.users)}</span>
                </>
              ) : (
                formatNumber(count)
              )}
            </dd>
            <div className={classes.track} aria-hidden="true">
              <div
                className={classes.bar}
                style={{ width: `${totals.users === 0 ? 0 : (100 * count) / totals.users}%` }}
              />
            </div>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
