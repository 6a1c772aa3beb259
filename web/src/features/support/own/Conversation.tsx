import type { ReportReply } from '#contract/moderation/report.ts';
import { formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from './Conversation.module.css';
import { isFromSupport } from './support-words.ts';

function Entry({ entry }: { entry: ReportReply }) {
  const t = useText();
  const locale = useLocale();
  const isSupport = isFromSupport(entry);
  return (
    <li className={classes.entry} data-from={isSupport ? 'support' : 'me'}>
      <p className={classes.head}>
        <span className={classes.who}>{isSupport ? t('Support team') : t('You')}</span>
        <time dateTime={entry.repliedAt} title={formatExactTime(entry.repliedAt, locale)}>
          {formatTime(entry.repliedAt, locale)}
        </time>
      </p>
      <p className={classes.text} dir="auto">
        {entry.message}
      </p>
    </li>
  );
}

/** Everything said on a report, oldest first; what arrives meanwhile is read out. */
export function Conversation({ entries }: { entries: readonly ReportReply[] }) {
  const t = useText();
  return (
    <div role="log" aria-label={t('Conversation')}>
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <Entry key={entry._id} entry={entry} />
        ))}
      </ol>
    </div>
  );
}
