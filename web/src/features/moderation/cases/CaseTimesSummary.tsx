import { msg, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { caseHours, type CaseTimes, type Durations, getCaseTimes } from '#contract/moderation/cases.ts';
import { reportPriorities, type ReportPriority } from '#contract/moderation/reports.ts';
import { responseTimesDays } from '#contract/moderation/staff-reports.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { durationText } from '../reports/report-words.ts';
import classes from './queue.module.css';

type Row = { priority: ReportPriority } & CaseTimes;

const shortTexts = {
  response: msg({ message: 'First answer: median {median}, 9 of 10 within {p90}, average {average}' }),
  decision: msg({ message: 'Closed: median {median}, 9 of 10 within {p90}, average {average}' }),
};
const noneTexts = { response: msg`First answer: none yet`, decision: msg`Closed: none yet` };

function shortText(what: keyof CaseTimes, { medianMs, p90Ms, averageMs }: Durations): string {
  return medianMs === null || p90Ms === null || averageMs === null
    ? t(noneTexts[what])
    : fill(shortTexts[what], {
        median: durationText(medianMs),
        p90: durationText(p90Ms),
        average: durationText(averageMs),
      });
}

/** The times for one priority compared with their target, and how many cases missed it. */
function TimesCell({ of: { count, late, medianMs, p90Ms }, hours }: { of: Durations; hours: number }) {
  if (medianMs === null || p90Ms === null) return <span data-nothing>—</span>;
  return (
    <Stack component="span" gap="0.1rem">
      {t`${{ median: durationText(medianMs) }} · 9 of 10 within ${{ p90: durationText(p90Ms) }}`}
      <Text span c="dimmed">
        {t`${{ late: formatNumber(late) }} of ${{ count: formatNumber(count) }} took longer than ${{ hours: formatNumber(hours) }} h`}
      </Text>
    </Stack>
  );
}

const columns: TableColumn<Row>[] = [
  {
    id: 'priority',
    header: () => t`Priority`,
    card: 'head',
    width: '8rem',
    cell: ({ priority }) => <PriorityTag priority={priority} />,
  },
  {
    id: 'response',
    header: () => t`First answer, median`,
    card: 'wideFact',
    cell: ({ priority, response }) => <TimesCell of={response} hours={caseHours[priority].response} />,
  },
  {
    id: 'decision',
    header: () => t`Closed, median`,
    card: 'wideFact',
    cell: ({ priority, decision }) => <TimesCell of={decision} hours={caseHours[priority].decision} />,
  },
];
const rowId = ({ priority }: Row) => priority;

/** How long recent answers and decisions took. */
export const useCaseTimes = () => useEndpoint(getCaseTimes, {}, { staleTime: 300_000 });

/**
 * How long recent answers and decisions took, with details by priority. If the figures can't be loaded, the queue still
 * works.
 */
export function CaseTimesSummary() {
  const { data } = useCaseTimes();
  if (data === undefined) return null;
  if (data.response.count + data.decision.count === 0)
    return (
      <Text c="dimmed" className={classes.timesLine ?? ''}>
        {t`No answers or decisions in the last ${{ days: responseTimesDays }} days`}
      </Text>
    );
  const rows = reportPriorities.map((priority): Row => ({ priority, ...data.byPriority[priority] }));
  return (
    <details className={classes.timesLine}>
      <summary>
        <span>{t`Times per case, last ${{ days: responseTimesDays }} days, without pauses`}</span>
        <span className={classes.time}>{shortText('response', data.response)}</span>
        <span className={classes.time}>{shortText('decision', data.decision)}</span>
      </summary>
      <DataTable label={t`Times by priority`} rows={rows} rowId={rowId} columns={columns} />
    </details>
  );
}
