import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { appealReasonsMax, appealReasonsMin } from '#contract/moderation/decisions.ts';
import {
  assignOutsiderReport,
  closeOutsiderReport,
  listOutsiderReports,
  type OutsiderLine,
  type OutsiderView,
  outsiderViews,
} from '#contract/moderation/outsider-reports.ts';
import { endpointPages, useCommand } from '../../../api/endpoint-query.ts';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { ConfirmDialog } from '../../../ui/feedback/FormDialog.tsx';
import { ErrorNotice, FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { QueueLinks } from '../cases/QueueLinks.tsx';
import { NoticeDesk, OutsiderReportPanel } from './NoticeDesk.tsx';

const viewWords: Record<OutsiderView, MessageDescriptor> = {
  waiting: msg`Waiting`,
  unconfirmed: msg`Address not confirmed`,
  done: msg`Done`,
};
const addressOf = (view: OutsiderView) => (view === 'waiting' ? '/cases/notices' : `/cases/notices?view=${view}`);
const listEveryMs = 60_000;

interface DialogProps {
  report: OutsiderLine;
  /** Called with the case that the notice is in now, or null if it is closed. */
  onDone: (caseId: string | null) => void;
  onClose: () => void;
}

function CloseDialog({ report: { _id: id, plea }, onDone, onClose }: DialogProps) {
  const command = useCommand(
    closeOutsiderReport,
    (answer: string | undefined) => ({ params: { id }, body: { answer } }),
    { waits: true },
  );
  if (plea !== null)
    return (
      <ReasonDialog
        title={t`Close this notice again?`}
        description={t`The author reads this.`}
        confirm={t({ message: 'Close', context: 'notice' })}
        command={command}
        minLength={appealReasonsMin}
        maxLength={appealReasonsMax}
        onConfirm={(reason) => command.mutate(reason, { onSuccess: () => onDone(null) })}
        onClose={onClose}
      >
        {t`The author disagreed. Say why there is nothing to act on.`}
      </ReasonDialog>
    );
  return (
    <ConfirmDialog
      title={t`Close this notice?`}
      confirmText={t({ message: 'Close', context: 'notice' })}
      command={command}
      errorText={(error) => t`Couldn't close the notice: ${error}`}
      onConfirm={() => command.mutate(undefined, { onSuccess: () => onDone(null) })}
      onClose={onClose}
    >
      {t`The author learns that we did not act, and can appeal if the notice has an address.`}
    </ConfirmDialog>
  );
}

type UserPicker = (onPick: (userId: string) => void) => ReactNode;

interface AssignDialogProps extends DialogProps {
  /** Shows the search next to the notice instead of over it. */
  isBeside: boolean;
  userPicker: UserPicker;
}

function AssignDialog({ report: { _id: id }, isBeside, onDone, onClose, userPicker }: AssignDialogProps) {
  const command = useCommand(assignOutsiderReport, (userId: string) => ({ params: { id }, body: { userId } }), {
    waits: true,
  });
  return (
    <Dialog title={t`Who is it about?`} size={isBeside ? 'panel' : 'sheet'} onClose={onClose}>
      <Text mb="1rem">{t`The notice becomes a part of the person’s case, with a copy of the profile.`}</Text>
      <ErrorNotice error={command.error} />
      {userPicker((userId) => {
        // Loading the lists again may remove the notice, and this form with it, before the command is done.
        const done = ({ caseId }: { caseId: string }) => onDone(caseId);
        if (!command.isPending) void command.mutateAsync(userId).then(done, () => undefined);
      })}
    </Dialog>
  );
}

/** Outsider reports without a matching account, and finished ones. */
export function OutsiderReportsBrowser({ userPicker }: { userPicker: UserPicker }) {
  const [params] = useSearchParams();
  const view = outsiderViews.find((one) => one === params.get('view')) ?? 'waiting';
  const query = useInfiniteQuery({
    ...endpointPages(listOutsiderReports, { query: { view } }),
    refetchInterval: listEveryMs,
  });
  const [asked, setAsked] = useState<{ what: 'close' | 'assign'; report: OutsiderLine } | null>(null);
  const [done, setDone] = useState<{ id: string; caseId: string | null } | null>(null);
  const dialog = asked && {
    report: asked.report,
    onDone: (caseId: string | null) => {
      setAsked(null);
      setDone({ id: asked.report._id, caseId });
    },
    onClose: () => setAsked(null),
  };
  const result = done && (
    <FloatingNotice
      key={done.id}
      kind="success"
      action={done.caseId !== null && <Link to={`/cases/${done.caseId}`}>{t`Open the case`}</Link>}
      onClose={() => setDone(null)}
    >
      {done.caseId === null ? t`The notice is closed.` : t`The notice is in the person’s case now.`}
    </FloatingNotice>
  );
  const assigning = (isBeside: boolean, shown = asked?.report) =>
    dialog &&
    asked.what === 'assign' &&
    asked.report._id === shown?._id && <AssignDialog {...dialog} isBeside={isBeside} userPicker={userPicker} />;
  return (
    <Stack gap="1.25rem">
      <QueueLinks
        label={t`Lists of notices`}
        views={outsiderViews}
        words={viewWords}
        current={view}
        counts={query.data?.pages[0]?.counts ?? {}}
        addressOf={addressOf}
      />
      <QueryStates
        query={query}
        loadingText={t`Loading notices...`}
        skeleton="30rem"
        errorText={(error) => t`Error loading notices: ${error}`}
      >
        {({ pages }) =>
          pages[0]?.notices.length === 0 ? (
            <>
              {result}
              <EmptyState
                text={t`No notices here.`}
                hint={t`Notices about a known profile or picture are in that person's case.`}
                isFramed
              />
            </>
          ) : view === 'waiting' ? (
            <NoticeDesk
              reports={pages.flatMap(({ notices }) => notices)}
              total={pages[0]?.counts.waiting ?? 0}
              ask={(what, report) => setAsked({ what, report })}
              result={result}
              form={assigning}
              onEnd={() => query.hasNextPage && void query.fetchNextPage()}
            />
          ) : (
            <InfiniteList query={query}>
              {pages.flatMap(({ notices: reports }) =>
                reports.map((report) => (
                  <OutsiderReportPanel key={report._id} report={report} ask={(what) => setAsked({ what, report })} />
                )),
              )}
            </InfiniteList>
          )
        }
      </QueryStates>
      {dialog && asked.what === 'close' && <CloseDialog {...dialog} />}
      {view !== 'waiting' && assigning(false)}
    </Stack>
  );
}
