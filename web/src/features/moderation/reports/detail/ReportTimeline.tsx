import type { TimelineEntry } from '#contract/moderation/report.ts';
import { formatExactTime, formatTime } from '../../../../ui/text/format.ts';
import { Panel } from '../../../../ui/layout/Panel.tsx';
import { RichText } from '../../../../ui/data/RichText.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { actorRoles, timelineSentence } from './report-timeline-words.ts';
import classes from './ReportTimeline.module.css';

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useText();
  const locale = useLocale();
  const { text, from, to } = timelineSentence(entry);
  const { name, role } = entry.actor;
  return (
    <li className={classes.entry} data-kind={entry.kind}>
      <p className={classes.sentence}>
        <RichText
          text={text}
          parts={{
            actor: <strong dir="auto">{name.trim() === '' ? t('Unknown') : name}</strong>,
            from: <span>{t(from)}</span>,
            to: <strong>{t(to)}</strong>,
          }}
        />
      </p>
      {entry.reason !== null && (
        <p className={classes.reason} dir="auto">
          {entry.reason}
        </p>
      )}
      <p className={classes.when}>
        <time dateTime={entry.at} title={formatExactTime(entry.at, locale)}>
          {formatTime(entry.at, locale)}
        </time>{' '}
        · {t(actorRoles[role])}
      </p>
    </li>
  );
}

/** Everything that happened to a report, oldest first, in words. */
export function ReportTimeline({ timeline }: { timeline: readonly TimelineEntry[] }) {
  const t = useText();
  return (
    <Panel title={t('Timeline')}>
      {timeline.length === 0 ? (
        <p className={classes.none}>{t('Nothing has happened yet.')}</p>
      ) : (
        <ol className={classes.entries}>
          {timeline.map((entry) => (
            <Entry key={entry._id} entry={entry} />
          ))}
        </ol>
      )}
    </Panel>
  );
}
