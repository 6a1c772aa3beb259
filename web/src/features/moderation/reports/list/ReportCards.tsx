import { useRef } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { formatDate, formatExactTime, formatNumber } from '../../../../ui/text/format.ts';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { useRowLinks } from '../../../../ui/data/use-row-links.ts';
import { ReportActions } from '../detail/ReportActions.tsx';
import { PriorityTag, ReportStatusTag, UrgentMarks } from './ReportMarks.tsx';
import { type ReportItemProps, ReportLink } from './ReportRow.tsx';
import type { ReportListProps } from './ReportsTable.tsx';
import { personWord } from '../report-words.ts';
import classes from './ReportCards.module.css';

function Facts({ report }: { report: StaffReport }) {
  const t = useText();
  const locale = useLocale();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('User')}</dt>
        <dd>
          <bdi>{personWord(report.user, t)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('Type')}</dt>
        <dd>{t(report.problem_type)}</dd>
      </div>
      <div>
        <dt>{t('Date')}</dt>
        <dd>
          <time dateTime={report.createdAt} title={formatExactTime(report.createdAt, locale)}>
            {formatDate(report.createdAt, locale)}
          </time>
        </dd>
      </div>
      <div>
        <dt>{t('Replies')}</dt>
        <dd>{formatNumber(report.replyCount, locale)}</dd>
      </div>
    </dl>
  );
}

function ReportCard({ report, isCurrent, isNews, onCurrent, from, ...commands }: ReportItemProps) {
  return (
    <li
      className={classes.card}
      data-card
      data-row
      data-news={isNews || undefined}
      aria-current={isCurrent || undefined}
      onFocus={() => onCurrent(report._id)}
    >
      <div className={classes.top}>
        <ReportLink report={report} from={from} />
        <span className={classes.tags}>
          <PriorityTag priority={report.priority} />
          <ReportStatusTag status={report.status} />
        </span>
      </div>
      <p className={classes.description} dir="auto">
        {report.description}
      </p>
      <UrgentMarks report={report} />
      <Facts report={report} />
      <ReportActions report={report} {...commands} />
    </li>
  );
}

/** One page of reports as cards, for narrow screens. */
export function ReportCards({ reports, currentId, news, isBusy, ...card }: ReportListProps) {
  const t = useText();
  const list = useRef<HTMLUListElement>(null);
  useRowLinks(list);
  return (
    <ul ref={list} className={classes.cards} aria-label={t('Reports')} aria-busy={isBusy}>
      {reports.map((report) => (
        <ReportCard
          key={report._id}
          report={report}
          isCurrent={report._id === currentId}
          isNews={news.has(report._id)}
          {...card}
        />
      ))}
    </ul>
  );
}
