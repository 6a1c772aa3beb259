import { t } from '@lingui/core/macro';
import { Box, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { type OwnReport, reportTypeWords } from '#contract/moderation/reports.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import classes from './support.module.css';
import { aboutText, isWaitingForMember, shortReportId, statusTone, statusWord } from './words.ts';

function ReportRow({ report }: { report: OwnReport }) {
  const { _id, problem_type, status, createdAt, reportedUser, description, isUnread, isFromTeam } = report;
  return (
    <li>
      <Link to={`/app/support/${_id}`} className={classes.listRow} data-unread={isUnread || undefined}>
        <Group component="span" gap="0.3rem 0.75rem" justify="space-between">
          <Text component="span" fz="1.05rem" fw={isUnread ? 700 : 600}>
            {isFromTeam ? t`Message from our support team` : t(reportTypeWords[problem_type])}
          </Text>
          <Group component="span" display="inline-flex" gap="0.35rem" wrap="nowrap" align="stretch">
            {isUnread && <Tag tone="accent">{t`New`}</Tag>}
            {!isWaitingForMember(report) && (
              <Tag tone={statusTone(status)} hasDot>
                {statusWord(status)}
              </Tag>
            )}
          </Group>
        </Group>
        <Text component="span" lineClamp={2} dir="auto">
          {description}
        </Text>
        <Group component="span" gap="0.15rem 1rem" c="dimmed" fz="note">
          {reportedUser?.name && (
            <Box component="span" miw={0} maw="100%">
              {aboutText(reportedUser.name)}
            </Box>
          )}
          <time dateTime={createdAt} title={formatExactTime(createdAt)}>
            {formatDate(createdAt)}
          </time>
          <Box component="span" style={{ whiteSpace: 'nowrap' }}>
            {t`#${{ id: shortReportId(_id) }}`}
          </Box>
        </Group>
      </Link>
    </li>
  );
}

interface ReportListProps {
  reports: readonly OwnReport[];
  total: number;
  isBusy: boolean;
  onMore: () => void;
}

/** The member's own reports, each with a link to its conversation. Rows added by 'Load more' receive the focus. */
export function ReportList({ reports, total, isBusy, onMore }: ReportListProps) {
  const list = useRef<HTMLDivElement>(null);
  const askedBeyond = useRef<number | null>(null);

  useEffect(() => {
    const first = askedBeyond.current;
    if (first === null || reports.length <= first) return;
    askedBeyond.current = null;
    list.current?.querySelectorAll<HTMLElement>('a')[first]?.focus();
  }, [reports.length]);

  return (
    <>
      <Stack ref={list} component="ul" gap="0.7rem" aria-label={t`Your reports`}>
        {reports.map((report) => (
          <ReportRow key={report._id} report={report} />
        ))}
      </Stack>
      {reports.length < total && (
        <Stack gap="0.6rem" align="center" mt="1.25rem">
          <Hint>{t`${{ shown: reports.length }} of ${total}`}</Hint>
          <BusyButton
            variant="default"
            isBusy={isBusy}
            busyText={t`Loading...`}
            onClick={() => {
              askedBeyond.current = reports.length;
              onMore();
            }}
          >
            {t`Load more`}
          </BusyButton>
        </Stack>
      )}
    </>
  );
}

/** The skeleton of the list while it is loading. */
export function ReportsSkeleton() {
  return (
    <Stack gap="0.7rem">
      {['1', '2', '3', '4', '5', '6', '7'].map((row) => (
        <Skeleton key={row} height="7.2rem" />
      ))}
    </Stack>
  );
}

/** A message below the list when it could not be refreshed. */
export function ReloadNotice({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) return null;
  return (
    <Notice mt="1.25rem" kind="warning" onRetry={onRetry}>
      {t`This may be out of date: ${{ error: error.message }}`}
    </Notice>
  );
}
