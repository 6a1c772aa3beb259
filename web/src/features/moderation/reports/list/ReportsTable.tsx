import { useRef } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { useText } from '../../../../ui/text/text.ts';
import { useRowLinks } from '../../../../ui/data/use-row-links.ts';
import type { ReportCommands } from '../detail/ReportActions.tsx';
import { ReportRow } from './ReportRow.tsx';
import classes from './ReportsTable.module.css';

export interface ReportListProps extends ReportCommands {
  reports: readonly StaffReport[];
  currentId: string | null;
  onCurrent: (id: string) => void;
  /** Whom somebody else changed a moment ago. */
  news: ReadonlySet<string>;
  from: string;
  /** The rows are still those of the filters before. */
  isBusy: boolean;
}

const columns: readonly { name: string; className: string }[] = [
  { name: 'ID', className: 'id' },
  { name: 'Description', className: 'text' },
  { name: 'User', className: 'user' },
  { name: 'Type', className: 'type' },
  { name: 'Priority', className: 'priority' },
  { name: 'Status', className: 'status' },
  { name: 'Date', className: 'date' },
  { name: 'Replies', className: 'replies' },
  { name: 'Actions', className: 'buttons' },
];

/** One page of reports as a table. */
export function ReportsTable({ reports, currentId, news, isBusy, ...row }: ReportListProps) {
  const t = useText();
  const region = useRef<HTMLDivElement>(null);
  useRowLinks(region);
  return (
    <div
      ref={region}
      role="region"
      className={classes.region}
      aria-label={t('Reports table')}
      aria-busy={isBusy}
      tabIndex={0}
    >
      <table className={classes.table} aria-label={t('Reports')}>
        <thead>
          <tr>
            {columns.map(({ name, className }) => (
              <th key={name} scope="col" className={classes[className]}>
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <ReportRow
              key={report._id}
              report={report}
              isCurrent={report._id === currentId}
              isNews={news.has(report._id)}
              {...row}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
