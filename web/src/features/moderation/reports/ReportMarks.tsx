import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconChevronsUp, IconChevronUp, IconClockExclamation, IconEqual, IconMessageDots } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ReportPriority, ReportStatus } from '#contract/moderation/reports.ts';
import type { ReportPerson, StaffReport } from '#contract/moderation/staff-reports.ts';
import { Tag, type TagTone } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { personWord, priorityWord, statusTone, statusWord } from './report-words.ts';
import classes from './reports.module.css';

interface PriorityMark {
  tone: TagTone;
  Icon: typeof IconEqual | null;
}

const unmarked: PriorityMark = { tone: 'quiet', Icon: null };
const priorityMarks: Partial<Record<ReportPriority, PriorityMark>> = {
  critical: { tone: 'accent', Icon: IconChevronsUp },
  high: { tone: 'attention', Icon: IconChevronUp },
  medium: { tone: 'info', Icon: IconEqual },
  other: unmarked,
};

const icon = { size: 14, stroke: 2, 'aria-hidden': true } as const;

/** The status of a report. */
export function ReportStatusTag({ status }: { status: ReportStatus }) {
  return (
    <Tag tone={statusTone(status)} hasDot>
      {statusWord(status)}
    </Tag>
  );
}

/** The priority of a report. */
export function PriorityTag({ priority }: { priority: ReportPriority }) {
  const { tone, Icon } = priorityMarks[priority] ?? unmarked;
  return (
    <Tag tone={tone}>
      {Icon && <Icon {...icon} className={classes.icon} />}
      {priorityWord(priority)}
    </Tag>
  );
}

/** Whether the reporter has written something that staff haven't answered yet. */
export function hasNewAnswer({ awaitsStaff, replyCount }: Pick<StaffReport, 'awaitsStaff' | 'replyCount'>): boolean {
  return awaitsStaff && replyCount > 0;
}

/** Marks for what needs attention: an overdue answer, a new reply by the reporter, a person who may be a minor. */
export function UrgentMarks({ report }: { report: StaffReport }) {
  const isFromTeam = report.source === 'staff_message';
  if (!report.isOverdue && !report.mayBeMinor && !hasNewAnswer(report) && !isFromTeam) return null;
  return (
    <Group component="span" gap="0.3rem" display="inline-flex">
      {report.isOverdue && (
        <Tag tone="accent">
          <IconClockExclamation {...icon} className={classes.icon} />
          {t`Overdue`}
        </Tag>
      )}
      {hasNewAnswer(report) && (
        <Tag tone="info">
          <IconMessageDots {...icon} className={classes.icon} />
          {t`New answer`}
        </Tag>
      )}
      {report.mayBeMinor && <Tag tone="accent">{t`May be under 18`}</Tag>}
      {isFromTeam && <Tag tone="quiet">{t`${{ name: report.openedBy?.name ?? t`The team` }} wrote first`}</Tag>}
    </Group>
  );
}

/** A person in a report or case, linked to their page if the account still exists. */
export function PersonLink({ person }: { person: ReportPerson }) {
  const name = <bdi>{personWord(person)}</bdi>;
  return person._id === null ? name : <Link to={`/users/${person._id}`}>{name}</Link>;
}

/** The person that a panel is about, and whether their account is inactive or no longer exists. */
export function PersonHead({ person }: { person: ReportPerson & { isActive: boolean } }) {
  return (
    <Group gap="0.25rem 0.65rem" fw={600}>
      <PersonLink person={person} />
      {person._id === null ? (
        <Tag tone="quiet">{t`Account deleted`}</Tag>
      ) : (
        !person.isActive && <Tag tone="attention">{t`Inactive`}</Tag>
      )}
    </Group>
  );
}

/** The version of a rule or template, with its author and date. */
export function VersionLine({ of }: { of: { version: number; createdBy: string; createdAt: string } }) {
  return (
    <Hint>
      {t`Version ${{ version: of.version }} by ${{ name: of.createdBy }}`} · <Time at={of.createdAt} isDate />
    </Hint>
  );
}
