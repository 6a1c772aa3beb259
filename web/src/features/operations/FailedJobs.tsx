import { plural, t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconRotate } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type FailedJob, type Operations, retryJobs } from '#contract/operations.ts';
import { useCommand } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';
import { CodeText, RowAction, RowActions } from '../../ui/data/table/cells.tsx';
import { DataTable } from '../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../ui/data/table/rows.ts';
import { Time } from '../../ui/data/Time.tsx';
import { ErrorNotice, FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { StateList } from '../../ui/data/Facts.tsx';

type Retry = { task: string; id?: string };

function jobColumns(mayRetry: boolean, onRetry: (retry: Retry) => void): TableColumn<FailedJob>[] {
  const columns: TableColumn<FailedJob>[] = [
    { id: 'task', header: () => t`Job`, card: 'head', width: ['15rem', '11rem'], cell: ({ task }) => task },
    {
      id: 'error',
      header: () => t`Error`,
      card: 'wideFact',
      cell: ({ error }) => <CodeText>{error === '' ? t`Unknown` : error}</CodeText>,
    },
    {
      id: 'attempts',
      header: () => t`Tries`,
      width: '5rem',
      isNumber: true,
      cell: ({ attempts }) => formatNumber(attempts),
    },
    {
      id: 'failedAt',
      header: () => t`Failed`,
      width: ['12rem', '9rem'],
      cell: ({ failedAt }) => <Time at={failedAt} />,
    },
  ];
  if (!mayRetry) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      header: () => t`Actions`,
      card: 'actions',
      width: '6.5rem',
      cell: ({ _id, task }) => (
        <RowActions>
          <RowAction
            label={t`Retry job ${{ id: _id }}: ${task}`}
            text={t`Retry`}
            icon={<IconRotate size={18} stroke={1.75} aria-hidden="true" />}
            onClick={() => onRetry({ task, id: _id })}
          />
        </RowActions>
      ),
    },
  ];
}

/** The jobs that have failed too often to be tried again, one by one and by task. */
export function FailedJobs({ jobs }: Pick<Operations, 'jobs'>) {
  const mayRetry = useMay('operations.retry');
  const retry = useCommand(retryJobs, (body: Retry) => ({ body }), { waits: true });
  const { mutate } = retry;
  const columns = useMemo(() => jobColumns(mayRetry, mutate), [mayRetry, mutate]);
  const several = jobs.tasks.filter(({ failed }) => failed > 1);
  return (
    <Panel
      title={t`Failed jobs`}
      lead={t`They failed too often and have to be retried here. Data quoted in error messages is left out.`}
    >
      <ErrorNotice error={retry.error} text={(error) => t`Could not retry: ${error}`} />
      {mayRetry && several.length > 0 && (
        <StateList
          rows={several.map(({ task, failed }) => ({
            id: task,
            name: t`${task}: ${{ count: formatNumber(failed) }} failed`,
            end: (
              <Button
                variant="default"
                size="xs"
                loading={retry.isPending && retry.variables.task === task && retry.variables.id === undefined}
                onClick={() => mutate({ task })}
              >
                {t`Retry all`}
              </Button>
            ),
          }))}
        />
      )}
      {jobs.failed.length === 0 ? (
        <Text c="dimmed">{t`No job has failed.`}</Text>
      ) : (
        <DataTable label={t`Failed jobs`} rows={jobs.failed} columns={columns} minWidth="48rem" isPlain />
      )}
      {retry.data !== undefined && (
        <FloatingNotice kind="success" onClose={retry.reset}>
          {t`${plural({ count: retry.data.retried }, { one: '# job is', other: '# jobs are' })} due again.`}
        </FloatingNotice>
      )}
    </Panel>
  );
}
