import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { exactTotalMax } from '#contract/constants.ts';
import { sendApproved } from '#contract/moderation/bulk.ts';
import { type Approval, decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { exportUsers, showAddresses } from '#contract/profiles/staff.ts';
import { exportColumnNames, exportColumns } from '#contract/profiles/user-filters.ts';
import { refreshAfter, useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { callForFile } from '../../../api/call.ts';
import { isWorthRepeating, keyOf } from '../../../api/request.ts';
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
import { fill } from '../../../ui/text/i18n.ts';
import { BulkProgress } from './bulk/BulkProgress.tsx';
import { progressQuery } from './bulk/queries.ts';
import { saveExport } from './ExportDialog.tsx';
import { filtersInWords, type TagChoices } from './more-filter-words.ts';
import { putListedAddresses } from './queries.ts';

const states: Record<Approval['state'], [text: MessageDescriptor, tone: TagTone]> = {
  waiting: [msg`Waiting`, 'attention'],
  usable: [msg`Ready`, 'positive'],
  rejected: [msg`Rejected`, 'quiet'],
  used: [msg`Used`, 'quiet'],
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
  const download = useMutation({
    mutationFn: () => saveExport(callForFile(exportUsers, { query: { approval: _id }, headers: keyOf(_id) })),
    onSettled: (_file, error) => {
      if (!isWorthRepeating(error)) void refreshAfter(decideApproval);
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

/** Shows the addresses of an approved list in the list itself; it works once, instead of the file. */
function Show({ approval: { _id } }: { approval: Approval }) {
  const show = useCommand(showAddresses, () => ({ body: { approval: _id } }), {
    onSuccess: ({ addresses }) => putListedAddresses(addresses),
    gcTime: 0,
  });
  return (
    <>
      <ErrorNotice error={show.error} />
      <BusyButton
        size="xs"
        variant="default"
        isBusy={show.isPending}
        busyText={t`Loading...`}
        onClick={() => show.mutate()}
      >
        {t`Show addresses in lists`}
      </BusyButton>
    </>
  );
}

/** Starts sending an approved message, and shows its progress. */
function Send({ approval: { _id } }: { approval: Approval }) {
  const [isOpen, setOpen] = useState(false);
  const send = useCommand(sendApproved, () => ({ params: { id: _id } }), { onSuccess: () => setOpen(true) });
  function close() {
    setOpen(false);
    void refreshAfter(decideApproval);
  }
  return (
    <>
      <ErrorNotice error={send.error} />
      <BusyButton size="xs" isBusy={send.isPending} busyText={t`Starting...`} onClick={() => send.mutate()}>
        {t`Send message`}
      </BusyButton>
      {isOpen && send.data && <BulkProgress act={send.data.act} onClose={close} />}
    </>
  );
}

/** Shows the progress of an approved message, with a button to cancel or withdraw it. */
function Progress({ actId }: { actId: string }) {
  const [isOpen, setOpen] = useState(false);
  const act = useQuery({ ...progressQuery(actId), enabled: isOpen });
  return (
    <>
      <ErrorNotice error={act.error} />
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t`Progress`}
      </Button>
      {isOpen && act.data && <BulkProgress act={act.data} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The buttons for the requester of an approval. */
function Use({ approval }: { approval: Approval }) {
  if (approval.kind === 'users.bulk') return <Send approval={approval} />;
  return (
    <>
      <Download approval={approval} />
      {approval.columns.includes('email') && <Show approval={approval} />}
    </>
  );
}

const askedTexts: Record<Approval['kind'], MessageDescriptor> = {
  'users.export': msg({ message: '{name} asks to export {rows}' }),
  'users.bulk': msg({ message: '{name} asks to send a message to {rows}' }),
  'legalHold.release': msg({ message: '{name} asks to release the legal hold of {case}' }),
};

/** A request with its author and reason, and the possible actions. */
function Request({ approval, tags, onDecide }: RequestProps) {
  const { requestedBy, requestedAt, reason, rows, filters, isChosen, usableFrom, decision, state, can } = approval;
  const { caseId, kind, text: message, actId } = approval;
  const [text, tone] = states[state];
  return (
    <Stack component="li" gap="0.4rem" py="0.75rem">
      <Group gap="0.3rem 0.7rem">
        <span>
          <RichText
            text={(parts) => fill(askedTexts[kind], parts)}
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
      {message !== undefined && (
        <>
          <Hint>{t`The message:`}</Hint>
          <Quote dir="auto">{message}</Quote>
        </>
      )}
      {caseId === undefined && (
        <>
          <Hint>{isChosen === true ? t`Selected one by one` : filtersInWords(filters, tags)}</Hint>
          {kind === 'users.export' && <Hint>{columnsText(approval)}</Hint>}
        </>
      )}
      {state === 'waiting' && usableFrom !== null && (
        <Hint>
          <RichText text={({ time }) => t`Can be used from ${time} on`} parts={{ time: <Time at={usableFrom} /> }} />
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
      {(can.decide || can.use || actId !== undefined) && (
        <Group gap="0.5rem">
          {can.use && <Use approval={approval} />}
          {actId !== undefined && <Progress actId={actId} />}
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

/** A request after it was decided. */
const consequences = {
  'users.export': {
    approved: msg`Your colleague can then download the file, or show the addresses in lists, once within seven days of asking.`,
    rejected: msg`Your colleague cannot download the file, but can ask again.`,
  },
  'users.bulk': {
    approved: msg`Your colleague can then send the message once, within seven days of asking. It starts ten minutes later.`,
    rejected: msg`Your colleague cannot send the message, but can ask again.`,
  },
  'legalHold.release': {
    approved: msg`Data about the person can then be deleted again, when its time is over or the person asks for it.`,
    rejected: msg`Nothing about the person is deleted, and your colleague can ask again.`,
  },
} satisfies Record<Approval['kind'], object>;

/** The requests for approval by colleagues and the viewer in the last days; for people who can't approve, only their own. */
export function Approvals({ tags }: { tags: TagChoices }) {
  const isShown = useMay('cases.lead');
  const query = useEndpoint(listApprovals, {}, { enabled: isShown });
  const [asked, setAsked] = useState<{ of: Approval; verdict: 'approved' | 'rejected' } | null>(null);
  const decide = useCommand(
    decideApproval,
    ({ id, ...body }: { id: string; verdict: 'approved' | 'rejected'; reason: string }) => ({ params: { id }, body }),
    { onSuccess: () => setAsked(null) },
  );
  const isApproving = asked?.verdict === 'approved';
  if (!isShown) return null;
  return (
    <Panel
      title={t`Approvals`}
      lead={t`Exports of more than 1,000 users and messages to more than 100 within 24 hours, and releases of legal holds, need a second person.`}
    >
      <QueryStates
        query={query}
        loadingText={t`Loading approvals...`}
        skeleton="4rem"
        errorText={(error) => t`Error loading approvals: ${error}`}
      >
        {({ approvals }) =>
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
          command={decide}
          onConfirm={(reason) => decide.mutate({ id: asked.of._id, verdict: asked.verdict, reason })}
          onClose={() => setAsked(null)}
        >
          {t(consequences[asked.of.kind][asked.verdict])}
        </ReasonDialog>
      )}
    </Panel>
  );
}
