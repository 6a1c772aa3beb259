import { useEffect, useRef } from 'react';
import type { OwnReport } from '#contract/moderation/report.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { Link } from '../../../ui/layout/Link.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './ReportList.module.css';
import { isolated, shortReportId, statusTones, statusWords } from './support-words.ts';

function ReportRow({ report }: { report: OwnReport }) {
  const t = useText();
  const locale = useLocale();
  const { _id, problem_type, status, createdAt, reportedUser, description, isUnread } = report;
  return (
    <li>
      <Link to={`/app/support/${_id}`} className={classes.row} data-unread={isUnread || undefined}>
        <span className={classes.head}>
          <span className={classes.type}>{t(problem_type)}</span>
          <span className={classes.tags}>
            {isUnread && <Tag tone="accent">{t('New')}</Tag>}
            <Tag tone={statusTones[status]} hasDot>
              {t(statusWords[status])}
            </Tag>
          </span>
        </span>
        <span className={classes.text} dir="auto">
          {description}
        </span>
        <span className={classes.facts}>
          {reportedUser?.name && (
            <span className={classes.about}>{t('About {name}', { name: isolated(reportedUser.name) })}</span>
          )}
          <time dateTime={createdAt} title={formatExactTime(createdAt, locale)}>
            {formatDate(createdAt, locale)}
          </time>
          <span className={classes.id}>{t('#{id}', { id: shortReportId(_id) })}</span>
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

/** The member's own reports; each leads to its conversation. What 'Load more' brings takes the focus. */
export function ReportList({ reports, total, isBusy, onMore }: ReportListProps) {
  const t = useText();
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
        <div className={classes.more}>
          <p className={classes.count}>{t('{shown} of {total}', { shown: reports.length, total })}</p>
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
