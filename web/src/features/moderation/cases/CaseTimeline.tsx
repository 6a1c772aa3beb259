import { Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { CaseMoment } from '#contract/moderation/cases.ts';
import { Panel } from '../../../ui/layout/Page.tsx';
import { t } from '../../../ui/text/text.ts';
import { Moment } from '../reports/ReportConversation.tsx';
import { actorRoles, shortReportId } from '../reports/report-words.ts';
import { momentSentence } from './case-words.ts';

function Line({ moment }: { moment: CaseMoment }) {
  const { text, from, to } = momentSentence(moment);
  const { name, role } = moment.actor;
  const who = name.trim() === '' ? t(role === 'system' ? 'System' : 'Unknown') : name;
  return (
    <Moment
      {...moment}
      text={text}
      parts={{
        actor: <strong dir="auto">{who}</strong>,
        from: <span>{t(from)}</span>,
        to: <strong dir="auto">{t(to)}</strong>,
        report: moment.reportId && <Link to={`/reports/${moment.reportId}`}>{shortReportId(moment.reportId)}</Link>,
      }}
      role={t(role === 'member' ? 'Member' : actorRoles[role])}
    />
  );
}

/** Everything that happened to a case and to the reports in it, newest first. */
export function CaseTimeline({ timeline }: { timeline: readonly CaseMoment[] }) {
  return (
    <Panel title={t('Timeline')} lead={t('The case and all its reports, newest first')}>
      <Stack component="ol" gap={0}>
        {timeline.map((moment) => (
          <Line key={moment._id} moment={moment} />
        ))}
      </Stack>
    </Panel>
  );
}
