import { useState } from 'react';
import { bulkIdsMax } from '#contract/constants.ts';
import type { BodyInput, QueryInput } from '#contract/endpoint.ts';
import type { startBulk } from '#contract/moderation/bulk.ts';
import type { listUsers } from '#contract/profiles/staff.ts';
import type { ListedUser } from '#contract/profiles/user.ts';

export type Selection = Exclude<BodyInput<typeof startBulk>['selection'], { changedBy: string }>;
export type ListQuery = Omit<QueryInput<typeof listUsers>, 'page' | 'limit' | 'cursor'>;

/** The people of an act, and their number as far as the screen knows it. */
export interface Chosen {
  selection: Selection;
  count: number;
  /** They include everyone, because no filter is set. */
  isEveryone?: boolean;
}

interface ListedUsers {
  rows: readonly ListedUser[];
  /** The query that matches everyone in the list; null if the rows were looked up. */
  query: ListQuery | null;
  /** How many users match. */
  total: number;
}

const none: ReadonlySet<string> = new Set();

const isUnfiltered = (query: ListQuery) =>
  Object.keys(query).every((name) => name === 'sortBy' || name === 'sortOrder');

/** The selected users: some of the rows, or all that match the filters, until these change. */
export function useUserSelection({ rows, query, total }: ListedUsers) {
  const [ids, setIds] = useState(none);
  const [allOf, setAllOf] = useState<string | null>(null);
  const listKey = query === null ? null : JSON.stringify(query);
  const everyone = allOf !== null && allOf === listKey ? query : null;
  const isAll = everyone !== null;
  const shown = rows.map(({ _id }) => _id);
  const loaded = shown.slice(0, bulkIdsMax);

  function select(next: ReadonlySet<string>) {
    setIds(next);
    setAllOf(null);
  }

  function toggle(id: string) {
    const next = new Set(isAll ? loaded : ids);
    if (!next.delete(id) && next.size < bulkIdsMax) next.add(id);
    select(next);
  }

  const chosen: Chosen = {
    ...(everyone !== null
      ? { selection: { filters: everyone }, count: total }
      : { selection: { ids: [...ids] }, count: ids.size }),
    isEveryone: query !== null && isUnfiltered(query) && (isAll || ids.size >= total),
  };
  return {
    ids: isAll ? new Set(shown) : ids,
    chosen,
    toggle,
    /** Selects the loaded rows, up to the limit of one act. */
    selectLoaded: () => select(new Set(loaded)),
    loadedCount: loaded.length,
    /** Undefined if everyone who matches is already selected, or the list is the result of a look-up. */
    selectAll: query === null || isAll || total <= ids.size ? undefined : () => setAllOf(listKey),
    clear: () => select(none),
  };
}

export type UserSelection = ReturnType<typeof useUserSelection>;
