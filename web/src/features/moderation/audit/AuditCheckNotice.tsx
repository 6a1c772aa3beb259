import { plural, t } from '@lingui/core/macro';
import { Box, Button, Stack } from '@mantine/core';
import type { AnswerOf } from '#contract/endpoint.ts';
import { type AuditCheck, getAuditCheck, requestAuditCheck } from '#contract/moderation/audit.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatTime, formatNumber } from '../../../ui/text/format.ts';
import classes from './audit.module.css';

const runningEveryMs = 1000;

/** The result of a check as text: which events were changed, or how many are intact. */
function result({ batches, events, firstBad, startedAt }: AuditCheck): string {
  if (firstBad !== null) {
    const { batch, until } = firstBad;
    const where =
      until === null
        ? t`Batch ${{ batch: formatNumber(batch) }} of the audit trail is missing.`
        : t`Batch ${{ batch: formatNumber(batch) }} of the audit trail, with events until ${{ time: formatTime(until) }}, does not match its seal.`;
    return `${where} ${t`Events were changed, added or deleted outside the product.`}`;
  }
  return t`The audit trail is intact: ${plural({ events }, { one: '# event', other: '# events' })} in ${plural({ batches }, { one: '# sealed batch', other: '# sealed batches' })}, checked ${{ time: formatTime(startedAt) }}.`;
}

/**
 * The result of the last comparison of the trail with its seals, and the newest seal, which should be noted elsewhere.
 */
export function AuditCheckNotice() {
  const request = useCommand(requestAuditCheck, () => ({}), { waits: true });
  // The requested check may not have started yet.
  const asked = request.isSuccess ? request.submittedAt : null;
  const query = useEndpoint(
    getAuditCheck,
    {},
    { refetchInterval: ({ state: { data } }) => (isRunning(data, asked) ? runningEveryMs : false) },
  );
  if (query.isPending)
    return (
      <Box mb="1.25rem">
        <Skeleton height="5.25rem" />
      </Box>
    );
  if (query.data === undefined) return null;
  const { newest, check, running } = query.data;
  return (
    <Stack gap="0.75rem" mb="1.25rem">
      <Notice
        kind={check === null ? 'info' : check.firstBad ? 'error' : 'success'}
        action={
          <Button
            variant="default"
            size="xs"
            loading={request.isPending || isRunning(query.data, asked)}
            onClick={() => request.mutate()}
          >
            {t`Check now`}
          </Button>
        }
      >
        {check === null ? t`The audit trail has not been checked yet. It is checked every night.` : result(check)}
        {running !== null && (
          <p>{t`Checking the audit trail: ${plural({ events: running.events }, { one: '# event', other: '# events' })} so far...`}</p>
        )}
        {newest !== null && (
          <details>
            <summary className={classes.summary}>{t`Newest seal`}</summary>
            <p>
              {t`Save this value outside this server, so you can later prove that earlier entries weren't changed.`}
            </p>
            <code style={{ overflowWrap: 'anywhere' }}>{`${newest.batch}:${newest.hash}`}</code>
          </details>
        )}
      </Notice>
      <ErrorNotice error={request.error} text={(error) => t`Could not start the check: ${error}`} />
    </Stack>
  );
}

const isRunning = (data: AnswerOf<typeof getAuditCheck>['data'] | undefined, asked: number | null) =>
  data !== undefined &&
  (data.running !== null || (asked !== null && (data.check === null || Date.parse(data.check.startedAt) < asked)));
