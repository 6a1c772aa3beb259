import { Link } from 'react-router';
import type { CaseMoment } from '#contract/moderation/cases.ts';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { t } from '../../../ui/text/text.ts';
import { actorRoles, shortReportId } from '../reports/report-words.ts';
import classes from '../reports/conversation.module.css';
import { momentSentence } from './case-words.ts';

function Moment({ moment }: { moment: CaseMoment }) {
  const { text, from, to } = momentSentence(moment);
  const { name, role } = moment.actor;
  const who = name.trim() === '' ? t(role === 'system' ? 'System' : 'Unknown') : name;
  return (
    <li className={classes.entry} data-kind={moment.kind}>
      <p className={classes.sentence}>
        <RichText
          text={text}
          parts={{
            actor: <strong dir="auto">{who}</strong>,
            from: <span>{t(from)}</span>,
            to: <strong dir="auto">{t(to)}</strong>,
            report: moment.reportId && <Link to={`/reports/${moment.reportId}`}>{shortReportId(moment.reportId)}</Link>,
          }}
        />
      </p>
      {moment.reason !== null && (
        <p className={classes.reason} dir="auto">
          {moment.reason}
        </p>
      )}
      <p className={classes.when}>
        <Time at={moment.at} /> · {t(role === 'member' ? 'Member' : actorRoles[role])}
      </p>
    </li>
  );
}

/** Everything that happened to a case and to the reports in it, newest first. */
export function CaseTimeline({ timeline }: { timeline: readonly CaseMoment[] }) {
  return (
    <Panel title={t('Timeline')} lead={t('The case and all its reports, newest first')}>
      <ol className={classes.entries}>
        {timeline.map((moment) => (
          <Moment key={moment._id} moment={moment} />
        ))}
      </ol>
    </Panel>
  );
}
