import { t } from '@lingui/core/macro';
import { IconCheck, IconFolderOpen, IconMessageReply } from '@tabler/icons-react';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import { readableAddress } from '#contract/text.ts';
import { Address, CutText, IdLink, RowAction, RowActions } from '../../../ui/data/table/cells.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { linkId } from '../../../ui/data/table/use-row-keys.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { decidingCase } from './report-data.ts';
import { PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { personWord, shortReportId, statusWord } from './report-words.ts';
import classes from './reports.module.css';
import { useMay } from '../../../api/session/permission.ts';

interface ReportCommands {
  onReply: (report: StaffReport) => void;
  onResolve: (report: StaffReport, isByKeyboard: boolean) => void;
}

/** Buttons to reply, and to mark the report as resolved if that is possible, or else to open its case. */
function Actions({ report, onReply, onResolve }: ReportCommands & { report: StaffReport }) {
  const id = shortReportId(report._id);
  const canResolve = report.can.status.includes('resolved');
  const isForCase = canResolve && decidingCase(report, 'resolved') !== undefined;
  const maySeeCases = useMay('cases.list');
  if (!useMay('reports.handle')) return null;
  return (
    <RowActions>
      <RowAction
        label={t`Reply to report #${id}`}
        text={t`Reply`}
        icon={<IconMessageReply size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => onReply(report)}
      />
      {isForCase ? (
        <RowAction
          label={t`Open the case of report #${id}`}
          text={t`Open the case`}
          title={
            report.case?.needsDecision ?? t`${{ name: report.case?.handledBy ?? '' }} is handling this case right now.`
          }
          icon={<IconFolderOpen size={18} stroke={1.75} aria-hidden="true" />}
          isDisabled={!maySeeCases}
          onClick={() => onResolve(report, false)}
        />
      ) : (
        <RowAction
          label={t`Mark resolved: report #${id}`}
          text={t`Mark resolved`}
          title={canResolve ? t`Mark resolved` : t`Not possible from ${{ status: statusWord(report.status) }}`}
          icon={<IconCheck size={18} stroke={2} aria-hidden="true" />}
          tone="positive"
          isDisabled={!canResolve}
          onClick={({ detail }) => {
            // The second click of a double click would hit the row that has moved up.
            if (detail <= 1) onResolve(report, detail === 0);
          }}
        />
      )}
    </RowActions>
  );
}

/**
 * The columns of the list of reports. `from` is the list's URL, which the report links back to. The commands must
 * be stable functions.
 */
export function reportColumns(commands: ReportCommands, from: string): TableColumn<StaffReport>[] {
  return [
    {
      id: 'id',
      header: () => t`ID`,
      card: 'head',
      width: ['6.1rem', '4.8rem'],
      cell: ({ _id }) => (
        <IdLink id={linkId(_id)} to={`/reports/${_id}`} state={{ from }} title={_id} isStrong>
          {shortReportId(_id)}
        </IdLink>
      ),
    },
    {
      id: 'description',
      header: () => t`Description`,
      card: 'body',
      cell: (report) => (
        <div>
          <span className={classes.description} dir="auto">
            {report.description}
          </span>
          <UrgentMarks report={report} />
        </div>
      ),
    },
    {
      id: 'user',
      header: () => t`User`,
      width: ['12.5rem', '7.5rem'],
      cell: ({ user }) => (
        <>
          <strong>
            <CutText text={personWord(user)} />
          </strong>
          <Address isSoft>{user.email === null ? '—' : readableAddress(user.email)}</Address>
        </>
      ),
    },
    {
      id: 'type',
      header: () => t`Type`,
      width: ['8rem', '6rem'],
      cell: (report) => t(reportTypeWords[report.problem_type]),
    },
    {
      id: 'priority',
      header: () => t`Priority`,
      card: 'tags',
      width: ['6.9rem', '6.3rem'],
      cell: ({ priority }) => <PriorityTag priority={priority} />,
    },
    {
      id: 'status',
      header: () => t`Status`,
      card: 'tags',
      width: ['8.7rem', '8.1rem'],
      cell: ({ status }) => <ReportStatusTag status={status} />,
    },
    {
      id: 'date',
      header: () => t`Date`,
      width: ['7.5rem', '5.4rem'],
      cell: ({ createdAt }) => <Time at={createdAt} isDate />,
    },
    {
      id: 'replies',
      header: () => t`Replies`,
      width: ['5.4rem', '3.9rem'],
      isNumber: true,
      cell: ({ replyCount }) => formatNumber(replyCount),
    },
    {
      id: 'actions',
      header: () => t`Actions`,
      card: 'actions',
      width: ['6.1rem', '5.3rem'],
      cell: (report) => <Actions report={report} {...commands} />,
    },
  ];
}
