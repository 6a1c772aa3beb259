import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { Fragment } from 'react';
import type { CaseFile } from '#contract/moderation/cases.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import type { ReportSource, StaffReport } from '#contract/moderation/staff-reports.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { languageName } from '../../../ui/text/detail-words.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { ReturningLink } from '../queue/way-back.tsx';
import { Bubble } from '../reports/ReportConversation.tsx';
import { EvidenceItems } from '../reports/ReportEvidence.tsx';
import { hasNewAnswer, PriorityTag, ReportStatusTag, UrgentMarks } from '../reports/ReportMarks.tsx';
import { rowTextLength } from '../reports/report-data.ts';
import { personWord, shortReportId, wordFor } from '../reports/report-words.ts';
import classes from './cases.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';

/** Who or what opened a case that no member reported. */
const openedWords: Partial<Record<ReportSource, MessageDescriptor>> = {
  own_initiative: msg({ message: 'Opened by {name} on their own initiative' }),
  outsider: msg`Notice from outside`,
  automatic: msg({ message: 'Opened by the automatic rule “{name}”' }),
};

/** The newest replies to a report, cut where they are long; a new answer is visible from the start. */
function Replies({ report }: { report: StaffReport }) {
  const { replies, replyCount } = report;
  const isCut = (message: string) => message.length >= rowTextLength;
  const isPart = replyCount > replies.length || replies.some(({ message }) => isCut(message));
  return (
    <Disclosure
      title={t`${plural({ count: replyCount }, { one: '# reply', other: '# replies' })}`}
      heading="h3"
      startsOpen={hasNewAnswer(report)}
      isPlain
    >
      <Stack component="ol" gap="0.75rem" aria-label={t`Replies`}>
        {replies.map(({ _id, message, repliedBy, repliedAt }) => (
          <Bubble
            key={_id}
            side={repliedBy.name === personWord(report.user) ? 'start' : 'end'}
            who={<strong dir="auto">{repliedBy.name}</strong>}
            at={repliedAt}
            text={isCut(message) ? `${message}…` : message}
          />
        ))}
      </Stack>
      {isPart && <ReturningLink to={`/reports/${report._id}`}>{t`All replies`}</ReturningLink>}
    </Disclosure>
  );
}

interface CaseReportProps {
  report: StaffReport;
  evidence: CaseFile['evidence'];
  /** The evidence is visible from the start. */
  isShown?: boolean;
}

/** One report of a case, with the evidence that was stored when it was filed. */
export function CaseReport({ report, evidence, isShown = false }: CaseReportProps) {
  const opened = openedWords[report.source];
  const frozen = evidence.find(({ reportId }) => reportId === report._id);
  return (
    <li className={classes.report}>
      <Group gap="0.35rem 0.6rem">
        <ReturningLink to={`/reports/${report._id}`} title={report._id} className={classes.reportId}>
          {shortReportId(report._id)}
        </ReturningLink>
        <strong>{t(reportTypeWords[report.problem_type])}</strong>
        <PriorityTag priority={report.priority} />
        <ReportStatusTag status={report.status} />
        <UrgentMarks report={report} />
      </Group>
      <UserText>{report.description}</UserText>
      <Hint>
        {opened ? fill(opened, { name: personWord(report.user) }) : <bdi>{personWord(report.user)}</bdi>} ·{' '}
        <Time at={report.createdAt} />
        {report.language != null && ` · ${t`${{ language: languageName(report.language) }} (detected)`}`}
      </Hint>
      {report.notices?.map(({ type, text, at }) => (
        <Fragment key={`${type} ${text}`}>
          <UserText>{text}</UserText>
          <Hint>
            {t`Another notice`} · {wordFor(outsiderTypes, type)} · <Time at={at} />
          </Hint>
        </Fragment>
      ))}
      {report.replies.length > 0 && <Replies report={report} />}
      {frozen !== undefined && (
        <Disclosure
          title={t`Evidence of report ${{ id: shortReportId(report._id) }}`}
          heading="h3"
          isLazy
          startsOpen={isShown}
          isPlain
        >
          <EvidenceItems {...frozen} evidence={frozen.items} />
        </Disclosure>
      )}
    </li>
  );
}
