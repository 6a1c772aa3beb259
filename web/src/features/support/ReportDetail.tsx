import type { OwnReport, ReportReply, StaffReport } from '#contract/moderation/report.ts';
import { Tag } from '../../ui/data/Tag.tsx';
import { formatDate, formatExactTime, formatTime } from '../../ui/text/format.ts';
import { t } from '../../ui/text/text.ts';
import classes from './support.module.css';
import { isFromSupport, isolated, statusSentence, statusTones, statusWords } from './words.ts';

function Entry({ entry }: { entry: ReportReply }) {
  const isSupport = isFromSupport(entry);
  return (
    <li className={classes.entry} data-from={isSupport ? 'support' : 'me'}>
      <p className={classes.entryHead}>
        <span className={classes.entryWho}>{isSupport ? t('Support team') : t('You')}</span>
        <time dateTime={entry.repliedAt} title={formatExactTime(entry.repliedAt)}>
          {formatTime(entry.repliedAt)}
        </time>
      </p>
      <p className={classes.entryText} dir="auto">
        {entry.message}
      </p>
    </li>
  );
}

/** The conversation about a report, oldest first; new entries are announced. */
export function Conversation({ entries }: { entries: readonly ReportReply[] }) {
  return (
    <div role="log" aria-label={t('Conversation')}>
      <ol className={classes.entryEntries}>
        {entries.map((entry) => (
          <Entry key={entry._id} entry={entry} />
        ))}
      </ol>
    </div>
  );
}

interface ReportSummaryProps {
  report: OwnReport | StaffReport;
  isAnswered: boolean;
}

/** What a report is about, and its status. Decisions about other people are not shown. */
export function ReportSummary({ report, isAnswered }: ReportSummaryProps) {
  const { problem_type, status, priority, createdAt, reportedUser } = report;
  return (
    <div className={classes.summary}>
      <div className={classes.summaryHead}>
        <p className={classes.summaryType}>{t(problem_type)}</p>
        <Tag tone={statusTones[status]} hasDot>
          {t(statusWords[status])}
        </Tag>
      </div>
      <p className={classes.summaryFacts}>
        {reportedUser?.name && <span>{t('About {name}', { name: isolated(reportedUser.name) })}</span>}
        <time dateTime={createdAt} title={formatExactTime(createdAt)}>
          {t('Sent {date}', { date: formatDate(createdAt) })}
        </time>
      </p>
      <p className={classes.summaryState}>{statusSentence(status, priority, isAnswered)}</p>
      {reportedUser !== null && (
        <p className={classes.summaryQuiet}>
          {t('We never tell people who reported them, and our decisions stay between us and the person concerned.')}
        </p>
      )}
    </div>
  );
}
