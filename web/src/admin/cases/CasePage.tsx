import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { CaseFile as CaseFileData } from '#contract/moderation/cases.ts';
import { ApiError } from '../../api/api-error.ts';
import { useMay } from '../../api/session/permission.ts';
import {
  CaseQueue,
  CaseViewers,
  type Done,
  DoneToast,
  type Queue,
  useQueue,
} from '../../features/moderation/cases/CaseDesk.tsx';
import { caseKeys } from '../../features/moderation/cases/case-words.ts';
import { CaseFile, CaseNotFound } from '../../features/moderation/cases/CaseFile.tsx';
import desk from '../../features/moderation/cases/desk.module.css';
import { addressIn, caseFileQuery, readList } from '../../features/moderation/cases/queries.ts';
import { DeskOptions } from '../../features/moderation/queue/DeskOptions.tsx';
import { useIsWide } from '../../features/moderation/queue/Desk.tsx';
import { useWayBack } from '../../features/moderation/queue/way-back.tsx';
import { PictureNumbers } from '../../features/moderation/reports/ReportEvidence.tsx';
import { personWord } from '../../features/moderation/reports/report-words.ts';
import { Contact } from '../../features/profiles/staff/Contact.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { KeyHint, useFlag, usePageActions } from '../../ui/keyboard/shortcuts.tsx';
import { BackLink, PageHeading, Panel } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';

/** The links back to the list and to the neighbouring cases. */
function Way({ queue, isWide }: { queue: Queue; isWide: boolean }) {
  const { list, walk, number, count, skipped, next, previous } = queue;
  const back = useWayBack({ to: addressIn(list), children: t`All cases` });
  return (
    <Group component="nav" justify="space-between" gap="0.4rem 0.6rem" aria-label={t`Breadcrumb`}>
      <BackLink {...back} />
      <Group component="span" gap="0.3rem">
        {number !== null && (walk !== undefined || !isWide) && (
          <Text span c="dimmed" fz="small">
            {t`${{ place: formatNumber(number) }} of ${{ count: formatNumber(count) }}`}
          </Text>
        )}
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t`Previous case`}
          aria-keyshortcuts="k"
          disabled={previous === undefined}
          onClick={queue.goBack}
        >
          <IconChevronUp size={18} stroke={1.75} />
        </ActionIcon>
        <KeyHint of="k" />
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={t`Next case`}
          aria-keyshortcuts="j"
          disabled={next === undefined}
          onClick={queue.goNext}
        >
          <IconChevronDown size={18} stroke={1.75} />
        </ActionIcon>
        <KeyHint of="j" />
      </Group>
      <p role="status" className={desk.skipped}>
        {skipped > 0 &&
          t`${plural({ count: skipped }, { one: '# case is', other: '# cases are' })} left out because a colleague closed or claimed them in the meantime.`}
      </p>
    </Group>
  );
}

const none: CaseFileData['evidence'] = [];

interface CaseProps {
  id: string;
  queue: Queue;
  isWide: boolean;
  /** The last action. */
  notice: ReactNode;
  onDone: (done: Done) => void;
}

function Case({ id, queue, isWide, notice, onDone }: CaseProps) {
  const client = useQueryClient();
  const maySeeAudit = useMay('audit.view');
  const goesOn = useFlag('next-case');
  const query = useQuery(caseFileQuery(id));
  const isMissing = query.data === undefined && query.error instanceof ApiError && query.error.status === 404;
  const name = query.data && personWord(query.data.case.person);

  return (
    <PictureNumbers evidence={query.data?.evidence ?? none}>
      <div className={desk.case}>
        <Way queue={queue} isWide={isWide} />
        <div className={desk.top}>
          <PageHeading className={desk.title}>
            {isMissing ? t`Case not found` : name === undefined ? t`Case` : t`Case about ${name}`}
          </PageHeading>
          {!isMissing && (
            <Group gap="0.4rem 0.6rem" wrap="nowrap">
              <LastUpdated query={query} />
              <KeysButton keys={caseKeys} />
              <DeskOptions />
            </Group>
          )}
          {query.data && <CaseViewers caseId={id} />}
        </div>
        {query.isError && !query.data && notice}
        {isMissing ? (
          <CaseNotFound />
        ) : (
          <QueryStates
            query={query}
            loadingText={t`Loading case...`}
            skeleton={<Skeleton height="16rem" count={2} />}
            errorText={(error) => t`Error loading case: ${error}`}
          >
            {(file) => (
              <CaseFile
                file={file}
                contact={(userId, email) => <Contact userId={userId} email={email} />}
                notice={notice}
                onDeciding={() => {
                  // Reading a case is recorded, so the next one is fetched only when it is about to be opened.
                  if (goesOn && queue.next !== undefined) void client.prefetchQuery(caseFileQuery(queue.next._id));
                }}
                onDone={onDone}
                aside={
                  maySeeAudit && (
                    <Panel title={t`History`} lead={t`What staff viewed and changed on this case`}>
                      <Link to={`/audit?targetId=${encodeURIComponent(id)}`}>{t`Open in the audit trail`}</Link>
                    </Panel>
                  )
                }
              />
            )}
          </QueryStates>
        )}
      </div>
    </PictureNumbers>
  );
}

/** One case, with everything staff may see and do. On wide screens the queue is next to it. */
export function CasePage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const isWide = useIsWide();
  const queue = useQueue(readList(params), id);
  const goesOn = useFlag('next-case');
  const [done, setDone] = useState<(Done & { shownAt: string; wasShown: boolean }) | null>(null);
  if (done?.shownAt === id && !done.wasShown) setDone({ ...done, wasShown: true });
  if (done !== null && done.shownAt !== id && (done.wasShown || done.caseId !== id)) setDone(null);
  /** The case on the screen, for answers that arrive after another one was opened. */
  const shown = useRef(id);
  useLayoutEffect(() => {
    shown.current = id;
    return () => {
      shown.current = '';
    };
  }, [id]);

  usePageActions([
    ...(queue.next ? [{ key: 'j', text: t`Next case`, run: queue.goNext }] : []),
    ...(queue.previous ? [{ key: 'k', text: t`Previous case`, run: queue.goBack }] : []),
  ]);

  return (
    <div className={desk.desk} data-wide={isWide || undefined}>
      {isWide && <CaseQueue queue={queue} currentId={id} />}
      <Case
        key={id}
        id={id}
        queue={queue}
        isWide={isWide}
        notice={
          done?.shownAt === id && (
            <DoneToast
              key={done.caseId + done.text}
              done={done}
              onUndone={(caseId) => {
                setDone(null);
                if (caseId !== id) queue.open(caseId);
              }}
              onClose={() => setDone(null)}
            />
          )
        }
        onDone={(what) => {
          const isStillHere = shown.current === what.caseId;
          // Only the sentence about a decision says which case it is about.
          if (!isStillHere && what.back !== 'reopen') return;
          const next = isStillHere && what.back === 'reopen' && goesOn ? queue.next?._id : undefined;
          setDone({ ...what, shownAt: next ?? shown.current, wasShown: false });
          if (next !== undefined) queue.goNext();
        }}
      />
    </div>
  );
}
