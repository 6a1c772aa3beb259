import { IconCheck, IconMessageReply } from '@tabler/icons-react';
import { createColumnHelper } from '@tanstack/react-table';
import { createContext, use, useMemo } from 'react';
import { Link } from 'react-router';
import type { StaffReport } from '#contract/moderation/report.ts';
import { CutText, DataTable, type dataTableFeatures, RowAction, RowActions } from '../../../ui/data/DataTable.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { personWord, shortReportId, statusWords } from './report-words.ts';
import classes from './reports.module.css';
import { linkId } from './use-list-rows.ts';

/** What cells need beyond their report; the functions are stable. */
interface ReportRowContext {
  /** The list's own address, for the way back. */
  from: string;
  onReply: (report: StaffReport) => void;
  onResolve: (report: StaffReport, isByKeyboard: boolean) => void;
}

const RowContext = createContext<ReportRowContext | null>(null);

function useRowContext(): ReportRowContext {
  const context = use(RowContext);
  if (context === null) throw new Error('A cell of the reports table is outside of it');
  return context;
}

/** The link that opens a report; a click anywhere in its row or card does the same. */
function ReportLink({ id }: { id: string }) {
  return (
    <Link
      id={linkId(id)}
      to={`/reports/${id}`}
      state={{ from: useRowContext().from }}
      className={classes.link}
      title={id}
    >
      {shortReportId(id)}
    </Link>
  );
}

function Description({ report }: { report: StaffReport }) {
  return (
    <div>
      <span className={classes.description} dir="auto">
        {report.description}
      </span>
      <UrgentMarks report={report} />
    </div>
  );
}

function Reporter({ report: { user } }: { report: StaffReport }) {
  return (
    <>
      <strong>
        <CutText text={personWord(user)} />
      </strong>
      <CutText text={user.email ?? '—'} isSoft />
    </>
  );
}

function Type({ report }: { report: StaffReport }) {
  return t(report.problem_type);
}

function Replies({ report }: { report: StaffReport }) {
  return formatNumber(report.replyCount);
}

/** Reply, and mark resolved where that step is legal. */
function Actions({ report }: { report: StaffReport }) {
  const { onReply, onResolve } = useRowContext();
  const id = shortReportId(report._id);
  const canResolve = report.can.status.includes('resolved');
  return (
    <RowActions>
      <RowAction
        label={t('Reply to report #{id}', { id })}
        text={t('Reply')}
        icon={<IconMessageReply size={18} stroke={1.75} aria-hidden="true" />}
        onClick={() => onReply(report)}
      />
      <RowAction
        label={t('Mark resolved: report #{id}', { id })}
        text={t('Mark resolved')}
        title={
          canResolve ? t('Mark resolved') : t('Not possible from {status}', { status: t(statusWords[report.status]) })
        }
        icon={<IconCheck size={18} stroke={2} aria-hidden="true" />}
        tone="positive"
        isDisabled={!canResolve}
        onClick={({ detail }) => {
          // The second click of a double click would hit the row that moved up.
          if (detail <= 1) onResolve(report, detail === 0);
        }}
      />
    </RowActions>
  );
}

const column = createColumnHelper<typeof dataTableFeatures, StaffReport>();

const columns = column.columns([
  column.display({
    id: 'id',
    header: 'ID',
    meta: { card: 'head', width: '6.1rem', tabletWidth: '4.8rem' },
    cell: ({ row }) => <ReportLink id={row.original._id} />,
  }),
  column.display({
    id: 'description',
    header: 'Description',
    meta: { card: 'body' },
    cell: ({ row }) => <Description report={row.original} />,
  }),
  column.display({
    id: 'user',
    header: 'User',
    meta: { width: '11rem', tabletWidth: '7.5rem' },
    cell: ({ row }) => <Reporter report={row.original} />,
  }),
  column.display({
    id: 'type',
    header: 'Type',
    meta: { width: '8rem', tabletWidth: '6rem' },
    cell: ({ row }) => <Type report={row.original} />,
  }),
  column.display({
    id: 'priority',
    header: 'Priority',
    meta: { card: 'tags', width: '6.9rem', tabletWidth: '6.3rem' },
    cell: ({ row }) => <PriorityTag priority={row.original.priority} />,
  }),
  column.display({
    id: 'status',
    header: 'Status',
    meta: { card: 'tags', width: '8.1rem', tabletWidth: '7.5rem' },
    cell: ({ row }) => <ReportStatusTag status={row.original.status} />,
  }),
  column.display({
    id: 'date',
    header: 'Date',
    meta: { width: '8.1rem', tabletWidth: '5.4rem' },
    cell: ({ row }) => <Time at={row.original.createdAt} isDate />,
  }),
  column.display({
    id: 'replies',
    header: 'Replies',
    meta: { width: '5.4rem', tabletWidth: '3.9rem', isNumber: true },
    cell: ({ row }) => <Replies report={row.original} />,
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { card: 'actions', width: '6.1rem', tabletWidth: '5.3rem' },
    cell: ({ row }) => <Actions report={row.original} />,
  }),
]);

interface ReportsTableProps extends ReportRowContext {
  reports: readonly StaffReport[];
  currentId: string | null;
  onCurrent: (id: string) => void;
  /** Reports that a colleague just changed. */
  changedIds: ReadonlySet<string>;
  /** The rows are still those of the previous filters. */
  isBusy: boolean;
}

const reportId = ({ _id }: StaffReport) => _id;

/** One page of reports as a table, or as cards on narrow screens. */
export function ReportsTable(props: ReportsTableProps) {
  const { reports, currentId, onCurrent, changedIds, isBusy, from, onReply, onResolve } = props;
  const context = useMemo(() => ({ from, onReply, onResolve }), [from, onReply, onResolve]);
  return (
    <RowContext value={context}>
      <DataTable
        label={t('Reports')}
        rows={reports}
        rowId={reportId}
        columns={columns}
        minWidth="62rem"
        tabletMinWidth="56rem"
        isBusy={isBusy}
        currentId={currentId}
        changedIds={changedIds}
        onRowFocus={onCurrent}
        hasRowLinks
      />
    </RowContext>
  );
}
