import { useMutationState } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { StaffReport } from '#contract/moderation/reports.ts';
import type { Pagination } from '#contract/paging.ts';
import { onSessionChange } from '../../../api/session/stored-session.ts';
import { type SingleKeys, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { commandKey } from './report-data.ts';

interface Chosen {
  id: string;
  index: number;
}

const kept = new Map<string, Chosen>();

onSessionChange(({ token }) => {
  if (token === null) kept.clear();
});

/** The id of a report's link, which receives the focus when the report becomes the current one. */
export function linkId(reportId: string): string {
  return `report-${reportId}`;
}

function focusRow(id: string | null): void {
  const link = id === null ? null : document.getElementById(linkId(id));
  (link ?? document.querySelector('h1'))?.focus();
}

/**
 * The row that keyboard shortcuts act on: the one that last had the focus, or the row that has taken its place. A new
 * list starts without a current row; Back restores the previous one.
 */
export function useCurrentRow(ids: readonly string[], listKey: string) {
  const { key: place } = useLocation();
  const [chosen, setChosen] = useState<Chosen | null>(() => kept.get(place) ?? null);
  const [seenKey, setSeenKey] = useState(listKey);
  if (listKey !== seenKey) {
    setSeenKey(listKey);
    setChosen(null);
  }

  const index = chosen === null ? -1 : ids.indexOf(chosen.id);
  const isGone = chosen !== null && index === -1 && ids.length > 0;
  const shownIndex = isGone ? Math.min(chosen.index, ids.length - 1) : index;
  const currentId = ids[shownIndex] ?? null;

  function choose(id: string) {
    const next = { id, index: ids.indexOf(id) };
    kept.set(place, next);
    setChosen(next);
  }

  // The focused row has disappeared, so the focus moves to the row in its place.
  useEffect(() => {
    if (!isGone || currentId === null) return;
    setChosen({ id: currentId, index: shownIndex });
    if (document.activeElement === document.body) focusRow(currentId);
  }, [isGone, currentId, shownIndex]);

  return {
    currentId,
    choose,
    focusCurrent: () => focusRow(currentId),
    /** Moves to the next or previous row, or to the first one if there is no current row, and focuses it. */
    move: (by: 1 | -1) => {
      const id = ids[Math.max(0, Math.min(ids.length - 1, shownIndex + by))];
      if (id === undefined) return;
      choose(id);
      focusRow(id);
    },
  };
}

/**
 * The keyboard shortcuts of a list: j and k move between its rows, Enter opens the current one, and `more` adds others.
 */
export function useRowKeys(
  rows: ReturnType<typeof useCurrentRow>,
  onOpen: (id: string) => void,
  more: SingleKeys = {},
): void {
  useSingleKeys({
    ...more,
    j: () => rows.move(1),
    k: () => rows.move(-1),
    Enter: () => {
      const isOnControl = document.activeElement?.matches('a, button, summary, [role="region"]') === true;
      if (rows.currentId === null || isOnControl) return false;
      onOpen(rows.currentId);
      return true;
    },
  });
}

interface Answered {
  data: { pagination: Pagination } | undefined;
  isPlaceholderData: boolean;
}

/**
 * Goes to the last page if the requested one does not exist, because its last row was just resolved or the link is old.
 */
export function useLastPage({ data, isPlaceholderData }: Answered, page: number, goTo: (page: number) => void): void {
  const go = useEffectEvent(goTo);
  const last = data === undefined || isPlaceholderData ? page : Math.max(1, data.pagination.pages);
  useEffect(() => {
    if (page > last) go(last);
  }, [page, last]);
}

const nothing: ReadonlySet<string> = new Set();
const shownMs = 3000;

/** The ids of reports that the viewer has changed recently. */
function useOwnIds(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: commandKey },
    select: ({ state }) => (state.variables as { id: string }).id,
  });
  return new Set(ids);
}

/**
 * The rows of the current page that colleagues have just added or changed, for three seconds, and the time of that
 * change.
 */
export function useListChanges(listKey: string, reports: readonly StaffReport[] | undefined) {
  const ownIds = useOwnIds();
  const own = useRef(ownIds);
  const seen = useRef<{ listKey: string; times: Map<string, string> } | null>(null);
  const [changed, setChanged] = useState<{ ids: ReadonlySet<string>; at: number | null }>({ ids: nothing, at: null });

  useEffect(() => {
    own.current = ownIds;
  });

  useEffect(() => {
    if (reports === undefined) return;
    const before = seen.current;
    const times = new Map(reports.map(({ _id, updatedAt }) => [_id, updatedAt]));
    seen.current = { listKey, times };
    if (before?.listKey !== listKey) return;
    const isByOthers = (id: string) => !own.current.has(id);
    const ids = [...times.keys()].filter((id) => isByOthers(id) && before.times.get(id) !== times.get(id));
    const hasLostRows = [...before.times.keys()].some((id) => isByOthers(id) && !times.has(id));
    if (ids.length > 0 || hasLostRows) setChanged({ ids: new Set(ids), at: Date.now() });
  }, [listKey, reports]);

  useEffect(() => {
    if (changed.ids.size === 0) return;
    const timer = setTimeout(() => setChanged(({ at }) => ({ ids: nothing, at })), shownMs);
    return () => clearTimeout(timer);
  }, [changed.ids]);

  return changed;
}
