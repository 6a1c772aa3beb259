import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { OwnReport } from '#contract/moderation/reports.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './support.module.css';
import { shortReportId, statusTone, statusWord } from './words.ts';

function ReportRow({ report }: { report: OwnReport }) {
  const { _id, problem_type, status, createdAt, reportedUser, description, isUnread } = report;
  return (
    <li>
      <Link to={`/app/support/${_id}`} className={classes.listRow} data-unread={isUnread || undefined}>
        <span className={classes.listHead}>
          <span className={classes.listType}>{t(problem_type)}</span>
          <span className={classes.listTags}>
            {isUnread && <Tag tone="accent">{t('New')}</Tag>}
            <Tag tone={statusTone(status)} hasDot>
              {statusWord(status)}
            </Tag>
          </span>
        </span>
        <span className={classes.listText} dir="auto">
          {description}
        </span>
        <span className={classes.listFacts}>
          {reportedUser?.name && (
            <span className={classes.listAbout}>{t('About {name}', { name: reportedUser.name })}</span>
          )}
          <time dateTime={createdAt} title={formatExactTime(createdAt)}>
            {formatDate(createdAt)}
          </time>
          <span className={classes.listId}>{t('#{id}', { id: shortReportId(_id) })}</span>
        </span>
      </Link>
    </li>
  );
}

interface ReportListProps {
  reports: readonly OwnReport[];
  total: number;
  isBusy: boolean;
  onMore: () => void;
}

/** The member's own reports, each with a link to its conversation. Rows added by 'Load more' take the focus. */
export function ReportList({ reports, total, isBusy, onMore }: ReportListProps) {
  const list = useRef<HTMLUListElement>(null);
  const askedBeyond = useRef<number | null>(null);

  useEffect(() => {
    const first = askedBeyond.current;
    if (first === null || reports.length <= first) return;
    askedBeyond.current = null;
    list.current?.querySelectorAll<HTMLElement>('a')[first]?.focus();
  }, [reports.length]);

  return (
    <>
      <ul ref={list} className={classes.list} aria-label={t('Your reports')}>
        {reports.map((report) => (
          <ReportRow key={report._id} report={report} />
        ))}
      </ul>
      {reports.length < total && (
        <div className={classes.listMore}>
          <p className={classes.listCount}>{t('{shown} of {total}', { shown: reports.length, total })}</p>
          <BusyButton
            variant="default"
            isBusy={isBusy}
            busyText={t('Loading...')}
            onClick={() => {
              askedBeyond.current = reports.length;
              onMore();
            }}
          >
            {t('Load more')}
          </BusyButton>
        </div>
      )}
    </>
  );
}

/** The list's layout while it loads. */
export function ReportsSkeleton() {
  return (
    <div className={classes.list}>
      {['1', '2', '3', '4', '5', '6', '7'].map((row) => (
        <Skeleton key={row} height="7.2rem" />
      ))}
    </div>
  );
}

/** Says below the list that it could not be refreshed. */
export function ReloadNotice({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) return null;
  return (
    <div className={classes.reloadPlace}>
      <Notice kind="warning" onRetry={onRetry}>
        {t('This may be out of date: {error}', { error: t(error.message) })}
      </Notice>
    </div>
  );
}
