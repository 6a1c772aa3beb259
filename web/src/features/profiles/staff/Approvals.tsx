import { Button, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { exactTotalMax, reasonMaxLength } from '#contract/constants.ts';
import { type Approval, decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { exportColumnNames, exportColumns, exportUsers } from '#contract/profiles/staff.ts';
import { call, callForFile } from '../../../api/call.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Tag, type TagTone } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { RichText } from '../../../ui/data/RichText.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Rows } from '../../../ui/layout/Rows.tsx';
import { Hint, Quote } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { saveExport } from './ExportDialog.tsx';
import type { TagChoices } from './MoreFilterChips.tsx';
import { filtersInWords } from './more-filter-words.ts';

const approvalsQuery = queryOptions({
  queryKey: staffKeys.approvals,
  queryFn: async ({ signal }) => (await call(listApprovals, { signal })).data.approvals,
});

const states: Record<Approval['state'], [text: string, tone: TagTone]> = {
  waiting: ['Waiting', 'attention'],
  usable: ['Ready to download', 'positive'],
  rejected: ['Rejected', 'quiet'],
  used: ['Downloaded', 'quiet'],
  over: ['Expired', 'quiet'],
};

/** The number of people, which is counted up to ten thousand. */
const rowsText = (rows: number) =>
  rows > exactTotalMax
    ? t('more than {count} users', { count: formatNumber(exactTotalMax) })
    : t('{count, plural, one {# user} other {# users}}', { count: rows });

function columnsText({ columns }: Approval): string {
  if (columns.length === exportColumnNames.length) return t('All columns');
  return t('Columns: {names}', { names: columns.map((column) => t(exportColumns[column])).join(', ') });
}

/** Downloads what was approved; it works once. */
function Download({ approval: { _id } }: { approval: Approval }) {
  const client = useQueryClient();
  const download = useMutation({
    mutationFn: () => saveExport(callForFile(exportUsers, { query: { approval: _id } })),
    onSettled: () => void client.invalidateQueries({ queryKey: staffKeys.approvals }),
  });
  return (
    <>
      <ErrorNotice error={download.error} text="Export failed: {error}" />
      <BusyButton size="xs" isBusy={download.isPending} busyText={t('Exporting...')} onClick={() => download.mutate()}>
        {t('Download')}
      </BusyButton>
    </>
  );
}

interface RequestProps {
  approval: Approval;
  tags: TagChoices;
  onDecide: (verdict: 'approved' | 'rejected') => void;
}

/** Who asked for what and why, and what can be done with it. */
function Request({ approval, tags, onDecide }: RequestProps) {
  const { requestedBy, requestedAt, reason, rows, filters, isChosen, usableFrom, decision, state, can } = approval;
  const [text, tone] = states[state];
  return (
    <Stack component="li" gap="0.4rem" py="0.75rem">
      <Group gap="0.3rem 0.7rem">
        <span>
          <RichText
            text="{name} asks to export {rows}"
            parts={{ name: <strong dir="auto">{requestedBy.name}</strong>, rows: rowsText(rows) }}
          />
        </span>
        <Tag tone={tone}>{t(text)}</Tag>
        <Text c="dimmed">
          <Time at={requestedAt} />
        </Text>
      </Group>
      <Quote dir="auto">{reason}</Quote>
      <Hint>{isChosen === true ? t('Selected one by one') : filtersInWords(filters, tags)}</Hint>
      <Hint>{columnsText(approval)}</Hint>
      {state === 'waiting' && usableFrom !== null && (
        <Hint>
          <RichText text="Can be downloaded from {time} on" parts={{ time: <Time at={usableFrom} /> }} />
        </Hint>
      )}
      {decision !== null && (
        <Hint dir="auto">
          {t(decision.verdict === 'approved' ? 'Approved by {name}' : 'Rejected by {name}', { name: decision.by.name })}
          {decision.reason !== null && `: ${decision.reason}`}
        </Hint>
      )}
      {(can.decide || can.use) && (
        <Group gap="0.5rem">
          {can.use && <Download approval={approval} />}
          {can.decide && (
            <>
              <Button size="xs" onClick={() => onDecide('approved')}>
                {t('Approve')}
              </Button>
              <Button size="xs" variant="default" onClick={() => onDecide('rejected')}>
                {t('Reject')}
              </Button>
            </>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** For administrators: the exports that colleagues and they themselves asked approval for in the last days. */
export function Approvals({ tags }: { tags: TagChoices }) {
  const client = useQueryClient();
  const isShown = useMay('users.export');
  const query = useQuery({ ...approvalsQuery, enabled: isShown });
  const [asked, setAsked] = useState<{ id: string; verdict: 'approved' | 'rejected' } | null>(null);
  const decide = useMutation({
    mutationFn: ({ id, ...body }: { id: string; verdict: 'approved' | 'rejected'; reason: string }) =>
      call(decideApproval, { params: { id }, body }),
    onSuccess: () => setAsked(null),
    onSettled: () => void client.invalidateQueries({ queryKey: staffKeys.approvals }),
  });
  const isApproving = asked?.verdict === 'approved';
  if (!isShown) return null;
  return (
    <Panel
      title={t('Approvals')}
      lead={t('Exports of more than 1,000 users within 24 hours need a second administrator.')}
    >
      <QueryStates
        query={query}
        loadingText={t('Loading approvals...')}
        skeleton="4rem"
        errorText="Error loading approvals: {error}"
      >
        {(approvals) =>
          approvals.length === 0 ? (
            <Hint>{t('No requests in the last seven days.')}</Hint>
          ) : (
            <Rows>
              {approvals.map((approval) => (
                <Request
                  key={approval._id}
                  approval={approval}
                  tags={tags}
                  onDecide={(verdict) => setAsked({ id: approval._id, verdict })}
                />
              ))}
            </Rows>
          )
        }
      </QueryStates>
      {asked !== null && (
        <ReasonDialog
          title={t(isApproving ? 'Approve this export?' : 'Reject this export?')}
          description={t('Your colleague and the audit trail see it.')}
          confirm={t(isApproving ? 'Approve' : 'Reject')}
          busyText={t('Saving...')}
          command={decide}
          maxLength={reasonMaxLength}
          onConfirm={(reason) => decide.mutate({ ...asked, reason })}
          onClose={() => {
            decide.reset();
            setAsked(null);
          }}
        >
          {t(
            isApproving
              ? 'Your colleague can then download the file once, within seven days of asking.'
              : 'Your colleague cannot download the file, but can ask again.',
          )}
        </ReasonDialog>
      )}
    </Panel>
  );
}
