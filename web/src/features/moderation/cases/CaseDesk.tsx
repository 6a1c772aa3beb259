import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type CaseLine, caseViews } from '#contract/moderation/case.ts';
import type { HandlingStep } from '#contract/moderation/cases.ts';
import { openCaseEveryMs, openCaseLastsMs } from '#contract/realtime.ts';
import { emit, onMissed, onRealtime } from '../../../api/realtime/realtime.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { FloatingNotice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { KeyHint, usePageActions } from '../../../ui/keyboard/actions.tsx';
import { t } from '../../../ui/text/text.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { personWord } from '../reports/report-words.ts';
import { stageWords, viewWords } from './case-words.ts';
import { countText, listText, TimeLeft } from './CaseMarks.tsx';
import { addressIn, type CaseList, casesQuery, savedListsQuery, useCaseStep } from './queries.ts';
import classes from './desk.module.css';

/** Where a case has its queue and its evidence beside it, and every form. */
export const wideScreen = '(min-width: 68.75rem)';

const noLines: readonly CaseLine[] = [];
const moreWithin = 5;
/** How far the list is searched for chosen cases. */
const mostPagesOfChosen = 8;

/**
 * The list that a case is opened from, and its neighbours there. A case that has just left the list keeps its place, so that the
 * next one is the one that moved up.
 */
export function useQueue(list: CaseList, id: string) {
  const navigate = useNavigate();
  const query = useInfiniteQuery(casesQuery(list));
  const { only } = list;
  const lines = useMemo(() => {
    const all = query.data?.pages.flatMap(({ cases }) => cases) ?? noLines;
    const wanted = only === undefined ? null : new Set(only.split(','));
    return wanted === null ? all : all.filter(({ _id }) => wanted.has(_id));
  }, [query.data, only]);
  const pages = query.data?.pages.length ?? 0;
  const index = lines.findIndex(({ _id }) => _id === id);
  const [last, setLast] = useState({ id, index });
  if (index !== -1 && (last.id !== id || last.index !== index)) setLast({ id, index });
  const place = index === -1 && last.id === id ? last.index : index;
  const next = lines[index === -1 ? Math.max(place, 0) : index + 1];
  const previous = lines[place - 1];

  const fetchMore = useEffectEvent(() => {
    const mayHaveMore = only === undefined || pages < mostPagesOfChosen;
    if (query.hasNextPage && !query.isFetching && mayHaveMore) void query.fetchNextPage();
  });
  const isNearEnd = place >= 0 && place + moreWithin >= lines.length;
  useEffect(() => {
    if (isNearEnd) fetchMore();
  }, [isNearEnd, lines.length, pages]);

  const go = (line: CaseLine | undefined) => {
    if (line !== undefined) void navigate(addressIn(list, line._id), { replace: true });
  };
  return { list, query, lines, place, next, previous, goNext: () => go(next), goBack: () => go(previous) };
}

export type Queue = ReturnType<typeof useQueue>;

function Line({ line, list, isCurrent }: { line: CaseLine; list: CaseList; isCurrent: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li>
      <Link
        ref={link}
        to={addressIn(list, line._id)}
        replace
        className={classes.line}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <strong dir="auto">{personWord(line.person)}</strong>
        <span className={classes.marks}>
          <PriorityTag priority={line.priority} />
          <TimeLeft of={line} />
        </span>
        <span className={classes.small}>
          {line.holder === null ? t(stageWords[line.stage]) : <bdi>{line.holder.name}</bdi>}
          {' · '}
          {line.types.map((type) => t(type)).join(', ') || t('Linked accounts')}
        </span>
      </Link>
    </li>
  );
}

