import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { CaseFile } from '#contract/moderation/cases.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import type { ReportSource, StaffReport } from '#contract/moderation/staff-reports.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { languageName } from '../../../ui/text/detail-words.ts';
import { fill } from '../../../ui/text/i18n.ts';
import { EvidenceItems } from '../reports/ReportEvidence.tsx';
import { PriorityTag, ReportStatusTag, UrgentMarks } from '../reports/ReportMarks.tsx';
import { personWord, shortReportId, wordFor } from '../reports/report-words.ts';
import classes from './cases.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';

/** Who or what opened a case that no member reported. */
const openedWords: Partial<Record<ReportSource, MessageDescriptor>> = {
  own_initiative: msg({ message: 'Opened by {name} on their own initiative' }),
  outsider: msg`Notice from outside`,
  automatic: msg({ message: 'Opened by the automatic rule “{name}”' }),
};

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
        <Link to={`/reports/${report._id}`} title={report._id} className={classes.reportId}>
          {shortReportId(report._id)}
        </Link>
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
        {report.replyCount > 0 &&
          ` · ${t`${plural({ count: report.replyCount }, { one: '# reply', other: '# replies' })}`}`}
      </Hint>
      {report.notices?.map(({ type, text, at }) => (
        <Fragment key={`${type} ${text}`}>
          <UserText>{text}</UserText>
          <Hint>
            {t`Another notice`} · {wordFor(outsiderTypes, type)} · <Time at={at} />
          </Hint>
        </Fragment>
      ))}
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
