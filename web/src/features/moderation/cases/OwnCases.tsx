import { t } from '@lingui/core/macro';
import { type CaseOpener, listOwnCases, ownCaseDays, ownCaseShareFrom } from '#contract/moderation/own-cases.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { formatNumber } from '../../../ui/text/format.ts';
import classes from './queue.module.css';

/** How many cases ended without action, as a share; a few say nothing about anyone. */
function shareText({ decided, withoutAction }: CaseOpener): string {
  if (withoutAction === null) return t`Shown from ${{ count: formatNumber(ownCaseShareFrom) }} decided`;
  return t`${{ count: formatNumber(withoutAction) }} (${{ share: formatNumber(Math.round((100 * withoutAction) / decided)) }} %)`;
}

const columns: TableColumn<CaseOpener>[] = [
  { id: 'name', header: () => t`Colleague`, card: 'head', cell: ({ name }) => <bdi>{name}</bdi> },
  { id: 'opened', header: () => t`Opened`, isNumber: true, cell: ({ opened }) => formatNumber(opened) },
  { id: 'decided', header: () => t`Decided`, isNumber: true, cell: ({ decided }) => formatNumber(decided) },
  { id: 'without', header: () => t`Without action`, isNumber: true, cell: shareText },
];

/** The cases that colleagues opened themselves, for senior moderators. */
export const useOwnCases = () => useEndpoint(listOwnCases, {}, { enabled: useMay('cases.lead') });

/** For senior moderators: the cases that each colleague opened on their own initiative, and how many ended without action. */
export function OwnCases() {
  const { openers = [] } = useOwnCases().data ?? {};
  if (openers.length === 0) return null;
  return (
    <details className={classes.timesLine}>
      <summary>
        <span>{t`Opened on our own initiative in the last ${{ days: ownCaseDays }} days`}</span>
        <span className={classes.time}>{formatNumber(openers.reduce((sum, { opened }) => sum + opened, 0))}</span>
      </summary>
      <DataTable label={t`Cases opened on own initiative`} rows={openers} columns={columns} />
    </details>
  );
}