/** The queue beside a case, on wide screens. */
export function CaseQueue({ queue, currentId }: { queue: Queue; currentId: string }) {
  const navigate = useNavigate();
  const { list, query, lines } = queue;
  const counts = query.data?.pages[0]?.counts;
  const saved = useQuery(savedListsQuery).data ?? [];
  const isFiltered = [list.only, list.priority, list.type, list.order].some((each) => each !== undefined);
  return (
    <nav className={`${classes.pane ?? ''} ${classes.queue ?? ''}`} aria-label={t('Queue')}>
      <SelectField
        label={t('List')}
        value={isFiltered ? '' : list.view}
        choices={[
          ...(isFiltered
            ? [
                {
                  value: '',
                  label:
                    list.only === undefined
                      ? listText(list)
                      : t('Selected cases ({count})', { count: countText(lines.length) }),
                },
              ]
            : []),
          ...caseViews.map((one) => ({
            value: one,
            label: `${t(viewWords[one])}${counts === undefined ? '' : ` (${countText(counts[one])})`}`,
          })),
          ...saved.map(({ _id, name, count, isAtLeast }) => ({
            value: _id,
            label: `${name} (${countText(count, isAtLeast || undefined)})`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') void navigate(addressIn({ view: value }, currentId), { replace: true });
        }}
      />
      <QueryStates
        query={query}
        loadingText={t('Loading cases...')}
        skeleton={<Skeleton height="5rem" count={5} />}
        errorText="Error loading cases: {error}"
      >
        {() =>
          lines.length === 0 ? (
            <p className={classes.small}>{t('No cases here.')}</p>
          ) : (
            <InfiniteList query={query} size="xs">
              <ol className={classes.lines}>
                {lines.map((line) => (
                  <Line key={line._id} line={line} list={list} isCurrent={line._id === currentId} />
                ))}
              </ol>
            </InfiniteList>
          )
        }
      </QueryStates>
    </nav>
  );
}

const viewersEveryMs = 5000;

/** The names of colleagues who have the case open right now, and says that the viewer has. */
function useCaseViewers(caseId: string): string[] {
  const now = useNow(viewersEveryMs);
  const [seen, setSeen] = useState<ReadonlyMap<string, { name: string; until: number }>>(new Map());
  useEffect(() => {
    const known = new Map<string, { name: string; until: number }>();
    const tell = () => {
      if (document.visibilityState === 'visible') emit('openCase', { caseId });
    };
    const stop = onRealtime((event) => {
      if (event.kind !== 'caseViewer' || event.caseId !== caseId) return;
      const { _id: id, name } = event.viewer;
      if (id === readSession().user?._id) return;
      // Who has just opened it does not know yet who else is here.
      if (!known.has(id)) tell();
      known.set(id, { name, until: Date.now() + openCaseLastsMs });
      setSeen(new Map(known));
    });
    const stopMissed = onMissed(tell);
    tell();
    const timer = setInterval(tell, openCaseEveryMs);
    return () => {
      stop();
      stopMissed();
      clearInterval(timer);
    };
  }, [caseId]);
  return [...seen.values()].filter(({ until }) => until > now).map(({ name }) => name);
}

/** Who else has the case open. */
export function CaseViewers({ caseId }: { caseId: string }) {
  const names = useCaseViewers(caseId);
  return (
    <p role="status" className={classes.others}>
      {names.length > 0 && (
        <>
          <IconEye size={16} stroke={1.75} aria-hidden="true" />
          {t('Also looking at this case: {names}', { names: names.join(', ') })}
        </>
      )}
    </p>
  );
}

/** A step that was just taken, and the step that takes it back. */
export interface Done {
  caseId: string;
  text: string;
  back: HandlingStep | null;
}

interface DoneToastProps {
  done: Done;
  onUndone: (caseId: string) => void;
  onClose: () => void;
}

/** Confirms a step, and offers what takes it back while the server allows it. A decision is only taken back by reopening, with a reason. */
export function DoneToast({ done, onUndone, onClose }: DoneToastProps) {
  const { caseId, text, back } = done;
  const step = useCaseStep(caseId);
  const [isAsking, setAsking] = useState(false);
  const isReopening = back === 'reopen';
  const finish = { onSuccess: () => onUndone(caseId) };
  const word = t(isReopening ? 'Reopen' : 'Undo');

  function undo() {
    if (back === null || step.isPending) return;
    if (isReopening) setAsking(true);
    else step.mutate({ step: back }, finish);
  }

  usePageActions(back === null ? [] : [{ key: 'u', text: word, run: undo }]);

  return (
    <>
      {!isAsking && (
        <FloatingNotice
          kind={step.error === null ? 'success' : 'error'}
          staysMs={15_000}
          onClose={onClose}
          action={
            back !== null && (
              <Button size="xs" variant="default" aria-keyshortcuts="u" onClick={undo}>
                {word}
                <KeyHint of="u" />
              </Button>
            )
          }
        >
          {step.error === null ? text : t(reasonOf(step.error))}
        </FloatingNotice>
      )}
      {isAsking && (
        <ReasonDialog
          title={t('Reopen')}
          description={t('Kept in the timeline and the audit trail.')}
          confirm={t('Reopen')}
          busyText={t('Saving...')}
          isBusy={step.isPending}
          error={step.error && t(reasonOf(step.error))}
          onConfirm={(reason) => step.mutate({ step: 'reopen', reason }, finish)}
          onClose={onClose}
        >
          <p>
            {t(
              'Its last reports go back to in progress, and you have the case. Answers that were sent stay sent, and sanctions stay in force until they are revoked.',
            )}
          </p>
        </ReasonDialog>
      )}
    </>
  );
}
