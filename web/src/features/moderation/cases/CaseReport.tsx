import { Group } from '@mantine/core';
import { Fragment } from 'react';
import type { CaseFile } from '#contract/moderation/cases.ts';
import { outsiderTypes } from '#contract/moderation/outsider-types.ts';
import type { ReportSource, StaffReport } from '#contract/moderation/reports.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { t } from '../../../ui/text/text.ts';
import { EvidenceItems } from '../reports/ReportEvidence.tsx';
import { PriorityTag, ReportStatusTag, UrgentMarks } from '../reports/ReportMarks.tsx';
import { personWord, shortReportId } from '../reports/report-words.ts';
import { hasReporter } from './case-words.ts';
import classes from './cases.module.css';
import { UserText } from '../../../ui/data/RichText.tsx';
import { IdLink } from '../../../ui/data/table/cells.tsx';

/** Who or what opened a case that no member reported. */
const openedWords: Partial<Record<ReportSource, string>> = {
  own_initiative: 'Opened by {name} on their own initiative',
  outsider: 'Notice from outside',
  automatic: 'Opened by the automatic rule “{name}”',
};

interface CaseReportProps {
  report: StaffReport;
  evidence: CaseFile['evidence'];
  /** The evidence is visible from the start. */
  isShown?: boolean;
}

/** One report of a case, with the evidence that was stored when it was filed. */
export function CaseReport({ report, evidence, isShown = false }: CaseReportProps) {
  const frozen = evidence.find(({ reportId }) => reportId === report._id);
  return (
    <li className={classes.report}>
      <Group gap="0.35rem 0.6rem">
        <IdLink to={`/reports/${report._id}`} title={report._id}>
          {shortReportId(report._id)}
        </IdLink>
        <strong>{t(report.problem_type)}</strong>
        <PriorityTag priority={report.priority} />
        <ReportStatusTag status={report.status} />
        <UrgentMarks report={report} />
      </Group>
      <UserText>{report.description}</UserText>
      <Hint>
        {hasReporter(report) ? (
          <bdi>{personWord(report.user)}</bdi>
        ) : (
          t(openedWords[report.source] ?? '', { name: personWord(report.user) })
        )}{' '}
        · <Time at={report.createdAt} />
        {report.replyCount > 0 &&
          ` · ${t('{count, plural, one {# reply} other {# replies}}', { count: report.replyCount })}`}
      </Hint>
      {report.notices?.map(({ type, text, at }) => (
        <Fragment key={`${type} ${text}`}>
          <UserText>{text}</UserText>
          <Hint>
            {t('Another notice')} · {t((outsiderTypes as Record<string, string>)[type] ?? type)} · <Time at={at} />
          </Hint>
        </Fragment>
      ))}
      {frozen !== undefined && (
        <Disclosure
          title={t('Evidence of report {id}', { id: shortReportId(report._id) })}
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
