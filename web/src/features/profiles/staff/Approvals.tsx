import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { exactTotalMax, reasonMaxLength } from '#contract/constants.ts';
import { type Approval, decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { exportColumnNames, exportColumns, exportUsers } from '#contract/profiles/staff.ts';
import { call, callForFile } from '../../../api/call.ts';
import { isWorthRepeating, keyOf } from '../../../api/request.ts';
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
import { saveExport } from './ExportDialog.tsx';
import type { TagChoices } from './MoreFilterChips.tsx';
import { filtersInWords } from './more-filter-words.ts';

const approvalsQuery = queryOptions({
  queryKey: staffKeys.approvals,
  queryFn: async ({ signal }) => (await call(listApprovals, { signal })).data.approvals,
});

const states: Record<Approval['state'], [text: MessageDescriptor, tone: TagTone]> = {
  waiting: [msg`Waiting`, 'attention'],
  usable: [msg`Ready to download`, 'positive'],
  rejected: [msg`Rejected`, 'quiet'],
  used: [msg`Downloaded`, 'quiet'],
  over: [msg`Expired`, 'quiet'],
};

/** The number of people, which is counted up to ten thousand. */
const rowsText = (rows: number) =>
  rows > exactTotalMax
    ? t`more than ${{ count: formatNumber(exactTotalMax) }} users`
    : t`${plural({ count: rows }, { one: '# user', other: '# users' })}`;

function columnsText({ columns }: Approval): string {
  if (columns.length === exportColumnNames.length) return t`All columns`;
  return t`Columns: ${{ names: columns.map((column) => t(exportColumns[column])).join(', ') }}`;
}

/** Downloads what was approved; it works once, and again after a download that broke off. */
function Download({ approval: { _id } }: { approval: Approval }) {
  const client = useQueryClient();
  const download = useMutation({
    mutationFn: () => saveExport(callForFile(exportUsers, { query: { approval: _id }, headers: keyOf(_id) })),
    onSettled: (_file, error) => {
      if (!isWorthRepeating(error)) void client.invalidateQueries({ queryKey: staffKeys.approvals });
    },
  });
  return (
    <>
      <ErrorNotice error={download.error} text={(error) => t`Export failed: ${error}`} />
      <BusyButton size="xs" isBusy={download.isPending} busyText={t`Exporting...`} onClick={() => download.mutate()}>
        {t`Download`}
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
  const { requestedBy, requestedAt, reason, rows, filters, isChosen, usableFrom, decision, state, can, caseId } =
    approval;
  const [text, tone] = states[state];
  return (
    <Stack component="li" gap="0.4rem" py="0.75rem">
      <Group gap="0.3rem 0.7rem">
        <span>
          <RichText
            text={(parts) =>
              caseId === undefined
                ? t`${{ name: parts.name }} asks to export ${{ rows: parts.rows }}`
                : t`${{ name: parts.name }} asks to release the legal hold of ${{ case: parts.case }}`
            }
            parts={{
              name: <strong dir="auto">{requestedBy.name}</strong>,
              rows: rowsText(rows),
              case: <Link to={`/cases/${caseId ?? ''}`}>{t`a case`}</Link>,
            }}
          />
        </span>
        <Tag tone={tone}>{caseId !== undefined && state === 'used' ? t`Released` : t(text)}</Tag>
        <Text c="dimmed">
          <Time at={requestedAt} />
        </Text>
      </Group>
      <Quote dir="auto">{reason}</Quote>
      {caseId === undefined && (
        <>
          <Hint>{isChosen === true ? t`Selected one by one` : filtersInWords(filters, tags)}</Hint>
          <Hint>{columnsText(approval)}</Hint>
        </>
      )}
      {state === 'waiting' && usableFrom !== null && (
        <Hint>
          <RichText
            text={({ time }) => t`Can be downloaded from ${time} on`}
            parts={{ time: <Time at={usableFrom} /> }}
          />
        </Hint>
      )}
      {decision !== null && (
        <Hint dir="auto">
          {decision.verdict === 'approved'
            ? t`Approved by ${{ name: decision.by.name }}`
            : t`Rejected by ${{ name: decision.by.name }}`}
          {decision.reason !== null && `: ${decision.reason}`}
        </Hint>
      )}
      {(can.decide || can.use) && (
        <Group gap="0.5rem">
          {can.use && <Download approval={approval} />}
          {can.decide && (
            <>
              <Button size="xs" onClick={() => onDecide('approved')}>
                {t({ message: 'Approve', context: 'request' })}
              </Button>
              <Button size="xs" variant="default" onClick={() => onDecide('rejected')}>
                {t`Reject`}
              </Button>
            </>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** What happens with a request once it is decided. */
const consequences = {
  'users.export': {
    approved: msg`Your colleague can then download the file once, within seven days of asking.`,
    rejected: msg`Your colleague cannot download the file, but can ask again.`,
  },
  'legalHold.release': {
    approved: msg`Data about the person can then be deleted again, as its time is over or the person asks for it.`,
    rejected: msg`Nothing about the person is deleted, and your colleague can ask again.`,
  },
} satisfies Record<Approval['kind'], object>;

/** For administrators: the exports and releases of legal holds that colleagues and they themselves asked approval for in the last days. */
export function Approvals({ tags }: { tags: TagChoices }) {
  const client = useQueryClient();
  const isShown = useMay('users.export');
  const query = useQuery({ ...approvalsQuery, enabled: isShown });
  const [asked, setAsked] = useState<{ of: Approval; verdict: 'approved' | 'rejected' } | null>(null);
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
      title={t`Approvals`}
      lead={t`Exports of more than 1,000 users within 24 hours, and releases of legal holds, need a second person.`}
    >
      <QueryStates
        query={query}
        loadingText={t`Loading approvals...`}
        skeleton="4rem"
        errorText={(error) => t`Error loading approvals: ${error}`}
      >
        {(approvals) =>
          approvals.length === 0 ? (
            <Hint>{t`No requests in the last seven days.`}</Hint>
          ) : (
            <Rows>
              {approvals.map((approval) => (
                <Request
                  key={approval._id}
                  approval={approval}
                  tags={tags}
                  onDecide={(verdict) => setAsked({ of: approval, verdict })}
                />
              ))}
            </Rows>
          )
        }
      </QueryStates>
      {asked !== null && (
        <ReasonDialog
          title={isApproving ? t`Approve this request?` : t`Reject this request?`}
          description={t`Your colleague and the audit trail see it.`}
          confirm={isApproving ? t({ message: 'Approve', context: 'request' }) : t`Reject`}
          busyText={t`Saving...`}
          command={decide}
          maxLength={reasonMaxLength}
          onConfirm={(reason) => decide.mutate({ id: asked.of._id, verdict: asked.verdict, reason })}
          onClose={() => {
            decide.reset();
            setAsked(null);
          }}
        >
          {t(consequences[asked.of.kind][asked.verdict])}
        </ReasonDialog>
      )}
    </Panel>
  );
}
