import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconClockHour4, IconFlag, IconFlame, IconHourglass } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { noteOn, StatCards, StatCardsSkeleton } from '../../../ui/data/StatCard.tsx';
import { Age, isOutdated } from '../../../ui/feedback/LastUpdated.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { reportStatisticsQuery } from './report-data.ts';
import { durationText } from './report-words.ts';

/** The four cards above the reports, and on the dashboard. If they can't be loaded, the rest of the page still works. */
export function ReportsFigures({ label, isStrip = false }: { label: string; isStrip?: boolean }) {
  const query = useQuery(reportStatisticsQuery);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading figures...`}
      skeleton={<StatCardsSkeleton count={4} isStrip={isStrip} />}
      errorText={(error) => t`Error loading figures: ${error}`}
    >
      {(figures) => {
        const { avgResponseMs: average, avgResponseTime, medianResponseMs: median, p90ResponseMs: p90 } = figures;
        const responseTime = average === null ? avgResponseTime : durationText(average);
        return (
          <>
            <StatCards
              label={label}
              isStrip={isStrip}
              figures={[
                {
                  label: t`Total Reports`,
                  value: formatNumber(figures.total),
                  to: '/reports',
                  note: noteOn(figures.resolved, t`${{ count: formatNumber(figures.resolved) }} resolved`),
                  noteTo: '/reports?status=resolved',
                  Icon: IconFlag,
                  tone: 'dusk',
                },
                {
                  label: t`Pending`,
                  value: formatNumber(figures.pending),
                  to: '/reports?status=pending',
                  note: noteOn(figures.inProgress, t`${{ count: formatNumber(figures.inProgress) }} in progress`),
                  noteTo: '/reports?status=in_progress',
                  Icon: IconHourglass,
                  tone: 'honey',
                },
                {
                  label: t`High Priority`,
                  value: formatNumber(figures.highPriority),
                  to: '/reports?priority=urgent',
                  note: noteOn(figures.openHighPriority, t`${{ count: formatNumber(figures.openHighPriority) }} open`),
                  noteTo: '/reports?status=open&priority=urgent',
                  Icon: IconFlame,
                },
                {
                  label: t`Average Response Time`,
                  value: responseTime ?? t`N/A`,
                  note:
                    median !== null && p90 !== null
                      ? t`Last ${{ days: figures.responseDays }} days · median ${{ median: durationText(median) }} · 90% within ${{ p90: durationText(p90) }}`
                      : responseTime === undefined
                        ? t`Nothing answered in the last ${{ days: figures.responseDays }} days`
                        : undefined,
                  Icon: IconClockHour4,
                  tone: 'moss',
                },
              ]}
            />
            {isOutdated(query) && (
              <Group gap="0.2rem 0.75rem" mt="-0.5rem" mb="1rem">
                <Age query={query} />
              </Group>
            )}
          </>
        );
      }}
    </QueryStates>
  );
}
