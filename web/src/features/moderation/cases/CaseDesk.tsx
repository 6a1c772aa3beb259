import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { CaseLine, HandlingStep } from '#contract/moderation/cases.ts';
import { nextOffered } from '#contract/moderation/care.ts';
import { caseViews } from '#contract/moderation/case-list.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { openCaseEveryMs, openCaseLastsMs } from '#contract/realtime.ts';
import { emit, onMissed, onRealtime } from '../../../api/realtime/realtime.ts';
import { readSession } from '../../../api/session/stored-session.ts';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { FloatingNotice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { LazyReasonDialog } from '../../../ui/feedback/LazyReasonDialog.tsx';
import { SelectField } from '../../../ui/form/Field.tsx';
import { KeyHint, usePageActions } from '../../../ui/keyboard/shortcuts.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { useCare } from '../care.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { personWord } from '../reports/report-words.ts';
import { stageWords, viewWords } from './case-words.ts';
import { countText, listText, TimeLeft } from './CaseMarks.tsx';
import { addressIn, type CaseList, casesQuery, savedListsQuery, useCaseStep, type Walk } from './queries.ts';
import { usePlace } from '../queue/use-place.ts';
import type { CameFrom } from '../queue/way-back.tsx';
import classes from './desk.module.css';

const noLines: readonly CaseLine[] = [];
const moreWithin = 5;

/** Whether a case was closed or taken by a colleague after it was selected to be opened one by one. */
function isTaken({ _id, stage, holder }: CaseLine, { cases, seen }: Walk): boolean {
  if (seen.includes(_id)) return false;
  const before = cases.find(({ id }) => id === _id)?.holderId;
  const isLeased = holder !== null && holder._id !== before && holder._id !== readSession().user?._id;
  return stage === 'decided' || isLeased;
}

/** What a case that was opened from another one knows of the way there. */
interface OpenedFrom extends CameFrom {
  walk?: Walk | undefined;
  /** The first case that follows, if another kind was opened before it. */
  first?: string | undefined;
  /** The cases that were left with “Next case”. They come again after the others. */
  left?: readonly string[];
}

/**
 * The list or walk from which a case was opened, and the neighbouring cases. A walk skips cases that colleagues have
 * closed or taken in the meantime.
 */
export function useQueue(list: CaseList, id: string) {
  const navigate = useNavigate();
  const { walk: kept, first, left = [], from } = (useLocation().state as OpenedFrom | null) ?? {};
  const walk = kept && { ...kept, seen: [...new Set([...kept.seen, id])] };
  const query = useInfiniteQuery(casesQuery(list, walk));
  const pages = query.data?.pages;
  const lines = useMemo(() => pages?.flatMap(({ cases }) => cases) ?? noLines, [pages]);
  const { index, place } = usePlace(lines, id);
  const isOffered = (line: CaseLine) => walk === undefined || !isTaken(line, walk);
  // If a page is reloaded far into a walk, the walk is loaded up to the current case.
  const isFinding = walk !== undefined && place === -1 && query.hasNextPage;
  // One that was passed over for another kind comes as soon as that is done.
  const back = lines.findIndex(({ _id }) => _id === first);
  const after = lines
    .slice(back !== -1 ? back : index === -1 ? Math.max(place, 0) : index + 1)
    .filter((line) => line._id !== id && isOffered(line));
  const others = after.filter(({ _id }) => !left.includes(_id));
  const following = others.length > 0 || query.hasNextPage ? others : after;
  const { data: care } = useCare();
  // The cases that someone has selected are for them to open.
  const offered =
    walk === undefined
      ? nextOffered(following, lines[index]?.isSensitive === true, care?.isOver === true)
      : following[0];
  const next = isFinding ? undefined : offered;
  const previous = lines.slice(0, Math.max(place, 0)).findLast(isOffered);

  const fetchMore = useEffectEvent(() => {
    if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
  });
  const isNearEnd = isFinding || (place >= 0 && (next === undefined || place + moreWithin >= lines.length));
  useEffect(() => {
    if (isNearEnd) fetchMore();
  }, [isNearEnd, lines.length, pages?.length]);

  /** Opens another case from this one. */
  const open = (caseId: string, known: OpenedFrom = { left }) =>
    void navigate(addressIn(list, caseId), { replace: true, state: { walk, from, ...known } satisfies OpenedFrom });
  function goNext() {
    const [first] = following;
    if (next) open(next._id, { first: first === next ? undefined : first?._id, left: [...left, id] });
  }
  return {
    list,
    walk,
    left,
    from,
    query,
    lines,
    /** The position of the case, from 1; null if it is unknown. */
    number: walk !== undefined ? walk.cases.findIndex((one) => one.id === id) + 1 : place === -1 ? null : place + 1,
    count: walk?.cases.length ?? lines.length,
    skipped: lines.filter((line) => !isOffered(line)).length,
    next,
    previous,
    open,
    goNext,
    goBack: () => previous && open(previous._id, { left: left.filter((one) => one !== previous._id) }),
  };
}

export type Queue = ReturnType<typeof useQueue>;

function Line({ line, queue, isCurrent }: { line: CaseLine; queue: Queue; isCurrent: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li>
      <Link
        ref={link}
        to={addressIn(queue.list, line._id)}
        replace
        state={{ walk: queue.walk, left: queue.left, from: queue.from } satisfies OpenedFrom}
        className={classes.line}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <strong dir="auto">{personWord(line.person)}</strong>
        <Group component="span" gap="0.3rem" fz="small">
          <PriorityTag priority={line.priority} />
          <TimeLeft of={line} />
        </Group>
        <Text span c="dimmed" fz="small">
          {line.holder === null ? t(stageWords[line.stage]) : <bdi>{line.holder.name}</bdi>}
          {' · '}
          {line.types.map((type) => t(reportTypeWords[type])).join(', ') || t`Linked accounts`}
        </Text>
      </Link>
    </li>
  );
}

/** The queue next to a case, on wide screens. */
export function CaseQueue({ queue, currentId }: { queue: Queue; currentId: string }) {
  const navigate = useNavigate();
  const { list, walk, query, lines, count } = queue;
  const counts = query.data?.pages[0]?.counts;
  const saved = useQuery(savedListsQuery).data ?? [];
  const isFiltered = [walk, list.priority, list.type, list.order].some((each) => each !== undefined);
  return (
    <nav className={classes.queue} aria-label={t`Queue`}>
      <SelectField
        label={t`List`}
        value={isFiltered ? '' : list.view}
        choices={[
          ...(isFiltered
            ? [
                {
                  value: '',
                  label: walk === undefined ? listText(list) : t`Selected cases (${{ count: formatNumber(count) }})`,
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
        loadingText={t`Loading cases...`}
        skeleton={<Skeleton height="5rem" count={5} />}
        errorText={(error) => t`Error loading cases: ${error}`}
      >
        {() =>
          lines.length === 0 ? (
            <Text c="dimmed" fz="small">
              {t`No cases here.`}
            </Text>
          ) : (
            <InfiniteList query={query} size="xs">
              <Stack component="ol" gap="0.3rem" mt="0.9rem">
                {lines.map((line) => (
                  <Line key={line._id} line={line} queue={queue} isCurrent={line._id === currentId} />
                ))}
              </Stack>
            </InfiniteList>
          )
        }
      </QueryStates>
    </nav>
  );
}

const viewersEveryMs = 5000;

/** The names of colleagues who have the case open right now. It also announces to them that the viewer has it open. */
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
      // A colleague who has just opened the case does not know yet who else is viewing it.
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

/** Shows who else has the case open. */
export function CaseViewers({ caseId }: { caseId: string }) {
  const names = useCaseViewers(caseId);
  return (
    <Group role="status" className={classes.others ?? ''} c="var(--hw-honey)" fz="note" gap="0.4rem">
      {names.length > 0 && (
        <>
          <IconEye size={16} stroke={1.75} aria-hidden="true" />
          {t`Also looking at this case: ${{ names: names.join(', ') }}`}
        </>
      )}
    </Group>
  );
}

/** A step that was just taken, and the step that undoes it. */
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

/**
 * Confirms a step and offers to undo it while the server allows that. A decision can only be undone by reopening the
 * case, with a reason.
 */
export function DoneToast({ done, onUndone, onClose }: DoneToastProps) {
  const { caseId, text, back } = done;
  const step = useCaseStep(caseId);
  const [isAsking, setAsking] = useState(false);
  const isReopening = back === 'reopen';
  const finish = { onSuccess: () => onUndone(caseId) };
  const word = isReopening ? t`Reopen` : t`Undo`;

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
          {...(back !== null && { staysMs: 15_000 })}
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
          {step.error === null ? text : reasonOf(step.error)}
        </FloatingNotice>
      )}
      {isAsking && (
        <LazyReasonDialog
          title={t`Reopen`}
          description={t`Kept in the timeline and the audit trail.`}
          confirm={t`Reopen`}
          command={step}
          onConfirm={(reason) => step.mutate({ step: 'reopen', reason }, finish)}
          onClose={onClose}
        >
          {t`The most recently closed reports return to “In progress”, and the case is assigned to you. Answers that were sent stay sent, and sanctions stay in force until they are revoked.`}
        </LazyReasonDialog>
      )}
    </>
  );
}
