import { IconClockHour4, IconFlag, IconFlame, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { StatCard, StatCards } from '../../../ui/data/StatCard.tsx';
import { Age, isOutdated } from '../../../ui/feedback/LastUpdated.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { reportStatisticsQuery } from './report-data.ts';
import { durationText } from './report-words.ts';
import classes from './reports.module.css';

function LoadingSkeleton() {
  return (
    <div className={classes.reportsFiguresSkeleton}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height="8.4rem" />
      ))}
    </div>
  );
}

/** The four cards above the reports; when they fail, the list stays usable. */
export function ReportsFigures() {
  const query = useQuery(reportStatisticsQuery);
  const icon = { size: 18, stroke: 1.9 };
  const count = (value: number) => formatNumber(value);
  return (
    <QueryStates
      query={query}
      loadingText={t('Loading figures...')}
      skeleton={<LoadingSkeleton />}
      errorText={(error) => t('Error loading figures: {error}', { error })}
    >
      {(figures) => {
        const { medianResponseMs: median, p90ResponseMs: p90 } = figures;
        return (
          <>
            <StatCards label={t('Key figures')}>
              <StatCard
                label={t('Total Reports')}
                value={count(figures.total)}
                note={t('{count} resolved', { count: count(figures.resolved) })}
                icon={<IconFlag {...icon} />}
                tone="dusk"
              />
              <StatCard
                label={t('Pending')}
                value={count(figures.pending)}
                note={t('{count} in progress', { count: count(figures.inProgress) })}
                icon={<IconHourglass {...icon} />}
                tone="honey"
              />
              <StatCard
                label={t('High Priority')}
                value={count(figures.highPriority)}
                note={t('{count} critical', { count: count(figures.byPriority['critical'] ?? 0) })}
                icon={<IconFlame {...icon} />}
              />
              <StatCard
                label={t('Average Response Time')}
                value={figures.avgResponseTime ?? t('N/A')}
                note={
                  median === null || p90 === null
                    ? t('Nothing answered yet')
                    : t('Median {median} · 90% within {p90}', {
                        median: durationText(median),
                        p90: durationText(p90),
                      })
                }
                icon={<IconClockHour4 {...icon} />}
                tone="moss"
              />
            </StatCards>
            {isOutdated(query) && (
              <p className={classes.old}>
                <Age query={query} />
              </p>
            )}
          </>
        );
      }}
    </QueryStates>
  );
}
