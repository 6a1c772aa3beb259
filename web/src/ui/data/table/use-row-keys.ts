import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router';
import type { Pagination } from '#contract/paging.ts';
import { type SingleKeys, useSingleKeys } from '../../keyboard/shortcuts.tsx';

interface Chosen {
  id: string;
  index: number;
}

const kept = new Map<string, Chosen>();

/** Forgets which rows were current on the pages of this tab, once its user has signed out. */
export function forgetRows(): void {
  kept.clear();
}

/** The `_id` or `id` of a row. */
export function idOf(row: unknown): string {
  const { _id, id = '' } = row as { _id?: string; id?: string };
  return _id ?? id;
}

/** The id of the link or button of a row, which receives the focus when the row becomes the current one. */
export function linkId(rowId: string): string {
  return `row-${rowId}`;
}

const linkOf = (rowId: string | null) => (rowId === null ? null : document.getElementById(linkId(rowId)));

function focusRow(id: string | null): void {
  (linkOf(id) ?? document.querySelector('h1'))?.focus();
}

/**
 * The row that keyboard shortcuts act on: the one that last had the focus, or the row that has taken its place. A new
 * list starts without a current row; Back restores the previous one.
 */
export function useCurrentRow(rows: readonly object[], listKey: string) {
  const ids = rows.map(idOf);
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
    /**
     * Moves to the next or previous row, or to the first one if there is no current row, and focuses it. A row that is
     * not in the document is focused by its table, which scrolls to it.
     */
    move: (by: 1 | -1) => {
      const id = ids[Math.max(0, Math.min(ids.length - 1, shownIndex + by))];
      if (id === undefined) return;
      choose(id);
      linkOf(id)?.focus();
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
