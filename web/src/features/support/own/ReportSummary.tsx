import type { OwnReport, StaffReport } from '#contract/moderation/report.ts';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './ReportSummary.module.css';
import { isolated, statusSentence, statusTones, statusWords } from './support-words.ts';

interface ReportSummaryProps {
  report: OwnReport | StaffReport;
  isAnswered: boolean;
}

/** What a report is about and how it stands. What is decided about somebody else is not told. */
export function ReportSummary({ report, isAnswered }: ReportSummaryProps) {
  const t = useText();
  const locale = useLocale();
  const { problem_type, status, priority, createdAt, reportedUser } = report;
  return (
    <div className={classes.summary}>
      <div className={classes.head}>
        <p className={classes.type}>{t(problem_type)}</p>
        <Tag tone={statusTones[status]} hasDot>
          {t(statusWords[status])}
        </Tag>
      </div>
      <p className={classes.facts}>
        {reportedUser?.name && <span>{t('About {name}', { name: isolated(reportedUser.name) })}</span>}
        <time dateTime={createdAt} title={formatExactTime(createdAt, locale)}>
          {t('Sent {date}', { date: formatDate(createdAt, locale) })}
        </time>
      </p>
      <p className={classes.state}>{statusSentence(status, priority, isAnswered, t)}</p>
      {reportedUser !== null && (
        <p className={classes.quiet}>
          {t('Nobody learns from us who reported them, and what we decide about somebody stays between us and them.')}
        </p>
      )}
    </div>
  );
}
