import { memo } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { formatDate, formatExactTime, formatNumber } from '../../../../ui/text/format.ts';
import { Link } from '../../../../ui/layout/Link.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { ReportActions, type ReportCommands } from '../detail/ReportActions.tsx';
import { PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { personWord, shortReportId } from '../report-words.ts';
import classes from './ReportsTable.module.css';

export interface ReportItemProps extends ReportCommands {
  report: StaffReport;
  /** The one the keys act on. */
  isCurrent: boolean;
  /** Somebody else changed it a moment ago. */
  isNews: boolean;
  onCurrent: (id: string) => void;
  /** The list's own address, for the way back. */
  from: string;
}

/** The link that opens a report; a click anywhere in its row or card does the same. */
export function ReportLink({ report, from }: { report: StaffReport; from: string }) {
  return (
    <Link
      id={linkId(report._id)}
      to={`/reports/${report._id}`}
      state={{ from }}
      className={classes.link}
      title={report._id}
    >
      {shortReportId(report._id)}
    </Link>
  );
}

/** The document id of a report's link, where the focus goes when the report becomes the current one. */
export function linkId(reportId: string): string {
  return `report-${reportId}`;
}

/** One report as a table row. */
export const ReportRow = memo(function ReportRow({
  report,
  isCurrent,
  isNews,
  onCurrent,
  from,
  ...commands
}: ReportItemProps) {
  const t = useText();
  const locale = useLocale();
  const name = personWord(report.user, t);
  return (
    <tr
      className={classes.row}
      data-row
      aria-current={isCurrent || undefined}
      data-news={isNews || undefined}
      onFocus={() => onCurrent(report._id)}
    >
      <td>
        <ReportLink report={report} from={from} />
      </td>
      <td>
        <span className={classes.description} dir="auto">
          {report.description}
        </span>
        <UrgentMarks report={report} />
      </td>
      <td>
        <span className={classes.name} title={name} dir="auto">
          {name}
        </span>
        <span className={classes.soft} title={report.user.email ?? undefined} dir="auto">
          {report.user.email ?? '—'}
        </span>
      </td>
      <td>{t(report.problem_type)}</td>
      <td className={classes.badge}>
        <PriorityTag priority={report.priority} />
      </td>
      <td className={classes.badge}>
        <ReportStatusTag status={report.status} />
      </td>
      <td>
        <time dateTime={report.createdAt} title={formatExactTime(report.createdAt, locale)}>
          {formatDate(report.createdAt, locale)}
        </time>
      </td>
      <td className={classes.number}>{formatNumber(report.replyCount, locale)}</td>
      <td>
        <ReportActions report={report} {...commands} />
      </td>
    </tr>
  );
});
