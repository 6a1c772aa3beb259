import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
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
  wideScreen,
} from '../../features/moderation/cases/CaseDesk.tsx';
import { caseKeys } from '../../features/moderation/cases/case-words.ts';
import {
  CaseEvidence,
  CaseFile,
  type CaseForm,
  CaseNotFound,
  OpenCaseForm,
} from '../../features/moderation/cases/CaseFile.tsx';
import desk from '../../features/moderation/cases/desk.module.css';
import { addressIn, caseFileQuery, readList } from '../../features/moderation/cases/queries.ts';
import { PictureNumbers } from '../../features/moderation/reports/ReportEvidence.tsx';
import { personWord } from '../../features/moderation/reports/report-words.ts';
import { Contact } from '../../features/profiles/staff/Contact.tsx';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { LastUpdated } from '../../ui/feedback/LastUpdated.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { CheckField } from '../../ui/form/Field.tsx';
import { isBehindDialog, KeyHint, setFlag, useFlag, usePageActions } from '../../ui/keyboard/shortcuts.tsx';
import { MoreActions } from '../../ui/layout/MoreActions.tsx';
import { BackLink, PageHeading, Panel } from '../../ui/layout/Page.tsx';
import { formatNumber } from '../../ui/text/format.ts';

/** The links back to the list and to the neighbouring cases. */
function Way({ queue, isWide }: { queue: Queue; isWide: boolean }) {
  const { list, walk, number, count, skipped, next, previous } = queue;
  return (
    <Group component="nav" justify="space-between" gap="0.4rem 0.6rem" aria-label={t`Breadcrumb`}>
      <BackLink to={addressIn(list)}>{t`All cases`}</BackLink>
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

/** The settings of the desk that are kept on this device. */
function Options() {
  return (
    <MoreActions label={t`Options`}>
      <Stack gap="0.75rem" p="0.5rem">
        <CheckField
          checked={useFlag('next-case')}
          onChange={(event) => setFlag('next-case', event.currentTarget.checked)}
          label={t`After a decision, go to the next case`}
        />
        <CheckField
          checked={useFlag('veiled-evidence')}
          onChange={(event) => setFlag('veiled-evidence', event.currentTarget.checked)}
          label={t`Blur pictures and messages until I show them`}
        />
      </Stack>
    </MoreActions>
  );
}

const none: CaseFileData['evidence'] = [];

/** Alt+E switches between an open form and the evidence next to it, and restores the previous focus on each side. */
function useWayToEvidence(isOn: boolean) {
  const evidence = useRef<HTMLDivElement>(null);
  const left = useRef<{ form: Element | null; evidence: Element | null }>({ form: null, evidence: null });
  useEffect(() => {
    if (!isOn) return;
    left.current = { form: null, evidence: null };
    function press(event: KeyboardEvent) {
      // Compare the physical key, because some systems produce another character with Alt.
      if (event.code !== 'KeyE' || !event.altKey || event.ctrlKey || event.metaKey || isBehindDialog()) return;
      const form = document.querySelector('dialog[open][data-size="panel"]');
      if (form === null) return;
      event.preventDefault();
      const active = document.activeElement;
      const isInForm = form.contains(active);
      if (isInForm) left.current.form = active;
      else if (evidence.current?.contains(active)) left.current.evidence = active;
      const known = isInForm ? left.current.evidence : left.current.form;
      const usual = isInForm ? evidence.current : form.querySelector('[data-autofocus]');
      const target = known?.isConnected === true ? known : usual;
      if (target instanceof HTMLElement) target.focus();
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  return evidence;
}

interface CaseProps {
  id: string;
  queue: Queue;
  isWide: boolean;
  onDone: (done: Done) => void;
}

function Case({ id, queue, isWide, onDone }: CaseProps) {
  const client = useQueryClient();
  const [form, setForm] = useState<CaseForm | null>(null);
  const hasFormBeside = isWide && form !== null;
  const evidencePane = useWayToEvidence(hasFormBeside);
  const maySeeAudit = useMay('audit.view');
  const goesOn = useFlag('next-case');
  const query = useQuery(caseFileQuery(id));
  const isMissing = query.data === undefined && query.error instanceof ApiError && query.error.status === 404;
  const name = query.data && personWord(query.data.case.person);

  function ask(what: CaseForm) {
    setForm(what);
    if (what === form) document.querySelector<HTMLElement>('dialog[open] [data-autofocus]')?.focus();
    // Reading a case is recorded, so the next one is fetched only when it is about to be opened.
    if (what === 'decide' && goesOn && queue.next !== undefined)
      void client.prefetchQuery(caseFileQuery(queue.next._id));
  }

  return (
    <PictureNumbers evidence={query.data?.evidence ?? none}>
      <div className={`${desk.pane ?? ''} ${desk.case ?? ''}`}>
        <Way queue={queue} isWide={isWide} />
        <div className={desk.top}>
          <PageHeading className={desk.title}>
            {isMissing ? t`Case not found` : name === undefined ? t`Case` : t`Case about ${name}`}
          </PageHeading>
          {!isMissing && (
            <Group gap="0.4rem 0.6rem" wrap="nowrap">
              <LastUpdated query={query} />
              <KeysButton keys={caseKeys} />
              <Options />
            </Group>
          )}
          {query.data && <CaseViewers caseId={id} />}
        </div>
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
                isEvidenceBeside={isWide}
                onAsk={ask}
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
      {isWide && (
        <div
          ref={evidencePane}
          role="region"
          aria-label={t`Evidence`}
          aria-keyshortcuts="Alt+E"
          tabIndex={0}
          className={desk.pane}
        >
          {hasFormBeside && (
            <Text c="dimmed" fz="small" mb="1.25rem">
              {t`Form and evidence`}
              <KeyHint of="Alt E" />
            </Text>
          )}
          {query.data ? <CaseEvidence file={query.data} /> : !isMissing && <Skeleton height="14rem" count={2} />}
        </div>
      )}
      {query.data && form !== null && (
        <OpenCaseForm file={query.data} form={form} isBeside={isWide} onDone={onDone} onClose={() => setForm(null)} />
      )}
    </PictureNumbers>
  );
}

/** One case, with everything staff may see and do. On wide screens the queue and the evidence are shown on its sides. */
export function CasePage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const isWide = useMediaQuery(wideScreen, undefined, { getInitialValueInEffect: false }) === true;
  const queue = useQueue(readList(params), id);
  const goesOn = useFlag('next-case');
  const [done, setDone] = useState<Done | null>(null);

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
        onDone={(what) => {
          setDone(what);
          if (what.back === 'reopen' && goesOn) queue.goNext();
        }}
      />
      {done !== null && (
        <DoneToast
          key={done.caseId + done.text}
          done={done}
          onUndone={(caseId) => {
            setDone(null);
            if (caseId !== id) queue.open(caseId);
          }}
          onClose={() => setDone(null)}
        />
      )}
    </div>
  );
}
