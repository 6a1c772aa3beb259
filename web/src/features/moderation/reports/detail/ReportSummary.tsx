import { Button } from '@mantine/core';
import { IconMessageReply } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ReportPerson, StaffReport } from '#contract/moderation/report.ts';
import { formatExactTime, formatTime } from '../../../../ui/text/format.ts';
import { Link } from '../../../../ui/layout/Link.tsx';
import { Panel } from '../../../../ui/layout/Panel.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { UrgentMarks } from '../list/ReportMarks.tsx';
import classes from './ReportSummary.module.css';
import { personWord } from '../report-words.ts';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PersonLink({ person }: { person: ReportPerson }) {
  const t = useText();
  const name = <bdi>{personWord(person, t)}</bdi>;
  return person._id === null ? name : <Link to={`/users/${person._id}`}>{name}</Link>;
}

function Moment({ time }: { time: string }) {
  const locale = useLocale();
  return (
    <time dateTime={time} title={formatExactTime(time, locale)}>
      {formatTime(time, locale)}
    </time>
  );
}

/** The report itself: what, by whom, about whom, when, and the whole description as it was typed. */
export function ReportSummary({ report, onReply }: { report: StaffReport; onReply: () => void }) {
  const t = useText();
  return (
    <Panel title={t(report.problem_type)} actions={<UrgentMarks report={report} />}>
      <p className={classes.description} dir="auto">
        {report.description}
      </p>
      <dl className={classes.facts}>
        <Fact name={t('Filed by')}>
          <PersonLink person={report.user} />
        </Fact>
        <Fact name={t('About')}>
          {report.reportedUser === null ? t('Nobody in particular') : <PersonLink person={report.reportedUser} />}
        </Fact>
        <Fact name={t('Filed')}>
          <Moment time={report.createdAt} />
        </Fact>
        {report.firstRespondedAt === null ? (
          <Fact name={t('First answer due')}>
            <Moment time={report.dueAt} />
          </Fact>
        ) : (
          <Fact name={t('First answered')}>
            <Moment time={report.firstRespondedAt} />
          </Fact>
        )}
      </dl>
      <div className={classes.actions}>
        <Button
          leftSection={<IconMessageReply size={17} stroke={1.75} aria-hidden="true" />}
          aria-keyshortcuts="r"
          onClick={onReply}
        >
          {t('Reply')}
        </Button>
      </div>
    </Panel>
  );
}
